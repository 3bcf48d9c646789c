import type { Limit } from '../src/ground/lib/limit.ts';

/** The limits of HTTP requests, their bodies and their connections. */
export const REQUEST_LIMITS = {
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
  anonymousBody: {
    group: 'GraphQL',
    value: 4 * 1024,
    unit: 'bytes',
    bounds: 'The body of a GraphQL request without a key.',
    reason:
      'A signed link and the query that reads its file have about 500; nothing else can be read without a key.',
    beyond: '401 `unauthorized`, the rest unread',
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
} as const satisfies Record<string, Limit>;
