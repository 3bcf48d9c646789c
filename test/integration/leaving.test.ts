import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { ARCHIVED, NOT_ARCHIVED } from '../../src/subjects/leaving/store/rows.ts';
import { submitChain } from '../../src/subjects/registration/submit.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOperator, operatorIn } from '../support/pages/console.ts';
import { zipFiles } from './zip-files.ts';

let service: TestService;
let company: TestCompany;
let operator: string;
beforeAll(async () => {
  service = await testService();
  company = await createCompany(service.db);
  operator = (await createOperatorKey(service.db.pool, 'Ada')).key;
});
afterAll(() => service?.close());

async function ask(query: string, variables: object = {}, key = operator) {
  const { body } = await service.graphql(query, variables, { key });
  if (body.errors !== undefined) return { refused: body.errors[0].extensions };
  return body.data;
}
const rest = (method: string, path: string, body?: object, of = company) =>
  service.call(method, path, { key: of.test.key, ...(body && { body }) });
const count = async (text: string): Promise<number> => {
  const { rows } = await service.owner.query(`select count(*)::int as count from ${text}`);
  return rows[0].count;
};
const aCustomer = (id: string) => ({
  ...aCompleteInvoice(),
  external_customer_id: id,
});

const ERASURE = '{ customers drafts schedules invoicesKept keptUntil kept { what howLong law } }';
const erase = (externalCustomerId: string) =>
  ask(
    `mutation ($company: ID!, $customer: String!) {
      done: eraseCustomer(companyId: $company, environment: test, externalCustomerId: $customer, reason: "asked") ${ERASURE}
    }`,
    { company: company.companyId, customer: externalCustomerId },
  );

test('a customer is erased with their drafts, and the answer says what stays, how long and by which law', async () => {
  const issued = await rest('POST', '/v1/invoices', aCustomer('C-1'));
  expect(issued.status, JSON.stringify(issued.body)).toBe(201);
  const draft = await rest('POST', '/v1/invoice_drafts', { invoice: aCustomer('C-1') });
  expect(draft.status, JSON.stringify(draft.body)).toBe(201);
  const other = await rest('POST', '/v1/invoice_drafts', { invoice: { ...aSimplifiedInvoice() } });
  const becomes = await rest('POST', '/v1/invoice_drafts', { invoice: aCustomer('C-1') });
  expect((await rest('POST', `/v1/invoice_drafts/${becomes.body.id}/issue`)).status).toBe(201);

  const { done } = await erase('C-1');
  const year = Number(issued.body.created_at.slice(0, 4));
  expect(done).toMatchObject({ customers: 1, drafts: 2, schedules: 0, invoicesKept: 2 });
  expect(done.keptUntil).toBe(`${year + 6}-12-31`);
  expect(done.kept.map(({ law }: { law: string }) => law).join()).toContain('Código de Comercio art. 30');
  expect(await count("customer where external_customer_id = 'C-1'")).toBe(0);
  expect(await count("invoice_draft where content::text like '%C-1%'")).toBe(0);
  expect((await rest('GET', `/v1/invoice_drafts/${draft.body.id}`)).status).toBe(404);
  expect((await rest('GET', `/v1/invoice_drafts/${other.body.id}`)).status).toBe(200);
  const left = await rest('GET', `/v1/invoice_drafts/${becomes.body.id}`);
  expect(left).toMatchObject({ status: 200, body: { status: 'issued' } });
  expect(JSON.stringify(left.body.invoice)).not.toContain(aCompleteInvoice().recipient.name);
  expect((await rest('GET', `/v1/invoices/${issued.body.id}`)).body.recipient.name).toBe(
    aCompleteInvoice().recipient.name,
  );
  expect((await erase('C-1')).refused.code).toBe('customer_not_found');
});

const monthly = (invoice: object) => ({
  frequency: 'monthly',
  startsOn: `${new Date().getUTCFullYear() + 1}-01-31`,
  invoice: {
    type: 'simplified',
    lineItems: [{ description: 'x', quantity: 1, unitAmount: 100, taxItems: [{ type: 'vat', rate: 21 }] }],
    ...invoice,
  },
});

test('a customer whom a schedule names is erased once it has ended', async () => {
  expect((await rest('POST', '/v1/invoices', aCustomer('C-2'))).status).toBe(201);
  const { made } = await ask(
    `mutation ($input: CreateInvoiceScheduleInput!) { made: createInvoiceSchedule(input: $input) { id } }`,
    { input: monthly({ externalCustomerId: 'C-2' }) },
    company.test.key,
  );
  expect(await erase('C-2')).toMatchObject({
    refused: { code: 'invalid_request', errors: [{ field: 'externalCustomerId', code: 'in_use' }] },
  });
  await ask(`mutation { endInvoiceSchedule(id: "${made.id}") { id } }`, {}, company.test.key);
  expect((await erase('C-2')).done).toMatchObject({ customers: 1, schedules: 1 });
  expect(await count("invoice_schedule where content::text like '%C-2%'")).toBe(0);
});

test('every table with an environment is in the archive, or it is said why not', async () => {
  const { rows } = await service.owner.query(
    `select table_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'environment_id'
        and table_name not in ('audit_entry') order by 1`,
  );
  const named = [...Object.keys(ARCHIVED), ...Object.keys(NOT_ARCHIVED)];
  expect(named.filter((table) => table !== 'environment').sort()).toEqual(
    rows.map(({ table_name }) => table_name).sort(),
  );
});

test('the archive of a company has everything but secrets, with checksums that agree', async () => {
  const live = await service.call('POST', '/v1/invoices', {
    key: company.live.key,
    body: aCompleteInvoice(),
  });
  expect(live.status).toBe(201);
  const made = await service.call('POST', '/v1/webhook_endpoints', {
    key: company.live.key,
    body: { url: 'https://shop.example.com/hook', event_types: ['invoice.registered'] },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  // Also what the clock of a test environment has put into the future.
  await ask('mutation { advanceTestClock(advance: "P400D") { id } }', {}, company.test.key);
  const later = await rest('POST', '/v1/invoices', aSimplifiedInvoice());
  const { done } = await ask(
    'mutation ($id: ID!) { done: exportCompany(companyId: $id, reason: "leaves") { downloadUrl expiresAt } }',
    { id: company.companyId },
  );
  const { pathname, search } = new URL(done.downloadUrl);
  const opened = await fetch(`${service.url}${pathname}${search}`);
  expect(opened.status).toBe(200);
  expect(opened.headers.get('content-disposition')).toBe(`attachment; filename="${company.companyId}.zip"`);
  const byName = await zipFiles(Buffer.from(await opened.arrayBuffer()));
  const text = (name: string) => String(byName.get(name));
  const invoices = text('live/rows/invoice.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(invoices.map(({ number }) => number)).toEqual([live.body.number]);
  expect(text('live/records.xml')).toContain(`<sf:NumSerieFactura>${live.body.number}</sf:NumSerieFactura>`);
  expect(byName.get(`live/documents/${live.body.number}.pdf`)!.subarray(0, 5).toString()).toBe('%PDF-');
  expect(text('test/records.xml')).toContain(`>${later.body.number}<`);
  expect(JSON.parse(text('settings.json')).company.id).toBe(company.companyId);
  const everything = [...byName.values()].map(String).join();
  expect(everything).not.toContain(made.body.secret);
  expect(everything).not.toContain('token_hash');

  const sums = text('SHA256SUMS')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  '));
  expect(sums.map(([, name]) => name)).toEqual([...byName.keys()].filter((name) => name !== 'SHA256SUMS'));
  for (const [sum, name] of sums) {
    expect(createHash('sha256').update(byName.get(name!)!).digest('hex'), name).toBe(sum);
  }
  const altered = await fetch(`${service.url}${pathname}${search}A`);
  expect(altered.status).toBe(410);
  expect(await count("audit_entry where action = 'export_company'")).toBe(1);
});

test('the console gives the link to the archive, and says what stays of what it erases', async () => {
  expect((await rest('POST', '/v1/invoices', aCustomer('C-4'))).status).toBe(201);
  const ada = await operatorIn(service, await anOperator(service));
  const act = async (action: string, fields: Record<string, string> = {}) => {
    const path = `/console/companies/${company.companyId}/${action}`;
    expect((await ada.get(path)).text).toContain('<label for="reason">Reason</label>');
    const done = await ada.post(path, { ...fields, reason: 'letter of 3 May' });
    expect(done.status, done.text).toBe(200);
    return done.text;
  };
  expect(await act('archive')).toMatch(/href="[^"]*\/v1\/companies\/export\/file\?token=[^"]+" download/);
  const erased = await act('erase-customer', { environment: 'test', externalCustomerId: 'C-4' });
  expect(erased).toMatch(/<dt>Customers<\/dt><dd>1<\/dd>/);
  expect(erased).toContain('Código de Comercio art. 30');
  expect(await count("customer where external_customer_id = 'C-4'")).toBe(0);
  expect(await act('erase-drafts', { environment: 'live' })).toMatch(/<dt>Drafts<\/dt><dd>0<\/dd>/);
});

test('a company that is closed has no keys, pages and webhooks, issues nothing, and what is due is still registered', async () => {
  const due = await service.call('POST', '/v1/invoices', {
    key: company.live.key,
    body: aSimplifiedInvoice(),
  });
  expect((await rest('POST', '/v1/invoices', aCustomer('C-3'))).status).toBe(201);
  const page = await rest('POST', '/v1/customer_portal/sessions', { external_customer_id: 'C-3' });
  expect(page.status, JSON.stringify(page.body)).toBe(201);
  await ask('mutation { setEmailSettings(input: { reminderDays: [3] }) { id } }', {}, company.test.key);
  const { running } = await ask(
    'mutation ($input: CreateInvoiceScheduleInput!) { running: createInvoiceSchedule(input: $input) { id } }',
    { input: monthly({}) },
    company.test.key,
  );
  const close = () =>
    ask(
      'mutation ($id: ID!) { done: closeCompany(companyId: $id, reason: "contract ended") { id closedAt } }',
      {
        id: company.companyId,
      },
    );
  const { done } = await close();
  expect(done.closedAt).toMatch(/Z$/);
  expect(await close()).toEqual({ done });
  expect(await count("audit_entry where action = 'close_company'")).toBe(1);

  for (const of of [company.test, company.live]) {
    expect((await service.call('GET', '/v1/invoices', { key: of.key })).status).toBe(401);
  }
  const own = `environment_id in (${company.test.environmentId}, ${company.live.environmentId})`;
  expect(await count(`portal_session where ${own}`)).toBe(0);
  expect(await count(`webhook_endpoint where ${own}`)).toBe(0);
  expect(await count(`webhook_secret where ${own}`)).toBe(0);
  expect(await count(`chain where ${own} and issuing_ended_at is null`)).toBe(0);
  expect(await count(`invoice_schedule where id = '${running.id}' and status = 'ended'`)).toBe(1);
  expect(await count(`email_settings where ${own} and reminder_days <> '{}'`)).toBe(0);
  const refused = await ask(
    `mutation ($id: ID!) { createKey(companyId: $id, environment: test, name: "again", reason: "r") { key } }`,
    { id: company.companyId },
  );
  expect(refused.refused.errors, JSON.stringify(refused)).toMatchObject([
    { field: 'companyId', code: 'closed' },
  ]);

  const { environmentId, chainId } = company.live;
  await service.owner.query(
    'update chain_dispatch set next_send_at = now() - interval $$1 hour$$ where chain_id = $1',
    [chainId],
  );
  const agency = await service.services.agencyClients.clientFor(environmentId);
  await submitChain({ ...service.services, agency }, { environmentId, chainId });
  const { invoice } = await ask(`{ invoice(id: "${due.body.id}") { number verifactu { status } } }`);
  expect(invoice).toMatchObject({ number: due.body.number, verifactu: { status: 'registered' } });
});

test.each(['closeCompany', 'exportCompany'])('%s of a company that there is not is refused', async (name) => {
  const field = name === 'exportCompany' ? 'downloadUrl' : 'id';
  expect(await ask(`mutation { ${name}(companyId: "co_none", reason: "r") { ${field} } }`)).toMatchObject({
    refused: { code: 'invalid_request', errors: [{ field: 'companyId', code: 'not_found' }] },
  });
});
