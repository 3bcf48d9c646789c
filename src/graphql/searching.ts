import { statementsOf } from '../db/statement-time.ts';
import { type Outcome, Refusal } from '../errors/refusal.ts';
import type { Context } from './context.ts';
import { ownerOf } from './work.ts';

/** Runs a search when it is the caller's turn; `rate_limited` when too many of the caller's wait already. */
export async function searching<T>(context: Context, search: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const found = await context.services.rooms.searching.within(ownerOf(context), () =>
    statementsOf('searching', search),
  );
  return found ?? new Refusal('rate_limited', 'Too many searches of yours wait already.', { retryAfter: 2 });
}
