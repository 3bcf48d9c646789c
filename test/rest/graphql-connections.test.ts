import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/faces/graphql/schema.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { companyNif } from '../support/agency/registration.ts';
import { statementsOf } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** Every list as Relay reads it: from both ends, counted, with cursors that are good for it alone. */

let service: TestService;
let operator: string;
/** Arguments of each list in which there is something, and others that narrow it. */
let lists: Record<string, readonly [args: string, narrowed: string | null]>;
/** An object that leads to each of the lists below objects, and arguments that narrow it. */
let parents: Record<string, readonly [id: string, narrowed: string | null]>;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
const execute = async (query: string, key = operator): Promise<any> =>
  (await service.graphql(query, {}, { key })).body;

beforeAll(async () => {
  service = await testService();
  operator = (await createOperatorKey(service.db.pool, 'Ada')).key;
  const { companyId, live } = service.company;
  const named = `companyId: "${companyId}", environment: test`;
  for (let n = 0; n < 4; n += 1) {
    await execute(`mutation { createKey(${named}, name: "k${n}", reason: "x") { id } }`);
    await execute(`mutation { createCompany(input: { nif: "${companyNif(900 + n)}", legalName: "Otra ${n}", reason: "x",
      address: { line1: "a", postalCode: "28001", city: "b" } }) { id } }`);
    await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    const { key } = service.company.live;
    for (let live = 0; live < 2; live += 1)
      await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice(), key });
  }
  await insertOfCompany();
  await insertApprovals();
  await insertRecordStates();
  const endpointId = await createDeliveries();
  await insertBatchesAndDrafts();
  const paidId = await insertPaidInvoice();
  parents = {
    'ClientCertificate.ownerCertificates': ['cert_3', null],
    'Company.environments': [companyId, null],
    'Customer.invoices': [await namedCustomer(), null],
    'CompanyEnvironment.numberSeries': [`env_${service.company.test.environmentId}`, 'type: standard'],
    'Invoice.emails': [paidId, null],
    'Invoice.events': [paidId, null],
    'Invoice.payments': [paidId, null],
  };
  lists = {
    'operations.chainList': ['troubled: true', null],
    'operations.failedRecordList': ['', `companyId: "${companyId}"`],
    'operations.parkedRecordList': ['', null],
    'operations.submissionList': [`chainId: ${live.chainId}`, null],
    'operations.verificationList': ['', `companyId: "${companyId}"`],
    approvals: ['', 'undecided: true'],
    auditLog: ['', null],
    certificates: ['', `companyId: "${companyId}"`],
    companies: ['', 'text: "Otra"'],
    customers: [named, `${named}, externalCustomerId: "c-1"`],
    events: [named, `${named}, types: ["invoice.issued"]`],
    integrations: [named, null],
    invoiceBatches: [named, null],
    invoiceBatchResults: [`${named}, batchId: "bat_${'0'.repeat(31)}1"`, null],
    invoiceDrafts: [named, null],
    invoiceSchedules: [named, null],
    invoices: [named, `${named}, filter: { status: [issued] }`],
    jobs: ['', 'task: "compare_with_agency"'],
    keys: ['', `companyId: "${companyId}"`],
    numberSeries: [named, `${named}, type: standard`],
    webhookEndpoints: [named, null],
    webhookDeliveries: [
      `${named}, endpointId: "${endpointId}"`,
      `${named}, endpointId: "${endpointId}", status: failed`,
    ],
  };
});

async function insertApprovals(): Promise<void> {
  await service.owner.query(
    `insert into approval (id, action, subject, arguments, digest, asked_by, asked_at, expires_at)
     select 'apr_' || n, 'void_invoice', 'inv_1', '{}', n, 'opk_1', now() + n * interval '1 s', now() + interval '1 day'
       from generate_series(1, 5) n`,
  );
}

/** A customer with invoices; its id. */
async function namedCustomer(): Promise<string> {
  const id = `int_${'9'.repeat(32)}`;
  await service.owner.query("insert into integration (id, environment_id, name) values ($1, $2, 'nine')", [
    id,
    service.company.test.environmentId,
  ]);
  for (let n = 0; n < 5; n += 1) {
    const body = aSimplifiedInvoice({ external_customer_id: 'c-9', integration_id: id });
    await service.call('POST', '/v1/invoices', { body });
  }
  return (await service.call('GET', `/v1/customers/c-9?integration_id=${id}`)).body.id;
}

/** An invoice with payments and e-mails; its id. */
async function insertPaidInvoice(): Promise<string> {
  const { body } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  for (let n = 0; n < 5; n += 1) {
    const payment = { amount: 100 + n, paid_on: madridDay(new Date()) };
    await service.call('POST', `/v1/invoices/${body.id}/payments`, { body: payment });
  }
  await service.owner.query(
    `with asked as (
       insert into invoice_email (environment_id, id, invoice_id, kind, recipients, language, formats, message_id, requested_by, requested_at)
         select $1, 'eml_' || n, $2, 'invoice', '{a@example.com}', 'es', '{}', 'm' || n, 'key', now() + n * interval '1 s'
           from generate_series(1, 5) n returning environment_id, id)
     insert into invoice_email_state (environment_id, email_id, status, deliveries, next_at)
       select environment_id, id, 'queued', '[]', now() from asked`,
    [service.company.test.environmentId, body.id],
  );
  return body.id;
}

async function insertOfCompany(): Promise<void> {
  const {
    companyId,
    test: { environmentId },
  } = service.company;
  await service.owner.query(`
    insert into integration (environment_id, id, name, created_at)
      select ${environmentId}, 'int_' || n, 'shop ' || n, now() from generate_series(1, 5) n;
    insert into customer (environment_id, id, integration_id, external_customer_id, created_at)
      select ${environmentId}, 'cus_' || n, 'int_' || (n % 2 + 1), 'c-' || n / 2, now() from generate_series(1, 5) n;
    insert into number_series (environment_id, id, prefix, type, yearly, imported, created_at)
      select ${environmentId}, 'ns_' || n, 'S' || n, case n % 2 when 0 then 'standard' else 'rectifying' end::series_type,
             true, false, now() from generate_series(1, 4) n;
    insert into client_certificate (id, company_id, kind, holder_nif, holder_name, valid_from, valid_to, fingerprint,
                                    key_name, sealed, active, uploaded_by, uploaded_at)
      select 'cert_' || n, case when n > 2 then '${companyId}' end, 'seal', 'B72877814', 'Nadie SL', now(), now() + interval '1 year',
             'f' || n, 'k', '\\x00', n in (2, 4), 'x', now() + n * interval '1 s' from generate_series(1, 5) n;
    update chain_dispatch set paused_at = now(), paused_reason = 'x';
    select graphile_worker.add_job('compare_with_agency', json_build_object('environmentId', ${environmentId}),
                                   run_at => now() + n * interval '1 hour') from generate_series(1, 5) n`);
}

async function insertRecordStates(): Promise<void> {
  const { live } = service.company;
  await service.owner.query(`
    update record_state set status = 'rejected', error_code = '1100', settled_at = now()
     where chain_id = ${live.chainId} and position <= 4;
    update record_state set parked_reason = 'x' where chain_id = ${live.chainId} and position > 4;
    insert into submission (id, environment_id, chain_id, first_position, last_position, record_count, incident, started_at)
      select 'sub_' || n, ${live.environmentId}, ${live.chainId}, n, n, 1, false, now() from generate_series(1, 5) n`);
}

/** The endpoint that they go to. */
async function createDeliveries(): Promise<string> {
  const { environmentId } = service.company.test;
  const create = (types: string) =>
    service.graphql(
      `mutation { createWebhookEndpoint(input: { url: "https://example.com/x", eventTypes: ["${types}"] }) { endpoint { id } } }`,
    );
  for (let n = 0; n < 4; n += 1) await create('invoice.voided');
  const { body } = await create('*');
  const endpointId = body.data.createWebhookEndpoint.endpoint.id;
  await service.owner.query(`
    insert into webhook_delivery (environment_id, id, endpoint_id, sequence, event_id, event_type, status, attempts, attempt_log, created_at)
      select ${environmentId}, 'whd_' || n, '${endpointId}', n, 'evt_' || n, 'ping', case n % 2 when 0 then 'failed' else 'delivered' end::delivery_status,
             1, '[]', now() from generate_series(1, 5) n`);
  return endpointId;
}

async function insertBatchesAndDrafts(): Promise<void> {
  const { environmentId } = service.company.test;
  await service.owner.query(`
    insert into invoice_batch (environment_id, id, size, issued, failed, created_at)
      select ${environmentId}, 'bat_' || lpad(n::text, 32, '0'), 5, 0, 0, now() + n * interval '1 s' from generate_series(1, 5) n;
    insert into invoice_batch_item (environment_id, batch_id, position, external_id, reserved_id, request, state)
      select ${environmentId}, 'bat_' || lpad('1', 32, '0'), n, 'b-' || n, 'inv_' || n, '{}', 'pending' from generate_series(1, 5) n`);
  await service.owner.query(`
    insert into invoice_schedule (environment_id, id, content, frequency, starts_on, status, next_on, created_at, updated_at)
      select ${environmentId}, 'sch_' || lpad(n::text, 32, '0'), '{}', 'monthly', '2031-01-01', 'paused', '2031-01-01', now() + n * interval '1 s', now()
        from generate_series(1, 5) n;
    insert into invoice_draft (environment_id, id, content, errors, created_at, updated_at)
      select ${environmentId}, 'dft_' || lpad(n::text, 32, '0'), '{}', '[]', now() + n * interval '1 s', now() from generate_series(1, 5) n`);
}

afterAll(() => service.close());

const connectionsOf = (type: string) =>
  Object.values((schema.getType(type) as GraphQLObjectType).getFields()).filter((field) =>
    getNamedType(field.type).name.endsWith('Connection'),
  );
const CONNECTIONS = [
  // Of a merchant's key alone (api-keys.test.ts).
  ...connectionsOf('Query').flatMap(({ name }) => (name === 'apiKeys' ? [] : [name])),
  ...connectionsOf('Operations').map(({ name }) => `operations.${name}`),
];

/** What is asked of each list. */
const fieldsOf = (
  id: string,
) => `{ edges { cursor node { ${id} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  totalCount totalCountIsExact }`;
const given = (...args: string[]) => {
  const some = args.filter((text) => text !== '').join(', ');
  return some === '' ? '' : `(${some})`;
};

async function list(path: string, ...args: string[]) {
  const [parent, ownField] = path.split('.');
  if (path in parents) {
    const selection = `... on ${parent} { list: ${ownField}${given(...args)} ${fieldsOf('id')} }`;
    const { data, errors } = await execute(`{ node(id: "${parents[path]![0]}") { ${selection} } }`);
    return { ...data?.node?.list, error: errors?.[0]?.extensions };
  }
  const field = path.replace('operations.', '');
  const isLine = field === 'failedRecordList' || field === 'parkedRecordList';
  const selection = `list: ${field}${given(...args)} ${fieldsOf(isLine ? 'id: recordId' : 'id')}`;
  const { data, errors } = await execute(
    path === field ? `{ ${selection} }` : `{ operations { ${selection} } }`,
  );
  return { ...(data?.operations ?? data)?.list, error: errors?.[0]?.extensions };
}

/** Connections of objects; those of a mutation's answer hold what was changed now. */
const BELOW_OBJECTS = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type) && type.getInterfaces().length > 0
    ? connectionsOf(type.name).map(({ name }) => `${type.name}.${name}`)
    : [],
);

/** The arguments of a list, and those that narrow it. */
const argumentsOf = (path: string): readonly [args: string, narrowed: string | null] =>
  path in parents ? ['', parents[path]![1]] : lists[path]!;

test('every list below an object is paged below', () => {
  expect(BELOW_OBJECTS.sort()).toEqual(Object.keys(parents).sort());
});

/** Lists of what each environment has one of, which is read by itself: a statement is about one environment. */
const OF_AN_ENVIRONMENT = new Set(['operations.verificationList', 'Company.environments']);

/** Events are found in the environment of a merchant's own key. */
const EVENTS = new Set(['events', 'Invoice.events']);

describe.each([...CONNECTIONS, ...BELOW_OBJECTS])('%s', (field) => {
  test('is the same from both ends, in pages of any size, and counted', async () => {
    const [args, narrowed] = argumentsOf(field);
    for (const own of narrowed === null ? [args] : [args, narrowed]) {
      const whole = await list(field, own, 'first: 50');
      expect(whole.error).toBeUndefined();
      const all: string[] = whole.edges.map(({ node }: { node: { id: string } }) => node.id);
      expect(all.length).toBeGreaterThan(1);
      expect([whole.totalCount, whole.totalCountIsExact]).toEqual([all.length, true]);
      for (const [size, from, more, next] of [
        ['first', 'after', 'hasNextPage', 'endCursor'],
        ['last', 'before', 'hasPreviousPage', 'startCursor'],
      ] as const) {
        const seen: string[][] = [];
        let place = '';
        do {
          const { edges, pageInfo, error } = await list(field, own, `${size}: 2`, place);
          expect(error).toBeUndefined();
          seen.push(edges.map(({ node }: { node: { id: string } }) => node.id));
          place = pageInfo[more] ? `${from}: "${pageInfo[next]}"` : '';
        } while (place !== '' && seen.length <= all.length);
        expect((size === 'first' ? seen : seen.reverse()).flat()).toEqual(all);
      }
    }
  });

  test('takes as many statements for all of its rows as for one', async () => {
    const [args] = argumentsOf(field);
    const counted = async (page: string) => {
      const statements = await statementsOf(async () => void (await list(field, args, page)));
      return statements.map((text) => text.replace(/\s+/g, ' ').slice(0, 60));
    };
    const one = await counted('first: 1');
    const all = await counted('first: 50');
    expect(all.length, all.join('\n')).toBe(one.length);
  });

  test('is found whole by node', async () => {
    const [args] = argumentsOf(field);
    const { edges } = await list(field, args, 'first: 3');
    const key = EVENTS.has(field) ? service.company.test.key : operator;
    const { data, errors } = await execute(
      `query { nodes(ids: ${JSON.stringify(edges.map(({ node }: { node: { id: string } }) => node.id))}) { id __typename } }`,
      key,
    );
    expect(errors).toBeUndefined();
    expect(data.nodes.map(({ id }: { id: string }) => id)).toEqual(
      edges.map(({ node }: { node: { id: string } }) => node.id),
    );
  });

  test('takes as many statements for all of its items by their ids as for one', async () => {
    const [args] = argumentsOf(field);
    const { edges } = await list(field, args, 'first: 50');
    const ids: string[] = edges.map(({ node }: { node: { id: string } }) => node.id);
    const key = EVENTS.has(field) ? service.company.test.key : operator;
    const counted = (own: readonly string[]) =>
      statementsOf(async () => {
        const { errors } = await execute(`{ nodes(ids: ${JSON.stringify(own)}) { id } }`, key);
        expect(errors).toBeUndefined();
      });
    const [one, all] = [await counted(ids.slice(0, 1)), await counted(ids)];
    const others = OF_AN_ENVIRONMENT.has(field) ? ids.length - 1 : 0;
    expect(all.length, all.join('\n')).toBe(one.length + others);
  });

  test.each([
    ['first: 1, last: 1', 'last'],
    ['first: 0', 'first'],
    ['last: -1', 'last'],
    ['first: 2000000000', 'first'],
    ['last: 2000000000', 'last'],
    ['after: "none"', 'after'],
    ['before: "none"', 'before'],
    [`before: "${'x'.repeat(10_000)}"`, 'before'],
  ])('refuses %s', async (page, named) => {
    const { error } = await list(field, argumentsOf(field)[0], page);
    // A page of two thousand million is refused for its cost before anybody looks at it.
    expect(error).toMatchObject({ code: 'invalid_request' });
    if (!page.includes('2000000000')) expect(error.errors[0].field).toBe(named);
  });

  test('refuses cursors of another list', async ({ skip }) => {
    const [args, narrowed] = argumentsOf(field);
    if (narrowed === null) return skip('nothing narrows this list');
    const own = (await list(field, narrowed, 'first: 1')).pageInfo.endCursor;
    expect((await list(field, args, `after: "${own}"`)).error).toMatchObject({ code: 'invalid_request' });
    const plain = (await list(field, args, 'first: 1')).pageInfo.endCursor;
    expect((await list(field, narrowed, `before: "${plain}"`)).error).toMatchObject({
      code: 'invalid_request',
    });
  });

  test('refuses cursors of another environment', async ({ skip }) => {
    const [args] = argumentsOf(field);
    if (!args.includes('environment: test')) return skip('this list is not of an environment');
    const own = (await list(field, args, 'first: 1')).pageInfo.endCursor;
    const { error } = await list(
      field,
      args.replace('environment: test', 'environment: live'),
      `after: "${own}"`,
    );
    expect(['invalid_request', 'invoice_batch_not_found', 'webhook_endpoint_not_found']).toContain(
      error.code,
    );
  });
});

test('an environment is found by its number and by its id', async () => {
  const { environmentId } = service.company.test;
  const { data } = await execute(`{ node(id: "env_${environmentId}") { id }
    environment(id: ${environmentId}) { id } same: environment(id: "env_${environmentId}") { number } }`);
  const own = { id: `env_${environmentId}` };
  expect(data).toEqual({ node: own, environment: own, same: { number: environmentId } });
});
