export type JournalFault =
  /** Positions are not 1, 2, 3 … */
  | 'journal_position'
  /** The hash of an entry does not match its text and the previous entry. */
  | 'journal_link'
  /** The rows differ from those that the entry describes. */
  | 'journal_content'
  /** A row that the entry describes is missing. */
  | 'journal_row_missing'
  /** The journal does not end where its head states, has none, or is not named after its environment. */
  | 'journal_head'
  /** A row has no entry. */
  | 'journal_untold'
  /** The journal is not, or not completely, the one of which the stored checkpoint was taken. */
  | 'journal_checkpoint'
  /** The payable or paid amount of an invoice differs from the sum of its sealed rows and payments. */
  | 'payment_account'
  /** The stored sums of a day differ from the sums of its sealed rows, or what is paid and due of it from its accounts. */
  | 'day_total'
  /** An invoice that was corrected is missing among those that can be out of force, or stands there as another one than it is. */
  | 'corrected_invoice'
  /** The name of an invoice's recipient is missing among those in which lists look for words. */
  | 'recipient_name'
  /** The texts in which lists look for an invoice are missing, or are not its own. */
  | 'invoice_text'
  /** A record’s sort key in lists by registration status differs from its invoice’s moment of issue. */
  | 'listed_at';

export type JournalFinding = {
  readonly what: JournalFault;
  readonly position: number | null;
  readonly subjectId: string | null;
  readonly recordId: string | null;
  readonly expected: string | null;
  readonly found: string | null;
};
