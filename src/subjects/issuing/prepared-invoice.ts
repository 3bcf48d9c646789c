import type pg from 'pg';
import type { Refusal } from '../../ground/errors/refusal.ts';
import type { BodyTexts } from '../../ground/journal/content.ts';
import type { TraceParent } from '../../ground/lib/tracing.ts';
import type { PreparedRegistration } from '../chain/record-xml.ts';
import type { Claim } from '../idempotency/claim.ts';
import type { Metadata } from '../invoices/metadata-request.ts';
import type { DraftInvoiceRow, LineRow, StoredInvoice, TaxItemRow } from '../invoices/rows.ts';
import type { Numbering } from '../number-series/series.ts';

/** An invoice with everything that could be computed, asked or written before the transaction. */
export type PreparedInvoice = {
  readonly environment: 'test' | 'live';
  readonly chainId: number;
  readonly issuerNif: string;
  readonly clockAheadMs: number;
  readonly series: Numbering & { readonly id: string };
  readonly draft: DraftInvoiceRow;
  readonly lines: readonly LineRow[];
  readonly taxItems: readonly TaxItemRow[];
  readonly metadata: Metadata | null;
  /** Ids of the invoices here that it corrects or is given in exchange for. */
  readonly corrects: readonly string[];
  /** Invoice, lines and taxes as the texts that are hashed for the journal, in which they are also sent to the database. */
  readonly texts: BodyTexts;
  /** What the journal's content hash covers of all that stands above (`bodyHashOf`). */
  readonly bodyHash: string;
  readonly record: PreparedRegistration;
  /** The claimed idempotency key that this invoice's answer is stored under, in the same transaction. */
  readonly claim: Pick<Claim, 'key' | 'token'> | null;
  /** What is kept as the answer of the key, made from the invoice as it is being committed. */
  readonly answer: (stored: StoredInvoice) => object;
  /**
   * Looks again, under the chain's lock, at what the checks relied on: other invoices that this one corrects or
   * exchanges. Such an invoice is committed alone.
   */
  readonly recheck: ((client: pg.ClientBase) => Promise<Refusal | null>) | null;
  /** What else the same transaction writes, once the invoice is in. */
  readonly alsoWrite: ((client: pg.ClientBase, stored: StoredInvoice) => Promise<void>) | null;
  /** Since when it waits for its group (`performance.now()`), and where in a trace its request is. */
  readonly queued: { readonly at: number; readonly trace: TraceParent | null };
};
