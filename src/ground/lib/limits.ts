import { BULK_LIMITS } from './bulk-limits.ts';
import { ENTRY_LIMITS } from './entry-limits.ts';
import { RECEIVED_LIMITS } from './received-limits.ts';

/** One bound on the work that a caller, a neighbour or an outside service can cause. */
export type Limit = {
  readonly group:
    | 'Requests'
    | 'GraphQL'
    | 'Shares of an environment'
    | 'Database'
    | 'Documents'
    | 'Log'
    | 'What others send us'
    | 'Webhooks';
  readonly value: number;
  readonly unit:
    | 'bytes'
    | 'bytes per second'
    | 'ms'
    | 'seconds'
    | 'items'
    | 'levels'
    | 'points'
    | 'per second'
    | 'per minute';
  /** What is bounded. Markdown, as it stands in docs/guides/limits.md. */
  readonly bounds: string;
  /** Why the value is what it is. */
  readonly reason: string;
  /** What whoever goes beyond it gets: a code of the catalogue, or what is done. */
  readonly beyond: string;
  /** The setting whose default this is. */
  readonly setting?: string;
};

/** The bounds, by subject; `npm run limits` writes the guide's table from them. What an invoice may hold is in the contract. */
export const LIMITS = {
  body: {
    group: 'Requests',
    value: 1024 * 1024,
    unit: 'bytes',
    bounds: 'The body of a request.',
    reason: 'An invoice of 500 lines with the longest texts stays below it.',
    beyond: '413 `payload_too_large`',
  },
  head: {
    group: 'Requests',
    value: 16 * 1024,
    unit: 'bytes',
    bounds: 'The request line and the headers together.',
    reason: 'The default of Node’s HTTP parser; no request of ours needs a tenth of it.',
    beyond: '431, connection closed',
  },
  requestTime: {
    group: 'Requests',
    value: 30_000,
    unit: 'ms',
    bounds: 'The time in which a request must have arrived whole.',
    reason: 'Longer than any work of ours; a client that sends more slowly holds a connection for nothing.',
    beyond: '408, connection closed',
  },
  portalVisits: {
    group: 'Requests',
    value: 100,
    unit: 'items',
    bounds: 'The visits that one link to the customer portal has open at once.',
    reason: 'A customer has a few devices; whoever follows the link in a loop must not fill a table.',
    beyond: 'the oldest visit ends',
  },
  diskReserve: {
    group: 'Database',
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'What must be free on the disk under the service’s own Postgres for writes to be taken.',
    reason:
      'Four segments of the write-ahead log (16 MiB each): one that is being filled, one that is prepared, and two for what comes between two looks at the disk and for the checkpoint that frees the rest. Without room for a segment Postgres stops altogether.',
    beyond: 'writes are refused with 503 `service_unavailable`; reading goes on',
  },
  diskRoomAgain: {
    group: 'Database',
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'What must be free beyond that for writes to be taken again.',
    reason: 'One more segment: refusing would else begin and end with each that comes and goes.',
    beyond: 'writes stay refused',
  },
  diskLook: {
    group: 'Database',
    value: 250,
    unit: 'ms',
    bounds: 'The time between two looks at the free space of that disk.',
    reason: 'One system call. A service at its fastest writes some 10 MiB in it, a sixth of the reserve.',
    beyond: 'the reserve is used',
  },
  temporaryFiles: {
    group: 'Database',
    value: 512 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'Temporary files of one session of the service’s own Postgres (sorting and joining what does not fit into memory); an eighth of the disk where that is less.',
    reason:
      'No statement of ours sorts a hundredth of it; a statement by hand must not fill the disk under everybody.',
    beyond: 'the statement fails',
  },
  readingStatement: {
    group: 'Database',
    value: 5_000,
    unit: 'ms',
    bounds: 'One statement of a request that reads.',
    reason: 'The largest page takes half a second on a busy machine.',
    beyond: 'it is cancelled; 503 `service_unavailable`',
  },
  searchingStatement: {
    group: 'Database',
    value: 2_000,
    unit: 'ms',
    bounds: 'One statement of a search.',
    reason: 'Whoever searches longer narrows the search by time or customer, and others search too.',
    beyond: 'it is cancelled; 503 `service_unavailable`',
  },
  changingStatement: {
    group: 'Database',
    value: 10_000,
    unit: 'ms',
    bounds: 'One statement of a transaction that issues or changes, but for its COMMIT.',
    reason: 'It may wait 5 s for the lock of a chain.',
    beyond: 'it is cancelled and nothing is persisted; 503 `service_unavailable`',
  },
  jobStatement: {
    group: 'Database',
    value: 60_000,
    unit: 'ms',
    bounds: 'One statement of a job.',
    reason: 'Nobody waits for it, and what it reads or clears away may be much.',
    beyond: 'it is cancelled; the job is tried again',
  },
  maintenanceStatement: {
    group: 'Database',
    value: 3_600_000,
    unit: 'ms',
    bounds: 'One statement of a migration, verification, export, import or command line.',
    reason: 'An index on the largest table is built within it.',
    beyond: 'it is cancelled, and what asked for it ends',
  },
  postgresStop: {
    group: 'Database',
    value: 8_000,
    unit: 'ms',
    bounds:
      'For how long the service’s own Postgres may take to stop in order, when the service stops and when one that was left behind is found.',
    reason:
      'It writes back at most 128 MB of buffers; together with requests (15 s) and jobs (10 s) it fits into the 40 s that a stop may take.',
    beyond: 'it is told to leave at once (SIGQUIT); the next start recovers from the write-ahead log',
  },
  postgresQuit: {
    group: 'Database',
    value: 3_000,
    unit: 'ms',
    bounds: 'For how long it may take to leave at once.',
    reason: 'Nothing is written then; what takes longer hangs, as on a disk that does not answer.',
    beyond: 'it is killed (SIGKILL)',
  },
  postgresKill: {
    group: 'Database',
    value: 2_000,
    unit: 'ms',
    bounds: 'For how long a killed Postgres is waited for, and its children, which leave by themselves.',
    reason: 'The kernel ends it within milliseconds unless it waits for a device.',
    beyond: 'the stop or the start fails and says so',
  },
  ...ENTRY_LIMITS,
  aliases: {
    group: 'GraphQL',
    value: 50,
    unit: 'items',
    bounds: 'Aliases in one query.',
    reason: 'A query that needs more names for one field unfolds one question into many.',
    beyond: '400 `invalid_request`',
  },
  tokens: {
    group: 'GraphQL',
    value: 2_000,
    unit: 'items',
    bounds: 'Tokens of a query.',
    reason: 'The largest query of a page with everything in it has some 300.',
    beyond: '400 `invalid_request`',
  },
  depth: {
    group: 'GraphQL',
    value: 12,
    unit: 'levels',
    bounds: 'Levels of a query.',
    reason: 'The deepest field of an invoice on a page stands on level 7.',
    beyond: '400 `invalid_request`',
  },
  breadth: {
    group: 'GraphQL',
    value: 200,
    unit: 'items',
    bounds: 'Fields of a query, those of fragments where they are used.',
    reason: 'Everything of an invoice is some 80 fields.',
    beyond: '400 `invalid_request`',
  },
  cost: {
    group: 'GraphQL',
    value: 20_000,
    unit: 'points',
    bounds:
      'The cost of a query before anything is read: its fields, times the items that the pages around them may have. An invoice counts as one of 10 lines here.',
    reason: 'A page of a hundred invoices with everything in it passes, two of them do not.',
    beyond: '400 `invalid_request`',
  },
  values: {
    group: 'GraphQL',
    value: 250_000,
    unit: 'points',
    bounds:
      'The values of all answers of a query together, by the rows that are there: fields times invoices, lines, taxes and records, each alias for itself, and 8 for each row that is read. Counted before the rows are read.',
    reason:
      'An answer of so many values is about the largest that is sent. A hundred invoices of 90 lines with everything in them pass, nineteen of 500 lines do.',
    beyond: '400 `invalid_request`; the detail tells the cost',
  },
  searchesOfQuery: {
    group: 'GraphQL',
    value: 5,
    unit: 'items',
    bounds: 'Searches in one query: lists by `text`, or by what no index leads to.',
    reason: 'A page has one search field; each search may look at every invoice of the environment.',
    beyond: '400 `invalid_request`',
  },
  verificationsOfQuery: {
    group: 'GraphQL',
    value: 1,
    unit: 'items',
    bounds: 'Verifications of a chain in one query of an operator.',
    reason: 'Each runs for up to ten seconds on a connection of its own.',
    beyond: '400 `invalid_request`',
  },
  linesOfPage: {
    group: 'Requests',
    value: 2_500,
    unit: 'items',
    bounds: 'Lines of the invoices on one page of `GET /v1/invoices`.',
    reason:
      'A hundred invoices of 25 lines: some 1.2 MB of answer, which is a tenth of a second of work and is done in pieces.',
    beyond: 'the page has fewer invoices than `limit`, and `next_url` leads on',
  },
  linesOfReading: {
    group: 'Requests',
    value: 1_000,
    unit: 'items',
    bounds: 'Lines of the invoices that one statement reads for requests that arrive together.',
    reason:
      'Two of the longest, some 0.7 MB of answer: what is read at once is in memory at once. A hundred invoices of 10 lines share one statement.',
    beyond: 'the rest is read by the next statement, first of all',
  },
  valuesAtOnce: {
    group: 'Shares of an environment',
    value: 100_000,
    unit: 'points',
    bounds:
      'Values that large reads of all callers hold in memory at once in a process; one of more is made alone. Environments take turns; a read of fewer than 25,000 values does not wait.',
    reason:
      'One event loop makes them all: several at once are ready no earlier than one after the other, and hold everybody else up for longer.',
    beyond: 'the read waits its turn; 503 `service_unavailable` when 20 of the environment wait already',
  },
  issuingGroup: {
    group: 'Shares of an environment',
    value: 64,
    unit: 'items',
    bounds: 'Invoices that are committed in one transaction. Environments take turns.',
    reason: 'Larger groups gain little more and hold the chains’ rows for longer.',
    beyond: 'the invoice waits for the next group',
  },
  issuingGroupLines: {
    group: 'Shares of an environment',
    value: 1_000,
    unit: 'items',
    bounds: 'Lines of those invoices together.',
    reason:
      'They are sealed and written in some 50 ms, which is what another environment waits behind them. A full group of 15 lines each fits.',
    beyond: 'the invoice waits for the next group',
  },
  issuingQueue: {
    group: 'Shares of an environment',
    value: 1_000,
    unit: 'items',
    bounds: 'Invoices of one environment that wait to be committed in a process.',
    reason:
      'Several hundred are committed in a second; what waits for some seconds is better told to come back.',
    beyond: '503 `service_unavailable`',
  },
  rendersAtOnce: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds:
      'Documents that are being made at once in a process: one is drawn while the other is read or stored. Of at most 50 lines, and waited for by somebody, one more. Environments take turns, downloads before jobs.',
    reason: 'Drawing takes a processor. A short document is not kept waiting by a long one.',
    beyond: 'the document waits its turn',
  },
  rendersWaiting: {
    group: 'Documents',
    value: 100,
    unit: 'items',
    bounds: 'Downloads of one environment that wait in a process for documents that were never made.',
    reason: 'Of 500 lines each they are ten seconds of work.',
    beyond: '429 `rate_limited`',
  },
  documentsRead: {
    group: 'Documents',
    value: 4,
    unit: 'items',
    bounds: 'Stored documents that a process reads at once for downloads. Environments take turns.',
    reason:
      'Each is in memory whole while it is read and held against its checksum; more at once are read no sooner.',
    beyond: 'the download waits; those of one document share a reading',
  },
  documentsReadOfEnvironment: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds: 'Of those, the documents of one environment.',
    reason: 'Two environments can read beside each other however much either asks.',
    beyond: 'the download waits its turn',
  },
  documentsWaiting: {
    group: 'Documents',
    value: 100,
    unit: 'items',
    bounds: 'Stored documents of one environment that wait in a process to be read.',
    reason: 'They are read in a second.',
    beyond: '503 `service_unavailable`',
  },
  readingShare: {
    group: 'Shares of an environment',
    value: 2_000,
    unit: 'per second',
    bounds:
      'Points of reading: one for a request, and one more for each 500 values that are read. Half a minute’s are saved up.',
    reason: 'Ten times what the busiest merchant asks, half of what a process can do.',
    beyond: '429 `rate_limited`, unless nobody else has asked anything of the process for 5 s',
  },
  issuingShare: {
    group: 'Shares of an environment',
    value: 1_000,
    unit: 'per second',
    bounds:
      'Points of issuing and changing: one for an invoice or another change, and one more for each 50 lines. Twenty seconds’ are saved up.',
    reason: 'A batch that waits for each answer issues a few hundred in a second.',
    beyond: '429 `rate_limited`, unless nobody else has asked anything of the process for 5 s',
  },
  searchingShare: {
    group: 'Shares of an environment',
    value: 400,
    unit: 'per second',
    bounds:
      'Points of searching: one for a search, and one more for each 5 ms that it takes. Ten seconds’ are saved up.',
    reason: 'Two hundred quick searches in a second, or two seconds of one that looks at everything.',
    beyond: '429 `rate_limited`, unless nobody else has asked anything of the process for 5 s',
  },
  renderingShare: {
    group: 'Shares of an environment',
    value: 400,
    unit: 'per second',
    bounds:
      'Points of rendering: one for a document that a download has made, and one more for each 10 lines. Ten seconds’ are saved up.',
    reason: 'More than a process can draw; what is stored already costs none.',
    beyond: '429 `rate_limited`, unless nobody else has asked anything of the process for 5 s',
  },
  searchesAtOnce: {
    group: 'Shares of an environment',
    value: 4,
    unit: 'items',
    bounds: 'Searches that run at once in a process.',
    reason: 'A third of the connections: whoever does not search keeps the others.',
    beyond: 'the search waits; environments take turns',
  },
  searchesOfEnvironment: {
    group: 'Shares of an environment',
    value: 2,
    unit: 'items',
    bounds: 'Searches of one environment that run at once in a process.',
    reason: 'Two environments can search beside each other however much either asks.',
    beyond: 'the search waits; 429 `rate_limited` when 50 of the environment wait already',
  },
  ...BULK_LIMITS,
  ...RECEIVED_LIMITS,
  unwrittenLog: {
    group: 'Log',
    value: 1024 * 1024,
    unit: 'bytes',
    bounds: 'Lines of the log that wait to be written, because their disk is full or nobody reads them.',
    reason: 'Some thousand lines: what led to the trouble is still told, and a log never takes the memory.',
    beyond:
      'they are lost, and `lacre_log_lines_lost_total` counts them; once there is room the log says how many',
  },
} as const satisfies Record<string, Limit>;
