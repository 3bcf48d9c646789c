import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { decideRecords } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

/** When the chain may send next, in seconds from now. */
const sendsIn = (seconds: number) =>
  service.db.pool.query(
    'update chain_dispatch set next_send_at = now() + make_interval(secs => $2) where environment_id = $1',
    [service.company.live.environmentId, seconds],
  );

const OF_LIVE = () => ({ key: service.company.live.key });

test.each(PROTOCOLS)(
  'over %s a correction of what is pending is to be tried again after the chain’s next step',
  async (protocol) => {
    const operations = operationsOf(service, protocol);
    const { body } = await operations.issue(aCompleteInvoice(), OF_LIVE());
    const correction = aCompleteInvoice({
      rectifies: { invoice_id: body.id, method: 'differences' },
      recipient: undefined,
      line_items: [aLine({ unit_amount: -100 })],
    });
    for (const [seconds, least, most] of [
      [-1, 5, 5],
      [40, 40, 45],
      [86_400, 900, 900],
    ] as const) {
      await sendsIn(seconds);
      const refused = await operations.issue(correction, OF_LIVE());
      expect(refused).toMatchObject({ status: 503, code: 'invoice_pending_at_aeat' });
      expect(refused.retryAfter).toBeGreaterThanOrEqual(least);
      expect(refused.retryAfter).toBeLessThanOrEqual(most);
    }
  },
);

describe('the same holds', () => {
  const OF_CHAIN = { status: 503, code: 'invoice_pending_at_aeat' };
  const inSeconds = (value: unknown) => {
    expect(value).toBeGreaterThanOrEqual(40);
    expect(value).toBeLessThanOrEqual(45);
  };

  test('of an amendment', async () => {
    const { body } = await service.call('POST', '/v1/invoices', { body: aCompleteInvoice(), ...OF_LIVE() });
    await sendsIn(40);
    const query = `mutation { amendRecord(input: { invoiceId: "${body.id}", reason: "r", description: "Obra" }) { id } }`;
    const { extensions } = (await service.graphql(query, {}, OF_LIVE())).body.errors[0];
    expect(extensions).toMatchObject(OF_CHAIN);
    inSeconds(extensions.retryAfter);
  });

  test.each([
    ['a return', 'returns', { line_items: [aLine({ quantity: 1, unit_amount: -100 })] }],
    ['a replacement', 'replacement', { recipient: aCompleteInvoice().recipient }],
  ])('of %s after an exchange', async (_what, path, parts) => {
    const post = (to: string, body: object) => service.call('POST', to, { body, ...OF_LIVE() });
    const ticket = await post('/v1/invoices', aSimplifiedInvoice());
    const { recipient } = aCompleteInvoice();
    const exchangeIt = () => post('/v1/exchanges', { ticket_ids: [ticket.body.id], recipient });
    await sendsIn(40);
    const pending = await exchangeIt();
    expect({ status: pending.status, code: pending.body.code }).toEqual(OF_CHAIN);
    inSeconds(Number(pending.headers.get('retry-after')));
    await decideRecords(service.db, ticket.body.id, 'registered');
    const exchange = await exchangeIt();
    expect(exchange.status, JSON.stringify(exchange.body)).toBe(201);
    await sendsIn(40);
    const refused = await post(`/v1/exchanges/${exchange.body.id}/${path}`, { ...parts, reason: 'r' });
    expect({ status: refused.status, code: refused.body.code }).toEqual(OF_CHAIN);
    inSeconds(Number(refused.headers.get('retry-after')));
  });
});
