import type pg from 'pg';
import type { Refusal } from '../../ground/errors/refusal.ts';
import type { BodyTexts } from '../../ground/journal/content.ts';
import type { Day, TimeZone } from '../../ground/lib/calendar.ts';
import type { TraceParent } from '../../ground/lib/tracing.ts';
import type { PreparedRegistration } from '../chain/record-xml.ts';
import type { NamedCustomer } from '../customers/shapes.ts';
import type { Claim } from '../idempotency/claim.ts';
import type { Metadata } from '../invoices/metadata-request.ts';
import type { LineRow, StoredInvoice, TaxItemRow, UnnumberedInvoiceRow } from '../invoices/rows.ts';
import type { Numbering } from '../number-series/series.ts';

/** An invoice with everything that could be computed, queried or written before the transaction. */
export type PreparedInvoice = {
  readonly environment: 'test' | 'live';
  readonly chainId: number;
  readonly issuerNif: string;
  readonly clockAheadMs: number;
  readonly timeZone: TimeZone;
  /** The last day on which it may be issued. */
  readonly lastDay: Day | null;
  readonly series: Numbering & { readonly id: string };
  readonly unnumbered: UnnumberedInvoiceRow;
  readonly lines: readonly LineRow[];
  readonly taxItems: readonly TaxItemRow[];
  readonly metadata: Metadata | null;
  /** The customer whom it names, who is kept in the same transaction. */
  readonly customer: NamedCustomer | null;
  /** Ids of the invoices here that it corrects or replaces. */
  readonly corrects: readonly string[];
  /**
   * Invoice, lines and taxes as the texts that are hashed for the journal, in which they are also sent to the
   * database.
   */
  readonly texts: BodyTexts;
  /** The part of the journal's content hash that covers these texts (`bodyOfTexts`), of which the transaction then has little left to hash. */
  readonly bodyHash: string;
  readonly record: PreparedRegistration;
  /** The claimed idempotency key for which this invoice's answer is stored, in the same transaction. */
  readonly claim: Pick<Claim, 'key' | 'token'> | null;
  /** The answer that is stored for the key, made from the invoice as it is being committed. */
  readonly answer: (stored: StoredInvoice) => object;
  /**
   * Checks again, with the chain locked, what the checks relied on: other invoices that this one corrects or
   * replaces. Such an invoice is committed alone.
   */
  readonly recheck: ((client: pg.ClientBase) => Promise<Refusal | null>) | null;
  /** Additional writes of the same transaction, after the invoice. */
  readonly alsoWrite: ((client: pg.ClientBase, stored: StoredInvoice) => Promise<void>) | null;
  /** Since when it waits for its group (`performance.now()`), and the trace context of its request. */
  readonly queued: { readonly at: number; readonly trace: TraceParent | null };
};
