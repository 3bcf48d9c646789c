import { GRAPHQL_LIMITS } from '../../src/faces/graphql/limits.ts';

const page = (selection: string, size = 'first: 100') =>
  `query Page { invoices(${size}) { edges { node { ${selection} } } } }`;
const aliases = (count: number) =>
  Array.from({ length: count }, (_, at) => `a${at}: invoice(id: "x") { id }`).join(' ');
const EVERYTHING = 'id lineItems { id sku total taxItems { name rate amount } } records { id xml }'.repeat(3);
const SEARCH = 'invoices(first: 1, filter: { text: "x" }) { edges { cursor } }';
const searches = (count: number) =>
  `{ ${Array.from({ length: count }, (_, at) => `s${at}: ${SEARCH}`).join(' ')} }`;
const tokens = (count: number) =>
  `{ invoices(filter: { externalIds: [${'"x" '.repeat(count - 19)}] }) { edges { cursor } } }`;

/** Documents that exceed one limit of a query each, and how the refusal states it. */
export const excessive: [string, string, RegExp][] = [
  ['tokens', tokens(GRAPHQL_LIMITS.tokens.value + 1), /at most 2000 tokens/],
  ['aliases', `{ ${aliases(GRAPHQL_LIMITS.aliases.value + 1)} }`, /Aliases limit of 50 exceeded, found 51/],
  [
    'levels',
    `query Deep { invoice(id: "x") { ${'exchangedBy { '.repeat(GRAPHQL_LIMITS.depth.value)} id ${'} '.repeat(GRAPHQL_LIMITS.depth.value)} } }`,
    /depth: 14, max: 12.*query Deep/,
  ],
  [
    'fields',
    `{ invoice(id: "x") { ...a ...b } } ${['a', 'b'].map((name) => `fragment ${name} on Invoice { ${'id '.repeat(220)} }`).join(' ')}`,
    /breadth: 44\d, max: 400/,
  ],
  ['cost', page(EVERYTHING), /complexity: \d+, max: 20000.*query Page/],
  [
    'cost for a page of a default',
    `query ($n: Int = 100) ${page(EVERYTHING, 'first: $n').slice(10)}`,
    /complexity/,
  ],
  ['searches', searches(GRAPHQL_LIMITS.searchesOfQuery.value + 1), /asks for 11 searches; at most 10/],
  [
    'rows after a change',
    `mutation ($input: IssueInvoiceInput!) { ${Array.from({ length: 50 }, (_, at) => `a${at}: issueInvoice(input: $input) { lineItems { id } }`).join(' ')} }`,
    /reads \d+ rows/,
  ],
  [
    'the schema',
    `{ __schema { ${Array.from({ length: 40 }, (_, at) => `a${at}: types { name description fields { name description args { name } } }`).join(' ')} } }`,
    /too much of the schema/,
  ],
];

/** Documents at a limit, or whose variables decide. */
export const permitted: [string, string][] = [
  ['as many tokens', tokens(GRAPHQL_LIMITS.tokens.value)],
  ['as many aliases', `{ ${aliases(GRAPHQL_LIMITS.aliases.value)} }`],
  ['as many searches', searches(GRAPHQL_LIMITS.searchesOfQuery.value)],
  ['a page whose size its variable decides', `query ($n: Int) ${page(EVERYTHING, 'first: $n').slice(10)}`],
  ['the same, which must be sent', `query ($n: Int!) ${page(EVERYTHING, 'first: $n').slice(10)}`],
  [
    'variables of every kind that must be sent',
    'mutation ($i: IssueInvoiceInput!, $d: Date!, $k: [ID!]!) { issueInvoice(input: $i) { id } recordPayment(input: { invoiceId: "x", amount: 1, paidOn: $d }) { payment { id } } exchangeInvoices(input: { ticketIds: $k, recipient: { name: "x" } }) { id } }',
  ],
];
