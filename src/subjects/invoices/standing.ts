import type { RecordRow } from '../chain/tail.ts';
import type { InvoiceRow, LineRow, TaxItemRow } from './rows.ts';

/** What an answer shows of a registration or cancellation record. */
export type RecordSummary = Pick<RecordRow, 'kind' | 'fingerprint'> & {
  readonly status: 'pending' | 'registered' | 'registered_with_errors' | 'rejected' | 'skipped';
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
};

/** An invoice as stored, and as it stands: everything that the contract's invoice object shows. */
export type StandingInvoice = {
  readonly invoice: Omit<InvoiceRow, 'imported' | 'imported_at' | 'series_year' | 'series_number'> & {
    readonly series_year: number | null;
    readonly series_number: number | null;
    readonly imported: boolean;
    readonly imported_at: string | null;
  };
  readonly lines: readonly LineRow[];
  readonly taxItems: readonly TaxItemRow[];
  readonly records: readonly RecordSummary[];
  readonly voided: boolean;
  /** The live rectificativas of the invoice, in the order of issue. */
  readonly rectifiedBy: readonly string[];
};
