import { rawRequest } from '../../support/http/raw-http.ts';
import { aSimplifiedInvoice } from '../../support/invoices/invoices.ts';
import type { Attack } from '../attack.ts';
import { largeInvoice } from '../large-invoice.ts';
import { acceptingReceiver, failingReceivers } from '../receivers.ts';
import { post } from './work.ts';

/** Receivers that do what they like, and events of long invoices for many who want them. */

/** As many as an environment may have. */
const ENDPOINTS = 20;

const endpoint = (key: string, url: string, eventTypes: readonly string[] = ['*']) =>
  post('/v1/webhook_endpoints', key, { url, event_types: eventTypes });

/** What an attack has opened must not be tried for hours: it is removed in the end. */
async function removeEndpoints(port: number, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const headers = { authorization: `Bearer ${key}` };
    const url = `http://127.0.0.1:${port}/v1/webhook_endpoints`;
    const list = await fetch(`${url}?limit=100`, { headers });
    const { data } = (await list.json()) as { data: { id: string }[] };
    for (const { id } of data) await fetch(`${url}/${id}`, { method: 'DELETE', headers });
  }
}

/** All that happened in the attacker's environment, with each event's whole invoice, from the beginning on. */
const FROM_THE_BEGINNING = JSON.stringify({
  query: 'subscription { event(afterSequence: 0) { id type data } }',
});

export const webhookAttacks: readonly Attack[] = [
  {
    name: 'bad-receivers',
    what: '180 endpoints of nine merchants that hang, drip, write a gigabyte, redirect, refuse or speak no HTTP, and 540 invoices',
    async round({ flood, hold, target }) {
      const keys = [target.key, ...target.furtherKeys];
      const receivers = await failingReceivers();
      try {
        await flood(ENDPOINTS * keys.length, 4, (index) =>
          endpoint(
            keys[index % keys.length]!,
            receivers[Math.floor(index / keys.length) % receivers.length]!.url,
          ),
        );
        const bodies = keys.map((key) => post('/v1/invoices', key, aSimplifiedInvoice()));
        await flood(540, 4, (index) => bodies[index % bodies.length]!);
        // As long as the attempts take; the connections themselves do nothing.
        await hold({ connections: 1, bytes: () => '' });
      } finally {
        await removeEndpoints(target.port, keys);
        for (const receiver of receivers) receiver.close();
      }
    },
  },
  {
    name: 'long-deliveries',
    what: '20 endpoints that take all, and 120 invoices of 500 lines for them',
    async round({ flood, hold, target }) {
      const receiver = await acceptingReceiver();
      try {
        await flood(ENDPOINTS, 4, () => endpoint(target.key, receiver.url));
        await flood(120, 4, () => post('/v1/invoices', target.key, largeInvoice()));
        await hold({ connections: 1, bytes: () => '' });
      } finally {
        await removeEndpoints(target.port, [target.key]);
        receiver.close();
      }
    },
  },
  {
    name: 'resumed-subscriptions',
    what: '300 subscriptions to everything from the beginning, 60 invoices of 500 lines, half of which are read',
    async round({ flood, hold, target }) {
      await flood(60, 4, () => post('/v1/invoices', target.key, largeInvoice()));
      const headers = {
        authorization: `Bearer ${target.key}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      };
      const bytes = () => rawRequest('POST', '/graphql', headers, FROM_THE_BEGINNING);
      await Promise.all([
        hold({ connections: 150, bytes }),
        hold({ connections: 150, bytes, readBytesASecond: 1024 ** 2 }),
      ]);
    },
  },
];
