import { type Invoice, type InvoiceRequest, LacreClient, LacreError, type LacreEvent } from '@lacre/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { decideRecords } from '../support/invoices/corrections.ts';
import { aSale, aShop } from '../support/pages/portal.ts';

let service: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await testService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  company = await createCompany(service.db);
});
afterAll(() => service.close());

type Options = Partial<ConstructorParameters<typeof LacreClient>[0]>;

const client = (options: Options = {}) =>
  new LacreClient({ baseUrl: service.url, key: company.test.key, firstRetryMs: 1, ...options });

const coffee: InvoiceRequest['line_items'] = [
  { description: 'Café', quantity: 1, unit_amount: 150, tax_items: [{ type: 'vat', rate: 10 }] },
];
const ticket: InvoiceRequest = { type: 'simplified', line_items: coffee };

async function refusal(call: Promise<unknown>): Promise<LacreError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LacreError);
  return error as LacreError;
}

/** The network, with something done to each request; keeps what was sent. */
function network(act: (send: () => Promise<Response>, url: string, count: number) => Promise<Response>) {
  const sent: { url: string; key: string | null }[] = [];
  const fetched: typeof fetch = (input, init) => {
    const key = new Headers(init?.headers).get('idempotency-key');
    sent.push({ url: String(input), key });
    return act(() => fetch(input, init), String(input), sent.length);
  };
  return { sent, fetch: fetched };
}

const broken = () => Promise.reject(new TypeError('the connection broke'));

async function numbers(): Promise<string[]> {
  const all: string[] = [];
  for await (const { number } of client().invoices.list()) all.push(number);
  return all;
}

describe('invoices', () => {
  test('are issued, read, validated and corrected', async () => {
    const { invoices } = client();
    const issued = await invoices.create(ticket);
    expect(issued).toMatchObject({ status: 'issued', total: 165, verifactu: { status: 'registered' } });
    expect(await invoices.retrieve(issued.id)).toMatchObject({ id: issued.id, number: issued.number });
    const { notes } = await invoices.retrieve(issued.id, { expand: ['notes', 'records'] });
    expect(notes).toBeNull();
    const noted = await invoices.update(issued.id, { metadata: { table: '7' } });
    expect(noted).toMatchObject({ number: issued.number, metadata: { table: '7' } });
    expect(await invoices.validate(ticket)).toMatchObject({ total: 165, tax_breakdown: [{ rate: 10 }] });
    const correction = await invoices.create({
      ...ticket,
      line_items: [{ ...coffee[0]!, unit_amount: -50 }],
      rectifies: { invoice_id: issued.id, method: 'differences' },
    });
    expect(correction).toMatchObject({ kind: 'rectifying_differences', total: -55 });
    expect(await invoices.untilSettled(issued.id)).toMatchObject({
      rectified_by: [{ invoice_id: correction.id }],
    });
  });

  test('are read page by page, each once', async () => {
    const { invoices } = client();
    for (let count = 0; count < 3; count += 1) await invoices.create(ticket);
    const pages: number[] = [];
    const found: string[] = [];
    for await (const page of invoices.list({ limit: 2, type: ['simplified'] }).pages()) {
      pages.push(page.data.length);
      found.push(...page.data.map(({ number }) => number));
    }
    expect(pages.length).toBeGreaterThan(1);
    expect(found).toEqual(await numbers());
    expect(new Set(found).size).toBe(found.length);
    const [newest] = (await invoices.list({ limit: 1 }).first()).data;
    expect(newest?.number).toBe(found[0]);
  });

  test('give their PDF as a stream', async () => {
    const { invoices } = client();
    const { id } = await invoices.create(ticket);
    const bytes = new Uint8Array(await new Response(await invoices.pdf(id)).arrayBuffer());
    expect(new TextDecoder().decode(bytes.slice(0, 5))).toBe('%PDF-');
    expect((await invoices.createDownload(id)).download_url).toContain(id);
    expect((await invoices.createDownload(id, { paper: 'roll' })).download_url).toContain('paper=roll');
  });
});

describe('a request without an answer', () => {
  test('is retried with the same key, so that an invoice is issued once', async () => {
    const before = await numbers();
    const { sent, fetch: losing } = network(async (send, _url, count) => {
      const answer = await send();
      return count <= 2 ? broken() : answer;
    });
    const issued = await client({ fetch: losing }).invoices.create(ticket);
    expect(await numbers()).toEqual([issued.number, ...before]);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(sent[0]!.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is retried when the connection breaks within the answer', async () => {
    const before = await numbers();
    const { fetch: cutting } = network(async (send, _url, count) => {
      const { status, headers, body } = await send();
      if (count > 1) return new Response(body, { status, headers });
      const cut = body!.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform: (_chunk, controller) => controller.error(new TypeError('the connection broke')),
        }),
      );
      return new Response(cut, { status, headers });
    });
    const issued = await client({ fetch: cutting }).invoices.create(ticket, { idempotencyKey: 'cut-1' });
    expect(await numbers()).toEqual([issued.number, ...before]);
  });

  test('is not retried when that could do it twice', async () => {
    const { sent, fetch: dead } = network(broken);
    const hooks = client({ fetch: dead }).webhookEndpoints;
    const body = { url: 'http://localhost:9/', event_types: ['*' as const] };
    expect(await refusal(hooks.create(body))).toMatchObject({ code: 'no_answer', status: 0 });
    expect(sent).toHaveLength(1);
  });

  test('and that deleted something, is done when it is made again', async () => {
    const { numberSeries } = client();
    const { id } = await numberSeries.create({ prefix: 'GONE', type: 'standard' });
    const { sent, fetch: losing } = network(async (send, _url, count) => {
      const answer = await send();
      return count === 1 ? broken() : answer;
    });
    await client({ fetch: losing }).numberSeries.delete(id);
    expect(sent).toHaveLength(2);
    expect((await refusal(numberSeries.delete(id))).code).toBe('number_series_not_found');
  });

  test('is given up after the configured number of retries', async () => {
    const { sent, fetch: dead } = network(broken);
    const error = await refusal(client({ fetch: dead, maxRetries: 2 }).invoices.create(ticket));
    expect(error.code).toBe('no_answer');
    expect(error.cause).toBeInstanceOf(TypeError);
    expect(sent).toHaveLength(3);
  });

  test('because it took too long, too', async () => {
    const silent: typeof fetch = (_input, init) =>
      new Promise((_, reject) =>
        init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason), { once: true }),
      );
    const error = await refusal(
      client({ fetch: silent, timeoutMs: 5, maxRetries: 1 }).invoices.create(ticket),
    );
    expect(error).toMatchObject({ code: 'no_answer', message: 'The answer took too long.' });
  });
});

describe('what the service refuses temporarily', () => {
  const busy = (retryAfter: string) =>
    new Response(
      JSON.stringify({ code: 'service_unavailable', detail: 'busy', errors: [], doc_url: 'http://x/#y' }),
      { status: 503, headers: { 'retry-after': retryAfter, 'content-type': 'application/json' } },
    );

  test('is retried after that time, for every kind of request', async () => {
    const { sent, fetch: later } = network(async (send, _url, count) => (count === 1 ? busy('1') : send()));
    const begun = performance.now();
    const { id } = await client({ fetch: later }).webhookEndpoints.create({
      url: 'http://localhost:9/',
      event_types: ['ping'],
    });
    expect(performance.now() - begun).toBeGreaterThan(995);
    expect(sent).toHaveLength(2);
    await client().webhookEndpoints.delete(id);
  });

  test('is left to the caller if it is longer than a minute', async () => {
    const { sent, fetch: later } = network(async () => busy('120'));
    const error = await refusal(client({ fetch: later }).invoices.create(ticket));
    expect(error).toMatchObject({ code: 'service_unavailable', status: 503, retryAfter: 120 });
    expect(sent).toHaveLength(1);
  });
});

describe('a refusal', () => {
  test('is an error with its code, its fields and where they are explained', async () => {
    const error = await refusal(client().invoices.create({ type: 'simplified', line_items: [] }));
    expect(error).toMatchObject({ name: 'LacreError', code: 'invalid_request', status: 400 });
    expect(error.errors).toEqual([expect.objectContaining({ field: 'line_items', code: 'too_small' })]);
    expect(error.docUrl).toContain('/docs/errors#invalid_request');
    expect(error.requestId).toMatch(/./);
    expect((await refusal(client({ key: 'sk_test_no' }).invoices.retrieve('inv_1'))).code).toBe(
      'unauthorized',
    );
  });

  test('is not repeated', async () => {
    const { sent, fetch: counted } = network((send) => send());
    await refusal(client({ fetch: counted }).invoices.retrieve('inv_none'));
    expect(sent).toHaveLength(1);
  });

  test('by another program is distinguished', async () => {
    const { sent, fetch: page } = network(async () => new Response('<html>', { status: 502 }));
    const error = await refusal(client({ fetch: page, maxRetries: 1 }).invoices.list().first());
    expect(error).toMatchObject({ code: 'unreadable_answer', status: 502 });
    expect(sent).toHaveLength(2);
    const json = { headers: { 'content-type': 'application/json' } };
    const { fetch: half } = network(async () => new Response('{"da', json));
    const cut = await refusal(client({ fetch: half }).invoices.list().first());
    expect(cut).toMatchObject({ code: 'unreadable_answer', status: 200 });
  });

  test('of the caller’s own signal is that signal’s reason', async () => {
    const { fetch: dead } = network(broken);
    const own = new Error('enough');
    const signal = AbortSignal.abort(own);
    await expect(client({ fetch: dead }).invoices.create(ticket, { signal })).rejects.toBe(own);
    const stop = new AbortController();
    const waiting = client({ fetch: dead, firstRetryMs: 50_000 }).invoices.create(ticket, stop);
    setTimeout(() => stop.abort(own), 1);
    await expect(waiting).rejects.toBe(own);
  });
});

describe('waiting for the agency', () => {
  const live = (options: Options = {}) => client({ key: company.live.key, ...options });

  /** Issues live, waits, and lets the agency answer once the client has looked. */
  async function settled(act: (url: string, send: () => Promise<Response>) => Promise<Response>) {
    const issued = await live().invoices.create(ticket);
    expect(issued.verifactu?.status).toBe('pending');
    const { sent, fetch: watched } = network((send, url) => act(url, send));
    const waiting = live({ fetch: watched }).invoices.untilSettled(issued.id);
    return { waiting, sent, answer: () => decideRecords(service.db, issued.id, 'rejected') };
  }

  test('ends as soon as a live update reports it', async () => {
    let reads = 0;
    const opened = Promise.withResolvers<void>();
    const { waiting, sent, answer } = await settled(async (url, send) => {
      // The second look is that after the stream has begun; the next would be a minute later.
      if (!url.endsWith('/graphql') && ++reads === 2) opened.resolve();
      return send();
    });
    await opened.promise;
    const begun = performance.now();
    await answer();
    expect((await waiting).verifactu).toMatchObject({ status: 'rejected', error: { code: '1110' } });
    expect(sent.filter(({ url }) => url.endsWith('/graphql'))).toHaveLength(1);
    expect(performance.now() - begun).toBeLessThan(50_000);
  });

  test('ends by polling, where there are no live updates', async () => {
    const requested = Promise.withResolvers<void>();
    const { waiting, sent, answer } = await settled(async (url, send) => {
      if (!url.endsWith('/graphql')) return send();
      requested.resolve();
      return new Response(null, { status: 404 });
    });
    await requested.promise;
    await answer();
    expect((await waiting).verifactu?.status).toBe('rejected');
    expect(sent.filter(({ url }) => url.includes('/v1/')).length).toBeGreaterThan(1);
  });

  test('ends when the caller stops', async () => {
    const { id } = await live().invoices.create(ticket);
    const stop = new AbortController();
    const waiting = live().invoices.untilSettled(id, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('events', () => {
  async function eventsUntil(options: Options, issueAfter: () => Promise<Invoice>): Promise<LacreEvent[]> {
    const { events } = client(options);
    const [last] = (await events.list({ limit: 1, order: 'desc' }).first()).data;
    const issued: string[] = [(await client().invoices.create(ticket)).id];
    const received: LacreEvent[] = [];
    for await (const event of events.follow({
      types: ['invoice.issued'],
      afterSequence: last?.sequence ?? 0,
    })) {
      received.push(event);
      if (received.length === 1) issued.push((await issueAfter()).id);
      if (received.length === 2) break;
    }
    expect(received.map((event) => event.type === 'invoice.issued' && event.data.object.id)).toEqual(issued);
    return received;
  }

  test('are followed: past events, then new ones', async () => {
    const [first] = await eventsUntil({}, () => client().invoices.create(ticket));
    expect(first).toMatchObject({ type: 'invoice.issued', environment: 'test' });
    expect(await client().events.retrieve(first!.id)).toEqual(first);
  });

  test('are followed without live updates', async () => {
    const { fetch: plain } = network(async (send, url) =>
      url.endsWith('/graphql') ? new Response(null, { status: 404 }) : send(),
    );
    expect(await eventsUntil({ fetch: plain }, () => client().invoices.create(ticket))).toHaveLength(2);
  });

  test('begin with new events by default', async () => {
    const { events, numberSeries } = client();
    const stop = new AbortController();
    const following = events.follow({ signal: stop.signal });
    const next = following.next();
    // Issued until it is heard: when it has begun cannot be seen from outside.
    const arrived = next.then(() => true);
    for (
      let count = 0;
      !(await Promise.race([arrived, new Promise((r) => setTimeout(r, 100, false))]));
      count += 1
    )
      await numberSeries.create({ prefix: `NOW${count}`, type: 'standard' });
    const { value } = await next;
    expect(value?.type).toBe('number_series.created');
    stop.abort(new Error('enough'));
    // On a busy machine more than one series was created: what was read before still comes.
    const rest = async () => {
      for await (const event of following) expect(event.type).toBe('number_series.created');
    };
    await expect(rest()).rejects.toThrow('enough');
  });
});

test('the other endpoints have their methods', async () => {
  const lacre = client();
  const series = await lacre.numberSeries.create({ prefix: 'WEB', type: 'standard' });
  expect(await lacre.numberSeries.retrieve(series.id)).toEqual(series);
  expect((await lacre.numberSeries.list({ type: 'standard' }).first()).data).toContainEqual(series);

  const hooks = lacre.webhookEndpoints;
  const { id, secret } = await hooks.create({ url: 'http://localhost:9/', event_types: ['*'] });
  expect(secret).toMatch(/^whsec_/);
  expect(await hooks.update(id, { description: 'x' })).toMatchObject({ id, description: 'x' });
  expect((await hooks.list()).map((endpoint) => endpoint.id)).toContain(id);
  expect((await hooks.rotateSecret(id)).secret).not.toBe(secret);
  expect((await hooks.ping(id)).id).toBe(id);
  expect((await hooks.replay(id, { from_sequence: 1 })).id).toBe(id);
  expect((await hooks.deliveries(id).first()).data).toEqual([]);
  expect((await refusal(hooks.redeliver('whd_none'))).code).toBe('webhook_delivery_not_found');
  await hooks.delete(id);
  expect((await refusal(hooks.retrieve(id))).code).toBe('webhook_endpoint_not_found');

  expect(await lacre.validateTaxId({ tax_id: '12345678Z' })).toMatchObject({ valid: true });
  expect((await lacre.createAccessToken({ scopes: ['read'] })).token).toMatch(/^at_/);
  const { data } = await lacre.http.GET('/v1/number_series/{id}', { params: { path: { id: series.id } } });
  expect(data).toEqual(series);
});

test('an endpoint without a method of its own is reached by its path, with every method of HTTP', async () => {
  const { http } = client();
  const path = '/v1/customers/{external_customer_id}';
  const params = { path: { external_customer_id: 'of a path' } };
  const { data: saved } = await http.PUT(path, { params, body: { name: 'Marta Ruiz' } });
  expect((await http.GET(path, { params })).data).toEqual(saved);
  await http.DELETE(path, { params });
  await expect(http.GET(path, { params })).rejects.toMatchObject({ code: 'customer_not_found' });
});

test('a customer’s page is opened', async () => {
  const shop = await aShop(service);
  await aSale(service, shop, 'customer-1');
  const lacre = new LacreClient({ baseUrl: service.url, key: service.company.test.key });
  const request = { external_customer_id: 'customer-1', integration_id: shop.id };
  expect((await lacre.createCustomerPortalSession(request)).url).toContain('/portal');
});
