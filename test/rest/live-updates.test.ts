import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { GRAPHQL_LIMITS } from '../../src/faces/graphql/limits.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { createApiKey, createOperatorKey, revokeKey } from '../../src/subjects/accounts/keys.ts';
import { subscribe as openSubscription, type ReadStream, readStream } from '../support/http/event-stream.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
/** Another process on the same database. */
let other: TestService;
beforeAll(async () => {
  service = await testService();
  other = await testService({}, { beside: service });
});
afterAll(async () => {
  await other.close();
  await service.close();
});

const open: ReadStream[] = [];
afterEach(() => {
  clock.reset();
  for (const stream of open.splice(0)) stream.close();
});

type Options = {
  readonly key?: string;
  readonly variables?: object;
  readonly headers?: Record<string, string>;
  readonly at?: TestService;
};

async function subscribe(query: string, options: Options = {}): Promise<ReadStream> {
  const { key = service.company.test.key, variables, headers = {}, at = service } = options;
  const stream = await openSubscription(at, { key, query, variables, headers });
  open.push(stream);
  return stream;
}

const EVENTS = 'subscription { event(types: ["invoice.issued"]) { id type sequence subjectId } }';
const CHANGES =
  'subscription { invoiceChanged(filter: { eventTypes: ["invoice.issued"] }) { type sequence invoice { id number } } }';

async function issue(at = service): Promise<{ id: string; number: string }> {
  const { status, body } = await at.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  expect(status).toBe(201);
  return body;
}

const refusedWith = (stream: ReadStream) => ({
  status: stream.status,
  code: JSON.parse(stream.text()).errors[0].extensions.code,
});

async function head(): Promise<number> {
  return service.services.feed.head(service.company.test.environmentId);
}

describe('a subscription', () => {
  test('sends the events of this process and of others, in the order of the journal', async () => {
    const [events, changes] = [await subscribe(EVENTS), await subscribe(CHANGES, { at: other })];
    expect(events.status).toBe(200);
    expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const issued = [await issue(), await issue(other)];
    const received = (await events.received(2)).map(({ data }) => data.event);
    expect(received.map(({ type, subjectId }) => [type, subjectId])).toEqual(
      issued.map(({ id }) => ['invoice.issued', id]),
    );
    expect(received[1].sequence).toBeGreaterThan(received[0].sequence);
    expect(events.messages.map(({ id }) => Number(id))).toEqual(received.map(({ sequence }) => sequence));
    const changed = (await changes.received(2)).map(({ data }) => data.invoiceChanged.invoice);
    expect(changed).toEqual(issued.map(({ id, number }) => ({ id, number })));
  });

  test('is the event as GET /v1/events has it', async () => {
    const stream = await subscribe(
      'subscription { event { id type sequence created_at: createdAt environment data } }',
    );
    await issue();
    const [{ data }] = await stream.received(1);
    const { body } = await service.call('GET', `/v1/events/${data.event.id}`);
    expect(data.event).toEqual(body);
  });

  test('resumes where it was: with Last-Event-ID, which takes precedence over the argument', async () => {
    const before = await head();
    // Each makes two events: in a test environment it is registered at once.
    const issued = [await issue(), await issue(), await issue()];
    const resumed = await subscribe(EVENTS, { headers: { 'last-event-id': String(before + 2) } });
    const ids = (events: { data: { event: { subjectId: string } } }[]) =>
      events.map(({ data }) => data.event.subjectId);
    expect(ids(await resumed.received(2))).toEqual(issued.slice(1).map(({ id }) => id));
    const query =
      'subscription ($after: Int) { event(types: ["invoice.issued"], afterSequence: $after) { subjectId } }';
    const stream = await subscribe(query, { variables: { after: before } });
    expect(ids(await stream.received(3))).toEqual(issued.map(({ id }) => id));
    const both = await subscribe(query, {
      variables: { after: before },
      headers: { 'last-event-id': String(before + 4) },
    });
    expect(ids(await both.received(1))).toEqual([issued[2]!.id]);
    const last = await issue();
    expect(ids(await stream.received(4)).at(-1)).toBe(last.id);
    expect(ids(await both.received(2)).at(-1)).toBe(last.id);
  });

  test('states its first sequence at its beginning, so that no event before the first one is missed', async () => {
    const stream = await subscribe(EVENTS);
    await vi.waitFor(() => expect(stream.lastId()).toMatch(/^\d+$/));
    const begun = stream.lastId();
    expect(Number(begun)).toBe(await head());
    stream.close();
    const missed = await issue();
    const resumed = await subscribe(EVENTS, { headers: { 'last-event-id': begun } });
    expect((await resumed.received(1))[0].data.event.subjectId).toBe(missed.id);
  });

  test('is answered to GET too', async () => {
    const query = new URLSearchParams({ query: EVENTS });
    const stream = await readStream(`${service.url}/graphql?${query}`, {
      headers: { authorization: `Bearer ${service.company.test.key}`, accept: 'text/event-stream' },
    });
    open.push(stream);
    const { id } = await issue();
    expect((await stream.received(1))[0].data.event.subjectId).toBe(id);
  });

  test('sends an operator the events of the named environment', async () => {
    const { key } = await createOperatorKey(service.db.pool, 'Ada', { role: 'viewer' });
    const { companyId } = service.company;
    const of = `companyId: "${companyId}", environment: test`;
    const stream = await subscribe(`subscription { event(${of}) { subjectId } }`, { key });
    const { id } = await issue();
    expect((await stream.received(1))[0].data.event.subjectId).toBe(id);
    const unnamed = await subscribe(EVENTS, { key });
    await unnamed.ended();
    expect(refusedWith(unnamed)).toEqual({ status: 400, code: 'invalid_request' });
  });

  test('sends nothing of other environments', async () => {
    const stranger = await createCompany(service.db);
    const [own, foreign] = [await subscribe(EVENTS), await subscribe(EVENTS, { key: stranger.test.key })];
    await issue();
    await service.call('POST', '/v1/invoices', { key: stranger.test.key, body: aSimplifiedInvoice() });
    expect(await own.received(1)).toHaveLength(1);
    expect(await foreign.received(1)).toHaveLength(1);
    const [ours, theirs] = [own.results(), foreign.results()];
    expect(ours[0].data.event.id).not.toBe(theirs[0].data.event.id);
  });
});

describe('invoiceChanged reports what its filter selects', () => {
  test.each([
    ['invoiceIds', (id: string) => ({ invoiceIds: [id] }), () => ({ invoiceIds: ['inv_1'] })],
    ['eventTypes', () => ({ eventTypes: ['invoice.issued'] }), () => ({ eventTypes: ['invoice.voided'] })],
    ['status', () => ({ status: ['voided', 'issued'] }), () => ({ status: ['voided'] })],
    ['one status in place of a list', () => ({ status: 'issued' }), () => ({ status: 'voided' })],
    ['type', () => ({ type: ['simplified'] }), () => ({ type: ['complete'] })],
    [
      'kind',
      () => ({ kind: ['exchange', 'original'] }),
      () => ({ kind: ['rectifying_differences', 'rectifying_substitution'] }),
    ],
    [
      'registrationStatus',
      () => ({ registrationStatus: ['pending', 'registered'] }),
      () => ({ registrationStatus: ['rejected'] }),
    ],
    ['externalCustomerId', () => ({}), () => ({ externalCustomerId: 'another' })],
    ['integrationId', () => ({}), () => ({ integrationId: 'another' })],
  ])('%s', async (_name, filterOf, otherFilter) => {
    const query =
      'subscription ($filter: InvoiceChangeFilter, $after: Int) { invoiceChanged(filter: $filter, afterSequence: $after) { sequence invoice { id } } }';
    const after = await head();
    const { id } = await issue();
    const to = async (filter: object) => subscribe(query, { variables: { filter, after } });
    const [taken, left] = [await to(filterOf(id)), await to(otherFilter())];
    expect((await taken.received(1))[0].data.invoiceChanged.invoice.id).toBe(id);
    // Its own position says that it has looked at the change, and told nothing of it.
    const fence = await issue();
    const all = await subscribe(query, { variables: { filter: { invoiceIds: [fence.id] }, after } });
    await all.received(1);
    expect(left.results()).toEqual([]);
  });
});

describe('a subscription is refused', () => {
  const TOO_MANY_TOKENS = `subscription { event { ${'id '.repeat(GRAPHQL_LIMITS.subscriptionTokens.value)} } }`;

  test.each([
    ['an unknown type', 'subscription { event(types: ["invoice.vanished"]) { id } }'],
    ['an empty list', 'subscription { invoiceChanged(filter: { kind: [] }) { sequence } }'],
    ['a negative sequence', 'subscription { event(afterSequence: -1) { id } }'],
    ['a sequence that is not there yet', 'subscription { event(afterSequence: 2000000000) { id } }'],
    ['an unknown field', 'subscription { event { nothing } }'],
    ['a field that is skipped', 'subscription { event @skip(if: true) { id } }'],
    [
      'a field of a fragment that is not included',
      'subscription { ... @include(if: false) { event { id } } }',
    ],
    [
      'a field that a fragment skips',
      'subscription { ...Skipped } fragment Skipped on Subscription { event @skip(if: true) { id } }',
    ],
    ['two fields', 'subscription { event { id } invoiceChanged { type } }'],
    ['too long a query', TOO_MANY_TOKENS],
    ['what is no query', 'subscription {'],
    [
      'too deep a query',
      `subscription { invoiceChanged { invoice { ${'rectifies { '.repeat(12)} id ${'}'.repeat(12)} } } }`,
    ],
  ])('%s', async (_what, query) => {
    const stream = await subscribe(query);
    await stream.ended();
    expect(refusedWith(stream)).toEqual({ status: 400, code: 'invalid_request' });
    expect(stream.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('an id of no message, as Last-Event-ID', async () => {
    const stream = await subscribe(EVENTS, { headers: { 'last-event-id': 'inv_1' } });
    await stream.ended();
    expect(refusedWith(stream)).toEqual({ status: 400, code: 'invalid_request' });
  });

  test('long variables', async () => {
    const filter = { externalCustomerId: 'x'.repeat(GRAPHQL_LIMITS.subscriptionVariables.value) };
    const query = 'subscription ($filter: InvoiceChangeFilter) { invoiceChanged(filter: $filter) { type } }';
    const stream = await subscribe(query, { variables: { filter } });
    await stream.ended();
    expect(refusedWith(stream)).toEqual({ status: 400, code: 'invalid_request' });
  });

  test('when no events are accepted', async () => {
    const stream = await subscribe(EVENTS, { headers: { accept: 'application/json' } });
    await stream.ended();
    expect(refusedWith(stream)).toEqual({ status: 400, code: 'invalid_request' });
  });

  test('more different queries than may be, while the same with other variables counts once', async () => {
    const { key } = await createOperatorKey(service.db.pool, 'Ada', { role: 'viewer' });
    const of = `companyId: "${service.company.companyId}", environment: test`;
    const query = 'subscription ($types: [String!]) { event(types: $types, OF) { id } }'.replace('OF', of);
    for (const types of [['ping'], ['invoice.issued'], []])
      expect((await subscribe(query, { key, variables: { types } })).status).toBe(200);
    for (let count = 1; count < GRAPHQL_LIMITS.subscriptionDocumentsOfOwner.value; count += 1)
      expect((await subscribe(`subscription Q${count} { event(${of}) { id } }`, { key })).status).toBe(200);
    const excess = await subscribe(`subscription Last { event(${of}) { id } }`, { key });
    await excess.ended();
    expect(refusedWith(excess)).toEqual({ status: 429, code: 'rate_limited' });
    expect(excess.headers.get('retry-after')).not.toBeNull();
    open.shift()!.close();
    open.shift()!.close();
    open.shift()!.close();
    await vi.waitFor(
      async () =>
        expect((await subscribe(`subscription Last { event(${of}) { id } }`, { key })).status).toBe(200),
      { timeout: 60_000 },
    );
  });
});

describe('a stream ends', () => {
  const keyWith = () =>
    createApiKey(service.db.pool, {
      ...{
        environmentId: service.company.test.environmentId,
        environment: 'test',
        name: 'x',
        scopes: ['read'],
      },
    });
  const tokenOf = async (seconds: number): Promise<string> => {
    const body = { scopes: ['read'], ttl_seconds: seconds };
    return (await service.call('POST', '/v1/access_tokens', { body })).body.token;
  };
  const finalMessage = ({ messages }: ReadStream) => {
    const [last, complete] = messages.slice(-2);
    expect(complete).toMatchObject({ event: 'complete', data: '' });
    const { message, extensions } = JSON.parse(last!.data).errors[0];
    return { message, code: extensions.code };
  };

  test('when its key is revoked, and those of other keys go on', async () => {
    const { id, key } = await keyWith();
    const [stream, others] = [await subscribe(EVENTS, { key }), await subscribe(EVENTS)];
    await revokeKey(service.db.pool, id);
    await stream.ended();
    expect(finalMessage(stream)).toEqual({
      code: 'unauthorized',
      message: 'The API key is expired or revoked.',
    });
    await issue();
    expect(await others.received(1)).toHaveLength(1);
  });

  test('when its key may not read any more', async () => {
    const { id, key } = await keyWith();
    const stream = await subscribe(EVENTS, { key });
    await service.owner.query("update api_key set scopes = array['manage'] where id = $1", [id]);
    service.services.streams.checkAuthorities();
    await stream.ended();
    expect(finalMessage(stream).code).toBe('forbidden');
  });

  test('when its key gains or loses what the subscription does not need, to be resumed with what it may see now', async () => {
    const { id, key } = await keyWith();
    const [stream, others] = [await subscribe(EVENTS, { key }), await subscribe(EVENTS)];
    await service.owner.query("update api_key set scopes = array['read', 'manage'] where id = $1", [id]);
    service.services.streams.checkAuthorities();
    await stream.ended();
    expect(stream.messages).toEqual([]);
    await issue();
    expect(await others.received(1)).toHaveLength(1);
  });

  test('when the origin of its page is no longer allowed', async () => {
    const origin = 'https://shop.example';
    const allow = (origins: string[]) =>
      service.graphql(
        'mutation ($origins: [String!]!) { setAllowedOrigins(origins: $origins) { origins } }',
        {
          origins,
        },
      );
    await allow([origin]);
    const stream = await subscribe(EVENTS, { key: await tokenOf(60), headers: { origin } });
    expect(stream.headers.get('access-control-allow-origin')).toBe(origin);
    await allow([]);
    service.services.streams.checkAuthorities();
    await stream.ended();
    expect(finalMessage(stream).code).toBe('forbidden');
  });

  test('when the process stops, without saying that it is complete', async () => {
    const stopping = await testService({}, { beside: service });
    const streams = [await subscribe(EVENTS, { at: stopping }), await subscribe(CHANGES, { at: stopping })];
    await stopping.close();
    for (const stream of streams) {
      await stream.ended();
      expect(stream.messages).toEqual([]);
    }
  });
});

describe('a stream costs the process', () => {
  const listeners = async () => {
    const { rows } = await service.owner.query(
      "select pid from pg_stat_activity where datname = current_database() and application_name = 'lacre listener'",
    );
    return rows.map(({ pid }) => pid as number);
  };

  test('one connection to the database for all of them, and none when there are none', async () => {
    await vi.waitFor(async () => expect(await listeners()).toEqual([]), { timeout: 60_000 });
    for (let count = 0; count < 5; count += 1) await subscribe(`subscription S${count} { event { id } }`);
    await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), { timeout: 60_000 });
    for (const stream of open.splice(0)) stream.close();
    await vi.waitFor(async () => expect(await listeners()).toEqual([]), { timeout: 60_000 });
  });

  test('nothing that was announced while that connection was lost', async () => {
    const stream = await subscribe(EVENTS);
    await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), { timeout: 60_000 });
    const [pid] = await listeners();
    await service.owner.query('select pg_terminate_backend($1)', [pid]);
    const { id } = await issue();
    expect((await stream.received(1))[0].data.event.subjectId).toBe(id);
  });

  test('no place among the requests in progress, and is not closed for being silent', async () => {
    const bounds = { underWay: 2, stalledAfterMs: 50, sweepMs: 10 };
    const small = await testService({}, { beside: service, bounds });
    const streams = [];
    for (let count = 0; count < 6; count += 1) streams.push(await subscribe(EVENTS, { at: small }));
    for (let beats = 0; beats < 20; beats += 1) {
      small.services.streams.beat();
      expect((await small.call('GET', '/v1/invoices?limit=1')).status).toBe(200);
    }
    await issue();
    for (const stream of streams) expect(await stream.received(1)).toHaveLength(1);
    await small.close();
  });
});
