import type { Limit } from './limit.ts';

/** The bounds on what arrives over HTTP and what is answered to it; part of `LIMITS`. */
export const ENTRY_LIMITS = {
  headTime: {
    group: 'Requests',
    value: 15_000,
    unit: 'ms',
    bounds: 'The time in which the headers of a request must have arrived.',
    reason: 'They fit into a dozen packets; half of the time of the whole request.',
    beyond: '408, connection closed',
  },
  connections: {
    group: 'Requests',
    value: 2_000,
    unit: 'items',
    bounds: 'Open connections of a process.',
    reason: 'Each holds some 20 KB; a proxy needs a tenth of them for a thousand requests a second.',
    beyond:
      'one without a request is closed: the longest unused of the address that has most, last those that asked with a key. When all are busy, 503 `service_unavailable`, connection closed; a tenth more, closed without a word',
  },
  connectionQueue: {
    group: 'Requests',
    value: 4_096,
    unit: 'items',
    bounds:
      'Connections that callers have made and the process has not yet taken over (Linux: `net.core.somaxconn` at most).',
    reason:
      'Twice what may be open; taking over one takes a tenth of a millisecond. Whoever finds the queue full waits a whole second.',
    beyond: 'the caller’s system tries again after a second',
  },
  metricsConnections: {
    group: 'Requests',
    value: 50,
    unit: 'items',
    bounds: 'Open connections of the port that `METRICS_PORT` names.',
    reason: 'A handful of watchers, each with one.',
    beyond: 'closed without a word',
  },
  connectionsOfAddress: {
    group: 'Requests',
    value: 1_000,
    unit: 'items',
    bounds:
      'Open connections of one address (of IPv6, one network of 64 bits), unless it is among `TRUSTED_PROXIES`.',
    reason: 'One machine cannot take them all; an office behind one address has a dozen.',
    beyond:
      'one of the same address without a request is closed; when all are busy, 503 `service_unavailable`, connection closed',
  },
  requestsUnderWay: {
    group: 'Requests',
    value: 512,
    unit: 'items',
    bounds:
      'Requests that a process is working on: their bodies have come, and their answers are not made. Half of it of one environment, one operator, or one address without a key in force.',
    reason: 'At 2,000 requests a second each would take a quarter of a second: more only wait.',
    beyond: '503 `service_unavailable`; `/healthz`, `/readyz` and `/metrics` are always answered',
  },
  admission: {
    group: 'Requests',
    value: 3,
    unit: 'ms',
    bounds:
      'The time for which requests that arrive together begin to be worked on before the event loop looks at what else there is. Environments take turns; all who show no key in force take one of them together, shared out by address.',
    reason:
      'Some twenty requests, as many as one statement looks up the keys of. Waiting for a thousand to begin would take a second, several times for each request.',
    beyond: 'the request waits its turn; `/healthz` and `/readyz` do not',
  },
  requestsWaiting: {
    group: 'Requests',
    value: 512,
    unit: 'items',
    bounds:
      'Requests that wait to begin; half of it of one environment, or of one address without a key in force.',
    reason: 'As many as may be under way: they begin within a second. Each may have sent 64 KiB of its body.',
    beyond: '503 `service_unavailable`',
  },
  refusals: {
    group: 'Requests',
    value: 100,
    unit: 'per second',
    bounds:
      'Refusals (4xx, and errors of GraphQL) of one environment, one operator, or one address without a key in force. Half a second’s are saved up.',
    reason:
      'Each takes up to 2 ms of the process: a fifth of it. Whoever sends the next request as soon as one is refused would otherwise take all of it.',
    beyond: 'further ones are answered later, at this rate',
  },
  longestRefusal: {
    group: 'Requests',
    value: 2_000,
    unit: 'ms',
    bounds: 'The time by which a refusal is answered later at most.',
    reason: 'Two hundred connections at that rate; no client gives up so soon.',
    beyond: 'the refusal is answered',
  },
  unreadBody: {
    group: 'Requests',
    value: 1_000,
    unit: 'ms',
    bounds:
      'The time for which the connection of a request of more than 64 KiB stays open that was refused by its head. Its body is not read.',
    reason:
      'Who has been sending meanwhile finds the answer in it; to read a megabyte takes longer than to refuse it.',
    beyond: 'connection closed',
  },
  longestRest: {
    group: 'Requests',
    value: 25,
    unit: 'ms',
    bounds:
      'The time for which the event loop is left to short requests, while there are any, after a step of working on an invoice or a body that is long: as long as the step took.',
    reason: 'Half of the process for either; a step takes some 5 ms, and what takes more is not made up for.',
    beyond: 'the next long step goes on; environments take turns',
  },
  pipelined: {
    group: 'Requests',
    value: 4,
    unit: 'items',
    bounds: 'Requests under way on one connection, sent without awaiting answers.',
    reason:
      'Clients send one at a time; what is sent ahead is worked on at once and its answer held until the one before is read, so that a few connections would take all requests under way.',
    beyond: 'connection closed',
  },
  bodies: {
    group: 'Requests',
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Bodies of more than 64 KiB that a process is reading and working on; half of it for one key.',
    reason: 'A hundred invoices of 500 lines; what is read of them takes several times as much memory.',
    beyond: '503 `service_unavailable`',
  },
  stalledReader: {
    group: 'Requests',
    value: 20_000,
    unit: 'ms',
    bounds:
      'The time in which a caller must have read a further part of its answer; a tenth while half of what may wait unread waits.',
    reason: 'A network that is interrupted comes back within seconds, or the connection is lost.',
    beyond: 'connection closed, counted in `lacre_http_stalled_readers_total`',
  },
  readingRate: {
    group: 'Requests',
    value: 4 * 1024,
    unit: 'bytes per second',
    bounds: 'What a caller must read on average over that time.',
    reason: 'A tenth of the slowest mobile network; at a byte a second an answer would stay for months.',
    beyond: 'as above',
  },
  waitingBytes: {
    group: 'Requests',
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'Bytes of answers that a process has made and nobody has read. Pages that all share do not count.',
    reason: 'Eight of the largest answers, a thousand pages of 25 invoices; a tenth of the process’s memory.',
    beyond: '503 `service_unavailable` for what reads; issuing goes on',
  },
  answer: {
    group: 'Requests',
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'One answer.',
    reason: 'A hundred times an ordinary page; it is made in memory and stays there until it is read.',
    beyond:
      '`GET /v1/invoices` answers fewer than `limit` and its `next_url` leads on; GraphQL refuses with 400 `invalid_request`',
  },
  failedAttempts: {
    group: 'Requests',
    value: 100,
    unit: 'per minute',
    bounds:
      'Keys, portal links and sessions that are not in force, tried from one address (of IPv6, one network of 64 bits); counted by process.',
    reason:
      'A program with a revoked key that asks every second stays below it. Keys that are in force are let through from the same address.',
    beyond: '429 `rate_limited` in place of 401; what is tried is looked up behind everybody else’s',
  },
  accessTokenTime: {
    group: 'Requests',
    value: 3_600,
    unit: 'seconds',
    bounds: 'How long an access token is good for.',
    reason: 'A page can be given another one at any time; one that is stolen from it ends by itself.',
    beyond: '400 `invalid_request`',
  },
  origins: {
    group: 'Requests',
    value: 50,
    unit: 'items',
    bounds: 'Origins that an environment allows to ask `/graphql` from a browser.',
    reason:
      'They are read with each request of an access token; a front end has one, and one for each stage.',
    beyond: '400 `invalid_request`',
  },
  anonymousBody: {
    group: 'GraphQL',
    value: 4 * 1024,
    unit: 'bytes',
    bounds: 'The body of a GraphQL request without a key.',
    reason:
      'A signed link and the query that reads its file have some 500; so has nothing else that needs no key.',
    beyond: '401 `unauthorized`, the rest unread',
  },
  queryText: {
    group: 'GraphQL',
    value: 16 * 1024,
    unit: 'bytes',
    bounds: 'The text of a query, before anything reads it.',
    reason: 'Four times the standard introspection query; values belong in `variables`.',
    beyond: '400 `invalid_request`',
  },
  operationName: {
    group: 'GraphQL',
    value: 256,
    unit: 'bytes',
    bounds: 'The name of the operation to run.',
    reason: 'It is compared with names in the query, and no generator writes longer ones.',
    beyond: '400 `invalid_request`',
  },
  bodyDepth: {
    group: 'Requests',
    value: 32,
    unit: 'levels',
    bounds: 'How deep objects and lists are nested in a body, looked at before it is parsed.',
    reason:
      'No input is nested more deeply than six levels; parsing a megabyte of brackets takes a fifth of a second.',
    beyond: '400 `invalid_request`',
  },
  bodyValues: {
    group: 'Requests',
    value: 10_000,
    unit: 'items',
    bounds: 'Objects and lists in a body.',
    reason:
      'An invoice of 500 lines with ten taxes each has some 6,000; each is read, converted and checked.',
    beyond: '400 `invalid_request`',
  },
  objectFields: {
    group: 'GraphQL',
    value: 1_000,
    unit: 'items',
    bounds: 'Fields of one object in the body.',
    reason: 'No input has nearly as many; an object that does not fit is written out whole, error by error.',
    beyond: '400 `invalid_request`',
  },
  pagesShare: {
    group: 'Requests',
    value: 20,
    unit: 'per second',
    bounds:
      'Pages of the portal for all visits of one link, of the console for one operator, and of either for a network that has opened none; and of the documentation, with the OpenAPI document, for one network. Twenty seconds’ are saved up. What is read for them counts as the environment’s besides.',
    reason: 'Ten times what somebody looks at who opens page after page.',
    beyond:
      '429 `rate_limited` as a page, with `Retry-After`, unless nobody else has asked anything of the process for 5 s',
  },
  documents: {
    group: 'GraphQL',
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Parsed queries that a process remembers, of callers with a key alone.',
    reason: 'Some 200 ordinary queries: what the programs of an installation ask again and again.',
    beyond: 'the longest unused is forgotten',
  },
  trustedDocuments: {
    group: 'GraphQL',
    value: 1_000,
    unit: 'items',
    bounds: 'Documents that an environment has published.',
    reason: 'A front end has some dozens, and as many again for each version that is still open somewhere.',
    beyond: 'those go that were published longest ago',
  },
  publishedAtOnce: {
    group: 'GraphQL',
    value: 50,
    unit: 'items',
    bounds: 'Documents that one mutation publishes.',
    reason: 'Each is parsed and validated, up to 20 ms for the largest.',
    beyond: '400 `invalid_request`; `lacre documents publish` sends as many mutations as it needs',
  },
  trustedTexts: {
    group: 'GraphQL',
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Published documents that a process remembers by their hash.',
    reason: 'Some 2,000 of ordinary size; another one costs a statement.',
    beyond: 'the longest unused is forgotten',
  },
  introspection: {
    group: 'GraphQL',
    value: 100_000,
    unit: 'points',
    bounds: 'Fields of the schema that one introspection query unfolds, estimated.',
    reason: 'Twice what GraphiQL and code generators ask; about a tenth of a second of work.',
    beyond: '400 `invalid_request`',
  },
  introspectionAnswers: {
    group: 'GraphQL',
    value: 4 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Introspection answers that a process remembers, so that the same question costs nothing.',
    reason: 'The standard answer has 200 KiB, and each kind of client asks another one.',
    beyond: 'the longest unused is forgotten',
  },
} as const satisfies Record<string, Limit>;
