import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { Closing } from '../../src/startup/closing.ts';
import { examineOnce, monitorDatabase } from '../../src/startup/lineage.ts';
import { type DatabaseProxy, databaseProxy } from '../support/database/database-proxy.ts';
import { holdRequest } from '../support/database/held-requests.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { testLog } from '../support/processes/run-log.ts';
import { eventually } from '../support/processes/running-program.ts';

/** A service whose way to the database can be broken, and one beside it that is well. */
let proxy: DatabaseProxy;
let well: TestService;
let service: TestService;
beforeAll(async () => {
  well = await testService();
  proxy = await databaseProxy(inject('postgresUrl'));
  service = await testService({}, { beside: well, reachDatabase: (url) => proxy.through(url) });
});
afterAll(async () => {
  await service.close();
  await proxy.close();
  await well.close();
});
afterEach(() => {
  proxy.resume();
  clock.reset();
});

const UNAVAILABLE = { status: 503, code: 'service_unavailable', retryAfter: 5 };

describe.each(PROTOCOLS)('without its database the service over %s', (protocol) => {
  test('answers with a time to retry, and works again when it is available', async () => {
    const operations = operationsOf(service, protocol);
    const { body: issued } = await operations.issue(aSimplifiedInvoice());
    proxy.cut();
    for (const reply of [
      await operations.issue(aSimplifiedInvoice()),
      await operations.validate(aSimplifiedInvoice()),
      await operations.invoice(issued.id),
      await operations.invoices({}),
      await operations.createSeries({ prefix: 'X', type: 'standard' }),
      await operations.seriesList({}),
      await operations.validateTaxId({ tax_id: '12345678Z' }),
    ]) {
      expect(reply).toMatchObject(UNAVAILABLE);
    }
    proxy.resume();
    expect(await operations.invoice(issued.id)).toMatchObject({ status: 200 });
  });

  test('answers the same when it loses its connection in the middle of a read', async () => {
    const operations = operationsOf(service, protocol);
    const blocker = await well.owner.connect();
    await blocker.query('begin; lock table invoice in access exclusive mode');
    const reading = operations.invoices({});
    await eventually(
      () => well.db.pool.query(`select 1 from pg_locks where relation = 'invoice'::regclass and not granted`),
      ({ rowCount }) => rowCount === 1,
    );
    proxy.cut();
    expect(await reading).toMatchObject(UNAVAILABLE);
    await blocker.query('rollback');
    blocker.release();
  });
});

test('what waited for the database is aborted by its first examination, before anything is issued', async () => {
  const watching = new Closing();
  let isDone = false;
  service.db.lineage.whenAvailable(1, async () => {
    isDone = true;
  });
  await monitorDatabase({ db: service.db, log: testLog() }, { dataDir: null, issues: true }, watching);
  expect(isDone).toBe(true);
  await watching.run(testLog());
});

test('a server that took over is examined at the first check, although connections to the previous one are open', async () => {
  const { db } = service;
  await examineOnce({ db, log: testLog() }, null);
  const [system, , database] = db.lineage.known!.split('/');
  db.lineage.known = `${system}/00000000/${database}`;
  await well.owner.query('update database_lineage set identity = $1', [db.lineage.known]);
  await Promise.all(Array.from({ length: 5 }, () => db.pool.query('select pg_sleep(0.05)')));
  const logged: string[] = [];
  const watching = new Closing();
  const log = testLog((line) => logged.push(JSON.parse(line).msg), 'warn');
  await monitorDatabase({ db, log }, { dataDir: null, issues: true }, watching);
  expect(logged).toEqual([expect.stringMatching(/^a standby took over/i)]);
  await watching.run(testLog());
});

test('a process without its database is alive, but not ready', async () => {
  proxy.cut();
  expect((await service.call('GET', '/healthz', { key: null })).status).toBe(200);
  expect((await service.call('GET', '/readyz', { key: null })).status).toBe(503);
  proxy.resume();
  expect((await service.call('GET', '/readyz', { key: null })).status).toBe(200);
});

describe('a commit whose connection is lost', () => {
  const issue = (on: TestService, external_id: string) =>
    operationsOf(on, 'REST').issue(aSimplifiedInvoice({ external_id }), { idempotencyKey: external_id });
  /** Whatever the test came to, the next one finds no gate, and the service no session that waits at one. */
  const holdUp = async (place: Parameters<typeof holdRequest>[1]) => {
    const hold = await holdRequest(well, place, service.company.test.environmentId);
    onTestFinished(async () => void (await dropGates()));
    return hold;
  };

  test('is queried, and answered as what it was', async () => {
    const hold = await holdUp('commit on invoice');
    const issuing = issue(service, 'lost');
    await hold.reached();
    // The commit is on its way; its answer will not come, but the database can be asked again.
    proxy.cut();
    proxy.resume();
    await hold.release();
    const reply = await issuing;
    expect(reply).toMatchObject({ status: 201, replayed: false });
    expect(await issue(well, 'lost')).toMatchObject({
      status: 201,
      replayed: true,
      body: { id: reply.body.id },
    });
  });

  test('whose outcome is unknown frees its key when the database answers again', async () => {
    const watching = new Closing();
    await monitorDatabase({ db: service.db, log: testLog() }, { dataDir: null, issues: true }, watching);
    const hold = await holdUp('commit on invoice');
    const issuing = issue(service, 'unknown');
    await hold.reached();
    proxy.cut();
    expect(await issuing).toMatchObject(UNAVAILABLE);
    await hold.end();
    await hold.release();
    await dropGates();
    proxy.resume();
    const reply = await eventually(
      () => issue(well, 'unknown'),
      ({ status }) => status !== 409,
    );
    expect(reply).toMatchObject({ status: 201, replayed: false, body: { external_id: 'unknown' } });
    await watching.run(testLog());
  });

  test('whose backend is killed before frees its key at once', async () => {
    const hold = await holdUp('insert on registration_record');
    const issuing = issue(service, 'killed');
    await hold.reached();
    await hold.end();
    expect(await issuing).toMatchObject(UNAVAILABLE);
    await hold.release();
    await dropGates();
    expect(await issue(well, 'killed')).toMatchObject({ status: 201, replayed: false });
  });

  const dropGates = () => well.owner.query('drop function if exists hold_up() cascade');
});

test('a key that was claimed, and whose claim was not answered, is free when the database answers again', async () => {
  const watching = new Closing();
  await monitorDatabase({ db: service.db, log: testLog() }, { dataDir: null, issues: true }, watching);
  const issueOn = (on: TestService) =>
    operationsOf(on, 'REST').issue(aSimplifiedInvoice(), { idempotencyKey: 'unheard' });
  const hold = await holdRequest(well, 'insert on idempotency_key', service.company.test.environmentId);
  const issuing = issueOn(service);
  await hold.reached();
  proxy.deafen();
  await hold.release();
  const claimed = () => well.owner.query("select from idempotency_key where key = 'unheard'");
  await eventually(claimed, ({ rowCount }) => rowCount === 1);
  proxy.cut();
  expect(await issuing).toMatchObject(UNAVAILABLE);
  expect(await issueOn(well)).toMatchObject({ status: 409 });
  proxy.resume();
  const reply = await eventually(
    () => issueOn(well),
    ({ status }) => status !== 409,
  );
  expect(reply).toMatchObject({ status: 201, replayed: false });
  await watching.run(testLog());
  await well.owner.query('drop function hold_up() cascade');
});

test('a chain that another process locks for too long is answered with a retry, and nothing is kept', async () => {
  const operations = operationsOf(service, 'REST');
  const hold = await holdRequest(well, 'the chain', service.company.test.environmentId);
  const body = aSimplifiedInvoice({ external_id: 'patient' });
  expect(await operations.issue(body, { idempotencyKey: 'patient' })).toMatchObject(UNAVAILABLE);
  await hold.release();
  expect(await operations.issue(body, { idempotencyKey: 'patient' })).toMatchObject({
    status: 201,
    replayed: false,
  });
});
