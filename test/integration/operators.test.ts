import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enqueue, type NewJob } from '../../src/ground/queue/enqueue.ts';
import { createAuthenticator } from '../../src/subjects/accounts/entry/authenticate.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { RETRIED_AT_ONCE } from '../../src/subjects/operations/jobs.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

const SECRET = Buffer.alloc(32);

let service: TestService;
let operator: { key: string; id: string };
beforeAll(async () => {
  service = await testService();
  operator = await createOperatorKey(service.db.pool, 'Ada');
});
afterAll(() => service?.close());

const execute = async (query: string, variables: object = {}, key: string | null = operator.key) =>
  (await service.graphql(query, variables, { key })).body;

const codeOf = (body: { errors?: { extensions: { code: string } }[] }) => body.errors?.[0]?.extensions.code;

/** What the log keeps of the acts on a subject. */
const acts = async (subject: string) => {
  const { rows } = await service.db.pool.query(
    'select action, actor, reason from audit_entry where subject = $1 order by at, id',
    [subject],
  );
  return rows;
};
const by = (action: string, reason: string) => ({ action, actor: operator.id, reason });

const OWN = 'companyId: "co_1", environment: test';
const SERIES = `(${OWN}, id: "ns_1", reason: "x") { id }`;
const OPERATIONS: Record<string, string> = {
  companies: '{ companies { edges { node { id } } } }',
  company: '{ company(id: "co_1") { id } }',
  environment: '{ environment(id: 1) { id } }',
  keys: '{ keys { totalCount } }',
  jobs: '{ jobs { totalCount } }',
  'series of a company': `{ numberSeries(${OWN}) { edges { node { id } } } }`,
  'one series of a company': `{ numberSeriesById(id: "ns_1", ${OWN}) { id } }`,
  'customers of a company': `{ customers(${OWN}) { edges { node { id } } } }`,
  'one customer of a company': `{ customer(externalCustomerId: "c", ${OWN}) { id } }`,
  'invoices of a company': `{ invoices(${OWN}) { edges { node { id } } } }`,
  'integrations of a company': `{ integrations(${OWN}) { totalCount } }`,
  createCompany: `mutation { createCompany(input: { nif: "B72877814", legalName: "X", reason: "x",
    address: { line1: "a", postalCode: "28001", city: "b" } }) { id } }`,
  setCompanyFlags:
    'mutation { setCompanyFlags(companyId: "co_1", flags: { mandateApproved: true }, reason: "x") { id } }',
  createKey: `mutation { createKey(${OWN}, name: "x", reason: "x") { id } }`,
  createOperatorKey: 'mutation { createOperatorKey(name: "x", reason: "x") { id } }',
  revokeKey: 'mutation { revokeKey(id: "key_1", reason: "x") { id } }',
  giveApproval: 'mutation { giveApproval(id: "apr_1", reason: "x") { id } }',
  approvals: '{ approvals { totalCount } }',
  retryJob: 'mutation { retryJob(id: "1", reason: "x") { id } }',
  retryFailedJobs: 'mutation { retryFailedJobs(task: "none", reason: "x") { changed } }',
  setDefaultNumberSeries: `mutation { setDefaultNumberSeries${SERIES} }`,
  saveCustomer: `mutation { saveCustomer(input: { ${OWN}, integrationId: "int_1", externalCustomerId: "c",
    reason: "x" }) { id } }`,
};

test.each(Object.entries(OPERATIONS))("%s accepts an operator's key only", async (_, query) => {
  const { live, test: own } = service.company;
  expect(codeOf(await execute(query, {}, null))).toBe('unauthorized');
  for (const key of [live.key, own.key]) expect(codeOf(await execute(query, {}, key))).toBe('forbidden');
  expect(['unauthorized', 'forbidden']).not.toContain(codeOf(await execute(query)));
});

const CREATE = `mutation ($nif: String!, $reason: String!) {
  createCompany(input: { nif: $nif, legalName: "Nueva SL", reason: $reason,
    address: { line1: "Calle Mayor 1", postalCode: "28001", city: "Madrid" } }) {
    id mandateApproved account { subscriptionActive }
    environments { edges { node { id kind records hold keysInForce standardSeriesId } } } } }`;

test('a company is created, enabled for live issuing, given a key, and the key is revoked', async () => {
  expect(codeOf(await execute(CREATE, { nif: 'B72877815', reason: 'signed' }))).toBe('invalid_request');
  expect(codeOf(await execute(CREATE, { nif: 'B72877814', reason: ' ' }))).toBe('invalid_request');
  const { createCompany: company } = (await execute(CREATE, { nif: companyNif(77), reason: 'signed' })).data;
  expect(company).toMatchObject({
    mandateApproved: false,
    environments: {
      edges: [
        { node: { kind: 'test', keysInForce: 0, records: 0, hold: null } },
        { node: { kind: 'live', keysInForce: 0 } },
      ],
    },
  });
  const { id } = company;
  const FLAGS = `mutation ($id: ID!, $flags: CompanyFlagsInput!) {
    setCompanyFlags(companyId: $id, flags: $flags, reason: "mandate on file") {
      mandateApproved onboardingFinished account { subscriptionActive } } }`;
  await execute(FLAGS, { id, flags: { mandateApproved: true, onboardingFinished: true } });
  const up = await execute(FLAGS, { id, flags: { subscriptionActive: true, onboardingFinished: false } });
  expect(up.data.setCompanyFlags).toEqual({
    ...{ mandateApproved: true, onboardingFinished: false, account: { subscriptionActive: true } },
  });
  expect(codeOf(await execute(FLAGS, { id: 'co_1', flags: {} }))).toBe('invalid_request');
  expect(await acts(id)).toEqual([
    by('create_company', 'signed'),
    by('set_company_flags', 'mandate on file'),
    by('set_company_flags', 'mandate on file'),
  ]);

  const KEY = `mutation ($id: ID!) { createKey(companyId: $id, environment: live, name: "shop", reason: "new till") {
    id key prefix } }`;
  const { createKey: key } = (await execute(KEY, { id })).data;
  const authenticator = createAuthenticator(service.db, { all: [SECRET] });
  expect(await authenticator.merchant(`Bearer ${key.key}`)).toMatchObject({ companyId: id });
  const listed = await execute(
    'query ($id: ID!) { keys(companyId: $id) { edges { node { id prefix name environment revokedAt } } } }',
    {
      id,
    },
  );
  expect(listed.data.keys.edges).toEqual([
    { node: { id: key.id, prefix: key.prefix, name: 'shop', environment: 'live', revokedAt: null } },
  ]);
  const REVOKE = 'mutation ($id: ID!) { revokeKey(id: $id, reason: "lost") { revokedAt } }';
  const first = (await execute(REVOKE, { id: key.id })).data.revokeKey;
  expect((await execute(REVOKE, { id: key.id })).data.revokeKey).toEqual(first);
  expect(await authenticator.merchant(`Bearer ${key.key}`)).toBeNull();
  expect(await acts(key.id)).toEqual([by('create_key', 'new till'), by('revoke_key', 'lost')]);
});

describe('the same NIF cannot be given to two companies of one installation', () => {
  const SUCCEED = `mutation ($nif: String!, $succeeds: ID) {
    createCompany(input: { nif: $nif, succeeds: $succeeds, legalName: "Nueva SL", reason: "merger",
      address: { line1: "Calle Mayor 1", postalCode: "28001", city: "Madrid" } }) { id nif succeedsId } }`;
  const create = async (nif: string, succeeds?: string) => {
    const body = await execute(SUCCEED, { nif, succeeds });
    return body.errors === undefined ? body.data.createCompany : body.errors[0].extensions;
  };
  const USED = { code: 'nif_already_used', status: 409 };

  test('in every notation', async () => {
    const nif = companyNif(78);
    await create(nif);
    for (const same of [nif, ` ${nif.toLowerCase()} `, `${nif.slice(0, 1)}-${nif.slice(1)}`]) {
      expect(await create(same)).toMatchObject(USED);
    }
  });

  test('of two that are created at the same moment one is', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => create(companyNif(79))));
    expect(made.map(({ code = null }) => code).sort()).toEqual([...Array(3).fill('nif_already_used'), null]);
  });

  test('but an operator may declare that one succeeds the other, once', async () => {
    const nif = companyNif(80);
    const first = await create(nif);
    const second = await create(nif, first.id);
    expect(second).toMatchObject({ nif, succeedsId: first.id });
    expect(await create(nif, first.id)).toMatchObject(USED);
    expect(await create(nif)).toMatchObject(USED);
    expect(await create(nif, second.id)).toMatchObject({ succeedsId: second.id });
    for (const wrong of [first.id, 'co_nobody']) {
      expect(await create(companyNif(81), wrong)).toMatchObject({
        code: 'invalid_request',
        errors: [{ field: 'input.succeeds' }],
      });
    }
  });

  test('and companies that had one before go on', async () => {
    const nif = companyNif(82);
    const [one, other] = [await create(nif), await create(companyNif(83))];
    await service.owner.query('update company set nif = $1 where id = $2', [nif, other.id]);
    const FLAGS = `mutation ($id: ID!) {
      setCompanyFlags(companyId: $id, flags: { mandateApproved: true }, reason: "x") { mandateApproved } }`;
    for (const { id } of [one, other]) expect((await execute(FLAGS, { id })).errors).toBeUndefined();
    expect(await create(nif)).toMatchObject(USED);
    expect(await create(nif, one.id)).toMatchObject({ succeedsId: one.id });
  });
});

test("an operator's key is made by another and never shown again", async () => {
  const made = await execute('mutation { createOperatorKey(name: "Eva", reason: "joins") { id key } }');
  const { id, key } = made.data.createOperatorKey;
  expect(
    (await execute('{ companies(first: 1) { edges { node { id } } } }', {}, key)).errors,
  ).toBeUndefined();
  const all = await execute('{ keys { edges { node { id companyId prefix } } } }');
  expect(all.data.keys.edges).toContainEqual({ node: { id, companyId: null, prefix: key.slice(0, 9) } });
  expect(JSON.stringify(all)).not.toContain(key);
  expect(await acts(id)).toEqual([by('create_key', 'joins')]);
});

test('companies are paged and found by name or NIF', async () => {
  for (const [index, name] of ['Alfa', 'Beta'].entries()) {
    const nif = companyNif(90 + index);
    await execute(CREATE.replace('Nueva SL', `${name} Norte SL`), { nif, reason: 'signed' });
  }
  const LIST = `query ($after: String, $text: String) { companies(first: 1, after: $after, text: $text) {
    edges { cursor node { legalName } } pageInfo { hasNextPage } } }`;
  const page = async (after: string | null) => (await execute(LIST, { after, text: 'norte' })).data.companies;
  const first = await page(null);
  expect(first.edges[0].node.legalName).toBe('Alfa Norte SL');
  expect(first.pageInfo.hasNextPage).toBe(true);
  const second = await page(first.edges[0].cursor);
  expect([second.edges[0].node.legalName, second.pageInfo.hasNextPage]).toEqual(['Beta Norte SL', false]);
  const nif = companyNif(92);
  await execute(CREATE.replace('Nueva SL', 'Iñaki Agüera SL'), { nif, reason: 'signed' });
  for (const text of ['IÑAKI', 'inaki', 'in\u0303aki ague', 'AGÜERA', nif.toLowerCase()])
    expect((await execute(LIST, { text })).data.companies.edges, text).toMatchObject([
      { node: { legalName: 'Iñaki Agüera SL' } },
    ]);
  for (const text of ['', '\u0301', 'x'.repeat(10_000)])
    expect(codeOf(await execute(LIST, { text })), text).toBe('invalid_request');
  expect((await execute(LIST, { text: 'B7287781' })).data.companies.edges).toHaveLength(1);
  expect(codeOf(await execute(LIST, { after: 'co_1' }))).toBe('invalid_request');
});

const named = () => ({ companyId: service.company.companyId, environment: 'live' });

test('the default series changes for the next invoice; nothing else of a series does', async () => {
  const CREATE = `mutation ($input: CreateNumberSeriesInput!, $companyId: ID, $environment: Environment, $reason: String) {
    createNumberSeries(input: $input, companyId: $companyId, environment: $environment, reason: $reason) { id isDefault } }`;
  const wanted = { prefix: 'TPV', type: 'standard' };
  const creating = { input: wanted, ...named(), reason: 'new shop' };
  const { createNumberSeries: series } = (await execute(CREATE, creating)).data;
  expect(codeOf(await execute(CREATE, creating))).toBe('number_series_prefix_taken');
  expect(codeOf(await execute(CREATE, { ...creating, input: { ...wanted, prefix: 'X' }, reason: ' ' }))).toBe(
    'invalid_request',
  );
  expect(await acts(series.id)).toEqual([by('create_number_series', 'new shop')]);
  const on = (name: string) => `mutation ($companyId: ID!, $environment: Environment!, $id: ID!) {
    result: ${name}(companyId: $companyId, environment: $environment, id: $id, reason: "new shop") { id isDefault } }`;
  const issue = async () =>
    (
      await service.call('POST', '/v1/invoices', {
        key: service.company.live.key,
        body: aSimplifiedInvoice(),
      })
    ).body.number;
  expect(await issue()).toMatch(/^F-/);
  const SET = on('setDefaultNumberSeries');
  expect((await execute(SET, { ...named(), id: series.id })).data.result).toEqual({
    id: series.id,
    isDefault: true,
  });
  expect((await execute(SET, { ...named(), id: series.id })).errors).toBeUndefined();
  expect(await issue()).toMatch(/^TPV-/);
  const LIST = `query ($companyId: ID!, $environment: Environment!) { numberSeries(type: standard,
    companyId: $companyId, environment: $environment) { edges { node { prefix isDefault } } } }`;
  expect((await execute(LIST, named())).data.numberSeries.edges).toEqual([
    { node: { prefix: 'TPV', isDefault: true } },
    { node: { prefix: 'F', isDefault: false } },
  ]);
  const DROP = on('deleteNumberSeries');
  const { standardSeriesId } = service.company.live;
  expect(codeOf(await execute(DROP, { ...named(), id: standardSeriesId }))).toBe('number_series_in_use');
  expect(codeOf(await execute(DROP, { ...named(), id: series.id }))).toBe('number_series_in_use');
  const { createNumberSeries: unused } = (
    await execute(CREATE, { ...creating, input: { ...wanted, prefix: 'U' } })
  ).data;
  expect((await execute(DROP, { ...named(), id: unused.id })).data.result).toMatchObject({ id: unused.id });
  expect(codeOf(await execute(DROP, { ...named(), id: unused.id }))).toBe('number_series_not_found');
  expect(await acts(unused.id)).toEqual([
    by('create_number_series', 'new shop'),
    by('delete_number_series', 'new shop'),
  ]);
  const change = service.owner.query(`update number_series set yearly = false where id = $1`, [series.id]);
  await expect(change).rejects.toThrow(/sealed/);
});

test('customers of a company are created and read, and the log does not contain their data', async () => {
  const shop = await execute(
    `mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) { id } }`,
    { input: { ...named(), name: 'shop', reason: 'onboarding' } },
  );
  const integrationId = shop.data.createIntegration.id;
  expect(await acts(integrationId)).toEqual([by('create_integration', 'onboarding')]);
  const SAVE = `mutation ($input: SaveCustomerInput!) { saveCustomer(input: $input) { id name email } }`;
  const input = { ...named(), integrationId, externalCustomerId: 'c-1', name: 'Ana', reason: 'they asked' };
  const { saveCustomer: ana } = (await execute(SAVE, { input })).data;
  const more = await execute(SAVE, { input: { ...input, name: undefined, email: 'ana@example.com' } });
  expect(more.data.saveCustomer).toEqual({ id: ana.id, name: 'Ana', email: 'ana@example.com' });
  const unknown = { ...input, integrationId: 'int_1' };
  expect(codeOf(await execute(SAVE, { input: unknown }))).toBe('integration_not_found');
  const LIST = `query ($companyId: ID!, $environment: Environment!) {
    customers(companyId: $companyId, environment: $environment) { edges { node { id } } }
    customer(externalCustomerId: "c-1", companyId: $companyId, environment: $environment) { name }
    invoices(companyId: $companyId, environment: $environment) { edges { node { number } } } }`;
  expect((await execute(LIST, named())).data).toMatchObject({
    customers: { edges: [{ node: { id: ana.id } }] },
    customer: { name: 'Ana' },
  });
  const { rows } = await service.db.pool.query(
    'select to_json(a)::text as entry from audit_entry a where subject = $1',
    [ana.id],
  );
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toMatch(/Ana|ana@/);
});

test('a job that was given up runs again with all of its attempts', async () => {
  const { environmentId, chainId } = service.company.live;
  await enqueue(service.db.pool, [{ task: 'compare_with_agency', payload: { environmentId, chainId } }]);
  await service.db.pool.query(
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'out of reach'
      where key = $1`,
    [`compare:${chainId}`],
  );
  const LIST = '{ jobs(failing: true) { edges { node { id task key environmentId state lastError } } } }';
  const { jobs } = (await execute(LIST)).data;
  expect(jobs.edges).toMatchObject([
    { node: { task: 'compare_with_agency', environmentId, state: 'given_up', lastError: 'out of reach' } },
  ]);
  const { id } = jobs.edges[0].node;
  const RETRY = 'mutation ($id: ID!) { retryJob(id: $id, reason: "agency is back") { state attempts } }';
  expect((await execute(RETRY, { id })).data.retryJob).toEqual({ state: 'due', attempts: 0 });
  expect(codeOf(await execute(RETRY, { id: '999999' }))).toBe('invalid_request');
  expect(await acts(`job ${id.slice('job_'.length)}`)).toEqual([by('retry_job', 'agency is back')]);
});

describe('failed jobs are retried together', () => {
  const RETRY = `mutation ($task: String, $state: JobState, $error: String, $environmentId: Int, $companyId: ID) {
    retryFailedJobs(task: $task, state: $state, error: $error, environmentId: $environmentId, companyId: $companyId,
      reason: "mended") { changed again } }`;
  const retry = async (filter: object) => await execute(RETRY, filter);
  const retried = async (filter: object) => (await retry(filter)).data.retryFailedJobs;
  const fail = (sql: string) =>
    service.db.pool.query(
      `update graphile_worker._private_jobs set last_error = 'Timeout: no answer', ${sql}`,
    );
  beforeEach(async () => {
    await service.db.pool.query('delete from graphile_worker._private_jobs');
    await enqueue(service.db.pool, [
      { task: 'send_email', payload: { environmentId: service.company.live.environmentId } },
      { task: 'send_email', payload: { environmentId: service.company.test.environmentId } },
      { task: 'render_documents', payload: { environmentId: service.company.test.environmentId } },
    ]);
    await fail('attempts = 3');
  });

  test.each([
    ['task', { task: 'send_email' }, 2],
    ['state', { state: 'given_up' }, 0],
    ['a part of their last error', { error: 'timeout' }, 3],
    ['another error', { error: '%' }, 0],
    ['all', {}, 3],
  ])('by %s, each once', async (_, filter, count) => {
    expect(await retried(filter)).toEqual({ changed: count, again: false });
    expect(await retried(filter)).toEqual({ changed: 0, again: false });
  });

  test('by environment and by company, and the audit log says how many', async () => {
    const { companyId: id, live } = service.company;
    expect(await retried({ environmentId: live.environmentId })).toMatchObject({ changed: 1 });
    expect(await retried({ companyId: id })).toMatchObject({ changed: 2 });
    expect(codeOf(await retry({ companyId: 'co_none' }))).toBe('invalid_request');
    const { rows } = await service.db.pool.query(
      "select details, reason from audit_entry where action = 'retry_failed_jobs' order by id desc limit 2",
    );
    expect(rows).toEqual([
      { details: { companyId: id, retried: 2 }, reason: 'mended' },
      { details: { environmentId: live.environmentId, retried: 1 }, reason: 'mended' },
    ]);
  });

  test('those that were given up too, but none that runs', async () => {
    await fail('attempts = max_attempts');
    await fail(`locked_at = now(), locked_by = 'w' where key like 'render%'`);
    expect(await retried({ state: 'given_up' })).toEqual({ changed: 2, again: false });
  });

  test('a limited number at once, which says that others are left', async () => {
    await enqueue(
      service.db.pool,
      Array.from({ length: RETRIED_AT_ONCE }, (_, environmentId) => ({
        ...{ task: 'deliver_webhooks', payload: { environmentId } },
      })) as NewJob[],
    );
    await fail('attempts = 2');
    expect(await retried({})).toEqual({ changed: RETRIED_AT_ONCE, again: true });
    expect(await retried({})).toEqual({ changed: 3, again: false });
  });
});
