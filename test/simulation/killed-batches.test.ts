import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freeJobsOfDeadWorkers } from '../../src/ground/queue/dead-workers.ts';
import { workBatches } from '../../src/subjects/batches/work-batches.ts';
import { createIssueQueue } from '../../src/subjects/issuing/issue-invoice.ts';
import { newDataDir, testSimulator } from '../support/agency/simulator.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { endPrograms, eventually, runProgram } from '../support/processes/running-program.ts';
import { crashingWorker } from './crashing-worker.ts';
import { seeded } from './random.ts';

/** Invoices of a batch that outlives several processes. */
const SIZE = 400;

/** Whoever works on a batch dies, again and again; whoever comes after goes on. */
let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(async () => {
  endPrograms();
  await service.close();
});

async function send({ key }: TestEnvironment, count: number): Promise<string> {
  const invoices = Array.from({ length: count }, (_, index) =>
    aSimplifiedInvoice({ external_id: `x-${index + 1}`, ...(index % 7 === 3 ? { line_items: [] } : {}) }),
  );
  const { status, body } = await service.call('POST', '/v1/invoice_batches', { key, body: { invoices } });
  expect(status).toBe(202);
  return body.id;
}

/** Each invoice once, numbered in the order in which they were sent, with no number left out; each fault told once. */
async function expectWhole({ environmentId, chainId, key }: TestEnvironment, id: string, count: number) {
  const { body } = await service.call('GET', `/v1/invoice_batches/${id}`, { key });
  const faulty = Array.from({ length: count }, (_, index) => index).filter((index) => index % 7 === 3);
  const issued = count - faulty.length;
  expect(body).toMatchObject({ status: 'completed', issued, failed: faulty.length, pending: 0 });
  const { rows } = await service.owner.query(
    `select item.position, item.state, invoice.external_id, invoice.series_number, invoice.id = item.reserved_id as own
       from invoice_batch_item item left join invoice on invoice.environment_id = $1 and invoice.id = item.invoice_id
      where item.environment_id = $1 and item.batch_id = $2 order by item.position`,
    [environmentId, id],
  );
  let number = 0;
  expect(rows).toEqual(
    rows.map(({ position }, index) => {
      if (faulty.includes(index))
        return { position, state: 'failed', external_id: null, series_number: null, own: null };
      number += 1;
      return { position, state: 'issued', external_id: `x-${index + 1}`, series_number: number, own: true };
    }),
  );
  const counted = await service.owner.query(
    `select (select count(*)::int from invoice where environment_id = $1) as invoices,
            (select count(*)::int from registration_record where chain_id = $2) as records`,
    [environmentId, chainId],
  );
  expect(counted.rows).toEqual([{ invoices: issued, records: issued }]);
}

test('at every moment between two statements', async () => {
  const { services, db } = service;
  const agency = { post: () => Promise.reject(new Error('not asked')), close: () => {} };
  let deaths = 0;
  for (let dies = 1; ; dies += 1) {
    const { test: environment } = await createCompany(db);
    const id = await send(environment, 5);
    const worker = crashingWorker(db, agency, dies);
    const dying = { ...services, db: worker.db, issueQueue: createIssueQueue({ db: worker.db }) };
    const end = await Promise.race([
      workBatches(dying, environment.environmentId, undefined).then(() => 'done' as const),
      worker.death.then(() => 'died' as const),
    ]);
    if (end === 'died') {
      deaths += 1;
      await workBatches(services, environment.environmentId, undefined);
    }
    await expectWhole(environment, id, 5);
    if (end === 'done') break;
  }
  expect(deaths).toBeGreaterThan(10);
});

test('killed with kill -9 as a process, three times', async () => {
  const random = seeded(20_261_122);
  const simulator = await testSimulator();
  const dataDir = newDataDir();
  const start = () =>
    runProgram('jobs/main.ts', {
      DATA_DIR: dataDir,
      DATABASE_URL: service.databaseUrl,
      METRICS_PORT: '0',
      SIMULATOR_URL: simulator.url,
      SIMULATOR_TLS_URL: simulator.tlsUrl,
      SIMULATOR_TLS_DIR: simulator.tlsDir,
    });
  const batches: [TestEnvironment, string][] = [];
  for (let made = 0; made < 2; made += 1) {
    const { test: environment } = await createCompany(service.db);
    batches.push([environment, await send(environment, SIZE)]);
  }
  const progress = async () => {
    const { rows } = await service.owner.query(
      'select sum(issued + failed)::int as done from invoice_batch where id = any($1)',
      [batches.map(([, id]) => id)],
    );
    return rows[0].done as number;
  };
  for (let kill = 0; kill < 3; kill += 1) {
    const done = await progress();
    const wanted = done + random.integer(1, SIZE / 3);
    const victim = start();
    await eventually(progress, (now) => now >= Math.min(wanted, 2 * SIZE));
    await victim.end('SIGKILL');
    // What others do each minute, with one that has been silent for some seconds.
    await service.owner.query(`
      update service_process set beat_at = beat_at - interval '1 minute';
      update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute';
      update graphile_worker._private_job_queues set locked_at = locked_at - interval '1 minute'`);
    expect(await freeJobsOfDeadWorkers(service.owner)).toBeGreaterThan(0);
  }
  const last = start();
  await eventually(progress, (done) => done === 2 * SIZE);
  await last.end('SIGTERM');
  for (const [environment, id] of batches) await expectWhole(environment, id, SIZE);
  await simulator.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
