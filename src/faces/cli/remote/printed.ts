import type { Invoice, InvoiceDraft, InvoiceSchedule } from '@lacre/client';
import type { Given, Operation, Rows } from './operation.ts';

/** An invoice in a list. */
export function invoiceRow(invoice: Invoice): object {
  const { id, number, type, kind, status, verifactu, invoice_date: issuedAt, total, currency } = invoice;
  const registration = verifactu?.status ?? null;
  return { id, number, type, kind, status, registration, issuedAt, total, currency };
}

function draftRow({ id, status, total, errors, ...draft }: InvoiceDraft): object {
  return {
    ...{ id, status, total, errors: errors.length, failure: draft.failure?.code ?? null },
    ...{ scheduleId: draft.schedule_id, period: draft.period, invoiceId: draft.invoice_id },
    createdAt: draft.created_at,
  };
}

function scheduleRow(schedule: InvoiceSchedule): object {
  const { id, status, frequency, made, count, next_dates: dates, created_at: createdAt } = schedule;
  const { starts_on: startsOn, ends_on: endsOn } = schedule;
  return { id, status, frequency, next: dates[0] ?? null, made, count, startsOn, endsOn, createdAt };
}

// A method: what is printed may be declared as what the operation answers.
type Print = { print(answer: object, given: Given): object }['print'];

/** Things of lists in one row each, by their names in the contract; others are shown whole. */
const ROWS: Readonly<Record<string, Print>> = { InvoiceDraft: draftRow, InvoiceSchedule: scheduleRow };

/** Answers that are printed otherwise than as they are. */
const ANSWERS: Readonly<Record<string, Print>> = {
  issueInvoiceDraft: ({ id: invoiceId, number, total }: Invoice, { id: draftId }) => ({
    ...{ draftId, invoiceId, number, total },
  }),
  pauseInvoiceSchedule: scheduleRow,
  resumeInvoiceSchedule: scheduleRow,
  endInvoiceSchedule: scheduleRow,
};

/** What an operation answers, or the rows of a list, as a command prints it. */
export function printed(
  { id, isPage, shows }: Operation,
  subject: string,
  given: Given,
  answer: unknown,
): object {
  if (isPage) {
    const { rows, hasMore } = answer as Rows;
    const print = ROWS[shows ?? ''];
    return { [subject]: print === undefined ? rows : rows.map((row) => print(row, given)), hasMore };
  }
  if (shows === null) return { deleted: given['id'] };
  return ANSWERS[id]?.(answer as object, given) ?? (answer as object);
}
