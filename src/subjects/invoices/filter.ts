import type { InvoiceKind, InvoiceType, RegistrationStatus } from '../../../generated/prisma/enums.ts';
import type { PaymentStatus } from './types.ts';

/**
 * What a list of invoices may be narrowed to; of several values any one will do. Texts are compared exactly; number and
 * email in any case. Each word of `recipientName` begins a word of the recipient's name, and `text` is looked for within number,
 * order, reference, recipient and the lines' descriptions: both in any case, with or without accents.
 */
export type InvoiceFilter = {
  readonly integrationId?: string | undefined;
  readonly externalCustomerId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly externalId?: string | undefined;
  readonly externalIds?: readonly string[] | undefined;
  readonly email?: string | undefined;
  readonly number?: string | undefined;
  readonly recipientTaxId?: string | undefined;
  readonly recipientTaxIds?: readonly string[] | undefined;
  readonly recipientName?: string | undefined;
  readonly seriesId?: string | undefined;
  readonly seriesIds?: readonly string[] | undefined;
  readonly issuedFrom?: Date | undefined;
  readonly issuedBefore?: Date | undefined;
  /** In whole cents, both included. */
  readonly totalFrom?: number | undefined;
  readonly totalTo?: number | undefined;
  readonly kinds?: readonly InvoiceKind[] | undefined;
  readonly types?: readonly InvoiceType[] | undefined;
  readonly registrationStatuses?: readonly RegistrationStatus[] | undefined;
  readonly statuses?: readonly ('issued' | 'voided')[] | undefined;
  /** As they stand today in Madrid. */
  readonly paymentStatuses?: readonly PaymentStatus[] | undefined;
  /** Issued, or changed in what is shown of them, at or after this instant. */
  readonly changedSince?: Date | undefined;
  /** Whether its amounts count: neither voided, nor replaced by a substitution, nor exchanged. */
  readonly inForce?: boolean | undefined;
  /** All of these; of each key any of the values. */
  readonly metadata?: readonly { readonly key: string; readonly values: readonly string[] }[] | undefined;
  readonly text?: string | undefined;
};

/** By what a list may be ordered. Ties are broken by id. */
export const INVOICE_ORDERS = ['ISSUED_AT', 'NUMBER', 'TOTAL', 'RECIPIENT_NAME'] as const;

export type InvoiceOrder = {
  readonly field: (typeof INVOICE_ORDERS)[number];
  readonly direction: 'ASC' | 'DESC';
};

export const NEWEST_FIRST: InvoiceOrder = { field: 'ISSUED_AT', direction: 'DESC' };

/** Few invoices have one value of these: an index leads to them, whatever else is asked. */
const SELECTIVE = [
  ...['externalCustomerId', 'customerId', 'externalId', 'externalIds', 'email', 'number'],
  ...['recipientTaxId', 'recipientTaxIds', 'recipientName'],
] as const;

/** No narrowing at all, and what the index on the time of issue leads to. */
const BY_TIME = ['issuedFrom', 'issuedBefore'];

/**
 * Whether finding what the filter means may take looking at all invoices of the environment: a text always, and what no
 * index leads to unless one customer's, or one number's, invoices are looked at.
 */
export function isSearch(filter: InvoiceFilter): boolean {
  const given = new Set(
    Object.entries(filter).flatMap(([name, value]) => (value === undefined || value === null ? [] : [name])),
  );
  if (given.has('text')) return true;
  if (SELECTIVE.some((name) => given.has(name))) return false;
  return [...given].some((name) => !BY_TIME.includes(name));
}
