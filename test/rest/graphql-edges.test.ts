import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/faces/graphql/schema.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { companyNif } from '../support/agency/registration.ts';
import { statementsOf } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { ANA, differences, issueWith, operatorOf, substitution } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/**
 * Whatever is asked of the items of a list, no statement is sent once for each of them. Fields and edges are taken from the
 * schema, so that a new one is held to it too.
 */

/** Of everything, so that there are at least four items in each list. */
const EACH = 4;

const TICKET = {
  type: 'simplified',
  lineItems: [{ description: 'Taza', quantity: 1, unitAmount: 900, taxItems: [{ type: 'vat', rate: 21 }] }],
};

let service: TestService;
/** Arguments of the lists of items that have fields to be looked up. */
let lists: Readonly<Record<string, string>>;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
const execute = async (query: string, variables: object = {}): Promise<any> => {
  const { body } = await service.graphql(query, variables, { key: operator.key });
  return body;
};
let operator: Awaited<ReturnType<typeof operatorOf>>;

beforeAll(async () => {
  service = await testService();
  operator = await operatorOf(service);
  const { companyId } = service.company;
  const named = `companyId: "${companyId}", environment: test`;
  const { data } = await execute(
    `mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) { id } }`,
    { input: { companyId, environment: 'test', name: 'shop' } },
  );
  for (let n = 0; n < EACH; n += 1) {
    await issueOfEachKind();
    await issueFromOrderAndDraft(data.createIntegration.id, n);
    await createAnotherCompany(n);
    await execute(
      `mutation { createNumberSeries(${named}, input: { prefix: "S${n}", type: standard }, reason: "x") { id } }`,
    );
  }
  const batch = `bat_${'1'.padStart(32, '0')}`;
  await insertBatch(batch);
  await insertEmails();
  await insertSubmissions();
  lists = {
    certificates: '',
    companies: '',
    customers: named,
    invoiceBatchResults: `${named}, batchId: "${batch}"`,
    invoiceDrafts: named,
    invoices: named,
    keys: '',
    numberSeries: named,
    'operations.chainList': 'troubled: true',
  };
});

/** A company with a key and a certificate of its own. */
async function createAnotherCompany(n: number): Promise<void> {
  const address = 'address: { line1: "a", postalCode: "28001", city: "b" }';
  const { data } = await execute(
    `mutation { createCompany(input: { nif: "${companyNif(900 + n)}", legalName: "Otra ${n}", reason: "x", ${address} }) { id } }`,
  );
  const { id } = data.createCompany;
  await execute(
    `mutation { createKey(companyId: "${id}", environment: test, name: "k", reason: "x") { id } }`,
  );
  await service.owner.query(
    `insert into client_certificate (id, company_id, kind, holder_nif, holder_name, valid_from, valid_to, fingerprint, key_name, sealed, active, uploaded_by, uploaded_at)
       values ('cert_' || $1, $1, 'seal', 'B72877814', 'Nadie SL', now(), now() + interval '1 year', 'f', 'k', '\\x00', true, 'x', now())`,
    [id],
  );
}

async function issueOfEachKind(): Promise<void> {
  const ticket = (cents: number) => aSimplifiedInvoice({ line_items: [aLine({ unit_amount: cents })] });
  const corrected = await issueWith(service, ticket(2_000), 'test');
  await issueWith(service, differences(corrected, -500), 'test');
  const replaced = await issueWith(service, ticket(3_000), 'test');
  await issueWith(service, substitution(replaced, 2_500), 'test');
  const exchanged = await issueWith(service, ticket(1_000), 'test');
  await operator.exchangeInvoices({ ticketIds: [exchanged.id], recipient: ANA });
  const paid = await issueWith(service, aCompleteInvoice(), 'test');
  const on = madridDay(new Date());
  await service.call('POST', `/v1/invoices/${paid.id}/payments`, { body: { amount: 100, paid_on: on } });
  await service.call('POST', `/v1/invoices/${paid.id}/recipient_statuses`, {
    body: { status: 'accepted', on },
  });
}

async function issueFromOrderAndDraft(integrationId: string, n: number): Promise<void> {
  await service.graphql(
    `mutation ($input: IssueInvoiceFromOrderInput!) { issueInvoiceFromOrder(input: $input) { id } }`,
    {
      input: {
        ...{ integrationId, orderId: `order-${n}`, type: 'simplified' },
        ...{ customer: { externalCustomerId: `c-${n}` } },
        lineItems: TICKET.lineItems,
      },
    },
  );
  const draft = { invoice: { ...TICKET, externalId: `draft-${n}` } };
  const drafted = await service.graphql(
    'mutation ($input: CreateInvoiceDraftInput!) { createInvoiceDraft(input: $input) { id } }',
    { input: draft },
  );
  await service.graphql('mutation ($id: ID!) { issueInvoiceDraft(id: $id) { id } }', {
    id: drafted.body.data.createInvoiceDraft.id,
  });
}

async function insertBatch(id: string): Promise<void> {
  const { environmentId } = service.company.test;
  await service.owner.query(
    `insert into invoice_batch (environment_id, id, size, issued, failed, created_at, completed_at)
       values (${environmentId}, '${id}', ${EACH}, ${EACH}, 0, now(), now())`,
  );
  await service.owner.query(
    `insert into invoice_batch_item (environment_id, batch_id, position, external_id, reserved_id, invoice_id, request, state)
       select ${environmentId}, '${id}', row_number() over (), 'b-' || id, id, id, '{}', 'issued'
         from invoice where environment_id = ${environmentId} limit ${EACH}`,
  );
}

async function insertEmails(): Promise<void> {
  const { environmentId } = service.company.test;
  await service.owner.query(
    `with asked as (
       insert into invoice_email (environment_id, id, invoice_id, kind, recipients, language, formats, message_id, requested_by, requested_at)
         select ${environmentId}, 'eml_' || row_number() over (order by n, id), id, 'invoice', '{a@example.com}', 'es', '{}', 'm' || id || n,
                'key', now() + n * interval '1 s'
           from generate_series(1, 3) n,
                (select id from invoice where environment_id = ${environmentId} order by id limit ${EACH + 1}) as sent
         returning environment_id, id)
     insert into invoice_email_state (environment_id, email_id, status, deliveries, next_at)
       select environment_id, id, 'queued', '[]', now() from asked`,
  );
}

async function insertSubmissions(): Promise<void> {
  const { environmentId, chainId } = service.company.test;
  await service.owner.query(
    `insert into submission (id, environment_id, chain_id, first_position, last_position, record_count, incident, started_at)
       select 'sub_' || n, ${environmentId}, ${chainId}, n, n, 1, false, now() from generate_series(1, ${EACH}) n;
     update chain_dispatch set paused_at = now(), paused_reason = 'x';
     update record_state set submission_id = 'sub_' || position
      where environment_id = ${environmentId} and position <= ${EACH}`,
  );
}
afterAll(() => service.close());

const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields());
/** A proof is computed for each invoice by itself; its cost leaves room for nine of them. */
const ONE_BY_ONE = 'proof';

const needsNoArguments = ({ name, args }: GraphQLField<unknown, unknown>) =>
  name !== ONE_BY_ONE && !args.some(isRequiredArgument);
const withoutArguments = (type: GraphQLObjectType) => fieldsOf(type).filter(needsNoArguments);

/** The node type of a connection; the type itself if it is none. */
function itemOf(type: GraphQLObjectType): GraphQLObjectType {
  const edges = type.name.endsWith('Connection') ? type.getFields()['edges'] : undefined;
  if (edges === undefined) return type;
  return getNamedType(
    (getNamedType(edges.type) as GraphQLObjectType).getFields()['node']!.type,
  ) as typeof type;
}

/** All values of an object, and below it those of what stands in no list of its own. */
function selectionOf(type: GraphQLObjectType, depth = 0): string {
  const parts = withoutArguments(type).flatMap((field) => {
    const own = getNamedType(field.type);
    if (isLeafType(own)) return [field.name];
    if (!isObjectType(own) || depth > 1 || LISTED.has(type.name)) return [];
    return [edge(field, depth + 1)];
  });
  return parts.join(' ');
}

function edge({ name, type }: GraphQLField<unknown, unknown>, depth = 0): string {
  const own = getNamedType(type) as GraphQLObjectType;
  const item = itemOf(own);
  const below = selectionOf(item, depth);
  return item === own
    ? `${name} { ${below} }`
    : `${name}(first: 1) { totalCount edges { node { ${below} } } }`;
}

const connections = (type: string) =>
  fieldsOf(schema.getType(type) as GraphQLObjectType).flatMap((field) => {
    const own = getNamedType(field.type) as GraphQLObjectType;
    return own.name.endsWith('Connection') ? [{ name: field.name, item: itemOf(own) }] : [];
  });
const CONNECTIONS = [
  // Of a merchant's key alone, and like `keys`.
  ...connections('Query').filter(({ name }) => name !== 'apiKeys'),
  ...connections('Operations').map(({ name, item }) => ({ name: `operations.${name}`, item })),
];
/** What stands in a list is requested by itself. */
const LISTED = new Set(CONNECTIONS.map(({ item }) => item.name));

/**
 * For each item by itself, at a cost that leaves room for few: an invoice is written in each format, the invoices of a customer are
 * searched. What a draft holds is a column, and costs what its longest lines may. Of
 * an invoice's events the list is read with those of others, what they hold is built in parts, and costs as much as the invoice for each.
 */
const BY_ITSELF = new Set([
  ...['Invoice.formats', 'Customer.invoices', 'Customer.totals'],
  'InvoiceDraft.input',
  'Invoice.events',
]);

/** What several fields of the items lead to is read in so many turns at most; there are more items than that. */
const TURNS = 3;

/** Columns of a row, or made of them: nothing is looked up for them, as the statements of their lists show. */
const COLUMNS = new Set(['errors', 'attemptLog']);

const isEdge = (field: GraphQLField<unknown, unknown>) => isObjectType(getNamedType(field.type));

const LEADING = CONNECTIONS.filter(({ item }) =>
  fieldsOf(item).some((field) => isEdge(field) && !COLUMNS.has(field.name)),
);

test('every list whose items lead to others is tested below', () => {
  expect(LEADING.map(({ name }) => name).sort()).toEqual(Object.keys(lists).sort());
});

/** Items of these lists are of several environments, of which each is read by itself: a statement is about one. */
const ACROSS = new Set(['companies', 'keys', 'operations.chainList']);
const OF_ONE = /environment_id"? = \$|where e\.id = \$/;

/** How often a statement of a list may be sent. */
async function turnsOf(list: string): Promise<(text: string) => number> {
  const { rows } = await service.owner.query('select count(*)::int as environments from environment');
  return (text) => (ACROSS.has(list) && OF_ONE.test(text) ? rows[0].environments : TURNS);
}

/** Statements by their text, however many values they have. */
async function sentFor(path: string, page: string, selection: string): Promise<Map<string, number>> {
  const field = path.replace('operations.', '');
  const given = [lists[path], page].filter((part) => part !== '').join(', ');
  const list = `list: ${field}(${given}) { edges { node { ${selection} } } }`;
  const sent = new Map<string, number>();
  const statements = await statementsOf(async () => {
    const { data, errors } = await execute(path === field ? `{ ${list} }` : `{ operations { ${list} } }`);
    expect(errors, selection).toBeUndefined();
    expect((data.operations ?? data).list.edges.length, path).toBeGreaterThan(
      page === 'first: 1' ? 0 : TURNS,
    );
  });
  for (const text of statements) {
    const shape = text.replaceAll(/\$\d+(, ?\$\d+)*/g, '$');
    sent.set(shape, (sent.get(shape) ?? 0) + 1);
  }
  return sent;
}

test.each(LEADING)('no field of an item of $name is looked up for each item', async ({ name, item }) => {
  const values = withoutArguments(item).filter(({ type }) => isLeafType(getNamedType(type)));
  const edges = withoutArguments(item).filter(
    (field) => isEdge(field) && !BY_ITSELF.has(`${item.name}.${field.name}`),
  );
  const turns = await turnsOf(name);
  for (const selection of [
    values.map((field) => field.name).join(' '),
    ...edges.map((field) => edge(field)),
  ]) {
    const one = await sentFor(name, 'first: 1', selection);
    const all = await sentFor(name, 'first: 50', selection);
    const repeated = [...all].filter(([text, times]) => times > Math.max(turns(text), one.get(text) ?? 0));
    expect(repeated, selection).toEqual([]);
  }
});

test('proofs are computed one by one, and so dear that a page has nine at most', async () => {
  const proofs = (first: number) =>
    execute(`{ invoices(${lists['invoices']}, first: ${first}) { edges { node { proof } } } }`);
  expect((await proofs(9)).errors).toBeUndefined();
  expect((await proofs(10)).errors[0].extensions.code).toBe('invalid_request');
});

test('the events of all invoices of a page are read by one statement, and counted by one', async () => {
  const selection = 'events(first: 2) { totalCount edges { node { id type } } }';
  const one = await sentFor('invoices', 'first: 1', selection);
  const all = await sentFor('invoices', 'first: 50', selection);
  expect([...all].filter(([text, times]) => times > (one.get(text) ?? 0))).toEqual([]);
});

test('pages and counts of e-mails are those of each invoice, also if several are read together', async () => {
  const page =
    'totalCount edges { node { id invoiceId } } pageInfo { hasNextPage hasPreviousPage endCursor startCursor }';
  const { data, errors } = await execute(`{ invoices(${lists['invoices']}, first: 40) { edges { node { id
    two: emails(first: 2) { ${page} } all: emails(first: 4) { ${page} } last: emails(last: 1) { ${page} } } } } }`);
  expect(errors).toBeUndefined();
  // biome-ignore lint/suspicious/noExplicitAny: the answer's own shape
  const invoices = data.invoices.edges.map(({ node }: any) => node);
  // biome-ignore lint/suspicious/noExplicitAny: the answer's own shape
  const idsOf = ({ edges }: any) => edges.map(({ node }: any) => node.id);
  const sent = invoices.filter(({ all }: { all: { totalCount: number } }) => all.totalCount > 0);
  expect(sent.length).toBe(EACH + 1);
  for (const { id, two, all, last } of sent) {
    expect([two.totalCount, all.totalCount, last.totalCount]).toEqual([3, 3, 3]);
    expect(new Set(all.edges.map(({ node }: { node: { invoiceId: string } }) => node.invoiceId))).toEqual(
      new Set([id]),
    );
    expect(idsOf(two)).toEqual(idsOf(all).slice(0, 2));
    expect(idsOf(last)).toEqual(idsOf(all).slice(2));
    expect([two.pageInfo.hasNextPage, all.pageInfo.hasNextPage, last.pageInfo.hasPreviousPage]).toEqual([
      true,
      false,
      true,
    ]);
    const next = await execute(
      `{ invoice(id: "${id}") { emails(first: 2, after: "${two.pageInfo.endCursor}") { ${page} } } }`,
    );
    expect(idsOf(next.data.invoice.emails)).toEqual(idsOf(last));
  }
});

test('e-mails of a page of invoices are read a thousand rows at a time', async () => {
  const sent = await sentFor('invoices', 'first: 28', 'emails(first: 100) { edges { node { id } } }');
  const reads = [...sent].filter(([text]) => text.includes('from invoice_email') && text.includes('lateral'));
  // Of nine invoices at once, each a hundred and the one that tells whether there are more.
  expect(reads.map(([, times]) => times)).toEqual([Math.ceil(28 / 9)]);
});
