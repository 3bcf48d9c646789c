import type { GraphQLResolveInfo } from 'graphql';
import type { Listed } from '../../ground/db/listed.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import type { Event } from '../../subjects/events/event.ts';
import { countLinesOf, firstToSend } from '../../subjects/events/lines.ts';
import { chargeRows, isOnly } from './charged-rows.ts';
import type { Context } from './context.ts';

/**
 * Charges the request for the invoices in the events, before they are built: invalid_request and
 * service_unavailable as `chargeRows` refuses.
 */
export async function chargeEvents(
  context: Context,
  info: GraphQLResolveInfo,
  environmentId: number,
  events: readonly Event[],
): Promise<void> {
  const lines = await countLinesOf(context.services.db.pool, environmentId, events);
  const each = new Map(events.map((event) => [event.subjectId, lines(event)]));
  const sum = [...each.values()].reduce((all, some) => all + some, 0);
  await chargeRows(context, sum, isOnly(info));
}

/** The list in pages whose events have no more lines than a page of invoices has, but of one event at least. */
export function readInShortPages(
  context: Context,
  environmentId: number,
  list: Listed<Event>,
): Listed<Event> {
  return {
    ...list,
    async page(request) {
      const page = await list.page(request);
      if (isRefusal(page)) return page;
      const rows = request.backwards ? page.rows.toReversed() : page.rows;
      const firstRows = await firstToSend(rows, () =>
        countLinesOf(context.services.db.pool, environmentId, rows),
      );
      return {
        rows: request.backwards ? firstRows.toReversed() : firstRows,
        hasMore: page.hasMore || firstRows.length < page.rows.length,
      };
    },
  };
}
