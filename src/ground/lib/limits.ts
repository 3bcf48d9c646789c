import { BULK_LIMITS } from './bulk-limits.ts';
import { DATABASE_LIMITS } from './database-limits.ts';
import { ENTRY_LIMITS } from './entry-limits.ts';
import type { Limit } from './limit.ts';
import { LIVE_LIMITS } from './live-limits.ts';
import { MAIL_LIMITS } from './mail-limits.ts';
import { RECEIVED_LIMITS } from './received-limits.ts';

/**
 * The limits, by subject. `npm run limits` writes the guide's table from them. The limits of an invoice's content are in
 * the contract.
 */
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
    bounds: 'The request line and all headers together.',
    reason: 'The default of Node’s HTTP parser; no request of the API needs a tenth of it.',
    beyond: '400 `invalid_request`, connection closed',
  },
  requestTime: {
    group: 'Requests',
    value: 30_000,
    unit: 'ms',
    bounds: 'The time in which a request must have arrived completely.',
    reason:
      'Longer than any request takes to process; a client that sends more slowly occupies a connection for nothing.',
    beyond: '400 `invalid_request`, connection closed',
  },
  portalVisits: {
    group: 'Requests',
    value: 100,
    unit: 'items',
    bounds: 'Open sessions of one link to the customer portal.',
    reason: 'A customer has a few devices; opening the link in a loop must not fill a table.',
    beyond: 'the oldest session ends',
  },
  ...DATABASE_LIMITS,
  ...ENTRY_LIMITS,
  aliases: {
    group: 'GraphQL',
    value: 50,
    unit: 'items',
    bounds: 'Aliases in one query.',
    reason: 'A query with more names for one field multiplies one question.',
    beyond: '400 `invalid_request`',
  },
  tokens: {
    group: 'GraphQL',
    value: 2_000,
    unit: 'items',
    bounds: 'Tokens of a query.',
    reason: 'The largest query of a page that selects everything has about 300.',
    beyond: '400 `invalid_request`',
  },
  depth: {
    group: 'GraphQL',
    value: 12,
    unit: 'levels',
    bounds: 'Levels of a query.',
    reason: 'The deepest field of an invoice on a page is on level 7.',
    beyond: '400 `invalid_request`',
  },
  nesting: {
    group: 'GraphQL',
    value: 100,
    unit: 'levels',
    bounds: 'Selections, arguments, lists and objects within each other, as a query is written.',
    reason: 'Each takes some of the stack; the deepest selection with the deepest argument has about 40.',
    beyond: '400 `invalid_request`',
  },
  breadth: {
    group: 'GraphQL',
    value: 200,
    unit: 'items',
    bounds: 'Fields of a query, those of fragments counted at each use.',
    reason: 'All fields of an invoice are about 80.',
    beyond: '400 `invalid_request`',
  },
  cost: {
    group: 'GraphQL',
    value: 20_000,
    unit: 'points',
    bounds:
      'The cost of a query before anything is read: its fields, multiplied by the maximum number of items of the pages and lists around them. An invoice counts as one of 10 lines here.',
    reason: 'A page of a hundred invoices with all fields passes; two such pages do not.',
    beyond: '400 `invalid_request`',
  },
  values: {
    group: 'GraphQL',
    value: 250_000,
    unit: 'points',
    bounds:
      'The values in all answers of a query together, for the rows that exist: fields times invoices, lines, taxes, records and whatever else an invoice or a total has several of, each alias separately, plus 8 for each row that is read. Counted before the rows are read.',
    reason:
      'An answer with this many values is about the largest that is sent. A hundred invoices of 90 lines with all fields pass, and so do nineteen of 500 lines.',
    beyond: '400 `invalid_request`; the detail states the cost',
  },
  searchesOfQuery: {
    group: 'GraphQL',
    value: 5,
    unit: 'items',
    bounds: 'Searches in one query: lists filtered by `text` or by a criterion without an index.',
    reason: 'A page has one search field; each search may read every invoice of the environment.',
    beyond: '400 `invalid_request`',
  },
  verificationsOfQuery: {
    group: 'GraphQL',
    value: 1,
    unit: 'items',
    bounds: 'Verifications of a chain in one query of an operator.',
    reason: 'Each runs for up to ten seconds on its own connection.',
    beyond: '400 `invalid_request`',
  },
  filterValues: {
    group: 'Requests',
    value: 100,
    unit: 'items',
    bounds: 'Different values of one repeatable parameter of a list, and of one list in a GraphQL filter.',
    reason: 'As many as a page has items, so one request can find the invoices of a page of ids.',
    beyond: '400 `invalid_request`',
  },
  linesOfPage: {
    group: 'Requests',
    value: 2_500,
    unit: 'items',
    bounds:
      'Lines of the invoices on one page of `GET /v1/invoices`, or that the events of one page of `GET /v1/events` contain. Events for webhooks and subscriptions are built for as many at a time.',
    reason:
      'A hundred invoices of 25 lines: about 1.2 MB of answer, which takes a tenth of a second to build and is built in steps.',
    beyond: 'the page has fewer items than `limit`, and `next_url` continues',
  },
  linesOfReading: {
    group: 'Requests',
    value: 1_000,
    unit: 'items',
    bounds:
      'Lines of the invoices that one statement reads for concurrent requests, and of the pages that are read at the same time. The newest invoices are read with their list instead, up to 50 of at most 10 lines each in a statement.',
    reason:
      'Two of the longest invoices, about 0.7 MB of answer: everything that is read at once is in memory at once. A hundred invoices of 10 lines share one statement.',
    beyond: 'the others are read next',
  },
  valuesAtOnce: {
    group: 'Shares of an environment',
    value: 100_000,
    unit: 'points',
    bounds:
      'Values that large reads of all callers hold in memory at once in a process; a read of more runs alone. Environments take turns; a read of fewer than 25,000 values does not wait.',
    reason:
      'One event loop builds all of them: several at once are not ready earlier than one after the other, and delay all others for longer.',
    beyond:
      'the read waits its turn; 503 `service_unavailable` if 20 reads of the environment are waiting already',
  },
  issuingGroup: {
    group: 'Shares of an environment',
    value: 64,
    unit: 'items',
    bounds: 'Invoices that are committed in one transaction. Environments take turns.',
    reason: 'Larger groups gain little and hold the locks of chains for longer.',
    beyond: 'the invoice waits for the next group',
  },
  issuingGroupLines: {
    group: 'Shares of an environment',
    value: 1_000,
    unit: 'items',
    bounds: 'Lines of those invoices together.',
    reason:
      'They are sealed and written in about 50 ms, which is how long another environment waits behind them. A full group of 15 lines each fits.',
    beyond: 'the invoice waits for the next group',
  },
  issuingQueue: {
    group: 'Shares of an environment',
    value: 1_000,
    unit: 'items',
    bounds: 'Invoices of one environment that wait to be committed in a process.',
    reason:
      'Several hundred are committed in a second; a caller that would wait for several seconds should rather retry later.',
    beyond: '503 `service_unavailable`',
  },
  rendersAtOnce: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds:
      'Documents that are rendered at once in a process: one is drawn while the other is read or stored. One more if it has at most 50 lines and a request waits for it. Environments take turns, downloads before jobs.',
    reason: 'Drawing occupies a processor. A short document must not wait for a long one.',
    beyond: 'the document waits its turn',
  },
  rendersWaiting: {
    group: 'Documents',
    value: 100,
    unit: 'items',
    bounds:
      'Downloads of one environment that wait in a process for documents that have not been rendered yet.',
    reason: 'With 500 lines each they take ten seconds to render.',
    beyond: '429 `rate_limited`',
  },
  documentsRead: {
    group: 'Documents',
    value: 4,
    unit: 'items',
    bounds: 'Stored documents that a process reads at once for downloads. Environments take turns.',
    reason:
      'Each is completely in memory while it is read and its checksum is verified; reading more at once is not faster.',
    beyond: 'the download waits; downloads of the same document share one read',
  },
  documentsReadOfEnvironment: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds: 'Of these, the documents of one environment.',
    reason: 'Two environments can read at the same time, however much either of them requests.',
    beyond: 'the download waits its turn',
  },
  documentsWaiting: {
    group: 'Documents',
    value: 100,
    unit: 'items',
    bounds: 'Stored documents of one environment that wait in a process to be read.',
    reason: 'They are read within a second.',
    beyond: '503 `service_unavailable`',
  },
  readingShare: {
    group: 'Shares of an environment',
    value: 2_000,
    unit: 'per second',
    bounds:
      'Points for reading: one for a request, and one more for each 500 values that are read. Unused points of up to half a minute accumulate.',
    reason: 'Ten times what the busiest merchant requests, and half of what a process can do.',
    beyond: '429 `rate_limited`, unless no other environment has sent a request to the process for 5 s',
  },
  issuingShare: {
    group: 'Shares of an environment',
    value: 1_000,
    unit: 'per second',
    bounds:
      'Points for issuing and changing: one for an invoice or another change, and one more for each 50 lines. Unused points of up to twenty seconds accumulate.',
    reason: 'A client that waits for each answer issues a few hundred per second.',
    beyond: '429 `rate_limited`, unless no other environment has sent a request to the process for 5 s',
  },
  searchingShare: {
    group: 'Shares of an environment',
    value: 400,
    unit: 'per second',
    bounds:
      'Points for searching: one for a search, and one more for each 5 ms that it takes. Unused points of up to ten seconds accumulate.',
    reason: 'Two hundred fast searches per second, or two seconds of one that reads everything.',
    beyond: '429 `rate_limited`, unless no other environment has sent a request to the process for 5 s',
  },
  renderingShare: {
    group: 'Shares of an environment',
    value: 400,
    unit: 'per second',
    bounds:
      'Points for rendering: one for a document that a download has rendered, and one more for each 10 lines. Unused points of up to ten seconds accumulate.',
    reason: 'More than a process can render; stored documents cost nothing.',
    beyond: '429 `rate_limited`, unless no other environment has sent a request to the process for 5 s',
  },
  searchesAtOnce: {
    group: 'Shares of an environment',
    value: 4,
    unit: 'items',
    bounds:
      'Searches that run at once in a process; a list that is filtered by more than 25 values counts as one.',
    reason: 'A third of the connections; callers who do not search keep the others.',
    beyond: 'the search waits; environments take turns',
  },
  searchesOfEnvironment: {
    group: 'Shares of an environment',
    value: 2,
    unit: 'items',
    bounds: 'Searches of one environment that run at once in a process.',
    reason: 'Two environments can search at the same time, however much either of them requests.',
    beyond: 'the search waits; 429 `rate_limited` if 50 searches of the environment are waiting already',
  },
  ...BULK_LIMITS,
  ...RECEIVED_LIMITS,
  ...LIVE_LIMITS,
  ...MAIL_LIMITS,
  unwrittenLog: {
    group: 'Log',
    value: 1024 * 1024,
    unit: 'bytes',
    bounds: 'Log lines that wait to be written, because the disk is full or their reader is blocked.',
    reason:
      'Some thousand lines: the cause of the problem is still logged, and the log never exhausts the memory.',
    beyond:
      'they are lost, and `lacre_log_lines_lost_total` counts them; once lines can be written again, the log states how many',
  },
} as const satisfies Record<string, Limit>;
