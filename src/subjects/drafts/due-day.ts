import { type Day, plusDays } from '../../ground/lib/calendar.ts';

/** A draft's due day: a day in its invoice, or a number of days from its issue (`dueInDays`), but not both. */

/** The days of an invoice that only one invoice can have; a schedule cannot contain them. */
export const ONE_TIME_DAYS = ['operationDate', 'dueDate', 'delivery'] as const;

/** Whether the invoice itself has a due day. */
export function hasDueDay(invoice: { readonly dueDate?: unknown }): boolean {
  return invoice.dueDate != null;
}

/** The invoice with its due day when it is issued on that day; unchanged when no days are counted. */
export function withDueDay<Content extends object>(
  content: Content,
  dueInDays: number | null,
  issuedOn: Day,
): Content {
  return dueInDays === null ? content : { ...content, dueDate: plusDays(issuedOn, dueInDays) };
}
