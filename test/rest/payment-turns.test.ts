import { afterAll, beforeAll, expect, test } from 'vitest';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';

/** What several payments of one invoice take of the database at once. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const today = () => madridDay(new Date());
const issued = async (): Promise<string> => {
  const { status, body } = await service.call('POST', '/v1/invoices', { body: aCompleteInvoice() });
  expect(status).toBe(201);
  return body.id;
};
const record = (id: string, amount: number) =>
  service.call('POST', `/v1/invoices/${id}/payments`, { body: { amount, paid_on: today() } });

/** The connections that wait for the account of an invoice. */
async function waiting(): Promise<number> {
  const { rows } = await service.owner.query(
    `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%payment_account%for update%'`,
  );
  return rows.length;
}

test('one payment or status of an invoice at a time holds a connection; those of others do not wait for it', async () => {
  const [id, other] = [await issued(), await issued()];
  expect((await record(id, 1)).status).toBe(201);
  const holder = await service.owner.connect();
  try {
    await holder.query('begin');
    await holder.query('select from payment_account where root_id = $1 for update', [id]);
    const held = [
      ...[2, 3, 4].map((amount) => record(id, amount)),
      service.call('POST', `/v1/invoices/${id}/recipient_statuses`, {
        body: { status: 'paid', on: today() },
      }),
    ];
    await expect.poll(waiting).toBe(1);
    expect((await record(other, 1)).status).toBe(201);
    expect(await waiting()).toBe(1);
    await holder.query('commit');
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  } finally {
    holder.release(true);
  }
  const { body } = await service.call('GET', `/v1/invoices/${id}?expand[]=payments`);
  expect(body.amount_paid).toBe(10);
});
