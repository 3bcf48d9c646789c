import type { EventType } from '../../ground/journal/entry.ts';
import { decisiveRecord } from '../invoices/view.ts';

type Standing = 'pending' | 'registered' | 'registered_with_errors' | 'rejected' | 'skipped';

/** A change of an invoice, and the current state of the record that it created or settled. */
export type Change = {
  readonly subjectId: string;
  readonly sequence: number;
  readonly type: EventType;
  readonly recordId: string | null;
  readonly status: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** The account's sums after it; null for changes without effect on payments. */
  readonly account: Paid | null;
};

/** The payable and paid amounts of an invoice. */
export type Paid = { readonly payable: number; readonly paid: number };

/** The state of an invoice as callers see it. */
export type InvoiceStateThen = {
  readonly status: 'issued' | 'voided';
  /** Of the decisive registration record; null for an imported invoice. */
  readonly registration: {
    readonly status: Standing;
    readonly error: { readonly code: string | null; readonly message: string | null } | null;
  } | null;
  /** After the last change of its account until then; null when nothing had been recorded. */
  readonly account: Paid | null;
};

type Registration = NonNullable<InvoiceStateThen['registration']> & { readonly kind: 'registration' };

/** The types that settle a record, with the resulting status. */
const SETTLED: Readonly<Record<string, Standing>> = {
  'invoice.registered': 'registered',
  'invoice.registered_with_errors': 'registered_with_errors',
  'invoice.rejected': 'rejected',
  'invoice.amendment_rejected': 'rejected',
  'invoice.skipped': 'skipped',
};

/** The types that add a registration record; voiding an invoice adds a cancellation record instead. */
const REGISTERS = ['invoice.issued', 'invoice.amended'];

/**
 * The state of an invoice directly after the change at `sequence`, derived from its changes. A record that no entry
 * settles is pending in a live environment; in a test environment it was registered when it was created.
 */
export function stateAfter(
  changes: readonly Change[],
  sequence: number,
  environment: 'test' | 'live',
): InvoiceStateThen {
  let status: InvoiceStateThen['status'] = 'issued';
  const records = new Map<string, Registration>();
  let account: Paid | null = null;
  for (const change of changes) {
    if (change.sequence > sequence) break;
    if (change.type === 'invoice.voided') status = 'voided';
    account = change.account ?? account;
    if (REGISTERS.includes(change.type)) {
      const first = environment === 'test' ? 'registered' : 'pending';
      records.set(change.recordId ?? '', { kind: 'registration', status: first, error: null });
    }
    const settled = SETTLED[change.type];
    const record = records.get(change.recordId ?? '');
    if (settled !== undefined && record !== undefined) {
      records.set(change.recordId ?? '', { ...record, status: settled, error: errorOf(settled, change) });
    }
  }
  const decisive = decisiveRecord([...records.values()]);
  const registration = decisive === undefined ? null : { status: decisive.status, error: decisive.error };
  return { status, registration, account };
}

function errorOf(settled: string, { errorCode: code, errorMessage: message }: Change) {
  const hasError = settled === 'rejected' || settled === 'registered_with_errors';
  return hasError && (code !== null || message !== null) ? { code, message } : null;
}
