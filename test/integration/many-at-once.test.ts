import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildProgram } from '../../src/faces/cli/program.ts';
import { newId } from '../../src/ground/lib/ids.ts';
import { type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { anUnsentCompany, type UnsentCompany } from '../support/agency/unsent-company.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import type { Visitor } from '../support/http/visitor.ts';
import { anOperator, operatorIn } from '../support/pages/console.ts';
import { type CommandLine, commandLine } from '../support/processes/command-line.ts';

const REASON = ['--reason', 'the cause is removed'];
const CENSUS = '4102: El NIF no está identificado en el censo';

let simulator: TestSimulator;
let service: TestService;
let operator: string;
let ada: Visitor;
let lacre: CommandLine;
let companies: UnsentCompany[];
beforeAll(async () => {
  simulator = await testSimulator();
  service = await testService({}, { simulator });
  const made = await anOperator(service);
  operator = made.key;
  ada = await operatorIn(service, made);
  lacre = commandLine(service.db);
  companies = [];
  for (const name of ['Uno SL', 'Dos SL', 'Tres SL']) companies.push(await anUnsentCompany(service, name));
});
beforeEach(async () => {
  await service.db.pool.query('update chain_dispatch set stopped_at = null, stopped_reason = null');
  await service.db.pool.query('update record_state set parked_reason = null where parked_reason is not null');
});
afterAll(() => service?.close());

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
async function run(...words: string[]): Promise<any> {
  const { exit, stderr, json } = await lacre([...words, '--json']);
  return stderr === '' ? json() : { ...JSON.parse(stderr), exit };
}

const sql = async (text: string, values: unknown[] = []) => (await service.db.pool.query(text, values)).rows;

const stopAll = () =>
  sql('update chain_dispatch set stopped_at = now(), stopped_reason = $1 where chain_id = any ($2)', [
    ...[CENSUS, companies.map(({ chainId }) => chainId)],
  ]);

const stopped = async () =>
  (await sql('select count(*)::int as n from chain_dispatch where stopped_at is not null'))[0].n;

/** A pending record of each company, set aside. */
async function parkAll(): Promise<void> {
  for (const company of companies) {
    const id = await company.recordOf((await company.issue()).id);
    await sql("update record_state set parked_reason = '3002: refused' where record_id = $1", [id]);
  }
}

const parked = async () =>
  (await sql('select count(*)::int as n from record_state where parked_reason is not null'))[0].n;

test('chains that stopped for one cause are counted, and then retried together, each with its entry in the audit log', async () => {
  await stopAll();
  const all = ['chains', 'retry-failed', '--cause', 'CENSO', ...REASON];
  expect(await run(...all, '--dry-run')).toEqual({ matching: 3, changed: 0, again: false });
  expect(await run(...all)).toMatchObject({
    exit: 7,
    detail: expect.stringMatching(/chains \(3\)\. .*--live/),
  });
  expect(await stopped()).toBe(3);
  expect(await run('chains', 'retry-failed', '--cause', 'mandate', ...REASON, '--live')).toMatchObject({
    matching: 0,
  });
  const one = ['chains', 'retry-failed', '--company', companies[0]!.company.companyId];
  expect(await run(...one, ...REASON, '--live')).toMatchObject({ changed: 1 });
  expect(await run(...all, '--live')).toEqual({ matching: 2, changed: 2, again: false });
  expect(await stopped()).toBe(0);
  const [{ n }] = await sql(
    "select count(distinct subject)::int as n from audit_entry where action = 'retry_chain' and reason = $1",
    [REASON[1]],
  );
  expect(n).toBe(3);
});

test('parked records are counted, and unparked together', async () => {
  await parkAll();
  const UNPARK = `mutation ($cause: String, $companyId: ID, $dryRun: Boolean) {
    unparkRecords(cause: $cause, companyId: $companyId, dryRun: $dryRun, reason: "answered") { matching changed again } }`;
  const unpark = async (variables: object) =>
    (await service.graphql(UNPARK, variables, { key: operator })).body;
  expect((await unpark({ dryRun: true })).data.unparkRecords).toMatchObject({ matching: 3, changed: 0 });
  expect((await unpark({ cause: 'other' })).data.unparkRecords).toMatchObject({ matching: 0 });
  expect(await parked()).toBe(3);
  expect((await unpark({ companyId: 'co_zzz' })).errors[0].extensions.code).toBe('invalid_request');
  const { companyId } = companies[1]!.company;
  expect((await unpark({ companyId })).data.unparkRecords).toMatchObject({ matching: 1, changed: 1 });
  expect(await run('jobs', 'unpark-all', '--cause', '3002', ...REASON, '--live')).toMatchObject({
    changed: 2,
  });
  expect(await parked()).toBe(0);
});

test('failed deliveries of active endpoints are counted, and repeated together', async () => {
  const { companyId, test: own } = companies[0]!.company;
  const home = ['--company', companyId, '--environment', 'test'];
  const url = ['--url', 'https://hooks.example.com/lacre'];
  const endpoints = [
    (await run('webhooks', 'create', ...home, ...url, ...REASON)).id,
    (await run('webhooks', 'create', ...home, ...url, ...REASON)).id,
  ];
  for (const [index, status] of ['failed', 'failed', 'delivered', 'failed'].entries()) {
    await sql(
      `insert into webhook_delivery (id, environment_id, endpoint_id, sequence, event_id, event_type, status, attempts, attempt_log, created_at)
       values ($1, $2, $3, $4::int, 'evt_' || $4::int, 'ping', $5::delivery_status, 1, '[]', now())`,
      [newId('whd'), own.environmentId, endpoints[index % 2], index + 1, status],
    );
  }
  const all = ['webhooks', 'redeliver-failed', ...home, ...REASON];
  expect(await run(...all, '--dry-run')).toEqual({ matching: 3, changed: 0, again: false });
  expect(await run(...all, '--endpoint', endpoints[0])).toMatchObject({ changed: 1 });
  await sql("update webhook_endpoint set status = 'disabled', disabled_reason = 'x' where id = $1", [
    endpoints[1],
  ]);
  expect(await run(...all)).toMatchObject({ matching: 0 });
  expect(await run(...all, '--endpoint', endpoints[1])).toMatchObject({ code: 'webhook_endpoint_disabled' });
  expect(await run(...all, '--endpoint', 'whe_1')).toMatchObject({ code: 'webhook_endpoint_not_found' });
  await sql("update webhook_endpoint set status = 'active', disabled_reason = null where id = $1", [
    endpoints[1],
  ]);
  const REDELIVER = 'mutation { redeliverFailedWebhooks { matching changed again } }';
  const answer = await service.graphql(REDELIVER, {}, { key: own.key });
  expect(answer.body.data.redeliverFailedWebhooks).toEqual({ matching: 2, changed: 2, again: false });
});

test('failed jobs are counted without being run', async () => {
  await sql("select graphile_worker.add_job('render_pdf', '{}'::json, max_attempts => 1)");
  await sql("update graphile_worker._private_jobs set attempts = 1, last_error = 'no font'");
  const all = ['jobs', 'retry-failed', '--error', 'no font', ...REASON];
  const counted = await run(...all, '--dry-run');
  expect(counted).toMatchObject({ changed: 0, again: false });
  expect(await run(...all, '--live')).toMatchObject({
    matching: counted.matching,
    changed: counted.matching,
  });
  expect(await run(...all, '--dry-run')).toMatchObject({ matching: 0 });
});

test('the console shows what has one cause once, with the number and what can be done to all', async () => {
  await stopAll();
  await parkAll();
  const overview = (await ada.get('/console')).text;
  expect(overview).toContain('3 chains');
  expect(overview.match(/El NIF no está identificado en el censo/g)).toHaveLength(1);
  expect(overview).toContain('href="/console/failures/retry-chains?cause=4102%3A%20El%20NIF');
  const failures = (await ada.get('/console/failures')).text;
  expect(failures).toContain('3 records');
  expect(failures).toContain('href="/console/failures/unpark-records?cause=3002%3A%20refused"');
  const form = (await ada.get('/console/failures/retry-chains?cause=4102%3A%20El')).text;
  expect(form).toContain('value="4102: El"');
  const sent = { cause: '4102: El', companyId: '', reason: REASON[1]! };
  const counted = await ada.post('/console/failures/retry-chains', { ...sent, dryRun: 'yes' });
  expect((await ada.get(counted.location!)).text).toContain('3 match. Nothing was changed.');
  expect(await stopped()).toBe(3);
  const done = await ada.post('/console/failures/retry-chains', sent);
  expect((await ada.get(done.location!)).text).toContain('3 chains send again');
  expect(await stopped()).toBe(0);
  await ada.post('/console/failures/unpark-records', { ...sent, cause: '3002' });
  expect(await parked()).toBe(0);
});

test('jobs of one kind with the same error are one row with their number', async () => {
  await sql('delete from graphile_worker._private_jobs');
  for (const n of [1, 2, 3])
    await sql(`select graphile_worker.add_job('send_email', '{}'::json, job_key => 'mail ${n}')`);
  await sql("update graphile_worker._private_jobs set attempts = 1, last_error = 'no mail server'");
  const { text } = await ada.get('/console/jobs');
  expect(text).toContain('3 jobs');
  expect(text.match(/<code>no mail server<\/code>/g)).toHaveLength(1);
  expect(text).toContain('/jobs/retry-failed?task=send_email&error=no%20mail%20server');
});

test('a company that does not exist is an error in every command that takes one', async () => {
  const program = buildProgram({ ...process, ended() {} } as never);
  const taking = program.commands.flatMap((group) =>
    [group, ...group.commands].flatMap((command) => {
      const name = command === group ? [group.name()] : [group.name(), command.name()];
      const takes = command.options.some(({ long }) => long === '--company');
      return takes ? [{ name, command }] : [];
    }),
  );
  expect(taking.length).toBeGreaterThan(30);
  for (const { name, command } of taking) {
    const operands = command.registeredArguments.map(() => '1');
    const options = command.options
      .filter(({ mandatory, long }) => (mandatory || long === '--environment') && long !== '--company')
      .flatMap(({ long, argChoices, attributeName }) => [
        ...[long!, sentFor(long!) ?? argChoices?.[0] ?? `/none/${attributeName.name}`],
      ]);
    const needsReason = command.options.some(({ long }) => long === '--reason');
    const reason = needsReason && !options.includes('--reason') ? REASON : [];
    const answer = await run(...name, ...operands, ...options, ...reason, '--company', 'co_zzz');
    expect(answer, name.join(' ')).toMatchObject({ exit: 4, detail: expect.stringContaining('company') });
  }
});

/** What an option takes besides a text. */
const sentFor = (option: string): string | undefined =>
  ({
    ...{ '--environment': 'test', '--from': '2026-01-01', '--to': '2026-01-31', '--month': '2026-01' },
    ...{ '--until': '2026-01-31', '--file': '/none.csv' },
  })[option];
