import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Invoice, LacreClient, type LacreEvent } from '@lacre/client';
import type { Lacre } from '../demo.ts';
import { explain } from './explain.ts';
import { type Customer, customerIdOf, type Item, type Order } from './order.ts';
import { Shop } from './shop.ts';
import { webhookServer } from './webhook.ts';

const SHIRT: Item = { sku: 'CAM-M', name: 'Camisa de lino', quantity: 2, price: 29_95, vat: 21 };
const BOOK: Item = { sku: 'LIB-1', name: 'Cuentos del sur', quantity: 1, price: 18_90, vat: 4 };
const CLUB: Item = { sku: 'CLUB', name: 'Club de lectura', quantity: 1, price: 9_90, vat: 21 };

/** An invoice as an event tells of it. */
type Told = Extract<LacreEvent, { type: 'invoice.issued' }>['data']['object'];

/** A day of a shop: every sale, refund and exchange, with the events that tell of them. `print` gets a line for each step. */
export async function walk({ url, key }: Lacre, print: (line: string) => void): Promise<void> {
  const lacre = new LacreClient({ baseUrl: url, key });
  const events: LacreEvent[] = [];
  let secret = '';
  const server = webhookServer(
    () => secret,
    (event) => void events.push(event),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lacre`;
  const endpoint = await lacre.webhookEndpoints.create({
    ...{ url: address, description: 'Shop' },
    event_types: ['invoice.issued', 'invoice.registered', 'invoice.rejected', 'invoice_schedule.failed'],
  });
  secret = endpoint.secret;
  try {
    await walkWith(lacre, events, print);
  } finally {
    await lacre.webhookEndpoints.delete(endpoint.id);
    server.closeAllConnections();
    server.close();
  }
}

async function walkWith(
  lacre: LacreClient,
  events: LacreEvent[],
  print: (line: string) => void,
): Promise<void> {
  const shop = new Shop(lacre);
  // Ids of a shop's database. Here each walk has its own, so that it may be taken again.
  const first = Math.floor(Date.now() / 100);
  const marta: Customer = { id: first, name: 'Marta Ruiz', email: 'marta@example.com' };
  const address = { line1: 'Gran Vía 1', postal_code: '28013', city: 'Madrid', country: 'ES' };
  const ana: Customer = {
    ...{ id: first + 1, name: 'García López Ana', email: 'ana@example.com' },
    ...{ taxId: '12345678Z', address },
  };
  const told = (step: string, { number, total }: Pick<Invoice, 'number' | 'total'>) =>
    print(`${step}: ${number}, ${euros(total)}`);

  const subscription = await shop.subscribe(ana, CLUB, today());
  print(`subscription: an invoice each month, the next on ${subscription.next_dates[0]}`);

  const small: Order = {
    ...{ id: first, revision: 1, customer: marta, items: [SHIRT, BOOK] },
    ...{ coupon: { code: 'HOLA10', amount: 10_00 }, shipping: 4_95 },
  };
  print(`preview of order ${small.id}: ${euros((await shop.preview(small)).total)}`);
  const ticket = await shop.checkout(small);
  told('ticket', ticket);
  told('the same order once more is the same ticket', await shop.checkout(small));

  const large: Order = { id: first + 1, revision: 1, customer: ana, items: [SHIRT, BOOK] };
  const complete = await shop.checkout(large);
  told('complete invoice', complete);

  const faulty: Order = { ...large, id: first + 2, customer: { ...ana, taxId: '12345678A' } };
  const complaint = await shop.checkout(faulty).then(
    () => 'nothing',
    (error) => explain(error).text,
  );
  print(`what the shopkeeper reads: ${complaint}`);
  const corrected = await shop.checkout({ ...faulty, revision: 2, customer: ana });
  told('the corrected order', corrected);

  // At what was paid for it: of the ticket less its part of the coupon.
  const one = { ...SHIRT, quantity: 1 };
  const cheaper = { ...one, price: 26_15 };
  const refund = await shop.refund({ id: first, orderId: large.id, items: [one], reason: 'Too small' });
  told('refund', refund);
  const exchange = await shop.exchange(small.id, { ...marta, name: ana.name, taxId: '12345678Z', address });
  told('complete invoice in exchange for the ticket', exchange);
  const returned = await shop.refund({ id: first + 1, orderId: small.id, items: [cheaper], reason: 'Torn' });
  told('return after the exchange', returned);

  const portal = await shop.portalLink(marta.id, 'https://shop.example/account');
  print(`the customer’s page: ${portal}`);
  print('waiting for what the tax agency says, and for the first invoice of the subscription (a minute)…');
  const renewal = await arrived(events, 'invoice.issued', ({ external_customer_id, draft_id }) => {
    return external_customer_id === customerIdOf(ana) && draft_id !== undefined;
  });
  told('invoice of the subscription', renewal);
  for (const { id } of [ticket, complete, corrected, refund, exchange, returned]) {
    const invoice = await arrived(events, 'invoice.registered', (about) => about.id === id);
    print(`${invoice.number} is registered at the tax agency`);
  }
  const book = await shop.book(`${today().slice(0, 8)}01`, today());
  print(`register book of this month: ${book.trim().split('\n').length - 2} rows`);
}

/** The invoice of an event that was delivered, or will be. A shop does its work in `handle` and need not wait. */
async function arrived(
  events: readonly LacreEvent[],
  type: 'invoice.issued' | 'invoice.registered',
  isMeant: (invoice: Told) => boolean,
): Promise<Told> {
  for (let attempt = 0; attempt < 1_500; attempt += 1) {
    for (const event of events)
      if (event.type === type && isMeant(event.data.object)) return event.data.object;
    await pause(100);
  }
  throw new Error(`no ${type} has arrived`);
}

const MADRID_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' });
const today = () => MADRID_DAY.format(new Date());
const euros = (cents: number) => `${(cents / 100).toFixed(2)} EUR`;
