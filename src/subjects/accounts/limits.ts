import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of keys, of the shares of an environment, and of what it has published. */
export const ACCOUNT_LIMITS = {
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
  accessTokenTime: {
    group: 'Requests',
    value: 3_600,
    unit: 'seconds',
    bounds: 'How long an access token is valid.',
    reason: 'A page can request a new one at any time; a stolen one expires by itself.',
    beyond: '400 `invalid_request`',
  },
  ownKeys: {
    group: 'Requests',
    value: 100,
    unit: 'items',
    bounds: 'Keys in force of an environment, beyond which its own keys make no others.',
    reason: 'One for each program of a merchant, and as many while they are replaced.',
    beyond: '403 `forbidden`',
  },
  origins: {
    group: 'Requests',
    value: 50,
    unit: 'items',
    bounds:
      'Origins from which an environment permits requests to `/graphql` by a browser, and its PDFs in frames.',
    reason:
      'They are read with each request that has an access token; a front end has one, and one for each stage.',
    beyond: '400 `invalid_request`',
  },
  originsLength: {
    group: 'Requests',
    value: 3_000,
    unit: 'bytes',
    bounds: 'All origins of an environment together.',
    reason: 'Fifty of sixty letters. A PDF names them in a header, of which proxies take 4 kB by default.',
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
  readingShare: {
    group: 'Shares of an environment',
    value: 2_000,
    unit: 'per second',
    bounds:
      'Points for reading: one for a request, and one more for each 20 rows that are read. Unused points of up to half a minute accumulate.',
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
  emailRate: {
    group: 'E-mail',
    value: 300,
    unit: 'per minute',
    bounds: 'Recipient addresses of an environment, counted over all processes.',
    reason:
      'A small company’s invoices of a month in one minute. All messages come from the installation’s address, whose reputation all companies share.',
    beyond: '429 `rate_limited`',
  },
  testEmails: {
    group: 'E-mail',
    value: 30,
    unit: 'per hour',
    bounds:
      'Messages of a test environment, counted over all processes: invoices that are sent, and reminders.',
    reason:
      'Enough to try sending out. Anybody may have a test key, and it may name any recipient: more would make the installation’s address a relay.',
    beyond: '429 `rate_limited`; reminders wait for the next hour',
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
  testClockAhead: {
    group: 'Database',
    value: 315_619_200,
    unit: 'seconds',
    bounds: 'How far a test clock may be ahead of real time: ten years.',
    reason: 'Longer than any schedule that needs to be tested; each day takes a few milliseconds.',
    beyond: '400 `invalid_request`',
  },
} as const satisfies Record<string, Limit>;
