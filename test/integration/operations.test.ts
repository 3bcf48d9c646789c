import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { verifyAndStore, verifyDue } from '../../src/subjects/operations/verification.ts';
import { submitChain } from '../../src/subjects/registration/submit.ts';
import { companyNif, dispatchOf, skipWait, statesOf } from '../support/agency/registration.ts';
import { type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { journalMissing } from '../support/database/journal.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { commandLine } from '../support/processes/command-line.ts';
import { testLog } from '../support/processes/run-log.ts';

let simulator: TestSimulator;
let service: TestService;
let operator: string;
let operatorId: string;
let company: TestCompany;
let companies = 1_000;
beforeAll(async () => {
  simulator = await testSimulator();
  service = await testService({}, { simulator });
  ({ key: operator, id: operatorId } = await createOperatorKey(service.db.pool, 'Ada'));
});
beforeEach(async () => {
  await simulator.control({ mode: 'ok', enforce_wait: false });
  companies += 1;
  company = await createCompany(service.db, { nif: companyNif(companies) });
  // What one test leaves waiting is not the next one's.
  const { rows: left } = await service.db.pool.query<{ id: number }>(
    `update record_state set status = 'skipped', settled_at = now() where status = 'pending' returning environment_id as id`,
  );
  for (const id of new Set(left.map((row) => row.id))) await journalMissing(service.db, id);
  await service.db.pool.query(`update chain_dispatch set stopped_at = null, stopped_reason = null, paused_at = null, paused_reason = null,
           incident_since = null;
    delete from graphile_worker._private_jobs`);
});
afterAll(() => service?.close());

const chain = () => ({ environmentId: company.live.environmentId, chainId: company.live.chainId });

async function issued(description = 'Servicio'): Promise<string> {
  const body = aSimplifiedInvoice({ line_items: [aLine({ description })] });
  const answer = await service.call('POST', '/v1/invoices', { key: company.live.key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { rows } = await service.db.pool.query('select id from registration_record where invoice_id = $1', [
    answer.body.id,
  ]);
  return rows[0].id;
}

async function send(): Promise<void> {
  await skipWait(service.db, chain());
  const line = await service.services.agencyClients.clientFor(company.live.environmentId);
  await submitChain({ db: service.db, log: testLog(), agency: line }, chain());
}

const execute = async (query: string, variables: object = {}, key = operator) =>
  (await service.graphql(query, variables, { key })).body;

const acts = async () => {
  const { rows } = await service.db.pool.query(
    'select action, subject, actor, reason from audit_entry where environment_id = $1 order by at, id',
    [company.live.environmentId],
  );
  return rows;
};

const waking = async () => {
  const { rows } = await service.db.pool.query('select key from graphile_worker.jobs where key = $1', [
    `register:${company.live.chainId}`,
  ]);
  return rows.length === 1;
};

const ON_CHAIN = (name: string) =>
  `mutation ($chainId: Int!, $reason: String!) { result: ${name}(chainId: $chainId, reason: $reason) { environmentId chainId } }`;
const ON_RECORD = (name: string) =>
  `mutation ($recordId: ID!, $reason: String!) { result: ${name}(recordId: $recordId, reason: $reason) { environmentId chainId } }`;

const WATCH = `{ operations {
  chains: chainList { edges { node {
    chainId pending parked oldestPendingAt nextSendAt stoppedReason pausedReason incidentSince hold sending } } }
  troubled: chainList(troubled: true) { edges { node { chainId } } }
  queue { task due scheduled running givenUp failing oldestDueSeconds }
  failures { kind cause count newestRecordId }
  documents { waiting oldestSeconds }
  parkedRecords: parkedRecordList { edges { node { recordId number invoiceId position reason attempts } } }
  verifications: verificationList { edges { node { environmentId environment findings verifiedAt } } }
  sendingIncident { pendingRecords since }
} }`;
const watch = async () => {
  const { operations } = (await execute(WATCH)).data;
  const nodesOf = (name: string) => operations[name].edges.map(({ node }: { node: object }) => node);
  const lists = ['chains', 'troubled', 'parkedRecords', 'verifications'];
  return { ...operations, ...Object.fromEntries(lists.map((name) => [name, nodesOf(name)])) };
};

describe('a chain that is paused', () => {
  test('sends nothing until it is resumed, and both are recorded with operator and reason', async () => {
    await issued();
    const { chainId } = chain();
    const paused = await execute(ON_CHAIN('pauseChain'), { chainId, reason: 'the advisor asked' });
    expect(paused.data.result).toEqual(chain());
    await send();
    expect(await statesOf(service.db, chain())).toMatchObject([{ status: 'pending', attempts: 0 }]);
    expect(await watch()).toMatchObject({
      chains: [{ chainId, pending: 1, pausedReason: 'the advisor asked' }],
      troubled: [{ chainId }],
    });
    await execute(ON_CHAIN('resumeChain'), { chainId, reason: 'they agreed' });
    expect(await waking()).toBe(true);
    await send();
    expect(await statesOf(service.db, chain())).toMatchObject([{ status: 'registered' }]);
    expect(await acts()).toEqual([
      { action: 'pause_chain', subject: `chain ${chainId}`, actor: operatorId, reason: 'the advisor asked' },
      { action: 'resume_chain', subject: `chain ${chainId}`, actor: operatorId, reason: 'they agreed' },
    ]);
  });

  test('shows the merchant how many records are unsent, and since when', async () => {
    const INCIDENT = '{ sendingIncident { since pendingRecords oldestPendingAt } }';
    await issued();
    expect((await execute(INCIDENT, {}, company.live.key)).data.sendingIncident).toBeNull();
    await issued();
    await execute(ON_CHAIN('pauseChain'), { chainId: chain().chainId, reason: 'x' });
    const { sendingIncident } = (await execute(INCIDENT, {}, company.live.key)).data;
    expect(sendingIncident).toMatchObject({ pendingRecords: 2 });
    // The neighbour has no incident, and neither has the test half.
    expect((await execute(INCIDENT, {}, service.company.live.key)).data.sendingIncident).toBeNull();
    expect((await execute(INCIDENT, {}, company.test.key)).data.sendingIncident).toBeNull();
    expect((await watch()).sendingIncident).toMatchObject({ pendingRecords: 2 });
    await execute(ON_CHAIN('resumeChain'), { chainId: chain().chainId, reason: 'x' });
    await send();
    expect((await execute(INCIDENT, {}, company.live.key)).data.sendingIncident).toBeNull();
  });
});

test('an agency that is unavailable is an incident until everything is sent', async () => {
  const INCIDENT = '{ sendingIncident { pendingRecords } }';
  await issued();
  await simulator.control({ mode: 'down' });
  await send();
  expect((await execute(INCIDENT, {}, company.live.key)).data.sendingIncident).toEqual({ pendingRecords: 1 });
  await simulator.control({ mode: 'ok' });
  await send();
  expect((await execute(INCIDENT, {}, company.live.key)).data.sendingIncident).toBeNull();
});

test('a stopped chain that is retried goes on, but never before the agency wants it', async () => {
  await issued();
  await simulator.control({ wait_seconds: 60 });
  await send();
  await issued();
  const { chainId } = chain();
  await service.db.pool.query(
    `update chain_dispatch set stopped_at = now(), stopped_reason = '4112: no mandate', consecutive_failures = 9,
            next_send_at = now() + interval '1 hour' where chain_id = $1`,
    [chainId],
  );
  expect((await watch()).failures).toContainEqual({
    ...{ kind: 'stopped', cause: '4112', count: 1, newestRecordId: null },
  });
  expect((await execute(ON_CHAIN('retryChain'), { chainId, reason: 'mandate given' })).data.result).toEqual(
    chain(),
  );
  const dispatch = await dispatchOf(service.db, chain());
  expect(dispatch).toMatchObject({ failures: 0, stopped: null });
  expect(dispatch.secondsToNext).toBeGreaterThan(0);
  expect(dispatch.secondsToNext).toBeLessThanOrEqual(60);
  expect(await waking()).toBe(true);
  expect(await acts()).toMatchObject([{ action: 'retry_chain', reason: 'mandate given' }]);
});

test('a parked record lets the others pass, and follows when it is unparked', async () => {
  // The first of a chain must be sent before all others.
  await issued();
  await send();
  const second = await issued();
  await issued();
  const parked = await execute(ON_RECORD('parkRecord'), { recordId: second, reason: 'looks wrong' });
  expect(parked.data.result).toEqual(chain());
  await send();
  expect(await statesOf(service.db, chain())).toMatchObject([
    { status: 'registered' },
    { status: 'pending', parked: 'looks wrong' },
    { status: 'registered' },
  ]);
  expect((await watch()).parkedRecords).toMatchObject([
    { recordId: second, position: 2, reason: 'looks wrong' },
  ]);
  await execute(ON_RECORD('unparkRecord'), { recordId: second, reason: 'it was right' });
  await send();
  expect(await statesOf(service.db, chain())).toMatchObject([
    { status: 'registered' },
    { status: 'registered', parked: null },
    { status: 'registered' },
  ]);
  expect((await acts()).map(({ action }) => action)).toEqual(['park_record', 'unpark_record']);
});

describe('an act is refused, and nothing is written down,', () => {
  test.each([
    ['pauseChain', ON_CHAIN('pauseChain'), { chainId: 999_999 }],
    ['resumeChain', ON_CHAIN('resumeChain'), { chainId: 999_999 }],
    ['retryChain', ON_CHAIN('retryChain'), { chainId: 999_999 }],
    ['parkRecord', ON_RECORD('parkRecord'), { recordId: 'rec_0' }],
    ['unparkRecord', ON_RECORD('unparkRecord'), { recordId: 'rec_0' }],
  ])('%s without its subject, without a reason, or without an operator', async (_name, query, subject) => {
    const { rows: before } = await service.db.pool.query('select count(*) from audit_entry');
    const codeOf = async (variables: object, key?: string) =>
      (await execute(query, variables, key)).errors[0].extensions.code;
    expect(await codeOf({ ...subject, reason: 'x' })).toBe('invalid_request');
    expect(await codeOf({ ...subject, reason: ' ' })).toBe('invalid_request');
    expect(await codeOf({ ...subject, reason: 'x' }, company.live.key)).toBe('forbidden');
    const { rows: after } = await service.db.pool.query('select count(*) from audit_entry');
    expect(after).toEqual(before);
  });

  test('such as resuming a chain that goes on, or parking a record that is registered', async () => {
    const record = await issued();
    await send();
    const resumed = await execute(ON_CHAIN('resumeChain'), { chainId: chain().chainId, reason: 'x' });
    expect(resumed.errors[0].extensions.code).toBe('invalid_request');
    const parked = await execute(ON_RECORD('parkRecord'), { recordId: record, reason: 'x' });
    expect(parked.errors[0].extensions.code).toBe('invalid_request');
    expect(await acts()).toEqual([]);
  });

  test('and so is reading', async () => {
    expect((await execute(WATCH, {}, company.live.key)).errors[0].extensions.code).toBe('forbidden');
    const verify = `{ verifyChain(environmentId: ${company.live.environmentId}) { records } }`;
    expect((await execute(verify, {}, company.live.key)).errors[0].extensions.code).toBe('forbidden');
  });
});

test('failures are counted by their cause', async () => {
  await issued('SIMULATE-REJECT');
  await issued('SIMULATE-REJECT');
  await issued('SIMULATE-FLAG');
  await send();
  const { failures, documents, queue } = await watch();
  expect(failures).toContainEqual(expect.objectContaining({ kind: 'rejected', cause: '1110', count: 2 }));
  expect(failures).toContainEqual(expect.objectContaining({ kind: 'registered_with_errors', count: 1 }));
  expect(documents.waiting).toBeGreaterThanOrEqual(3);
  expect(queue).toContainEqual(expect.objectContaining({ task: 'render_documents', due: 1, givenUp: 0 }));
});

/** The figures as a scraper reads them, by name and labels. */
async function scraped(): Promise<Map<string, number>> {
  const { body } = await service.call('GET', '/metrics', { key: null });
  const lines = (body as string).split('\n').filter((line) => line.startsWith('lacre_'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

test('/metrics has the same', async () => {
  const beside = await testService({}, { beside: service });
  try {
    await issued();
    const { chainId } = chain();
    await execute(ON_CHAIN('pauseChain'), { chainId, reason: 'x' });
    const { body } = await beside.call('GET', '/metrics', { key: null });
    expect(body).toContain('\nlacre_records_pending 1\n');
    expect(body).toContain('\nlacre_chains{state="paused"} 1\n');
    expect(body).toContain('\nlacre_chains{state="forked"} 0\n');
    expect(body).toMatch(/\nlacre_documents_waiting \d+\n/);
    expect(body).toContain('lacre_jobs{task="render_documents",state="due"}');
    expect(body).toContain('# TYPE process_cpu_user_seconds_total counter');
    // Kept for a moment: scraping more often costs nothing.
    await issued();
    expect((await beside.call('GET', '/metrics', { key: null })).body).toContain(
      '\nlacre_records_pending 1\n',
    );
  } finally {
    await beside.close();
  }
});

describe('verification', () => {
  const corrupt = (value: string) =>
    service.owner.query(
      `begin; set local session_replication_role = replica;
       update chain set last_fingerprint = '${value.repeat(64)}' where id = ${chain().chainId}; commit`,
    );
  const state = async () => {
    const { verifications } = await watch();
    return verifications.find(
      ({ environmentId }: { environmentId: number }) => environmentId === company.live.environmentId,
    );
  };

  test('on demand shows an operator what is wrong and where', async () => {
    const record = await issued();
    const query = `{ verifyChain(environmentId: ${company.live.environmentId}) {
      records complete findingCount findings { what chainId position recordId expected found } } }`;
    expect((await execute(query)).data.verifyChain).toMatchObject({
      records: 1,
      complete: true,
      findingCount: 0,
    });
    await corrupt('A');
    expect((await execute(query)).data.verifyChain.findings).toMatchObject([
      { what: 'tail', chainId: chain().chainId, position: 1, recordId: record },
    ]);
    expect((await execute('{ verifyChain(environmentId: 0) { records } }')).errors[0].extensions.code).toBe(
      'invalid_request',
    );
  });

  test('each nightly run stores its findings, and alarms', async () => {
    await issued();
    const logged: string[] = [];
    const log = testLog((line) => logged.push(line), 'info');
    await verifyDue({ ...service.services, log });
    expect(await state()).toMatchObject({ findings: 0, environment: 'live' });
    // Done for today.
    logged.length = 0;
    await verifyDue({ ...service.services, log });
    expect(logged).toEqual([]);

    await corrupt('A');
    await service.db.pool.query("update chain_verification set finished_at = now() - interval '1 day'");
    // Of this and of the test before.
    expect(await verifyDue({ ...service.services, log })).toBe(2);
    expect(logged.join('')).toContain('"level":50');
    expect(logged.join('')).toContain('A CHAIN IS NOT SOUND');
    expect(await state()).toMatchObject({ findings: 1 });
    const { rows } = await service.db.pool.query(
      'select findings, last_sound_at < finished_at as before from chain_verification where environment_id = $1',
      [company.live.environmentId],
    );
    expect(rows).toMatchObject([{ findings: [{ what: 'tail' }], before: true }]);
    const figures = await scraped();
    expect(figures.get('lacre_environments_unsound')).toBe(2);
    expect(figures.get('lacre_chain_findings')).toBe(2);
  });

  test('that was broken off and found nothing is not taken for one that is sound', async () => {
    await issued();
    const log = testLog();
    await verifyAndStore({ ...service.services, log }, company.live.environmentId, {
      signal: AbortSignal.abort(),
    });
    expect(await state()).toMatchObject({ verifiedAt: null });
    const signal = AbortSignal.abort();
    await expect(verifyDue({ ...service.services, log }, signal)).rejects.toThrow('broken off');
  });
});

test('the command line does the same', async () => {
  const record = await issued();
  const { chainId } = chain();
  const lacre = commandLine(service.db);
  const run = async (...words: string[]) => (await lacre([...words, '--json'])).json();
  const byHand = ['--reason', 'by hand', '--live'];
  expect(await run('jobs', 'pause', String(chainId), ...byHand)).toEqual(chain());
  expect(await run('chains', 'list')).toMatchObject([{ chainId, pausedReason: 'by hand' }]);
  await run('jobs', 'resume', String(chainId), ...byHand);
  await run('chains', 'retry', String(chainId), ...byHand);
  await run('jobs', 'park', record, ...byHand);
  expect(await run('jobs', 'parked')).toMatchObject([{ recordId: record }]);
  await run('chains', 'unpark', record, ...byHand);
  expect((await acts()).map(({ action, actor }) => `${action} ${actor.split(':')[0]}`)).toEqual(
    ['pause_chain', 'resume_chain', 'retry_chain', 'park_record', 'unpark_record'].map(
      (action) => `${action} cli`,
    ),
  );
  const opened = await run('chains', 'open-installation', String(company.live.environmentId), ...byHand);
  expect(opened).toMatchObject({ closedChainId: chainId, jumps: [] });
  const exitOf = async (...words: string[]) => (await lacre(words)).exit;
  expect(await exitOf('jobs', 'pause', '0999999', '--reason', 'x')).toBe(4);
  expect(await exitOf('jobs', 'pause', 'x', '--reason', 'x')).toBe(2);
  expect(await exitOf('jobs', 'pause', String(chainId))).toBe(2);
});
