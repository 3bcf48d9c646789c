export type JournalFault =
  /** Positions are not 1, 2, 3 … */
  | 'journal_position'
  /** The hash of an entry is not that of its text and of the entry before. */
  | 'journal_link'
  /** The rows are other ones than those of which the entry tells. */
  | 'journal_content'
  /** A row of which the entry tells is not there. */
  | 'journal_row_missing'
  /** The journal does not end where its head says. */
  | 'journal_head'
  /** No entry tells of a row. */
  | 'journal_untold'
  /** The journal is not the one, or not all of the one, of which the checkpoint that is kept was taken. */
  | 'journal_checkpoint'
  /** What is to be paid of an invoice, or was, is not what its sealed rows and payments come to. */
  | 'payment_account';

export type JournalFinding = {
  readonly what: JournalFault;
  readonly position: number | null;
  readonly subjectId: string | null;
  readonly recordId: string | null;
  readonly expected: string | null;
  readonly found: string | null;
};
