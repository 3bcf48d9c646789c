import type { GraphQLResolveInfo } from 'graphql';
import type { Listed } from '../../ground/db/listed.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import type { Event } from '../../subjects/events/event.ts';
import { countLines } from '../../subjects/invoices/store/read-counts.ts';
import type { Context } from './context.ts';
import { chargeValues } from './work.ts';

/** What an event tells of a line of its invoice, as REST shows it: the line, its taxes, and reading them. */
const VALUES_OF_A_LINE = 25;

const isOfInvoice = ({ type }: Event): boolean => type.startsWith('invoice.');

/** How many lines the invoice of each event has. Events of one invoice share what is read of it. */
async function linesOf(
  { services }: Context,
  environmentId: number,
  events: readonly Event[],
): Promise<(event: Event) => number> {
  const ids = [...new Set(events.filter(isOfInvoice).map(({ subjectId }) => subjectId))];
  const lines = ids.length === 0 ? null : await countLines(services.db.pool, environmentId, ids);
  return (event) => (isOfInvoice(event) ? (lines?.get(event.subjectId) ?? 0) : 0);
}

/**
 * Charges the request with what the events tell of their invoices, before it is made: invalid_request and
 * service_unavailable as `chargeRows` refuses.
 */
export async function chargeEvents(
  context: Context,
  info: GraphQLResolveInfo,
  environmentId: number,
  events: readonly Event[],
): Promise<void> {
  const lines = await linesOf(context, environmentId, events);
  const each = new Map(events.map((event) => [event.subjectId, lines(event)]));
  const sum = [...each.values()].reduce((all, some) => all + some, 0);
  await chargeValues(context, info, sum * VALUES_OF_A_LINE);
}

/** The list in pages whose events tell of no more lines than a page of invoices has, but of one event at least. */
export function inShortPages(context: Context, environmentId: number, list: Listed<Event>): Listed<Event> {
  return {
    ...list,
    async page(asked) {
      const page = await list.page(asked);
      if (isRefusal(page)) return page;
      const lines = await linesOf(context, environmentId, page.rows);
      const fitting = thoseThatFit(asked.backwards ? page.rows.toReversed() : page.rows, lines);
      return {
        rows: asked.backwards ? fitting.toReversed() : fitting,
        hasMore: page.hasMore || fitting.length < page.rows.length,
      };
    },
  };
}

function thoseThatFit(rows: readonly Event[], lines: (event: Event) => number): readonly Event[] {
  const seen = new Set<string>();
  let sum = 0;
  const end = rows.findIndex((row, index) => {
    if (!seen.has(row.subjectId)) sum += lines(row);
    seen.add(row.subjectId);
    return index > 0 && sum > LIMITS.linesOfPage.value;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
