import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/processes/running-program.ts';
import { aShopWithWebhooks } from '../support/webhooks/shop.ts';
import { guideReceivers, type Listening } from './webhook-receivers.ts';

const { given, create, call, issue, run, deliveries } = aShopWithWebhooks();
const receivers = guideReceivers();
afterAll(() => {
  for (const { remove } of receivers) remove();
});

type Sent = { readonly headers: Record<string, string>; readonly body: string };

/** Stands before a receiver, to which it passes everything on as it came, and keeps it. */
async function relay() {
  const sent: Sent[] = [];
  let to = '';
  const server = createServer(async (request, response) => {
    const { host, connection, ...headers } = request.headers as Record<string, string>;
    sent.push({ headers, body: await text(request) });
    response.writeHead(await post(to, sent.at(-1)!)).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    sent,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    pointTo(url: string) {
      to = url;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const post = async (url: string, { headers, body }: Sent) =>
  (await fetch(url, { method: 'POST', headers, body })).status;

/** A name whose letters take more than one byte each. */
const SALE = {
  type: 'simplified',
  line_items: [
    { description: 'Piñón “€” 你好', quantity: 1, unit_amount: 100, tax_items: [{ type: 'vat', rate: 10 }] },
  ],
};

/** Posts a delivery again, and what was made of it. */
async function expectRightAnswers(url: string, { headers, body }: Sent, secret: string): Promise<void> {
  const own = new Webhook(secret);
  const signed = (by: Webhook, secondsAgo: number): Sent => {
    const at = new Date(Date.now() - secondsAgo * 1_000);
    const signature = by.sign(headers['webhook-id']!, at, body);
    const timestamp = String(Math.floor(at.getTime() / 1_000));
    return {
      headers: { ...headers, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
      body,
    };
  };
  const unsigned = { 'content-type': 'application/json' };
  const other = new Webhook(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
  const answers = {
    again: await post(url, { headers, body }),
    altered: await post(url, { headers, body: body.replace('"total":110', '"total":111') }),
    underAnotherId: await post(url, { headers: { ...headers, 'webhook-id': 'evt_other' }, body }),
    byAnother: await post(url, signed(other, 0)),
    unsigned: await post(url, { headers: unsigned, body }),
    halfSigned: await post(url, { headers: { ...headers, 'webhook-signature': 'v1' }, body }),
    oddlySigned: await post(url, { headers: { ...headers, 'webhook-signature': 'v1,%' }, body }),
    fourMinutesOld: await post(url, signed(own, 240)),
    fiveMinutesOld: await post(url, signed(own, 310)),
    ofTheFuture: await post(url, signed(own, -310)),
  };
  expect(body).toContain('"total":110');
  expect(answers).toEqual({
    ...{ again: 204, altered: 400, underAnotherId: 400, byAnother: 400, unsigned: 400 },
    ...{ halfSigned: 400, oddlySigned: 400 },
    ...{ fourMinutesOld: 204, fiveMinutesOld: 400, ofTheFuture: 400 },
  });
}

describe.each(receivers)('the guide’s receiver in $language', ({ listen }) => {
  test.skipIf(listen === null)(
    'accepts what the service delivers, and nothing that was altered, signed by another or kept for long',
    async () => {
      const before = await relay();
      let receiver: Listening | null = null;
      try {
        const { id, secret } = await create(['invoice.issued'], before.url);
        receiver = await listen!(secret);
        const { url, output } = receiver;
        before.pointTo(url);
        const { id: issued } = await issue(SALE);
        await run();
        expect(await deliveries(id)).toMatchObject([
          { status: 'delivered', attempts: [{ http_status: 204 }] },
        ]);
        await eventually(
          async () => output(),
          (received) => received.includes('invoice.issued') && received.includes(issued),
        );

        expect(before.sent[0]!.body).toContain('Piñón “€” 你好');
        await expectRightAnswers(url, before.sent[0] as Sent, secret);

        // During a rotation it has the old secret, and each delivery two signatures.
        await call('POST', `/v1/webhook_endpoints/${id}/rotate_secret`, { grace_hours: 1 });
        await issue(SALE);
        await run();
        expect(before.sent.at(-1)!.headers['webhook-signature']!.split(' ')).toHaveLength(2);
        expect(await deliveries(id)).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
        expect(given.receiver.received).toEqual([]);
      } finally {
        await receiver?.stop();
        before.close();
      }
    },
    300_000,
  );
});
