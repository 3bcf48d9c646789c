import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of queries, of lists and of subscriptions. */
export const GRAPHQL_LIMITS = {
  queryText: {
    group: 'GraphQL',
    value: 16 * 1024,
    unit: 'bytes',
    bounds: 'The text of a query, checked before it is parsed.',
    reason: 'Four times the standard introspection query; values belong in `variables`.',
    beyond: '400 `invalid_request`',
  },
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
    value: 400,
    unit: 'items',
    bounds: 'Fields of a query, those of each fragment counted once, and `__typename` not at all.',
    reason:
      'All fields of an invoice, with those of its parts, are about 130; a page may show it beside others.',
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
  rowsOfQuery: {
    group: 'GraphQL',
    value: 25_000,
    unit: 'items',
    bounds:
      'Rows in all answers of a query together: invoices, their lines, four for each record with its text, and the items of what else an invoice or a total has several of, at each alias. Those of pages are counted before they are read.',
    reason:
      'A hundred invoices of 200 lines pass, and so do forty-nine of 500. As many rows, with as many fields as a query may have, are made in steps within about a second, and take some 70 MiB.',
    beyond: '400 `invalid_request`; the detail states the rows',
  },
  searchesOfQuery: {
    group: 'GraphQL',
    value: 10,
    unit: 'items',
    bounds:
      'Searches in one query: lists filtered by `text` or by a criterion without an index, and totals that are added up from single invoices.',
    reason:
      'The counts of the tabs of a page, and its search field. Each may read every invoice of the environment, two at a time.',
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
  listRows: {
    group: 'GraphQL',
    value: 1_000,
    unit: 'items',
    bounds: 'Rows of a list without pages: `keys`, `certificates`, `integrations`.',
    reason:
      'A company has a dozen of each; with all their fields they cost a twentieth of what a query may cost.',
    beyond: 'the list is cut off there; `companyId` narrows it',
  },
  totalGroups: {
    group: 'GraphQL',
    value: 1_000,
    unit: 'items',
    bounds: 'Groups of `invoiceTotals` in one answer, with and without `first`.',
    reason:
      'A year by day fits, or 250 recipients by quarter; as many groups with their rates are a fifth of the rows that a query may read.',
    beyond: '400 `invalid_request`; `first` and `after` page through more',
  },
  introspection: {
    group: 'GraphQL',
    value: 100_000,
    unit: 'points',
    bounds: 'Fields of the schema that one introspection query returns, estimated.',
    reason: 'Twice what GraphiQL and code generators request; about a tenth of a second of work.',
    beyond: '400 `invalid_request`',
  },
  rowsAtOnce: {
    group: 'Shares of an environment',
    value: 4_000,
    unit: 'items',
    bounds:
      'Rows that large reads of all callers hold in memory at once in a process; a read of more runs alone. Environments take turns; a read of fewer than 1,000 rows does not wait.',
    reason:
      'One event loop builds all of them: several at once are not ready earlier than one after the other, and delay all others for longer.',
    beyond:
      'the read waits its turn; 503 `service_unavailable` if 20 reads of the environment are waiting already',
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
  subscriptionDocuments: {
    group: 'Live updates',
    value: 200,
    unit: 'items',
    bounds:
      'Different queries of all subscriptions in a process; the same query with other variables counts once.',
    reason: 'Each is kept parsed while there is a subscription with it; the largest takes about 200 KB.',
    beyond: '503 `service_unavailable`',
  },
  subscriptionDocumentsOfOwner: {
    group: 'Live updates',
    value: 20,
    unit: 'items',
    bounds: 'Of these, the ones of one environment, or of one operator.',
    reason: 'A front end has a handful; values that differ between subscribers belong in `variables`.',
    beyond: '429 `rate_limited`',
  },
  subscriptionTokens: {
    group: 'Live updates',
    value: 1_000,
    unit: 'items',
    bounds: 'Tokens of the query of a subscription.',
    reason: 'All fields of an invoice are about 150.',
    beyond: '400 `invalid_request`',
  },
  subscriptionVariables: {
    group: 'Live updates',
    value: 4 * 1024,
    unit: 'bytes',
    bounds: 'The variables of a subscription, as JSON.',
    reason: 'They are kept while the subscription lasts; a hundred invoice ids fit.',
    beyond: '400 `invalid_request`',
  },
  watchedInvoices: {
    group: 'Live updates',
    value: 100,
    unit: 'items',
    bounds: 'Invoice ids that a subscription names.',
    reason: 'As many as the largest page of a list shows.',
    beyond: '400 `invalid_request`',
  },
} as const satisfies Record<string, Limit>;
