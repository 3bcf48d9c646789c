import type { InvoiceKind, InvoiceType, RegistrationStatus } from '../../../generated/prisma/enums.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import type { PaymentStatus } from './types.ts';

/**
 * The filter of a list of invoices; a field with several values matches any of them. Texts are compared exactly;
 * number and email ignoring case. `recipientTaxId` is the beginning of the recipient's tax id. Each word of
 * `recipientName` is a prefix of a word of the recipient's name, and each word of `text` is searched in number, order,
 * reference, recipient and the lines' descriptions, or begins the recipient's tax id: both ignoring case and accents.
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
  /** Due days, both included; with either, what has none does not match. */
  readonly dueFrom?: Day | undefined;
  readonly dueTo?: Day | undefined;
  /** In whole cents, both included: what is due, which excludes what is not to be paid; and the total. */
  readonly amountDueFrom?: number | undefined;
  readonly amountDueTo?: number | undefined;
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

/** Each word of a text takes a look at every invoice that is read. */
const MAX_WORDS = 8;

/** The words of a searched text, the longest first; what follows after so many is looked for as one. */
export function searchedWords(text: string): string[] {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  const rest = words.slice(MAX_WORDS - 1).join(' ');
  const single = words.slice(0, MAX_WORDS - 1);
  return [...new Set([...single, ...(rest === '' ? [] : [rest])])].sort((a, b) => b.length - a.length);
}

/** The orders of a list. Ties are broken by time of issue, then by id. */
export const INVOICE_ORDERS = [
  'ISSUED_AT',
  'NUMBER',
  'TOTAL',
  'RECIPIENT_NAME',
  'DUE_ON',
  'AMOUNT_DUE',
] as const;

/** The last of them lists only invoices of which something is or was to be paid. */
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
  ...['recipientTaxIds', 'recipientName'],
] as const;

/** The beginning of a tax id with so many characters is that of few recipients: a Spanish one has nine. */
const SELECTIVE_LENGTH = 7;

/** Whether the filter selects values that few invoices have. */
export function isSelective(filter: InvoiceFilter): boolean {
  const { recipientTaxId } = filter;
  return (
    (recipientTaxId ?? '').length >= SELECTIVE_LENGTH ||
    SELECTIVE.some((name) => filter[name] !== undefined && filter[name] !== null)
  );
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
