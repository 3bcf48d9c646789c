import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** What merchants note of an invoice: the one thing of it that changes. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const issue = (metadata: unknown, headers = {}) =>
  service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice({ metadata }), headers });
const issued = async (metadata: unknown) => {
  const { status, body } = await issue(metadata);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
const change = (id: string, metadata: unknown, key?: string) =>
  service.call('PATCH', `/v1/invoices/${id}`, { body: { metadata }, ...(key === undefined ? {} : { key }) });
const read = async (id: string) => (await service.call('GET', `/v1/invoices/${id}`)).body;
const found = async (query: string) => {
  const { status, body } = await service.call('GET', `/v1/invoices?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ id }: { id: string }) => id);
};

const NOTED = {
  orderNo: '17',
  'channel.name': 'web',
  snake_case: '=1+1',
  constructor: '<script>alert(1)</script>',
};

test('is answered as it was sent, keys and all, and absent where there is none', async () => {
  const { id, metadata } = await issued(NOTED);
  expect(metadata).toEqual(NOTED);
  expect((await read(id)).metadata).toEqual(NOTED);
  const { body } = await service.graphql(`{ invoice(id: "${id}") { metadata } }`);
  expect(body.data.invoice.metadata).toEqual(NOTED);
  for (const none of [undefined, null, {}]) {
    const { id: plain, ...answer } = await issued(none);
    expect(Object.keys(answer)).not.toContain('metadata');
    expect(Object.keys(await read(plain))).not.toContain('metadata');
  }
});

test('a change keeps keys that it does not mention, and removes those set to null', async () => {
  const { id } = await issued({ a: '1', b: '2' });
  const { status, body } = await change(id, { b: null, c: '3' });
  expect({ status, metadata: body.metadata }).toEqual({ status: 200, metadata: { a: '1', c: '3' } });
  expect((await read(id)).metadata).toEqual({ a: '1', c: '3' });
  await change(id, { a: null, c: null });
  expect(Object.keys(await read(id))).not.toContain('metadata');
  await change(id, { later: 'x' });
  expect((await read(id)).metadata).toEqual({ later: 'x' });
});

test('simultaneous changes do not overwrite each other', async () => {
  const { id } = await issued(undefined);
  const keys = Array.from({ length: 8 }, (_, index) => `key${index}`);
  await Promise.all(keys.map((key) => change(id, { [key]: key })));
  expect((await read(id)).metadata).toEqual(Object.fromEntries(keys.map((key) => [key, key])));
});

test('changes nothing of what is sealed, and causes no event', async () => {
  const { id, pdf_url: _, ...before } = await issued({ a: '1' });
  const count = async () => {
    const { rows } = await service.db.pool.query(
      'select position from journal_head where environment_id = $1',
      [service.company.test.environmentId],
    );
    return rows[0].position;
  };
  const journal = await count();
  await change(id, { a: '2' });
  expect(await read(id)).toMatchObject({ ...before, metadata: { a: '2' } });
  expect(await count()).toBe(journal);
});

const long = (length: number) => 'x'.repeat(length);
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

describe('its contents', () => {
  test.each([
    ['50 keys', many(50)],
    ['a key of 40', { [long(40)]: 'v' }],
    ['a text of 500', { k: '\u{1f600}'.repeat(500) }],
    ['an empty text', { k: '' }],
    ['lines', { k: 'a\r\n\tb' }],
  ])('%s', async (_what, metadata) => {
    expect((await issued(metadata)).metadata).toEqual(metadata);
  });

  test.each([
    ['51 keys', many(51)],
    ['a key of 41', { [long(41)]: 'v' }],
    ['an empty key', { '': 'v' }],
    ['a key with a control character', { 'a\u0000': 'v' }],
    ['a text of 501', { k: long(501) }],
    ['a NUL', { k: 'a\u0000b' }],
    ['half a character', { k: '\ud800' }],
    ['a number', { k: 1 }],
    ['an object', { k: { polluted: true } }],
    ['a list', ['a']],
    ['a text', 'a'],
  ])('not %s', async (_what, metadata) => {
    const refused = { status: 400, body: { code: 'invalid_request', errors: [{ field: 'metadata' }] } };
    expect(await issue(metadata)).toMatchObject(refused);
    const { id } = await issued(undefined);
    expect(await change(id, metadata)).toMatchObject(refused);
    const { body } = await service.graphql(
      'mutation ($id: ID!, $metadata: JSON!) { updateInvoiceMetadata(id: $id, metadata: $metadata) { id } }',
      { id, metadata },
    );
    expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_request', status: 400 });
  });

  test('no prototype is reached by it', async () => {
    const { id } = await issued({ k: 'v' });
    for (const text of ['{"metadata":{"__proto__":"x"}}', '{"metadata":{"__proto__":{"polluted":"x"}}}']) {
      const answer = await fetch(`${service.url}/v1/invoices/${id}`, {
        ...{ method: 'PATCH', body: text },
        headers: { authorization: `Bearer ${service.company.test.key}`, 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(400);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((await read(id)).metadata).toEqual({ k: 'v' });
  });

  test('not more keys than that by several changes', async () => {
    const { id } = await issued(many(50));
    expect(await change(id, { another: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    expect((await change(id, { another: 'x', k0: null })).status).toBe(200);
  });
});

test('nothing else can be changed, nor anything of what is another’s', async () => {
  const { id } = await issued({ a: '1' });
  const patch = async (body: object, key?: string) =>
    service.call('PATCH', `/v1/invoices/${id}`, { body, ...(key === undefined ? {} : { key }) });
  expect(await patch({ metadata: {}, notes: 'x' })).toMatchObject({
    ...{ status: 400, body: { errors: [{ field: 'notes', code: 'unrecognized_field' }] } },
  });
  expect((await patch({})).status).toBe(400);
  expect((await patch({ metadata: null })).status).toBe(400);
  expect(await patch({ metadata: { a: '2' } }, service.company.live.key)).toMatchObject({
    ...{ status: 404, body: { code: 'invoice_not_found' } },
  });
  expect((await change('inv_1', { a: '2' })).status).toBe(404);
  expect((await read(id)).metadata).toEqual({ a: '1' });
});

test('invoices are found by it, within their environment alone', async () => {
  const one = await issued({ shop: 'A', 'a[b]': 'x y' });
  const two = await issued({ shop: 'B' });
  const both = await issued({ shop: 'A', order: '9' });
  const live = await service.call('POST', '/v1/invoices', {
    ...{ key: service.company.live.key, body: aCompleteInvoice({ metadata: { shop: 'A' } }) },
  });
  expect(live.status).toBe(201);
  expect(await found('metadata[shop]=A')).toEqual([both.id, one.id]);
  expect(await found('metadata[shop]=A&metadata[shop]=B')).toEqual([both.id, two.id, one.id]);
  expect(await found('metadata[shop]=A&metadata[order]=9')).toEqual([both.id]);
  expect(await found(`${encodeURIComponent('metadata[a[b]]')}=x+y`)).toEqual([one.id]);
  expect(await found('metadata[shop]=a')).toEqual([]);
  await change(two.id, { shop: 'A' });
  expect(await found('metadata[shop]=B')).toEqual([]);
  const { body: page } = await service.call('GET', '/v1/invoices?metadata[shop]=A&limit=1');
  expect(page.data[0].id).toBe(both.id);
  expect((await service.call('GET', page.next_url)).body.data[0].id).toBe(two.id);
  const { body } = await service.graphql(
    '{ invoices(filter: { metadata: [{ key: "shop", value: "A" }, { key: "order", value: ["8", "9"] }] }) { edges { node { id } } } }',
  );
  expect(body.data.invoices.edges).toEqual([{ node: { id: both.id } }]);
});

test.each(['metadata=A', 'metadata[]=A', 'metadata[k]=%00', 'other[k]=A', `metadata[${long(41)}]=A`])(
  'a list by %s is refused',
  async (query) => {
    expect(await service.call('GET', `/v1/invoices?${query}`)).toMatchObject({
      ...{ status: 400, body: { code: 'invalid_request' } },
    });
  },
);

test('is compared when a key is repeated, and the first answer is replayed', async () => {
  const headers = { 'idempotency-key': 'metadata' };
  const body = aSimplifiedInvoice({ metadata: { a: '1' } });
  const send = (sent: object) => service.call('POST', '/v1/invoices', { body: sent, headers });
  const first = await send(body);
  await change(first.body.id, { a: '2' });
  expect((await send(body)).body).toEqual(first.body);
  expect((await send({ ...body, metadata: { a: '3' } })).status).toBe(409);
});
