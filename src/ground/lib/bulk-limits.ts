import type { Limit } from './limit.ts';

/** The limits of bulk work, and of lists without pages; part of `LIMITS`. */
export const BULK_LIMITS = {
  operationsSamples: {
    group: 'Database',
    value: 35 * 24 * 60 * 60,
    unit: 'seconds',
    bounds: 'Age of the samples that the console’s overview plots; one row every five minutes.',
    reason: 'The overview plots a month, and some days more can be read with SQL: ten thousand rows at most.',
    beyond: 'older rows are deleted',
  },
  documentsVerified: {
    group: 'Documents',
    value: 100,
    unit: 'items',
    bounds: 'Documents whose checksums one statement of `lacre verify --documents` computes.',
    reason:
      'Some 40 kB each, so 4 MB that Postgres reads and digests in some ten milliseconds, and nobody else waits for.',
    beyond: 'the next ones follow',
  },
  documentsMoved: {
    group: 'Documents',
    value: 8,
    unit: 'items',
    bounds: 'Documents that `lacre database move-documents` moves from Postgres to the object store at once.',
    reason:
      'Each waits for the store twice, for the write and for reading it back; more would only hold more documents in memory.',
    beyond: 'the next ones follow as these complete',
  },
  importRows: {
    group: 'Database',
    value: 100,
    unit: 'items',
    bounds: 'Rows of an import that are stored in one transaction.',
    reason: 'If rows have external ids, nobody can issue for the company meanwhile: about 20 ms.',
    beyond: 'the other rows are stored by the next transaction, after those that wait',
  },
  importLines: {
    group: 'Database',
    value: 500,
    unit: 'items',
    bounds: 'Lines of those rows together, if there are several rows.',
    reason: 'They take as long as a hundred rows of a few lines.',
    beyond: 'the other rows are stored by the next transaction, after those that wait',
  },
  batchInvoices: {
    group: 'Requests',
    value: 1_000,
    unit: 'items',
    bounds: 'Invoices of a batch.',
    reason: 'They are issued within a few seconds, and fit into one request.',
    beyond: '400 `invalid_request`; send the others as another batch',
  },
  batchBody: {
    group: 'Requests',
    value: 2 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'The body of a request that sends a batch.',
    reason:
      'A thousand invoices of 2 KiB each, which is about ten lines. Parsing a larger body would delay other requests for longer; this one takes about 30 ms.',
    beyond: '413 `payload_too_large`',
  },
  batchBodyValues: {
    group: 'Requests',
    value: 30_000,
    unit: 'items',
    bounds: 'Objects and lists in such a body.',
    reason: 'A thousand invoices of eight lines each have about 28,000.',
    beyond: '400 `invalid_request`',
  },
  batchBodyFields: {
    group: 'Requests',
    value: 100_000,
    unit: 'items',
    bounds: 'Fields of all objects in such a body together.',
    reason: 'A thousand invoices of eight lines each have about 70,000.',
    beyond: '400 `invalid_request`',
  },
  batchesOpen: {
    group: 'Shares of an environment',
    value: 20,
    unit: 'items',
    bounds: 'Batches of an environment that are not completed yet.',
    reason: 'They run one after the other: the last of twenty full ones is issued about a minute later.',
    beyond: '429 `rate_limited`',
  },
  batchesStored: {
    group: 'Shares of an environment',
    value: 2,
    unit: 'items',
    bounds: 'Batches that a process stores at once, one for each environment. Environments take turns.',
    reason:
      'A thousand invoices take the database about 50 ms and the process 20 ms; each more at once would hold a connection to wait for the same lock.',
    beyond: 'the batch waits; 429 `rate_limited` if 20 of the environment are waiting already',
  },
  batchPatience: {
    group: 'Shares of an environment',
    value: 60 * 60 * 1_000,
    unit: 'ms',
    bounds:
      'How long a batch waits if an invoice is refused for a temporary reason (503), such as a register that does not answer.',
    reason:
      'Registers recover within minutes, and a comparison with the agency takes less; the invoices behind it wait too.',
    beyond: 'the refusal becomes the result of the invoice, and the batch continues',
  },
  paymentsOfInvoice: {
    group: 'Database',
    value: 100,
    unit: 'items',
    bounds: 'Payments recorded for one invoice, removed ones included.',
    reason:
      'Monthly instalments for seven years, and some mistakes. All of them are shown with their invoice.',
    beyond: '422 `too_many_payments`',
  },
  recipientStatuses: {
    group: 'Database',
    value: 20,
    unit: 'items',
    bounds: 'Statuses of its recipient recorded for one invoice, withdrawn ones included.',
    reason: 'Usually there are one or two, and some mistakes. All of them are shown with their invoice.',
    beyond: '409 `recipient_status_conflict`',
  },
  overdueAtOnce: {
    group: 'Database',
    value: 200,
    unit: 'items',
    bounds: 'Overdue invoices for which one round of the job writes journal entries.',
    reason:
      'The journal of an environment is locked for about 20 ms, and issuing gets its turn between two rounds.',
    beyond: 'the others follow in the next rounds of the same run',
  },
  uncoveredEntries: {
    group: 'Database',
    value: 10_000,
    unit: 'items',
    bounds: 'Journal entries not covered by a checkpoint; checked every minute.',
    reason:
      'A busy merchant’s day. A checkpoint costs about 20 ms and one file; a journal that grows more slowly gets one each night.',
    beyond: 'a checkpoint is taken',
  },
  exportRows: {
    group: 'Database',
    value: 500,
    unit: 'items',
    bounds: 'Records that an export reads with one statement.',
    reason: 'About 10 ms, and one megabyte in memory.',
    beyond: 'the others are read by the next statement',
  },
  openDrafts: {
    group: 'Database',
    value: 2_000,
    unit: 'items',
    bounds: 'Drafts of an environment that have not been issued, except those created by schedules.',
    reason: 'More than a person can review; with 500 lines each they are 200 MB.',
    beyond: '409 `invoice_draft_limit_reached`',
  },
  testClockAhead: {
    group: 'Database',
    value: 315_619_200,
    unit: 'seconds',
    bounds: 'How far a test clock may be ahead of real time: ten years.',
    reason: 'Longer than any schedule that needs to be tested; each day takes a few milliseconds.',
    beyond: '400 `invalid_request`',
  },
  schedules: {
    group: 'Database',
    value: 2_000,
    unit: 'items',
    bounds: 'Schedules of an environment that have not ended.',
    reason:
      'Subscriptions of a small business; if all are due on one day, they are issued within a few minutes.',
    beyond: '409 `invoice_schedule_limit_reached`',
  },
  listRows: {
    group: 'GraphQL',
    value: 1_000,
    unit: 'items',
    bounds: 'Rows of a list without pages: `keys`, `certificates`, `integrations`.',
    reason:
      'A company has a dozen of each; with all their fields they cost a twentieth of what a query may cost.',
    beyond: 'the list is cut off there; `companyId` narrows it. Its rows count as values of the query',
  },
  bookDays: {
    group: 'Documents',
    value: 366,
    unit: 'items',
    bounds: 'Days of a register book.',
    reason: 'Register books are kept, declared and requested by year (Ejercicio) and quarter.',
    beyond: '400 `invalid_request`, entry `too_big`: request one book for each year',
  },
  bookInvoicesAtOnce: {
    group: 'Documents',
    value: 100,
    unit: 'items',
    bounds: 'Invoices of a register book that are read with one statement.',
    reason: 'About 10 ms for the rows, and some hundred kilobytes in memory.',
    beyond: 'the others are read by the next statement',
  },
  booksAtOnce: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds: 'Register books that a process writes at once for signed links; one for each environment.',
    reason: 'Each occupies a database connection, and half a processor while it is read.',
    beyond:
      'the next one waits; more than two waiting for one environment are refused with 429 `rate_limited`',
  },
  bookLong: {
    group: 'Documents',
    value: 1_000_000,
    unit: 'items',
    bounds: 'Invoices of a register book of whose time the command line, the console and `doctor` warn.',
    reason:
      'A workbook of a million took 17 minutes on two busy cores, which is more than half of the time that a book may take.',
    beyond: 'a warning: export a book for each quarter or month',
  },
  bookTime: {
    group: 'Documents',
    value: 30 * 60 * 1_000,
    unit: 'ms',
    bounds: 'The time in which a register book must have been read completely.',
    reason:
      'A million invoices take a few minutes. Meanwhile the database cannot clean up old rows, so a read must not last for hours.',
    beyond: 'the connection is closed, so the file is incomplete',
  },
  exportInvoices: {
    group: 'Documents',
    value: 20_000,
    unit: 'items',
    bounds: 'Invoices whose documents can be exported as one ZIP file.',
    reason:
      'A minute or two if the PDFs are stored; about a hundred bytes for each file are kept until the end for the directory of the ZIP file.',
    beyond: '`invalid_request`, entry `too_big`: export a shorter period',
  },
  exportsOpen: {
    group: 'Documents',
    value: 20,
    unit: 'items',
    bounds: 'Exports that a process sends at once.',
    reason:
      'They share the processor time that exports may take: each of twenty is a twentieth as fast, and still sends about one document per second.',
    beyond: '429 `rate_limited`',
  },
  exportsOfEnvironment: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds: 'Of these, the exports of one environment.',
    reason:
      'One for a quarter’s documents while another is downloaded; a third would not complete earlier if it started now.',
    beyond: '429 `rate_limited`',
  },
  exportingAtOnce: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds:
      'Documents that are rendered at once for exports, one for each environment. Environments take turns document by document, and after each the slot stays empty for as long as it took.',
    reason:
      'No caller waits for a single document of an export, so all exports together take at most the spare time of one processor.',
    beyond: 'the document waits its turn',
  },
} as const satisfies Record<string, Limit>;
