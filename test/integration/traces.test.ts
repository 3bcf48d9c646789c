import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { endPrograms, type RunningProgram, runProgram } from '../support/processes/running-program.ts';
import { type CollectedSpan, type TraceCollector, traceCollector } from './trace-collector.ts';

/** A service without jobs and a worker beside it, both with a collector of traces. */
const dataDir = mkdtempSync(join(tmpdir(), 'lacre-traces-'));
let database: TestDatabase;
let collector: TraceCollector;
let company: TestCompany;
let service: RunningProgram;
let worker: RunningProgram;
let url: string;
beforeAll(async () => {
  [database, collector] = await Promise.all([testDatabase(), traceCollector()]);
  company = await createCompany(database.db);
  const variables = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'debug',
    METRICS_PORT: '0',
    ...collector.variables,
  };
  service = runProgram('src/main.ts', { ...variables, PORT: '0', HOST: '127.0.0.1', JOBS: 'outside' });
  const [, port = ''] = await service.untilPrinted(/"port":(\d+).*"msg":"ready"/);
  url = `http://127.0.0.1:${port}`;
  worker = runProgram('jobs/main.ts', { ...variables, HOST: '127.0.0.1', OTEL_SERVICE_NAME: 'lacre-worker' });
  await worker.untilPrinted(/"msg":"working"/);
});
afterAll(async () => {
  await Promise.all([service, worker].map((program) => program?.end('SIGTERM')));
  endPrograms();
  await Promise.all([database?.close(), collector?.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

const RECIPIENT = {
  name: 'Tránsito Rastreada Huellas',
  tax_id: '12345678Z',
  email: 'transito@rastreada.example',
  address: { line1: 'Calle del Rastro 7', postal_code: '28005', city: 'Madrid', country: 'ES' },
};

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${company.live.key}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

const invoice = (description: string) => ({
  type: 'complete',
  recipient: RECIPIENT,
  notes: 'Nota muy personal',
  line_items: [{ description, quantity: 1, unit_amount: 1_000, tax_items: [{ type: 'vat', rate: 21 }] }],
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

/** The trace as an outline: each span under its parent, in the order of their names. */
function outline(spans: readonly CollectedSpan[], parent: string, depth = 0): string[] {
  return spans
    .filter((span) => span.parentSpanId === parent)
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap((span) => [
      `${'  '.repeat(depth)}${span.name} (${span.service})`,
      ...outline(spans, span.spanId, depth + 1),
    ]);
}

const named = (spans: readonly CollectedSpan[], name: string) =>
  spans.filter((span) => span.traceId === TRACE && span.name === name);

test('a request and all work that it causes, in any process, are one trace', async () => {
  const answer = await post('/v1/invoices', invoice('SIMULATE-FLAG'), {
    traceparent: `00-${TRACE}-${CALLER}-01`,
    'idempotency-key': 'traced',
  });
  expect(answer.status).toBe(201);
  const spans = await collector.until((all) =>
    ['register record', 'job register', 'job render_documents', 'POST /v1/invoices'].every(
      (name) => named(all, name).length > 0,
    ),
  );
  const trace = spans.filter(({ traceId }) => traceId === TRACE);
  expect(outline(trace, CALLER)).toEqual([
    'POST /v1/invoices (lacre)',
    '  graphql IssueInvoice (lacre)',
    '    issue invoice (lacre)',
    '      check (lacre)',
    '        query census (lacre)',
    '      COMMIT (lacre)',
    '      connect (lacre)',
    '      job register (lacre-worker)',
    '        send envelope (lacre-worker)',
    // The submission is stored before it is sent, and its outcome afterwards.
    '          COMMIT (lacre-worker)',
    '          COMMIT (lacre-worker)',
    '          query registration (lacre-worker)',
    '      job render_documents (lacre-worker)',
    '        render document (lacre-worker)',
    '      lock chain (lacre)',
    '      register record (lacre-worker)',
    '      take numbers (lacre)',
    '      wait for the group (lacre)',
    '      write (lacre)',
  ]);
  expect(named(spans, 'POST /v1/invoices')[0]?.attributes).toMatchObject({
    'http.route': '/v1/invoices',
    'http.response.status_code': 201,
    'lacre.environment': 'live',
    'lacre.environment_id': company.live.environmentId,
    'lacre.key_prefix': company.live.key.slice(0, 14),
    'lacre.request_id': answer.headers.get('x-request-id'),
  });
  const [record] = named(spans, 'register record');
  expect(record?.attributes).toMatchObject({ 'lacre.outcome': 'registered_with_errors' });
  expect(record?.links).toEqual([named(spans, 'send envelope')[0]?.spanId]);
  expect(trace.every(({ failed, milliseconds }) => !failed && milliseconds >= 0)).toBe(true);
});

test('the lines of the log name the trace, in both processes', async () => {
  const lines = (program: RunningProgram) =>
    program
      .output()
      .split('\n')
      .filter((line) => line.includes(TRACE))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines(service)).toContainEqual(
    expect.objectContaining({ trace_id: TRACE, msg: 'answered', route: '/v1/invoices', status: 201 }),
  );
  const { environmentId, chainId } = company.live;
  expect(lines(worker)).toContainEqual(
    expect.objectContaining({
      trace_id: TRACE,
      task: 'register',
      environmentId,
      chainId,
      msg: 'the agency has answered',
    }),
  );
});

test('records sent together are registered in each one’s own trace', async () => {
  const traces = ['a', 'b', 'c'].map((digit) => digit.repeat(32));
  const answers = await Promise.all(
    traces.map((trace) => post('/v1/invoices', invoice('Obra'), { traceparent: `00-${trace}-${CALLER}-01` })),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  // The agency's wait since the envelope before is still to pass.
  await database.db.pool.query('update chain_dispatch set next_send_at = now()');
  await database.db.pool.query(
    "update graphile_worker._private_jobs set run_at = now() where key like 'register:%'",
  );
  const spans = await collector.until((all) =>
    traces.every((trace) => all.some(({ name, traceId }) => name === 'register record' && traceId === trace)),
  );
  for (const trace of traces) {
    const own = spans.filter(({ traceId }) => traceId === trace);
    expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(['COMMIT', 'lock chain']));
  }
});

test('a refusal shows its code, and an operation of GraphQL its name', async () => {
  const trace = 'd'.repeat(32);
  const headers = { traceparent: `00-${trace}-${CALLER}-01` };
  const refused = await post('/v1/invoices', { ...invoice('x'), recipient: null }, headers);
  expect(refused.status).toBeGreaterThanOrEqual(400);
  const { code } = (await refused.json()) as { code: string };
  await post('/graphql', { query: 'query Newest { __typename }' }, headers);
  const spans = (
    await collector.until(
      (all) => all.filter((span) => span.traceId === trace && span.parentSpanId === CALLER).length === 2,
    )
  ).filter(({ traceId }) => traceId === trace);
  expect(spans.find(({ name }) => name === 'POST /v1/invoices')?.attributes).toMatchObject({
    'lacre.refusal': code,
  });
  expect(spans.find(({ name }) => name === 'graphql Newest')?.attributes).toMatchObject({
    'graphql.operation.type': 'query',
  });
});

test('a trace contains no personal data and no secret', () => {
  const text = collector.text();
  expect(text).toContain('lacre.key_prefix');
  const { name, tax_id, email, address } = RECIPIENT;
  for (const value of [
    name,
    tax_id,
    email,
    address.line1,
    'Nota muy personal',
    company.live.key,
    'B72877814',
  ]) {
    expect(text).not.toContain(value);
  }
});

test('both show their metrics at their own port only', async () => {
  for (const program of [service, worker]) {
    const [, port] = await program.untilPrinted(/"metricsPort":(\d+)/);
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toMatch(/\nlacre_records_pending \d+\n/);
    expect((await fetch(`http://127.0.0.1:${port}/v1/invoices`)).status).toBe(404);
  }
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
});
