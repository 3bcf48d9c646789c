import type { Attack } from '../attack.ts';
import type { AttackRequest } from '../attacker.ts';

/** What is asked of GraphQL. */

/** Just below the most that a body may have. */
const LARGEST_BODY = 1_000_000;

const authorized = (key: string) => ({ authorization: `Bearer ${key}` });

/** A query, as whom and with which variables it says. */
export function graphql(query: string, key?: string, variables?: unknown): AttackRequest {
  return {
    method: 'POST',
    path: '/graphql',
    headers: key === undefined ? {} : authorized(key),
    body: JSON.stringify({ query, variables }),
  };
}

/** A valid query of a megabyte that nobody has asked before: whoever keeps what was parsed keeps another one. */
const longName = (index: number) =>
  `query q${index}${process.hrtime.bigint()}${'a'.repeat(LARGEST_BODY)} { __typename }`;

const INTROSPECTION = `{ __schema { types { kind name description
  fields(includeDeprecated: true) { name description args { name type { ...T } } type { ...T } }
  inputFields { name description type { ...T } } enumValues(includeDeprecated: true) { name description }
  interfaces { ...T } possibleTypes { ...T } } } }
  fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`;

const aliases = (count: number, field: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field(index)}`).join(' ');

/** Lists within lists: JSON that is deeper than anybody's stack. */
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

export const queryAttacks: readonly Attack[] = [
  {
    name: 'anonymous-documents',
    what: '450 anonymous queries of 1 MB, each new',
    never: ['200'],
    round: ({ flood }) => flood(450, 8, (index) => graphql(longName(index))),
  },
  {
    name: 'keyed-documents',
    what: '450 queries of 1 MB with a key, each new',
    never: ['200'],
    round: ({ flood, target }) => flood(450, 8, (index) => graphql(longName(index), target.key)),
  },
  {
    name: 'short-documents',
    what: '3,000 queries of 12 KiB with a key, each new',
    round: ({ flood, target }) =>
      flood(3_000, 8, (index) => graphql(`query q${index}${'a'.repeat(12_000)} { __typename }`, target.key)),
  },
  {
    name: 'line-aliases',
    what: 'invoices(first: 100) with 18 aliases of a field of each of 500 lines',
    never: ['200'],
    round: ({ flood, target }) => {
      const lines = aliases(18, () => 'description');
      const query = `{ invoices(first: 100) { edges { node { lineItems { ${lines} } } } } }`;
      return flood(4, 2, () => graphql(query, target.key));
    },
  },
  {
    name: 'introspection',
    what: '1,000 anonymous introspections',
    never: ['200'],
    round: ({ flood }) => flood(1_000, 8, () => graphql(INTROSPECTION)),
  },
  {
    name: 'overlapping-fields',
    what: '300 queries whose fields must be compared with each other',
    round: ({ flood, target }) => {
      const fields = Array.from({ length: 900 }, () => 'id').join(' ');
      return flood(300, 4, (index) =>
        graphql(`query q${index} { invoices { edges { node { ${fields} } } } }`, target.key),
      );
    },
  },
  {
    name: 'deep-variables',
    what: '200 bodies of lists within lists, half of them with a key',
    never: ['200'],
    round: ({ flood, target }) => {
      const body = `{"query":"query($id: ID!) { invoice(id: $id) { id } }","variables":{"id":${deep(400_000)}}}`;
      return flood(200, 4, (index) => ({
        ...{ method: 'POST', path: '/graphql', body },
        headers: index % 2 === 0 ? authorized(target.key) : {},
      }));
    },
  },
  {
    name: 'unknown-variables',
    what: '100 mutations whose variables have 29,000 fields that no object has, 4 at a time',
    round: ({ flood, target }) => {
      const unknown = Object.fromEntries(Array.from({ length: 990 }, (_, at) => [`x${at}`, at]));
      const input = { type: 'simplified', lineItems: Array.from({ length: 29 }, () => unknown) };
      const query = 'mutation ($input: IssueInvoiceInput!) { issueInvoice(input: $input) { id } }';
      const faulty = graphql(query, target.key, { input });
      return flood(100, 4, () => faulty);
    },
  },
  {
    name: 'query-batches',
    what: '100 bodies of 10,000 queries each',
    never: ['200'],
    round: ({ flood, target }) => {
      const body = JSON.stringify(Array.from({ length: 10_000 }, () => ({ query: '{ __typename }' })));
      return flood(100, 4, () => ({
        method: 'POST',
        path: '/graphql',
        headers: authorized(target.key),
        body,
      }));
    },
  },
];

/** Played last: whoever is refused for it may then be refused whatever he asks. */
export const keyAttacks: readonly Attack[] = [
  {
    name: 'wrong-keys',
    what: '1,500 requests with keys that do not exist',
    never: ['200'],
    refusedBy: ['429 rate_limited'],
    round: ({ flood }) =>
      flood(1_500, 16, (index) => ({
        path: '/v1/invoices',
        headers: authorized(`sk_live_${String(index).padStart(40, 'x')}`),
      })),
  },
];
