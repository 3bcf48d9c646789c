import { request } from 'node:http';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type McpHttp, serveHttp } from '../../src/faces/cli/mcp/http.ts';
import { mcpServer } from '../../src/faces/cli/mcp/server.ts';
import { remoteOf } from '../../src/faces/cli/remote/profiles.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { decideRecords } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type Logins, loginsFor } from '../support/processes/logins.ts';

/** The server for agents, asked by the SDK's own client over both of its transports. */

const ROOT = join(import.meta.dirname, '../..');

let service: TestService;
let logins: Logins;
beforeAll(async () => {
  service = await testService();
  logins = loginsFor(service);
});
afterAll(async () => {
  await service.close();
  logins.remove();
});

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** What a person says who is asked; null where the program can ask nobody. */
type Person = ((message: string) => 'accept' | 'decline') | null;

function newClient(person: Person = null): Client {
  const capabilities = person === null ? {} : { elicitation: {} };
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  if (person !== null) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      const action = person(params.message);
      return action === 'accept' ? { action, content: { confirm: true } } : { action };
    });
  }
  return client;
}

async function serve(profile: 'test' | 'live', allowLive = false): Promise<McpHttp> {
  const served = await serveHttp(0, () => mcpServer(remoteOf(logins.profiles, profile), allowLive));
  open.push(() => served.close());
  return served;
}

async function overHttp(profile: 'test' | 'live', options: { allowLive?: boolean; person?: Person } = {}) {
  const { url, token } = await serve(profile, options.allowLive);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const client = newClient(options.person);
  // The library's own types differ in what may be undefined.
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as Transport);
  open.push(() => client.close());
  return callerOf(client);
}

function callerOf(client: Client) {
  return {
    client,
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
    async call(name: string, given: Record<string, unknown> = {}): Promise<{ isError: boolean; body: any }> {
      const { isError = false, content } = await client.callTool({ name, arguments: given });
      const [{ text }] = content as [{ text: string }];
      return { isError: isError === true, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
  };
}

const count = async (environment: 'test' | 'live') => {
  const { key } = service.company[environment];
  return (await service.call('GET', '/v1/invoices?limit=100', { key })).body.data.length;
};

/** A client of the program itself. */
async function overStandardStreams(): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['src/faces/cli/main.ts', 'mcp', '--profile', 'test'],
    cwd: ROOT,
    env: { HOME: logins.home, PATH: process.env['PATH'] ?? '' },
  });
  const client = newClient();
  await client.connect(transport);
  open.push(() => client.close());
  return client;
}

test('every tool says what it does, what it takes, and whether it writes', async () => {
  const client = await overStandardStreams();
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThanOrEqual(15);
  for (const { description, inputSchema, annotations, title } of tools) {
    expect(description!.length).toBeGreaterThan(40);
    expect({ title, inputSchema }).toMatchObject({
      title: expect.any(String),
      inputSchema: { type: 'object' },
    });
    expect(annotations?.readOnlyHint).toBeTypeOf('boolean');
  }
  const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
  expect(writing.map(({ name }) => name).sort()).toEqual([
    ...['create_draft', 'issue_draft', 'issue_invoice', 'record_payment', 'rectify_invoice'],
  ]);
  expect(client.getInstructions()).toContain('whoami');
});

test('over standard input and output an agent issues, looks up and corrects', async () => {
  const { call } = callerOf(await overStandardStreams());
  expect((await call('whoami')).body.viewer).toMatchObject({ environment: 'test' });
  const invoice = aSimplifiedInvoice();
  expect((await call('validate_invoice', { invoice })).body).toMatchObject({ total: 24_200 });
  const { body: issued } = await call('issue_invoice', { invoice, idempotency_key: 'agent-1' });
  expect((await call('issue_invoice', { invoice, idempotency_key: 'agent-1' })).body.id).toBe(issued.id);
  expect((await call('find_invoices', { number: issued.number })).body.invoices).toHaveLength(1);
  const payment = { invoice_id: issued.id, amount: 200, paid_on: madridDay(new Date(issued.invoice_date)) };
  const { body: paid } = await call('record_payment', { ...payment, idempotency_key: 'agent-2' });
  expect((await call('record_payment', { ...payment, idempotency_key: 'agent-2' })).body.id).toBe(paid.id);
  expect((await call('list_payments', { invoice_id: issued.id })).body).toMatchObject({
    ...{ payment_status: 'partially_paid', amount_paid: 200, amount_due: 24_000 },
    payments: [{ id: paid.id, amount: 200 }],
  });
  expect((await call('record_payment', { ...payment, amount: 24_001 })).body.code).toBe(
    'payment_exceeds_payable',
  );
  const [line] = invoice.line_items as { unit_amount: number }[];
  const { body: corrected } = await call('rectify_invoice', {
    ...{ invoice_id: issued.id, method: 'differences' },
    line_items: [{ ...line, unit_amount: -100 }],
  });
  expect(corrected).toMatchObject({ kind: 'rectifying_differences', total: -242 });
  expect((await call('read_invoice', { id: issued.id })).body.rectified_by).toEqual([
    { invoice_id: corrected.id },
  ]);
  const day = madridDay(new Date(issued.invoice_date));
  const { body: totals } = await call('invoice_totals', {
    from: '2025-01-01',
    to: '2099-12-31',
    group_by: ['MONTH'],
  });
  expect(totals.invoiceTotals).toEqual([expect.objectContaining({ month: day.slice(0, 7), total: 23_958 })]);
  const ofYears = { from: '2025-01-01', to: '2099-12-31', group_by: ['MONTH'], first: 1 };
  const after = totals.invoiceTotals[0].cursor;
  expect((await call('invoice_totals', { ...ofYears, after })).body).toEqual({ invoiceTotals: [] });
  expect((await call('invoice_totals', { from: 'x', to: '2099-12-31' })).body).toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'filter.issuedOn.from' }],
    doc_url: expect.stringContaining('/docs/errors#invalid_request'),
  });
  expect((await call('invoice_pdf', { id: issued.id })).body.download_url).toContain(issued.id);
  expect((await call('invoice_pdf', { id: issued.id, paper: 'roll' })).body.download_url).toContain(
    'paper=roll',
  );
  expect((await call('list_number_series')).body.series).toHaveLength(2);
  expect((await call('list_events', { types: ['invoice.issued'], limit: 1 })).body.events).toEqual([
    expect.objectContaining({ type: 'invoice.issued' }),
  ]);
  expect((await call('check_tax_id', { tax_id: '12345678Z' })).body).toMatchObject({ valid: true });
});

test('an agent keeps a draft, checks and issues it, and sees what repeats', async () => {
  const { call } = await overHttp('test');
  const faulty = (await call('create_draft', { invoice: { type: 'simplified' } })).body;
  expect(faulty.errors).toMatchObject([{ field: 'line_items' }]);
  expect(await call('validate_draft', { draft_id: faulty.id })).toMatchObject({
    ...{ isError: true, body: { code: 'invalid_request' } },
  });
  const { body: draft } = await call('create_draft', { invoice: aSimplifiedInvoice(), due_in_days: 10 });
  expect((await call('validate_draft', { draft_id: draft.id })).body).toMatchObject({
    ...{ draft: { id: draft.id, errors: [] }, preview: { total: 24_200 } },
  });
  const { body: issued } = await call('issue_draft', { draft_id: draft.id });
  expect(issued.draft_id).toBe(draft.id);
  expect((await call('issue_draft', { draft_id: draft.id })).body.id).toBe(issued.id);
  const { drafts } = (await call('list_drafts', { status: 'open' })).body;
  expect(drafts).toEqual([expect.objectContaining({ id: faulty.id })]);
  const starts_on = '2090-01-31';
  const { body: schedule } = await service.call('POST', '/v1/invoice_schedules', {
    body: { invoice: aSimplifiedInvoice(), frequency: 'monthly', starts_on },
  });
  const { schedules } = (await call('list_schedules', { status: 'active' })).body;
  expect(schedules).toEqual([expect.objectContaining({ id: schedule.id })]);
  expect(schedules[0].next_dates.slice(0, 2)).toEqual([starts_on, '2090-02-28']);
});

describe('what agents get', () => {
  test('of a refusal: its code, the fields and where it is explained', async () => {
    const { call } = await overHttp('test');
    const invoice = { ...aCompleteInvoice(), recipient: { name: 'Ana', tax_id: '12345678A' } };
    const { isError, body } = await call('issue_invoice', { invoice });
    expect({ isError, body }).toMatchObject({
      isError: true,
      body: {
        code: expect.any(String),
        errors: expect.any(Array),
        doc_url: expect.stringContaining('/docs/errors#'),
      },
    });
    expect((await call('explain_error_code', { code: 'invalid_tax_id' })).body).toMatchObject({
      http_status: 422,
      remediation: expect.any(String),
    });
  });

  test('of a rejection: the agency’s message, and what an operator does about it', async () => {
    const { call } = await overHttp('live');
    const body = aCompleteInvoice();
    const { body: issued } = await service.call('POST', '/v1/invoices', {
      body,
      key: service.company.live.key,
    });
    expect((await call('registration_state', { id: issued.id })).body).toMatchObject({ state: 'pending' });
    const waiting = call('registration_state', { id: issued.id, wait_seconds: 50 });
    await decideRecords(service.db, issued.id, 'rejected');
    expect((await waiting).body).toMatchObject({ state: 'rejected', error: { code: '1110' } });
    expect((await call('explain_rejection', { id: issued.id })).body).toMatchObject({
      ...{ state: 'rejected', error: { code: '1110' } },
      ...{ remediation: expect.stringContaining('fiscal identity'), steps: ['amend', 'void'] },
    });
  });

  test('of the documentation: sections, and what stands there', async () => {
    const { call } = await overHttp('test');
    const { body } = await call('search_guides', { words: 'lost answer key' });
    expect(body.found).toContainEqual({ guide: 'idempotency', section: 'Recovering from a lost answer' });
    const [found] = body.found;
    expect((await call('read_guide', found)).body.text).toContain(`## ${found.section}`);
    expect((await call('read_guide', { guide: 'none' })).body.guides).toContain('first-invoice');
  });
});

describe('with a live key', () => {
  const invoice = aSimplifiedInvoice();
  const issue = async (options: { allowLive?: boolean; person?: Person }) => {
    const before = await count('live');
    const { call } = await overHttp('live', options);
    const { isError, body } = await call('issue_invoice', { invoice });
    return { isError, body, issued: (await count('live')) - before };
  };

  test('nothing is issued unless the server was started with permission to issue', async () => {
    expect(await issue({ person: () => 'accept' })).toMatchObject({
      ...{ isError: true, issued: 0 },
      body: expect.stringContaining('--allow-live'),
    });
  });

  test('nothing is issued if the client cannot ask for confirmation', async () => {
    expect(await issue({ allowLive: true })).toMatchObject({
      ...{ isError: true, issued: 0 },
      body: expect.stringContaining('elicitation'),
    });
  });

  test('nothing is issued without a person’s confirmation', async () => {
    expect(await issue({ allowLive: true, person: () => 'decline' })).toMatchObject({
      isError: true,
      issued: 0,
    });
  });

  test('an invoice is issued after it was described and confirmed', async () => {
    const questions: string[] = [];
    const person: Person = (message) => {
      questions.push(message);
      return 'accept';
    };
    expect(await issue({ allowLive: true, person })).toMatchObject({ isError: false, issued: 1 });
    expect(questions).toEqual([expect.stringContaining('242.00 EUR')]);
  });

  test('a payment too is recorded only after a yes', async () => {
    const { key } = service.company.live;
    const { body: issued } = await service.call('POST', '/v1/invoices', { body: invoice, key });
    const given = { invoice_id: issued.id, amount: 100, paid_on: madridDay(new Date(issued.invoice_date)) };
    const questions: string[] = [];
    const agreeing: Person = (message) => {
      questions.push(message);
      return 'accept';
    };
    for (const [options, done] of [
      [{ person: agreeing }, false],
      [{ allowLive: true, person: () => 'decline' as const }, false],
      [{ allowLive: true, person: agreeing }, true],
    ] as const) {
      const { call } = await overHttp('live', options);
      expect((await call('record_payment', given)).isError).toBe(!done);
      const { body } = await call('list_payments', { invoice_id: issued.id });
      expect(body.payments).toHaveLength(done ? 1 : 0);
    }
    expect(questions).toEqual([expect.stringContaining(`1.00 EUR of ${issued.number}`)]);
  });
});

describe('with a live key and drafts', () => {
  const aDraft = async () => {
    const { key } = service.company.live;
    return (
      await service.call('POST', '/v1/invoice_drafts', { key, body: { invoice: aSimplifiedInvoice() } })
    ).body.id as string;
  };

  test.each<[string, { allowLive?: boolean; person?: Person }]>([
    ['whoever started it has not allowed it', { person: () => 'accept' }],
    ['nobody can be asked', { allowLive: true }],
    ['a person says no', { allowLive: true, person: () => 'decline' }],
  ])('nothing is kept or issued when %s', async (_, options) => {
    const [before, id] = [await count('live'), await aDraft()];
    const { call } = await overHttp('live', options);
    const { drafts } = (await call('list_drafts')).body;
    expect(await call('create_draft', { invoice: aSimplifiedInvoice() })).toMatchObject({ isError: true });
    expect(await call('issue_draft', { draft_id: id })).toMatchObject({ isError: true });
    expect((await call('validate_draft', { draft_id: id })).body).toMatchObject({
      preview: { total: 24_200 },
    });
    expect([await count('live'), (await call('list_drafts')).body.drafts]).toEqual([before, drafts]);
  });

  test('a change is made after it was described and confirmed', async () => {
    const questions: string[] = [];
    const person: Person = (message) => {
      questions.push(message);
      return 'accept';
    };
    const { call } = await overHttp('live', { allowLive: true, person });
    const { body: draft } = await call('create_draft', { invoice: aSimplifiedInvoice() });
    expect((await call('issue_draft', { draft_id: draft.id })).body.draft_id).toBe(draft.id);
    expect(questions).toEqual([
      expect.stringContaining('can be deleted'),
      expect.stringMatching(/issue the draft .*242\.00 EUR.*cannot be undone/),
    ]);
  });
});

describe('over HTTP', () => {
  async function statusOf(headers: Record<string, string>, path = '/mcp'): Promise<number> {
    const { url, token } = await serve('test');
    const { port } = new URL(url);
    const given = {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    return new Promise((answered, failed) => {
      const options = {
        port,
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...given },
      };
      const sent = request(options, (response) => {
        response.resume();
        answered(response.statusCode!);
      });
      sent.on('error', failed);
      sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }));
    });
  }

  test('only callers with the token are served, and no page under a name of its own', async () => {
    expect(await statusOf({ authorization: '' })).toBe(401);
    expect(await statusOf({ authorization: 'Bearer other' })).toBe(401);
    expect(await statusOf({}, '/')).toBe(404);
    expect(await statusOf({ host: 'evil.example.com' })).toBe(403);
    expect(await statusOf({ 'mcp-session-id': 'none' })).toBe(404);
  });

  test('a client beyond the bound ends the session that was used longest ago', async () => {
    const { url, token } = await serve('test');
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    async function connected(): Promise<Client> {
      const client = newClient();
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as Transport);
      open.push(() => client.close());
      return client;
    }
    const [first, second] = [await connected(), await connected()];
    for (let more = 2; more < 50; more++) await connected();
    await first.listTools();
    const last = await connected();

    expect((await first.listTools()).tools.length).toBeGreaterThan(0);
    expect((await last.listTools()).tools.length).toBeGreaterThan(0);
    await expect(second.listTools()).rejects.toThrow();
  });
});
