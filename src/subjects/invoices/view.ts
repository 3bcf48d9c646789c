import type { TimeZone } from '../../ground/lib/calendar.ts';
import type { RecordRow } from '../chain/tail.ts';
import { soldTerms } from '../taxes/line-amount.ts';
import type { Metadata } from './metadata-request.ts';
import type { InvoiceRow, LineRow, StoredInvoice, TaxItemRow } from './rows.ts';

/** The columns of an invoice that are shown, as selected by the store's `INVOICE_COLUMNS`. */
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
  | 'issued_with'
  | 'reverses_id'
> & {
  readonly imported_at: string | null;
  readonly issuer_nif: string;
};

export type TaxItemView = Pick<
  TaxItemRow,
  'type' | 'name' | 'rate_basis_points' | 'amount' | 'regime_key' | 'operation_class' | 'exemption'
>;

/** The columns of a line as they are sealed. */
export type SealedLine = Omit<LineRow, 'environment_id' | 'invoice_id' | 'position'>;

/** A line as it was sold, under the names of its columns. */
export type LineView = SealedLine & {
  /** A gross price in cents, if it was sent with decimals. */
  readonly unit_amount_gross_decimal: string | null;
  readonly taxItems: readonly TaxItemView[];
};

/** The fields of a registration or cancellation record in an invoice's answer. */
export type RecordSummary = Pick<RecordRow, 'kind' | 'fingerprint'> & {
  readonly status: 'pending' | 'registered' | 'registered_with_errors' | 'rejected' | 'skipped';
  readonly error_code: string | null;
  readonly error_message: string | null;
};

/** A record with its text and its state at the agency. Instants are RFC 3339. */
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

/** The environment and company of an invoice. */
export type InvoiceOwner = {
  readonly environment: 'test' | 'live';
  readonly companyId: string;
  /** How far the environment's time is ahead of the machine's. */
  readonly clockAheadMs: number;
  /** Where its days begin. */
  readonly timeZone: TimeZone;
};

/** The payable and paid amounts of an invoice together with its corrections, in whole cents. */
export type AccountView = {
  /** The invoice that states what is in force; null when nothing is owed. */
  readonly holderId: string | null;
  readonly payable: number;
  readonly paid: number;
  readonly dueOn: string | null;
};

/**
 * The read model: an invoice as issued and its current state, the same for every reader, whether it was issued this
 * moment or long ago. Rows have the names of their columns; amounts are whole cents.
 */
export type InvoiceView = {
  readonly invoice: InvoiceColumns;
  readonly owner: InvoiceOwner;
  /** Null when they were not requested. */
  readonly lines: readonly LineView[] | null;
  /** In the order of the chain. */
  readonly records: readonly RecordSummary[];
  /** The same complete; null when they were not requested. */
  readonly wholeRecords: readonly RecordView[] | null;
  readonly voided: boolean;
  /** The merchant's metadata; null without any. */
  readonly metadata: Metadata | null;
  /** Null while the amount payable is simply its total. */
  readonly account: AccountView | null;
  /** The rectificativas of the invoice in force, in the order of issue. */
  readonly rectifiedBy: readonly string[];
  /** The tickets that it replaces, in the order of issue. */
  readonly exchanges: readonly string[];
  /** The exchange invoice, not voided, that replaces it. */
  readonly exchangedBy: string | null;
};

/** The lines of an invoice that was read with them. */
export function linesOf({ lines }: Pick<InvoiceView, 'lines'>): readonly LineView[] {
  if (lines === null) throw new Error('an invoice was read without the requested lines');
  return lines;
}

/** Each line as it was sold, with its own tax items, which refer to its position. Both are sorted by position. */
export function viewsOfLines<Item extends TaxItemView & { readonly line_position: number }>(
  lines: readonly SealedLine[],
  taxItems: readonly Item[],
): LineView[] {
  const whole: (LineView & { readonly taxItems: Item[] })[] = [];
  for (const line of lines) {
    const sold = line.quantity_decimal === null ? ORDINARY : soldColumns(line, line.quantity_decimal);
    whole.push({ ...line, ...sold, taxItems: [] });
  }
  for (const item of taxItems) whole[item.line_position]!.taxItems.push(item);
  return whole;
}

/** Of a line with a whole quantity at a net price in cents. */
const ORDINARY = { unit_amount_gross_decimal: null };

/** The columns whose sealed value is not what is answered. */
function soldColumns(line: SealedLine, quantityDecimal: string) {
  const { quantity, unit_amount: unitAmount, subtotal } = line;
  const { unit_amount_decimal: unitAmountDecimal, unit_amount_gross: unitAmountGross } = line;
  const price = { unitAmount, unitAmountDecimal, unitAmountGross };
  const sold = soldTerms({ quantity, quantityDecimal, ...price, subtotal });
  return {
    quantity: sold.quantity,
    unit_amount: sold.unitAmount,
    unit_amount_decimal: sold.unitAmountDecimal,
    unit_amount_gross_decimal: sold.unitAmountGrossDecimal,
  };
}

/** Which records decide before others: those that the agency has accepted, and those that were not skipped. */
const RANK: Readonly<Record<RecordSummary['status'], number>> = {
  ...{ registered: 2, registered_with_errors: 2 },
  ...{ pending: 1, rejected: 1, skipped: 0 },
};

/**
 * The registration record whose state is that of its invoice, of its records in the order of their generation: the newest that the
 * agency has accepted, because an amendment that is under way or was refused changes nothing there; else the newest that was not
 * skipped, else the newest. Undefined for an imported invoice. `store/read-decisive.ts` of `chain` has the same in SQL.
 */
export function decisiveRecord<R extends Pick<RecordSummary, 'kind' | 'status'>>(
  records: readonly R[],
): R | undefined {
  let decisive: R | undefined;
  for (const record of records) {
    if (record.kind !== 'registration') continue;
    if (decisive === undefined || RANK[record.status] >= RANK[decisive.status]) decisive = record;
  }
  return decisive;
}

/** An invoice at the moment of its issue, before any later change. */
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
    lines: viewsOfLines(lines, taxItems),
    records: [whole],
    wholeRecords: [whole],
    voided: false,
    // An answer that was stored before the field existed does not have it.
    metadata: stored.metadata ?? null,
    account: null,
    rectifiedBy: [],
    exchanges: [],
    exchangedBy: null,
  };
}
