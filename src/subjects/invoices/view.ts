import type { RecordRow } from '../chain/tail.ts';
import type { Metadata } from './metadata-request.ts';
import type { InvoiceRow, LineRow, StoredInvoice, TaxItemRow } from './rows.ts';

/** The columns of an invoice that are shown of it, as `INVOICE_COLUMNS` of the store selects them. */
type InvoiceColumns = Omit<
  InvoiceRow,
  | 'imported'
  | 'imported_at'
  | 'series_year'
  | 'series_number'
  | 'issuer'
  | 'breakdown'
  | 'recipient_evidence'
  | 'rectified_base'
  | 'rectified_tax'
  | 'request_digest'
  | 'rectified_surcharge'
> & {
  readonly imported_at: string | null;
  readonly issuer_nif: string;
};

export type TaxItemView = Pick<TaxItemRow, 'type' | 'name' | 'rate_basis_points' | 'amount'>;

export type LineView = Omit<LineRow, 'environment_id' | 'invoice_id' | 'position'> & {
  readonly taxItems: readonly TaxItemView[];
};

/** What an invoice's answer shows of a registration or cancellation record. */
export type RecordSummary = Pick<RecordRow, 'kind' | 'fingerprint'> & {
  readonly status: 'pending' | 'registered' | 'registered_with_errors' | 'rejected' | 'skipped';
  readonly error_code: string | null;
  readonly error_message: string | null;
};

/** A record with its text and where it stands at the agency. Instants are RFC 3339. */
export type RecordView = RecordSummary &
  Pick<
    RecordRow,
    | 'id'
    | 'environment_id'
    | 'chain_id'
    | 'position'
    | 'invoice_id'
    | 'previous_fingerprint'
    | 'generated_at'
    | 'xml'
  > & {
    readonly attempts: number;
    readonly parked_reason: string | null;
    readonly receipt: string | null;
    readonly settled_at: string | null;
    readonly submission_id: string | null;
  };

/** InvoiceOwner an invoice is. */
export type InvoiceOwner = {
  readonly environment: 'test' | 'live';
  readonly companyId: string;
  /** How far the environment's time is ahead of the machine's. */
  readonly clockAheadMs: number;
};

/** What is to be paid of an invoice together with what corrects it, and what was; amounts in whole cents. */
export type AccountView = {
  /** The invoice that states what is in force; null when nobody owes anything. */
  readonly holderId: string | null;
  readonly payable: number;
  readonly paid: number;
  readonly dueOn: string | null;
};

/**
 * The read model: an invoice as it was issued and as it stands, whoever reads it and whether it was issued this moment
 * or long ago. Rows in the names of their columns; amounts in whole cents.
 */
export type InvoiceView = {
  readonly invoice: InvoiceColumns;
  readonly owner: InvoiceOwner;
  /** Null when they were not asked for. */
  readonly lines: readonly LineView[] | null;
  /** In the order of the chain. */
  readonly records: readonly RecordSummary[];
  /** The same whole; null when they were not asked for. */
  readonly wholeRecords: readonly RecordView[] | null;
  readonly voided: boolean;
  /** What the merchant has noted of it; null without any. */
  readonly metadata: Metadata | null;
  /** Null as long as nothing but its total says what is to be paid of it. */
  readonly account: AccountView | null;
  /** The live rectificativas of the invoice, in the order of issue. */
  readonly rectifiedBy: readonly string[];
  /** The tickets that it was issued in exchange for, in the order of issue. */
  readonly exchanges: readonly string[];
  /** The exchange invoice, not voided, that stands for it. */
  readonly exchangedBy: string | null;
};

/** The lines of an invoice that was read with them. */
export function linesOf({ lines }: Pick<InvoiceView, 'lines'>): readonly LineView[] {
  if (lines === null) throw new Error('an invoice was read without the lines that are asked for');
  return lines;
}

/** Each line with its own tax items, which name it by its position. Both come in the order of their positions. */
export function linesWithTaxItems<Line extends object, Item extends { readonly line_position: number }>(
  lines: readonly Line[],
  taxItems: readonly Item[],
): (Line & { readonly taxItems: Item[] })[] {
  const whole = lines.map((line) => ({ ...line, taxItems: [] as Item[] }));
  for (const item of taxItems) whole[item.line_position]!.taxItems.push(item);
  return whole;
}

/** An invoice at the moment of its issue: nothing has happened to it yet. */
export function viewOfIssued(stored: StoredInvoice, owner: InvoiceOwner): InvoiceView {
  const { invoice, lines, taxItems, record, registration } = stored;
  const whole: RecordView = {
    ...record,
    status: registration,
    error_code: null,
    error_message: null,
    attempts: 0,
    parked_reason: null,
    receipt: null,
    settled_at: registration === 'registered' ? record.generated_at : null,
    submission_id: null,
  };
  return {
    invoice: { ...invoice, issuer_nif: invoice.issuer.nif, imported_at: null },
    owner,
    lines: linesWithTaxItems(lines, taxItems),
    records: [whole],
    wholeRecords: [whole],
    voided: false,
    // An answer that was kept before there was any does not have it.
    metadata: stored.metadata ?? null,
    account: null,
    rectifiedBy: [],
    exchanges: [],
    exchangedBy: null,
  };
}
