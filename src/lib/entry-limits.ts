import type { Limit } from './limits.ts';

/** The bounds on what arrives over HTTP and what is answered to it; part of `LIMITS`. */
export const ENTRY_LIMITS = {
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
  variablesDepth: {
    group: 'GraphQL',
    value: 32,
    unit: 'levels',
    bounds: 'How deep values are nested in the body.',
    reason: 'No input is nested more deeply than six levels.',
    beyond: '400 `invalid_request`',
  },
  variablesValues: {
    group: 'GraphQL',
    value: 50_000,
    unit: 'items',
    bounds: 'Objects and lists in the body.',
    reason:
      'An invoice of 500 lines with five taxes each has some 4,000; each is read, converted and checked.',
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
  documents: {
    group: 'GraphQL',
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Parsed queries that a process remembers, of callers with a key alone.',
    reason: 'Some 200 ordinary queries: what the programs of an installation ask again and again.',
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
