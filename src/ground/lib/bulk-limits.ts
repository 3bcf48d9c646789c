import type { Limit } from './limit.ts';

/** The bounds on work that is done by the thousand, and on lists that have no pages; part of `LIMITS`. */
export const BULK_LIMITS = {
  operationsSamples: {
    group: 'Database',
    value: 35 * 24 * 60 * 60,
    unit: 'seconds',
    bounds: 'Age of what the console’s overview draws; one row every five minutes.',
    reason: 'A month is drawn, and some days more are there to look at by SQL: ten thousand rows at most.',
    beyond: 'older rows are removed',
  },
  documentsMoved: {
    group: 'Documents',
    value: 8,
    unit: 'items',
    bounds: 'Documents that `lacre database move-documents` takes from Postgres to the object store at once.',
    reason:
      'Each waits for the store twice, to write it and to read it back; more would keep connections from nobody, and hold more of them in memory.',
    beyond: 'the next ones follow when these are there',
  },
  importRows: {
    group: 'Database',
    value: 100,
    unit: 'items',
    bounds: 'Rows of an import that are stored in one transaction.',
    reason:
      'Where rows have external ids nobody issues for the company meanwhile: some 20 ms. After each the import leaves the database to others for as long as that took.',
    beyond: 'the rest is stored by the next transaction, behind whoever waits',
  },
  importLines: {
    group: 'Database',
    value: 500,
    unit: 'items',
    bounds: 'Lines of those rows together, of several.',
    reason: 'As long as a hundred rows of a few lines take.',
    beyond: 'the rest is stored by the next transaction, behind whoever waits',
  },
  batchInvoices: {
    group: 'Requests',
    value: 1_000,
    unit: 'items',
    bounds: 'Invoices of a batch.',
    reason: 'They are issued in a few seconds, and one request carries them.',
    beyond: '400 `invalid_request`; the rest is another batch',
  },
  batchBody: {
    group: 'Requests',
    value: 2 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'The body of a request that sends a batch.',
    reason:
      'A thousand invoices with 2 KiB each, which is some ten lines. A larger one would hold up other requests for longer while it is parsed, some 30 ms for these.',
    beyond: '413 `payload_too_large`',
  },
  batchBodyValues: {
    group: 'Requests',
    value: 30_000,
    unit: 'items',
    bounds: 'Objects and lists in such a body.',
    reason: 'A thousand invoices with eight lines each have some 28,000.',
    beyond: '400 `invalid_request`',
  },
  batchesOpen: {
    group: 'Shares of an environment',
    value: 20,
    unit: 'items',
    bounds: 'Batches of an environment that are not completed.',
    reason: 'They wait for each other: the last of twenty full ones is issued about a minute later.',
    beyond: '429 `rate_limited`',
  },
  batchPatience: {
    group: 'Shares of an environment',
    value: 60 * 60 * 1_000,
    unit: 'ms',
    bounds:
      'The time for which a batch waits with an invoice that is refused for a reason that passes (503), such as a register that does not answer.',
    reason:
      'Registers are back within minutes, and a company is compared with the agency in less; those behind it wait, too.',
    beyond: 'the refusal is the invoice’s result, and the batch goes on',
  },
  paymentsOfInvoice: {
    group: 'Database',
    value: 100,
    unit: 'items',
    bounds: 'Payments that are recorded of one invoice, those that were removed among them.',
    reason:
      'Monthly instalments of seven years, and some mistakes. All of them are shown with their invoice.',
    beyond: '422 `too_many_payments`',
  },
  recipientStatuses: {
    group: 'Database',
    value: 20,
    unit: 'items',
    bounds:
      'Statuses of its recipient that are recorded of one invoice, those that were withdrawn among them.',
    reason: 'One or two are what happens, and some mistakes. All of them are shown with their invoice.',
    beyond: '409 `recipient_status_conflict`',
  },
  exchangeEntries: {
    group: 'Database',
    value: 200,
    unit: 'items',
    bounds:
      'Entries of a journal that the exchange looks at in one transaction, and statuses that it takes in of an environment in one round.',
    reason: 'What is held meanwhile is only how far the environment has come, which nobody else asks for.',
    beyond: 'the rest comes in the next transaction, or the next round',
  },
  exchangeAtOnce: {
    group: 'Database',
    value: 50,
    unit: 'items',
    bounds: 'Messages that the exchange reads at once to send them.',
    reason: 'They are sent one after the other, each within some milliseconds.',
    beyond: 'the rest is read once they are sent',
  },
  exchangeRounds: {
    group: 'Database',
    value: 20,
    unit: 'items',
    bounds: 'Such readings for an environment in one round, which is every minute.',
    reason: 'A thousand messages, so that no environment keeps the others waiting for long.',
    beyond: 'the rest is sent in the next round',
  },
  exchangeEnvironments: {
    group: 'Database',
    value: 1_000,
    unit: 'items',
    bounds: 'Test environments that the exchange goes through in one round.',
    reason: 'It is for trying integrations out. Those that were looked at longest ago come first.',
    beyond: 'the others come in the next round',
  },
  overdueAtOnce: {
    group: 'Database',
    value: 200,
    unit: 'items',
    bounds: 'Overdue invoices of which the journals are told in one round of the job.',
    reason: 'An environment’s journal is held for some 20 ms, and issuing has its turn between two rounds.',
    beyond: 'the rest is told in the next rounds of the same run',
  },
  uncoveredEntries: {
    group: 'Database',
    value: 10_000,
    unit: 'items',
    bounds: 'Entries of a journal that no checkpoint covers; looked at every minute.',
    reason:
      'A busy merchant’s day. Taking one costs some 20 ms and one file; a journal that grows less has one each night.',
    beyond: 'a checkpoint is taken',
  },
  exportRows: {
    group: 'Database',
    value: 500,
    unit: 'items',
    bounds:
      'Records that an export reads by one statement. After each it leaves the database to others for as long as that took.',
    reason: 'Some 10 ms, and one megabyte in memory.',
    beyond: 'the rest is read by the next statement',
  },
  openDrafts: {
    group: 'Database',
    value: 2_000,
    unit: 'items',
    bounds: 'Drafts of an environment that are not issued, without those that schedules made.',
    reason: 'More than a person looks through; all of them with 500 lines each are 200 MB.',
    beyond: '409 `invoice_draft_limit_reached`',
  },
  testClockAhead: {
    group: 'Database',
    value: 315_619_200,
    unit: 'seconds',
    bounds: 'How far a test clock goes ahead of the real time: ten years.',
    reason: 'Longer than any schedule that somebody plays through; each day costs some milliseconds.',
    beyond: '400 `invalid_request`',
  },
  schedules: {
    group: 'Database',
    value: 2_000,
    unit: 'items',
    bounds: 'Schedules of an environment that have not ended.',
    reason: 'Subscriptions of a small business; all due on one day are issued within a few minutes.',
    beyond: '409 `invoice_schedule_limit_reached`',
  },
  listRows: {
    group: 'GraphQL',
    value: 1_000,
    unit: 'items',
    bounds: 'Rows of a list without pages: `keys`, `certificates`, `integrations`.',
    reason:
      'A company has a dozen of each; with all of their fields they are a twentieth of what a query may cost.',
    beyond: 'the list ends there; `companyId` narrows it. What is there counts as values of the query',
  },
  bookDays: {
    group: 'Documents',
    value: 366,
    unit: 'items',
    bounds: 'Days of a register book.',
    reason: 'Books are kept, declared and asked for by year (Ejercicio) and quarter.',
    beyond: '400 `invalid_request`, entry `too_big`: a book for each year',
  },
  bookInvoicesAtOnce: {
    group: 'Documents',
    value: 100,
    unit: 'items',
    bounds:
      'Invoices of a register book that are read by one statement. After each the book leaves the database to others for as long as that took.',
    reason: 'Some 10 ms for the rows, and some hundred kilobytes in memory.',
    beyond: 'the rest is read by the next statement',
  },
  booksAtOnce: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds:
      'Register books that a process writes at a time for those who follow links; one of each environment.',
    reason: 'Each holds a connection to the database, and half a processor while it is read.',
    beyond: 'the next waits; of one environment more than two that wait are refused with 429 `rate_limited`',
  },
  bookTime: {
    group: 'Documents',
    value: 30 * 60 * 1_000,
    unit: 'ms',
    bounds: 'The time in which a register book is read to its end.',
    reason:
      'A million invoices take some minutes. Meanwhile the database keeps what it would clean up, so nobody may read one for hours.',
    beyond: 'the connection is cut, which leaves no whole file',
  },
  exportInvoices: {
    group: 'Documents',
    value: 20_000,
    unit: 'items',
    bounds: 'Invoices whose documents are exported as one ZIP file.',
    reason:
      'A minute or two where the PDFs are stored; of each file some hundred bytes are kept until the end for the directory of the ZIP file.',
    beyond: '`invalid_request`, entry `too_big`: a part of the period at a time',
  },
  exportsOpen: {
    group: 'Documents',
    value: 20,
    unit: 'items',
    bounds: 'Exports that a process sends at once.',
    reason:
      'They share what exporting may take of the process: of twenty each is a twentieth as fast, and still sends a document each second or so.',
    beyond: '429 `rate_limited`',
  },
  exportsOfEnvironment: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds: 'Of those, the exports of one environment.',
    reason:
      'A quarter for the adviser while another is fetched; a third would come no sooner than after them.',
    beyond: '429 `rate_limited`',
  },
  exportingAtOnce: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds:
      'Documents that are made at once for exports, one of them for an environment. Environments take turns document by document, and after each its place stays empty for as long as it took.',
    reason:
      'Nobody waits for a single document of an export, so all exports together take at most what is left over of a processor.',
    beyond: 'the document waits its turn',
  },
} as const satisfies Record<string, Limit>;
