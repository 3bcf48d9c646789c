import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJobs } from '../../jobs/runner.ts';
import { sampleOperationsTask } from '../../jobs/sample-operations.ts';
import { inTransaction } from '../../src/ground/db/transaction.ts';
import { enqueue } from '../../src/ground/queue/enqueue.ts';
import { sampleOperations } from '../../src/subjects/operations/history.ts';
import { fillEveryTable } from '../support/database/rows.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

/** The job that samples what the console plots. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service?.close());

type Sample = Readonly<Record<'invoices' | 'records' | 'deliveries' | 'unsent' | 'oldest', number>>;

/** The newest sample, as numbers. */
async function newest(): Promise<Sample> {
  const { rows } = await service.owner.query<Sample>(
    `select invoices::int, records::int, deliveries::int, unsent::int, oldest_unsent_seconds as oldest
       from operations_sample order by taken_at desc limit 1`,
  );
  return rows[0]!;
}

const count = async () =>
  (await service.owner.query<{ n: number }>('select count(*)::int as n from operations_sample')).rows[0]!.n;

test('samples what was issued, recorded and delivered, what waits to be sent, and since when', async () => {
  const sample = sampleOperationsTask(service.services);
  await sample({}, {} as never);
  const before = await newest();
  const client = await service.owner.connect();
  try {
    await fillEveryTable(client, service.company.live);
    // Sealed: of such a record only somebody who may do everything can say that it is older.
    await client.query('set session_replication_role = replica');
    await client.query("update registration_record set generated_at = now() - interval '1 hour'");
    await client.query('reset session_replication_role');
    await client.query('select pg_stat_force_next_flush()');
  } finally {
    client.release();
  }
  await sample({}, {} as never);
  const after = await newest();
  expect({
    invoices: after.invoices - before.invoices,
    records: after.records - before.records,
    deliveries: after.deliveries - before.deliveries,
    unsent: after.unsent - before.unsent,
  }).toEqual({ invoices: 2, records: 1, deliveries: 1, unsent: 1 });
  expect([before.oldest, Math.floor(after.oldest / 60)]).toEqual([0, 60]);
});

test('of one moment there is one sample', async () => {
  const before = await count();
  await inTransaction(service.db.pool, async (client) => {
    await sampleOperations(client);
    await sampleOperations(client);
  });
  expect(await count()).toBe(before + 1);
});

test('is done by a job that workers know and schedule', async () => {
  const jobs = await startJobs(service.services, () => {});
  try {
    const known =
      "select 1 from graphile_worker._private_known_crontabs where identifier = 'sample-operations'";
    await expect.poll(async () => (await service.owner.query(known)).rowCount).toBe(1);
    const before = await count();
    await enqueue(service.db.pool, [{ task: 'sample_operations', payload: {} }]);
    await expect.poll(count).toBeGreaterThan(before);
  } finally {
    await jobs.stop();
  }
});
