import type { InvoiceKind, InvoiceType, RegistrationStatus } from '../../../generated/prisma/enums.ts';
import type { PaymentStatus } from './types.ts';

/**
 * The filter of a list of invoices; a field with several values matches any of them. Texts are compared exactly;
 * number and email ignoring case. Each word of `recipientName` is a prefix of a word of the recipient's name, and
 * `text` is searched in number, order, reference, recipient and the lines' descriptions: both ignoring case and
 * accents.
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
  /** Payment statuses as of today. */
  readonly paymentStatuses?: readonly PaymentStatus[] | undefined;
  /** Issued, or visibly changed, at or after this instant. */
  readonly changedSince?: Date | undefined;
  /** Whether its amounts count: it is neither voided, nor replaced by a substitution, nor exchanged. */
  readonly inForce?: boolean | undefined;
  /** All of these keys; of each key any of the values. */
  readonly metadata?: readonly { readonly key: string; readonly values: readonly string[] }[] | undefined;
  readonly text?: string | undefined;
};

/** The orders of a list. Ties are broken by time of issue, then by id. */
export const INVOICE_ORDERS = ['ISSUED_AT', 'NUMBER', 'TOTAL', 'RECIPIENT_NAME'] as const;

export type InvoiceOrder = {
  readonly field: (typeof INVOICE_ORDERS)[number];
  readonly direction: 'ASC' | 'DESC';
};

export const NEWEST_FIRST: InvoiceOrder = { field: 'ISSUED_AT', direction: 'DESC' };

/** Whether nothing is filtered. */
export function isEmpty(filter: InvoiceFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/** Values that few invoices have: an index finds them, whatever else is filtered. */
const SELECTIVE = [
  ...['externalCustomerId', 'customerId', 'externalId', 'externalIds', 'email', 'number'],
  ...['recipientTaxId', 'recipientTaxIds', 'recipientName'],
] as const;

/** Whether the filter selects values that few invoices have. */
export function isSelective(filter: InvoiceFilter): boolean {
  return SELECTIVE.some((name) => filter[name] !== undefined && filter[name] !== null);
}

/** Filters that do not narrow the list or that the index on the time of issue supports. */
const BY_TIME = ['issuedFrom', 'issuedBefore'];

/**
 * Whether the filter may require a scan of all invoices of the environment: always for a text, and for fields
 * without an index unless the invoices of one customer, or one number, are selected too.
 */
export function isSearch(filter: InvoiceFilter): boolean {
  const present = new Set(
    Object.entries(filter).flatMap(([name, value]) => (value === undefined || value === null ? [] : [name])),
  );
  if (present.has('text')) return true;
  if (isSelective(filter)) return false;
  return [...present].some((name) => !BY_TIME.includes(name));
}

/** To look up more values takes the database and the event loop a millisecond and more. */
const MANY_VALUES = 25;

/** Whether the filter looks for so many values that it takes its turn as a search does. */
export function hasManyValues({ externalIds, recipientTaxIds, seriesIds, metadata }: InvoiceFilter): boolean {
  const lists = [externalIds, recipientTaxIds, seriesIds, ...(metadata ?? []).map(({ values }) => values)];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), 0) > MANY_VALUES;
}
