import type { Queryable } from '../../ground/db/queryable.ts';
import { countLines } from '../invoices/store/read-counts.ts';
import type { Event } from './event.ts';
import { EVENT_LIMITS } from './limits.ts';

/**
 * The cost of events: each event of an invoice contains the whole invoice, and one of 500 lines takes 200 KB and
 * several milliseconds.
 */

const isOfInvoice = ({ type }: Pick<Event, 'type'>): boolean => type.startsWith('invoice.');

/** The number of invoice lines in an event. */
export type LinesOf = (event: Event) => number;

/** Counts the lines of the invoices in events of one environment; an event of anything else has none. */
export async function countLinesOf(
  client: Queryable,
  environmentId: number,
  events: readonly Event[],
): Promise<LinesOf> {
  const ids = [...new Set(events.filter(isOfInvoice).map(({ subjectId }) => subjectId))];
  const lines = ids.length === 0 ? null : await countLines(client, environmentId, ids);
  return (event) => (isOfInvoice(event) ? (lines?.get(event.subjectId) ?? 0) : 0);
}

/**
 * The first of the events, as many as may be sent together: no more lines than a page has (`linesOfPage`), but always one
 * event. `count` is called only if there are more.
 */
export async function firstToSend(
  events: readonly Event[],
  count: () => LinesOf | Promise<LinesOf>,
): Promise<readonly Event[]> {
  if (events.length <= 1) return events;
  const linesOf = await count();
  let sum = 0;
  const end = events.findIndex((event, index) => {
    sum += linesOf(event);
    return index > 0 && sum > EVENT_LIMITS.linesOfPage.value;
  });
  return end < 0 ? events : events.slice(0, end);
}
