import type { RegistrationStatus } from '../../../generated/prisma/enums.ts';
import type { JournalFault } from '../journal/finding.ts';
import { linkOf, type ReadRecord, readRecord } from './read-record.ts';

/** A finding and its place. `expected` follows from the rest of the data, `found` is what is stored. */
export type Finding = {
  readonly chainId: number | null;
  /** Within the chain; without a chain, within the journal. */
  readonly position: number | null;
  readonly recordId: string | null;
  /** For findings on the journal also the id of another resource. */
  readonly invoiceId: string | null;
  readonly what: FindingKind | JournalFault;
  readonly expected: string | null;
  readonly found: string | null;
};

export type FindingKind =
  | 'record_unreadable'
  | 'record_kind'
  | 'fingerprint'
  | 'fingerprint_in_xml'
  | 'position'
  | 'previous_record'
  | 'previous_fingerprint'
  | 'link_in_xml'
  | 'generated_at_goes_back'
  | 'generated_at_in_xml'
  | 'installation_number'
  | 'invoice_missing'
  | 'invoice_reference'
  | 'invoice_number'
  | 'issue_day'
  | 'issuer_nif'
  | 'invoice_type'
  | 'qualified_simplified'
  | 'recipient_unidentified'
  | 'issued_by'
  | 'third_party_tax_id'
  | 'recipient_tax_id'
  | 'total'
  | 'tax_total'
  | 'breakdown_base'
  | 'breakdown_tax'
  | 'state_missing'
  | 'state_place'
  | 'state_settled'
  | 'state_pending_in_test'
  | 'state_without_record'
  | 'tail'
  | 'invoice_without_record'
  | 'series_number_missing'
  | 'series_number_beyond_counter'
  | 'series_without_counter'
  | 'default_series_missing';

/** A record with its invoice and its state, as they are stored. */
export type StoredRecord = {
  readonly id: string;
  readonly position: number;
  readonly kind: 'registration' | 'cancellation';
  readonly invoiceId: string;
  readonly previousRecordId: string | null;
  readonly previousFingerprint: string | null;
  readonly fingerprint: string;
  readonly generatedAt: Date;
  readonly xml: string;
  readonly invoice: StoredInvoice | null;
  readonly state: StoredState | null;
};

export type StoredInvoice = {
  readonly number: string;
  readonly issuedOn: string;
  readonly total: number;
  readonly type: string;
  readonly kind: string;
  readonly reason: string | null;
  readonly qualifiedSimplified: boolean;
  readonly recipientUnidentified: boolean;
  readonly issuedBy: string | null;
  readonly thirdPartyTaxId: string | null;
  readonly nif: string | null;
  readonly recipientTaxId: string | null;
  /** Sums of what the breakdown declares. */
  readonly declaredBase: number;
  readonly declaredTax: number;
};

export type StoredState = {
  readonly chainId: number;
  readonly position: number;
  readonly status: RegistrationStatus;
  readonly settled: boolean;
};

/** The previous record, as far as the next one depends on it. */
export type PreviousRecord = {
  readonly id: string;
  readonly position: number;
  readonly fingerprint: string;
  readonly generatedAt: Date;
  /** What the next record must name in its XML; null when this one cannot be read. */
  readonly link: string | null;
  readonly number: string | null;
  readonly issuedOn: string | null;
};

export type ChainFacts = {
  readonly chainId: number;
  readonly installationNumber: string;
  readonly environment: 'test' | 'live';
};

type Note = (what: FindingKind, expected: unknown, found: unknown) => void;

/**
 * Verifies one record by itself and against the previous one, its invoice and its state; returns what the next
 * record depends on.
 */
export function verifyRecord(
  chain: ChainFacts,
  record: StoredRecord,
  before: PreviousRecord | null,
  add: (finding: Finding) => void,
): PreviousRecord {
  const { chainId } = chain;
  const location = { chainId, position: record.position, recordId: record.id, invoiceId: record.invoiceId };
  const note: Note = (what, expected, found) => {
    if (expected !== found) add({ ...location, what, expected: shown(expected), found: shown(found) });
  };
  const read = readRecord(record.xml);
  note('position', (before?.position ?? 0) + 1, record.position);
  note('previous_record', before?.id ?? null, record.previousRecordId);
  note('previous_fingerprint', before?.fingerprint ?? null, record.previousFingerprint);
  if (before !== null && before.generatedAt > record.generatedAt) {
    note('generated_at_goes_back', before.generatedAt.toISOString(), record.generatedAt.toISOString());
  }
  verifyState(chain, record, note);
  if (typeof read === 'string') note('record_unreadable', null, read);
  else {
    verifyText(chain, record, read, before, note);
    if (record.invoice === null) note('invoice_missing', record.invoiceId, null);
    else verifyInvoice(record, read, record.invoice, note);
  }
  return {
    id: record.id,
    position: record.position,
    fingerprint: record.fingerprint,
    generatedAt: record.generatedAt,
    link: typeof read === 'string' ? null : linkOf(read, record.fingerprint),
    number: record.invoice?.number ?? null,
    issuedOn: record.invoice?.issuedOn ?? null,
  };
}

function shown(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

function verifyText(
  chain: ChainFacts,
  record: StoredRecord,
  read: ReadRecord,
  before: PreviousRecord | null,
  note: Note,
): void {
  note('record_kind', record.kind, read.kind);
  note('fingerprint', read.computed, record.fingerprint);
  note('fingerprint_in_xml', read.computed, read.fingerprint);
  note('installation_number', chain.installationNumber, read.installationNumber);
  // The XML states whole seconds; the stored value has fractions.
  const written = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(read.generatedAt)
    ? Date.parse(read.generatedAt)
    : Number.NaN;
  if (Math.floor(record.generatedAt.getTime() / 1_000) * 1_000 !== written) {
    note('generated_at_in_xml', record.generatedAt.toISOString(), read.generatedAt);
  }
  if (before === null) {
    if (!read.isFirst) note('link_in_xml', 'first record', read.previous || 'no link');
  } else if (before.link !== null) {
    note('link_in_xml', before.link, read.isFirst ? 'first record' : read.previous);
  }
}

function verifyInvoice(record: StoredRecord, read: ReadRecord, invoice: StoredInvoice, note: Note): void {
  note('invoice_reference', record.invoiceId, read.reference);
  note('invoice_number', invoice.number, read.number);
  note('issue_day', invoice.issuedOn.split('-').reverse().join('-'), read.issueDate);
  note('issuer_nif', invoice.nif, read.nif);
  if (read.kind === 'cancellation') return;
  note('invoice_type', typeOf(invoice), read.invoiceType);
  note('qualified_simplified', invoice.qualifiedSimplified, read.qualifiedSimplified);
  note('recipient_unidentified', invoice.recipientUnidentified, read.recipientUnidentified);
  note('issued_by', LETTERS[invoice.issuedBy ?? ''] ?? '', read.issuedBy);
  note('third_party_tax_id', invoice.thirdPartyTaxId ?? '', read.thirdPartyId);
  note('total', invoice.total, read.total);
  note('tax_total', read.declaredTax, read.taxTotal);
  // An amendment may declare another recipient and breakdown than the invoice was issued with.
  if (read.amends) return;
  note('recipient_tax_id', invoice.recipientTaxId ?? '', read.recipientId);
  note('breakdown_base', invoice.declaredBase, read.declaredBase);
  note('breakdown_tax', invoice.declaredTax, read.declaredTax);
}

/** EmitidaPorTerceroODestinatario (Orden HAC/1177/2024, annex L6). */
const LETTERS: Readonly<Record<string, string>> = { recipient: 'D', third_party: 'T' };

/** The agency's types by kind (Orden HAC/1177/2024, annex L2). */
function typeOf({ type, kind, reason, recipientUnidentified }: StoredInvoice): string {
  const namesNobody = type === 'simplified' || recipientUnidentified;
  if (kind === 'exchange') return 'F3';
  if (kind === 'original') return namesNobody ? 'F2' : 'F1';
  if (namesNobody) return 'R5';
  return { insolvency: 'R2', uncollectible: 'R3', other: 'R4' }[reason ?? ''] ?? 'R1';
}

function verifyState(chain: ChainFacts, record: StoredRecord, note: Note): void {
  const { state } = record;
  if (state === null) {
    note('state_missing', record.id, null);
    return;
  }
  note('state_place', `${chain.chainId}/${record.position}`, `${state.chainId}/${state.position}`);
  note('state_settled', state.status !== 'pending', state.settled);
  if (chain.environment === 'test' && state.status === 'pending') {
    note('state_pending_in_test', 'registered', 'pending');
  }
}
