import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

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
