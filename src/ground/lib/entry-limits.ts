import type { Limit } from './limit.ts';

/** The limits of HTTP requests and their answers; part of `LIMITS`. */
export const ENTRY_LIMITS = {
  headTime: {
    group: 'Requests',
    value: 15_000,
    unit: 'ms',
    bounds: 'The time in which the headers of a request must have arrived.',
    reason: 'They fit into a dozen packets; half of the time for the whole request.',
    beyond: '400 `invalid_request`, connection closed',
  },
  connections: {
    group: 'Requests',
    value: 2_000,
    unit: 'items',
    bounds: 'Open connections of a process.',
    reason: 'Each takes about 20 KB; a proxy needs a tenth of them for a thousand requests per second.',
    beyond:
      'an idle connection is closed: the least recently used of the address that has most, and last those that have sent a valid key. If all are busy, 503 `service_unavailable`, connection closed; a tenth more are closed without an answer',
  },
  connectionQueue: {
    group: 'Requests',
    value: 4_096,
    unit: 'items',
    bounds:
      'Connections that callers have opened and the process has not yet accepted (Linux: at most `net.core.somaxconn`).',
    reason:
      'Twice the number of open connections; accepting one takes a tenth of a millisecond. A caller that finds the queue full waits a whole second.',
    beyond: 'the caller’s operating system tries again after a second',
  },
  metricsConnections: {
    group: 'Requests',
    value: 50,
    unit: 'items',
    bounds: 'Open connections of the port that `METRICS_PORT` names.',
    reason: 'A handful of monitoring systems, each with one.',
    beyond: 'closed without an answer',
  },
  connectionsOfAddress: {
    group: 'Requests',
    value: 1_000,
    unit: 'items',
    bounds:
      'Open connections of one address (of IPv6, one network of 64 bits), unless it is among `TRUSTED_PROXIES`.',
    reason: 'One machine cannot take them all; an office behind one address needs a dozen.',
    beyond:
      'an idle connection of the same address is closed; if all are busy, 503 `service_unavailable`, connection closed',
  },
  requestsUnderWay: {
    group: 'Requests',
    value: 512,
    unit: 'items',
    bounds:
      'Requests in progress in a process: their bodies have arrived, and their answers are not ready. Half of them at most for one environment, one operator, or one address without a valid key.',
    reason: 'At 2,000 requests per second each takes a quarter of a second; more would only wait.',
    beyond: '503 `service_unavailable`; `/healthz`, `/readyz` and `/metrics` are always answered',
  },
  pipelined: {
    group: 'Requests',
    value: 4,
    unit: 'items',
    bounds: 'Requests in progress on one connection, sent without waiting for answers.',
    reason:
      'Clients send one at a time. Pipelined requests are processed at once and their answers held until the previous one is read, so a few connections could take all places.',
    beyond: 'connection closed',
  },
  bodies: {
    group: 'Requests',
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'Bodies of more than 64 KiB that a process is reading and processing; half of them at most for one environment or operator.',
    reason: 'A hundred invoices of 500 lines; a parsed body takes several times its size in memory.',
    beyond: '503 `service_unavailable`',
  },
  stalledReader: {
    group: 'Requests',
    value: 20_000,
    unit: 'ms',
    bounds:
      'How long a connection stays open of which a caller reads nothing, although there is something to be read.',
    reason: 'An interrupted network recovers within seconds, or the connection is lost.',
    beyond: 'connection closed, counted in `lacre_http_stalled_readers_total`',
  },
  readingRate: {
    group: 'Requests',
    value: 4 * 1024,
    unit: 'bytes per second',
    bounds:
      'What a caller must read on average of its answer, in addition to the time above; ten times as fast, and within a tenth of that time, once half of the permitted unread bytes are in use.',
    reason: 'A tenth of the slowest mobile network; at one byte per second an answer would take months.',
    beyond: 'as above',
  },
  waitingBytes: {
    group: 'Requests',
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'Bytes of answers that a process has built and that have not been read. Pages shared by all callers do not count.',
    reason:
      'Eight of the largest answers, or a thousand pages of 25 invoices; a tenth of the process’s memory.',
    beyond: '503 `service_unavailable` for reads; issuing continues',
  },
  answer: {
    group: 'Requests',
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'One answer.',
    reason: 'A hundred times an ordinary page; it is built in memory and stays there until it is read.',
    beyond:
      '`GET /v1/invoices` returns fewer than `limit` and its `next_url` continues; GraphQL refuses with 400 `invalid_request`',
  },
  failedAttempts: {
    group: 'Requests',
    value: 100,
    unit: 'per minute',
    bounds:
      'Invalid keys, portal links and sessions from one address (of IPv6, one network of 64 bits), counted by process.',
    reason:
      'A program with a revoked key that sends one request per second stays below it. Valid keys, links and sessions from the same address are accepted.',
    beyond: '429 `rate_limited` instead of 401; lookups for this address wait behind all others',
  },
  unknownRecipients: {
    group: 'Shares of an environment',
    value: 60,
    unit: 'per minute',
    bounds:
      'Recipients of one environment that the census or VIES does not know, counted by process. A refused recipient is remembered for a minute and not asked about again.',
    reason:
      'As many as the validate endpoints allow. The registers are shared by all companies, and block whoever asks about thousands of made-up recipients.',
    beyond:
      'the environment’s questions are asked one at a time, with half a second after each unknown recipient; nothing is refused',
  },
  accessTokenTime: {
    group: 'Requests',
    value: 3_600,
    unit: 'seconds',
    bounds: 'How long an access token is valid.',
    reason: 'A page can request a new one at any time; a stolen one expires by itself.',
    beyond: '400 `invalid_request`',
  },
  origins: {
    group: 'Requests',
    value: 50,
    unit: 'items',
    bounds: 'Origins from which an environment permits requests to `/graphql` by a browser.',
    reason:
      'They are read with each request that has an access token; a front end has one, and one for each stage.',
    beyond: '400 `invalid_request`',
  },
  anonymousBody: {
    group: 'GraphQL',
    value: 4 * 1024,
    unit: 'bytes',
    bounds: 'The body of a GraphQL request without a key.',
    reason:
      'A signed link and the query that reads its file have about 500; nothing else can be read without a key.',
    beyond: '401 `unauthorized`, the rest unread',
  },
  queryText: {
    group: 'GraphQL',
    value: 16 * 1024,
    unit: 'bytes',
    bounds: 'The text of a query, checked before it is parsed.',
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
    bounds: 'How deeply objects and lists are nested in a body, checked before it is parsed.',
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
      'An invoice of 500 lines with ten taxes each has about 6,000; each is read, converted and checked.',
    beyond: '400 `invalid_request`',
  },
  bodyFields: {
    group: 'Requests',
    value: 30_000,
    unit: 'items',
    bounds: 'Fields of all objects in a body together, counted before it is parsed.',
    reason:
      'An invoice of 500 lines with ten taxes each has 15,000, a batch of a thousand invoices by GraphQL up to 30,000. Comparing five times as many with those that there are takes 0.15 s.',
    beyond: '400 `invalid_request`',
  },
  objectFields: {
    group: 'Requests',
    value: 1_000,
    unit: 'items',
    bounds: 'Fields of one object in a body, counted before it is parsed.',
    reason:
      'No input has nearly as many; comparing 90,000 with those that there are takes a third of a second.',
    beyond: '400 `invalid_request`',
  },
  pagesShare: {
    group: 'Requests',
    value: 20,
    unit: 'per second',
    bounds:
      'Pages of the portal for all sessions of one link, of the console for one operator, and of the portal for a network without a session or valid link; and pages of the documentation, including the OpenAPI document, for one network. Unused ones of up to twenty seconds accumulate. What a page reads also counts towards the limits of its environment.',
    reason: 'Ten times what a person opens page after page.',
    beyond:
      '429 `rate_limited` as a page, with `Retry-After`, unless nobody else has sent a request to the process for 5 s',
  },
  documents: {
    group: 'GraphQL',
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Parsed queries that a process caches, only for callers with a key.',
    reason: 'About 200 ordinary queries: those that the programs of an installation repeat.',
    beyond: 'the least recently used is removed',
  },
  trustedDocuments: {
    group: 'GraphQL',
    value: 1_000,
    unit: 'items',
    bounds: 'Documents that an environment has published.',
    reason: 'A front end has a few dozen, and as many for each version that is still in use.',
    beyond: 'the least recently published are deleted',
  },
  publishedAtOnce: {
    group: 'GraphQL',
    value: 50,
    unit: 'items',
    bounds: 'Documents that one mutation publishes.',
    reason: 'Each is parsed and validated, which takes up to 20 ms for the largest.',
    beyond: '400 `invalid_request`; `lacre documents publish` sends as many mutations as necessary',
  },
  trustedTexts: {
    group: 'GraphQL',
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Published documents that a process caches by their hash.',
    reason: 'About 2,000 of ordinary size; loading another costs a statement.',
    beyond: 'the least recently used is removed',
  },
  introspection: {
    group: 'GraphQL',
    value: 100_000,
    unit: 'points',
    bounds: 'Fields of the schema that one introspection query returns, estimated.',
    reason: 'Twice what GraphiQL and code generators request; about a tenth of a second of work.',
    beyond: '400 `invalid_request`',
  },
  introspectionAnswers: {
    group: 'GraphQL',
    value: 4 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Introspection answers that a process caches, so that repeating a query costs nothing.',
    reason: 'The standard answer has 200 KiB, and each kind of client sends a different query.',
    beyond: 'the least recently used is removed',
  },
} as const satisfies Record<string, Limit>;
