/** What a program does with the built package, in whichever runtime it runs. */
import { LacreClient, LacreError, verifyWebhook } from '@lacre/client';

const line = { description: 'Taxi', quantity: 1, unit_amount: 1500, tax_items: [{ type: 'vat', rate: 10 }] };
const ticket = { type: 'simplified', line_items: [line] };

function must(holds, what) {
  if (!holds) throw new Error(`not so: ${what}`);
}

/** Throws where something is not as it must be. `key` is one of a test environment, `liveKey` of a live one. */
export async function runFlow({ baseUrl, key, liveKey }) {
  const { invoices, events } = new LacreClient({ baseUrl, key });

  const idempotencyKey = crypto.randomUUID();
  const issued = await invoices.create(ticket, { idempotencyKey });
  must((await invoices.create(ticket, { idempotencyKey })).id === issued.id, 'issued once');

  const live = new LacreClient({ baseUrl, key: liveKey });
  const pending = await live.invoices.create(ticket);
  must(pending.verifactu?.status === 'pending', 'a live invoice begins as pending');
  const { verifactu } = await live.invoices.untilSettled(pending.id);
  must(verifactu?.status === 'registered', 'registered in the end');

  const correction = await invoices.create({
    ...ticket,
    line_items: [{ ...line, unit_amount: -500 }],
    rectifies: { invoice_id: issued.id, method: 'differences' },
  });
  must(correction.total === -550, 'corrected');

  const listed = [];
  for await (const { id } of invoices.list({ limit: 1 })) listed.push(id);
  must(new Set(listed).size === listed.length, 'no invoice is listed twice');
  must(listed.includes(issued.id) && listed.includes(correction.id), 'every invoice is listed');

  const refused = await invoices.create({ ...ticket, line_items: [] }).catch((error) => error);
  must(refused instanceof LacreError && refused.code === 'invalid_request', 'refused with its code');
  must(refused.errors[0]?.field === 'line_items', 'refused with its field');

  let size = 0;
  let first;
  for (const reader = (await invoices.pdf(issued.id)).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    first ??= new TextDecoder().decode(value.subarray(0, 5));
    size += value.length;
  }
  must(first === '%PDF-' && size > 10_000, 'the PDF, as a stream');

  for await (const event of events.follow({ types: ['invoice.issued'], afterSequence: 0 })) {
    if (event.data.object.id === correction.id) break;
  }

  await checkWebhook();
  await checkBrokenConnection({ baseUrl, key });
  return 'issued, settled, corrected, paged, read, verified\n';
}

/** Signs as Standard Webhooks says, and is verified; altered, it is not. */
async function checkWebhook() {
  const secret = crypto.getRandomValues(new Uint8Array(24));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const signing = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
  const body = JSON.stringify({ id: 'evt_1', type: 'ping' });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signed = new TextEncoder().encode(`evt_1.${timestamp}.${body}`);
  const signature = base64(new Uint8Array(await crypto.subtle.sign('HMAC', signing, signed)));
  const headers = new Headers({
    'webhook-id': 'evt_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  });
  const shown = `whsec_${base64(secret)}`;
  must((await verifyWebhook(body, headers, shown)).id === 'evt_1', 'what is signed is verified');
  const altered = await verifyWebhook(`${body} `, headers, shown).catch((error) => error);
  must(altered instanceof LacreError && altered.code === 'invalid_signature', 'what is altered is not');
}

const base64 = (bytes) => btoa(String.fromCharCode(...bytes));

/** A connection that breaks, then an answer. */
async function checkBrokenConnection(to) {
  let tries = 0;
  const keys = new Set();
  const failingFetch = (url, init) => {
    keys.add(new Headers(init.headers).get('idempotency-key'));
    tries += 1;
    return tries === 1 ? Promise.reject(new TypeError('the connection broke')) : fetch(url, init);
  };
  const { invoices } = new LacreClient({ ...to, fetch: failingFetch, firstRetryMs: 1 });
  must((await invoices.create(ticket)).status === 'issued', 'issued by the second try');
  must(tries === 2 && keys.size === 1, 'both tries had one idempotency key');
}
