import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentFigures } from '../../src/subjects/operations/store/read-silent.ts';
import { fillEveryTable } from '../support/database/rows.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service?.close());

const figures = () => silentFigures(service.db.pool);
const sql = (text: string) => service.owner.query(text);

test('nothing fails where nothing was set up', async () => {
  expect(await figures()).toMatchObject({
    ...{ endpointFailingSeconds: 0, endpointsDisabled: 0, emailWaitingSeconds: 0 },
    ...{ slotRetainedBytes: 0, slotsInactive: 0, archiveFailing: false },
  });
});

test('the endpoint that fails for longest, those that the service disabled, and the oldest e-mail that waits are told', async () => {
  const client = await service.owner.connect();
  await fillEveryTable(client, service.company.test);
  client.release();
  await sql(`update webhook_endpoint set failing_since = now() - interval '2 days'`);
  await sql(`insert into webhook_endpoint (id, environment_id, url, event_types, status, disabled_reason, reached_sequence, created_at)
      select 'whe_' || n, ${service.company.test.environmentId}, 'https://example.com/', '{*}', 'disabled', reason, 0, now()
        from (values (2, 'it was disabled by hand'), (3, 'it answered 410 Gone')) as given (n, reason)`);
  await sql(`update invoice_email_state set status = 'queued', settled_at = null, next_at = now()`);
  const found = await figures();
  expect(found.endpointFailingSeconds).toBeGreaterThanOrEqual(2 * 86_400);
  expect(found.endpointsDisabled).toBe(1);
  expect(found.emailWaitingSeconds).toBeGreaterThanOrEqual(0);
});

test('a replication slot that nobody reads is counted, with the log that is kept for it', async () => {
  const name = `silent_${process.pid}`;
  await sql(`select pg_create_physical_replication_slot('${name}', true)`);
  try {
    await sql('create table written as select generate_series(1, 10000) as n');
    const { slotRetainedBytes, slotsInactive } = await figures();
    expect(slotsInactive).toBeGreaterThanOrEqual(1);
    expect(slotRetainedBytes).toBeGreaterThan(100_000);
  } finally {
    await sql(`select pg_drop_replication_slot('${name}')`);
  }
});
