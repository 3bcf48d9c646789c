import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJobs } from '../../jobs/runner.ts';
import { statementsOf } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { ANA } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOperator } from '../support/pages/console.ts';
import { duplicateKeys } from '../support/processes/duplicate-keys.ts';

const logged: string[] = [];
let service: TestService;
let jobs: Awaited<ReturnType<typeof startJobs>>;
beforeAll(async () => {
  service = await testService({}, { logged });
  jobs = await startJobs(service.services, () => {});
});
afterAll(async () => {
  await jobs.stop();
  await service.close();
});

type Line = Record<string, unknown>;
const lines = () => logged.map((line) => JSON.parse(line) as Line);
const find = async (...parts: Line[]): Promise<Line[]> => {
  const found = () =>
    parts.map((part) =>
      lines().find((line) => Object.entries(part).every(([name, value]) => line[name] === value)),
    );
  await expect.poll(() => found().every((line) => line !== undefined), { timeout: 20_000 }).toBe(true);
  return found() as Line[];
};
const answered = async ({ headers }: { headers: Headers }): Promise<Line> =>
  (await find({ requestId: headers.get('x-request-id'), msg: 'answered' }))[0]!;

test('request, jobs and envelope of an invoice are found by its ids', async () => {
  const { key } = service.company.live;
  const headers = { 'idempotency-key': 'once' };
  const issued = await service.call('POST', '/v1/invoices', { key, headers, body: aSimplifiedInvoice() });
  const { invoiceId, chainId } = await answered(issued);
  expect(invoiceId).toBe(issued.body.id);
  expect(chainId).toEqual(expect.any(Number));
  await find({ task: 'register', chainId, msg: 'job done' }, { chainId, msg: 'the agency has answered' });

  const again = await service.call('POST', '/v1/invoices', { key, headers, body: aSimplifiedInvoice() });
  expect(await answered(again)).toMatchObject({ invoiceId, chainId });
});

test('no statement of issuing has in its text what Postgres may log of it: its values are sent beside it', async () => {
  const { key } = service.company.live;
  const body = aCompleteInvoice();
  const texts = await statementsOf(() => service.call('POST', '/v1/invoices', { key, body }));
  expect(texts.some((text) => text.includes('write_invoices('))).toBe(true);
  for (const value of [body.recipient.name, body.recipient.tax_id, body.line_items[0]!.description])
    expect(texts.filter((text) => text.includes(value))).toEqual([]);
});

test('so are those of a voided and of a corrected one, and of a draft', async () => {
  const operator = await anOperator(service);
  const draft = await service.call('POST', '/v1/invoice_drafts', { body: { invoice: aSimplifiedInvoice() } });
  expect(await answered(draft)).not.toHaveProperty('invoiceId');
  const issued = await service.call('POST', `/v1/invoice_drafts/${draft.body.id}/issue`);
  const { id } = issued.body;
  const { chainId } = await answered(issued);
  expect(await answered(issued)).toMatchObject({ invoiceId: id, chainId: expect.any(Number) });
  const rectifies = { invoice_id: id, method: 'differences', reason: 'correction' };
  const body = aSimplifiedInvoice({ rectifies });
  const corrected = await service.call('POST', '/v1/invoices', { body });
  expect(corrected.status).toBe(201);
  expect(await answered(corrected)).toMatchObject({ invoiceId: corrected.body.id, chainId });
  const mutation = 'mutation ($id: ID!) { voidInvoice(invoiceId: $id, reason: "x") { id } }';
  const voided = await service.graphql(mutation, { id: corrected.body.id }, { key: operator.key });
  expect(voided.body.errors).toBeUndefined();
  expect(await answered(voided)).toMatchObject({ invoiceId: corrected.body.id, chainId });
});

test('so is that of an exchange', async () => {
  const ticket = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  const mutation = `mutation ($input: ExchangeInvoicesInput!) { exchangeInvoices(input: $input) { id } }`;
  const exchanged = await service.graphql(mutation, {
    input: { ticketIds: [ticket.body.id], recipient: ANA },
  });
  expect(exchanged.body.errors).toBeUndefined();
  const { id } = exchanged.body.data.exchangeInvoices;
  const { chainId } = await answered(ticket);
  expect(await answered(exchanged)).toMatchObject({ invoiceId: id, chainId });
});

test('no line has a name twice, whatever it is about', async () => {
  const bodies = [{}, aSimplifiedInvoice({ line_items: [] }), aCompleteInvoice()];
  const down = aCompleteInvoice();
  bodies.push({ ...down, recipient: { ...down.recipient, name: 'CENSO CAIDO SL', company_name: null } });
  for (const body of bodies) await service.call('POST', '/v1/invoices', { body });
  await service.call('GET', '/nowhere');
  await service.graphql('{ nothing }');
  await service.simulator.control({ mode: 'fault' });
  await service.call('POST', '/v1/invoices', { key: service.company.live.key, body: aSimplifiedInvoice() });
  await find({ msg: 'sending to the agency failed' }, { msg: 'a register does not answer' });
  await service.simulator.control({ mode: 'ok' });
  expect(logged.filter((line) => duplicateKeys(line).length > 0)).toEqual([]);
  expect(logged.length).toBeGreaterThan(20);
  expect(duplicateKeys('{"a":1,"b":{"a":"\\"a\\":","c":[{"a":1}]},"a":2}')).toEqual(['"a"']);
});
