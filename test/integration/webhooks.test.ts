import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJobs } from '../../jobs/runner.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { WEBHOOK_LIMITS } from '../../src/subjects/webhooks/limits.ts';
import { reapDeliveries } from '../../src/subjects/webhooks/reap.ts';
import { untilWaiting } from '../support/database/held-locks.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';
import { operatorIn } from '../support/pages/console.ts';
import { commandLine } from '../support/processes/command-line.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { aShopWithWebhooks } from '../support/webhooks/shop.ts';

const { given, call, create, issue, run, deliveries } = aShopWithWebhooks();

describe('events', () => {
  test('are the journal in order: without gaps, as REST showed the invoice then', async () => {
    const issued = await issue(aCompleteInvoice());
    const voided = await issue(aCompleteInvoice());
    const correction = await issue({
      type: 'complete',
      line_items: [
        { description: 'less', quantity: 1, unit_amount: -100, tax_items: [{ type: 'vat', rate: 21 }] },
      ],
      rectifies: { invoice_id: issued.id, method: 'differences', reason: 'correction' },
    });
    expect(correction.code).toBeUndefined();
    const page = (await call('GET', '/v1/events?order=asc&limit=100')).body;
    const sequences = page.data.map(({ sequence }: { sequence: number }) => sequence);
    expect(sequences).toEqual(sequences.map((_: number, index: number) => index + 1));
    const [first] = page.data.filter(({ type }: { type: string }) => type === 'invoice.issued');
    expect(first).toMatchObject({ environment: 'test', created_at: issued.created_at });
    // Corrected since, it is shown as it was then.
    expect(first.data.object).toEqual({ ...issued, pdf_url: null, rectified_by: [] });
    expect((await call('GET', `/v1/events/${first.id}`)).body).toEqual(first);
    expect((await given.service.call('GET', `/v1/events/${first.id}`)).status).toBe(404);
    const later = (await call('GET', `/v1/events?after_sequence=${first.sequence}&type=invoice.issued`)).body
      .data;
    expect(later.map(({ data }: { data: { object: { id: string } } }) => data.object.id)).toEqual([
      ...[voided.id, correction.id],
    ]);
  });

  test('are paged both ways, and filtered by types and time', async () => {
    for (let n = 0; n < 3; n += 1) await issue();
    const all = (await call('GET', '/v1/events?limit=100')).body.data;
    expect(all[0].sequence).toBe(all.length);
    let path: string | null = '/v1/events?limit=2&type=invoice.issued&type=invoice.registered';
    const seen: string[] = [];
    while (path !== null) {
      const page: { data: { id: string; type: string }[]; next_url: string | null } = (
        await call('GET', path)
      ).body;
      seen.push(...page.data.map(({ id }) => id));
      path = page.next_url;
    }
    const wanted = all.filter(({ type }: { type: string }) => /issued|registered/.test(type));
    expect(seen).toEqual(wanted.map(({ id }: { id: string }) => id));
    expect((await call('GET', '/v1/events?created_from=2999-01-01T00:00:00Z')).body.data).toEqual([]);
    for (const query of [
      'type=nothing',
      'after_sequence=-1',
      'order=up',
      'starting_after=evt_1',
      'created_to=1',
    ]) {
      expect((await call('GET', `/v1/events?${query}`)).body).toMatchObject({
        ...{ code: 'invalid_request', errors: [{ field: query.split('=')[0] }] },
      });
    }
  });
});

test('events are read for 90 days unless set otherwise, and their journal is kept', async () => {
  await issue();
  const [event] = (await call('GET', '/v1/events')).body.data;
  const age = async (days: number) => {
    clock.reset();
    clock.shift(days * 86_400_000);
    const { status } = await call('GET', `/v1/events/${event.id}`);
    return { listed: (await call('GET', '/v1/events')).body.data.length > 0, status };
  };
  try {
    expect(await age(89)).toEqual({ listed: true, status: 200 });
    expect(await age(91)).toEqual({ listed: false, status: 404 });
  } finally {
    clock.reset();
  }
  const { rowCount } = await given.service.db.pool.query(
    'select from journal_entry where environment_id = $1 and position = $2',
    [given.company.test.environmentId, event.sequence],
  );
  expect(rowCount).toBe(1);
});

describe('a delivery', () => {
  test('holds the event as /v1/events shows it, signed so that the reference library takes it', async () => {
    const { secret } = await create();
    const invoice = await issue();
    await run();
    const [sent] = given.receiver.received.filter(({ body }) => JSON.parse(body).type === 'invoice.issued');
    const event = new Webhook(secret).verify(sent!.body, sent!.headers as Record<string, string>) as {
      id: string;
    };
    expect(event).toMatchObject({
      type: 'invoice.issued',
      data: { object: { id: invoice.id, pdf_url: null } },
    });
    expect(sent!.headers['webhook-id']).toBe(event.id);
    expect((await call('GET', `/v1/events/${event.id}`)).body).toEqual(event);
    expect(given.receiver.received.every(({ body }) => !body.includes('token='))).toBe(true);
  });

  test('consists of the types that the endpoint subscribed to, and of nothing before its creation', async () => {
    await issue();
    await create(['invoice.registered']);
    await issue();
    await run();
    expect(given.receiver.types).toEqual(['invoice.registered']);
  });

  test('that is refused is tried again under the same id, and noted attempt by attempt', async () => {
    const { id } = await create(['invoice.issued']);
    given.receiver.answer = (response) => response.writeHead(500).end('broken');
    await issue();
    const { others } = await run();
    expect(others).not.toBeNull();
    const [delivery] = await deliveries(id);
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: [{ http_status: 500, response: 'broken' }],
    });
    const wait = new Date(delivery.next_attempt_at).getTime() - new Date(delivery.attempts[0].at).getTime();
    expect(wait).toBe(5_000);

    given.receiver.answer = (response) => response.writeHead(200).end();
    await call('POST', `/v1/webhook_deliveries/${delivery.id}/redeliver`);
    await run();
    const ids = given.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([delivery.event_id, delivery.event_id]);
    expect(await deliveries(id)).toMatchObject([
      { id: delivery.id, status: 'delivered', next_attempt_at: null, attempts: [{}, { http_status: 200 }] },
    ]);
  });

  test('that is answered 410 disables the endpoint, with an event for the others', async () => {
    const { id } = await create(['invoice.issued']);
    given.receiver.answer = (response) => response.writeHead(410).end();
    await issue();
    await run();
    expect((await call('GET', `/v1/webhook_endpoints/${id}`)).body).toMatchObject({ status: 'disabled' });
    const [event] = (await call('GET', '/v1/events?type=webhook_endpoint.disabled')).body.data;
    const shown = (await call('GET', `/v1/webhook_endpoints/${id}`)).body;
    expect(shown.disabled_reason).toBe('it answered 410 Gone');
    expect(event.data).toEqual({ object: shown });
    given.receiver.answer = (response) => response.writeHead(200).end();
    await issue();
    await run();
    expect(given.receiver.received).toHaveLength(1);
    // Enabled again, it gets what it has missed.
    await call('PATCH', `/v1/webhook_endpoints/${id}`, { status: 'active' });
    await run();
    expect(given.receiver.received.length).toBeGreaterThan(1);
  });

  test('is repeated by a replay, with the same ids', async () => {
    const { id } = await create(['invoice.issued']);
    for (let n = 0; n < 3; n += 1) await issue();
    await run();
    await call('POST', `/v1/webhook_endpoints/${id}/replay`, { from_sequence: 1 });
    await run();
    const ids = given.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(3);
  });

  test('is signed with the previous secret too during its grace period', async () => {
    const { id, secret } = await create(['ping']);
    const { body } = await call('POST', `/v1/webhook_endpoints/${id}/rotate_secret`, { grace_hours: 1 });
    await call('POST', `/v1/webhook_endpoints/${id}/ping`);
    await run();
    const both = given.receiver.received[0]!;
    for (const each of [secret, body.secret]) {
      expect(new Webhook(each).verify(both.body, both.headers as Record<string, string>)).toMatchObject({
        type: 'ping',
      });
    }
    const { body: last } = await call('POST', `/v1/webhook_endpoints/${id}/rotate_secret`, {
      grace_hours: 0,
    });
    await call('POST', `/v1/webhook_endpoints/${id}/ping`);
    await run();
    const one = given.receiver.received.at(-1)!;
    const headers = one.headers as Record<string, string>;
    expect(new Webhook(last.secret).verify(one.body, headers)).toMatchObject({ type: 'ping' });
    for (const ended of [secret, body.secret])
      expect(() => new Webhook(ended).verify(one.body, headers)).toThrow();
  });

  test('is signed by ten secrets at most, however often they are rotated', async () => {
    const { id, secret } = await create(['ping']);
    const rotate = () => call('POST', `/v1/webhook_endpoints/${id}/rotate_secret`, { grace_hours: 168 });
    for (let rotated = 0; rotated < 9; rotated += 1) await rotate();
    const signed = async () => {
      await call('POST', `/v1/webhook_endpoints/${id}/ping`);
      await run();
      return given.receiver.received.at(-1)!;
    };
    const ten = await signed();
    expect(new Webhook(secret).verify(ten.body, ten.headers as Record<string, string>)).toBeTruthy();
    await rotate();
    const { headers } = await signed();
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(10);
  });

  test('that is completed is removed after 30 days, and one that waits is kept', async () => {
    const { id } = await create(['invoice.issued']);
    await issue();
    await run();
    await given.service.owner.query(`update webhook_delivery set created_at = now() - interval '31 days'`);
    expect(await reapDeliveries(given.service.db)).toBeGreaterThan(0);
    expect(await deliveries(id)).toEqual([]);
  });
});

test('what may be left out may be left out whole, and what is unknown is refused', async () => {
  const { secret, ...shown } = await create(['invoice.issued']);
  const path = `/v1/webhook_endpoints/${shown.id}`;
  const rotated = await call('POST', `${path}/rotate_secret`);
  expect(rotated).toMatchObject({ status: 200, body: shown });
  expect(rotated.body.secret).not.toBe(secret);
  await issue();
  await run();
  const [delivery] = await deliveries(shown.id);
  for (const act of [`${path}/ping`, `/v1/webhook_deliveries/${delivery.id}/redeliver`]) {
    expect((await call('POST', act, { later: true })).body).toMatchObject({
      ...{ code: 'invalid_request', errors: [{ field: 'later', code: 'unrecognized_field' }] },
    });
    expect((await call('POST', act, {})).status).toBe(202);
  }
  const [ping] = (await call('GET', '/v1/events?type=ping')).body.data;
  expect(ping.data).toEqual({ object: shown });
  for (const url of [`${given.url}\u0000`, `${given.url.slice(0, 12)}\n${given.url.slice(12)}`])
    expect((await call('PATCH', path, { url })).body).toMatchObject({
      ...{ code: 'invalid_request', errors: [{ field: 'url', code: 'invalid_characters' }] },
    });
});

test('a delivery whose endpoint is removed while it is repeated is not found', async () => {
  const { id } = await create(['invoice.issued']);
  await issue();
  await run();
  const [delivery] = await deliveries(id);
  const remover = await given.service.owner.connect();
  await remover.query('begin');
  await remover.query('delete from webhook_endpoint where id = $1', [id]);
  const redelivery = call('POST', `/v1/webhook_deliveries/${delivery.id}/redeliver`);
  await untilWaiting(given.service.db, 1);
  await remover.query('commit');
  remover.release();
  expect(await redelivery).toMatchObject({ status: 404, body: { code: 'webhook_delivery_not_found' } });
});

test('a secret is stored encrypted and shown once', async () => {
  const { id, secret } = await create();
  const { rows } = await given.service.owner.query('select * from webhook_secret where endpoint_id = $1', [
    id,
  ]);
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'));
  expect((await call('GET', `/v1/webhook_endpoints/${id}`)).body).not.toHaveProperty('secret');
  expect((await call('GET', '/v1/webhook_endpoints')).body.data[0]).not.toHaveProperty('secret');
});

test('what an operator does to webhooks is noted with who and why, and what is refused is not', async () => {
  const { environmentId } = given.company.test;
  const lacre = commandLine(given.service.db, {
    DATABASE_URL: given.service.databaseUrl,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const because = ['--reason', 'moved'];
  const made = await lacre([
    ...[
      'webhooks',
      'create',
      '--environment',
      String(environmentId),
      '--url',
      given.url,
      ...because,
      '--json',
    ],
  ]);
  const { id, secret } = made.json();
  expect(secret).toMatch(/^whsec_/);
  for (const [act, of] of [
    ['ping', id],
    ['delete', id],
    ['ping', id],
    ['redeliver', `whd_${'0'.repeat(32)}`],
  ])
    await lacre(['webhooks', act!, of, ...because]);
  const { rows } = await given.service.owner.query(
    'select action, subject, reason from audit_entry where environment_id = $1 order by at',
    [environmentId],
  );
  expect(rows).toEqual(
    ['create', 'ping', 'delete'].map((act) => ({
      ...{ action: `${act}_webhook_endpoint`, subject: id, reason: 'moved' },
    })),
  );
});

test('the console shows endpoints and deliveries, and what is done there is noted with its reason', async () => {
  const { id } = await create(['invoice.issued']);
  given.receiver.answer = (response) => response.writeHead(503).end('<b>closed</b>');
  await issue();
  await run();
  const [delivery] = await deliveries(id);
  const ada = await operatorIn(given.service);
  const own = `/console/companies/${given.company.companyId}/webhooks`;
  const at = (below: string) => `${own}/${id}${below}?environment=test`;
  expect((await ada.get(`${own}?environment=test`)).text).toContain(given.url);
  const { text } = await ada.get(at(''));
  expect(text).toMatch(/"page">Webhooks<.*Failing.*answered 503.*&lt;b&gt;closed&lt;\/b&gt;/s);
  const before = given.receiver.received.length;
  given.receiver.answer = (response) => response.writeHead(204).end();
  const reason = 'The shop asked for it';
  for (const [below, fields] of [
    ['/disable', {}],
    ['/enable', {}],
    ['/ping', {}],
    ['/replay', { fromSequence: '1' }],
    [`/deliveries/${delivery.id}/redeliver`, {}],
  ] as const) {
    expect((await ada.post(at(below), fields)).status, below).toBe(400);
    expect((await ada.post(at(below), { ...fields, reason })).status, below).toBe(303);
  }
  await run();
  expect(given.receiver.received.length).toBeGreaterThan(before);
  const { rows } = await given.service.owner.query(
    'select action, subject, reason from audit_entry where environment_id = $1 order by at, id',
    [given.company.test.environmentId],
  );
  expect(rows).toEqual(
    [
      ['update_webhook_endpoint', id],
      ['update_webhook_endpoint', id],
      ['ping_webhook_endpoint', id],
      ['replay_webhook_events', id],
      ['redeliver_webhook', delivery.id],
    ].map(([action, subject]) => ({ action, subject, reason })),
  );
});

test('an endpoint of another environment cannot be reached', async () => {
  const { id } = await create();
  const stranger = { key: given.service.company.test.key };
  for (const [method, path, body] of [
    ['GET', `/v1/webhook_endpoints/${id}`, undefined],
    ['PATCH', `/v1/webhook_endpoints/${id}`, { status: 'disabled' }],
    ['DELETE', `/v1/webhook_endpoints/${id}`, undefined],
    ['POST', `/v1/webhook_endpoints/${id}/rotate_secret`, {}],
    ['POST', `/v1/webhook_endpoints/${id}/ping`, undefined],
    ['POST', `/v1/webhook_endpoints/${id}/replay`, { from_sequence: 1 }],
    ['GET', `/v1/webhook_endpoints/${id}/deliveries`, undefined],
  ] as const) {
    const { status, body: answer } = await given.service.call(method, path, { ...stranger, body });
    expect([method, path, status, answer.code]).toEqual([method, path, 404, 'webhook_endpoint_not_found']);
  }
});

describe('the running jobs', () => {
  let jobs: { stop(): Promise<void> };
  beforeAll(async () => {
    jobs = await startJobs(given.service.services, () => {});
  });
  afterAll(() => jobs.stop());

  test('deliver what is issued, by themselves', async () => {
    await create();
    await issue();
    await expect.poll(() => given.receiver.types).toContain('invoice.registered');
  });

  test('deliver to endpoints that answer while others hang', async () => {
    const hanging = new Receiver();
    hanging.answer = () => {};
    const dead = await hanging.open();
    for (let n = 0; n < 5; n += 1) await create(['*'], dead);
    await create();
    await issue();
    // Before any of those that hang is given up.
    const soon = { timeout: WEBHOOK_LIMITS.webhookAttempt.value };
    await expect.poll(() => given.receiver.types, soon).toContain('invoice.issued');
    await expect.poll(() => hanging.received.length).toBeGreaterThan(0);
    hanging.close();
  });
});
