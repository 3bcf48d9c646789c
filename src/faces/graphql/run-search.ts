import type { Listed } from '../../ground/db/listed.ts';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { ownerOf } from './charged-rows.ts';
import type { Context } from './context.ts';
import { valueOrThrow } from './errors.ts';

/** Of searching (accounts/entry/shares.ts). */
const MS_OF_A_POINT = 5;

/** Runs a search when it is the caller's turn; `rate_limited` when too many of the caller's wait already. */
export async function runSearch<T>(context: Context, search: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const { semaphores, shares } = context.services;
  const owner = ownerOf(context);
  const refusal = shares.take(owner, 'searching');
  if (isRefusal(refusal)) return refusal;
  const measured = async () => {
    const start = performance.now();
    try {
      return await statementsOf('searching', search);
    } finally {
      shares.charge(owner, 'searching', Math.round((performance.now() - start) / MS_OF_A_POINT));
    }
  };
  const found = await semaphores.searching.within(owner, measured);
  return found ?? new Refusal('rate_limited', 'Too many searches of yours wait already.', { retryAfter: 2 });
}

/** A list whose pages and count are searches. */
export function searchedList<Row>(context: Context, list: Listed<Row>): Listed<Row> {
  return {
    page: (request) => runSearch(context, () => list.page(request)),
    count: async () => valueOrThrow(await runSearch(context, list.count)),
  };
}
