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

/** Things of lists in one row each, by their names in the contract; others are shown whole. */
const ROWS = { InvoiceDraft: draftRow, InvoiceSchedule: scheduleRow };

/** Answers that are printed otherwise than as they are. */
const ANSWERS = {
  issueInvoiceDraft: ({ id: invoiceId, number, total }: Invoice, { id: draftId }: Given) => ({
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
    const row = (ROWS as Readonly<Record<string, (row: never) => object>>)[shows ?? ''];
    return { [subject]: row === undefined ? rows : rows.map((each) => row(each as never)), hasMore };
  }
  if (shows === null) return { deleted: given['id'] };
  const shown = (ANSWERS as Readonly<Record<string, (answer: never, given: Given) => object>>)[id];
  return shown?.(answer as never, given) ?? (answer as object);
}
