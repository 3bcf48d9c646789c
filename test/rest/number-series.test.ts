import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

describe.each(PROTOCOLS)('number series over %s', (protocol) => {
  let operations: Operations;
  let company: TestCompany;
  let key: string;
  beforeEach(async () => {
    company = await createCompany(service.db);
    key = company.test.key;
    operations = operationsOf(service, protocol);
  });
  const create = (prefix: unknown, parts: object = {}) =>
    operations.createSeries({ prefix, type: 'standard', ...parts }, { key });

  test('a series is created, read and listed as the same thing', async () => {
    const { status, body } = await create('web', { yearly: false });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^ns_[0-9a-f]{32}$/),
      prefix: 'WEB',
      type: 'standard',
      yearly: false,
      is_default: false,
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await operations.series(body.id, { key })).body).toEqual(body);
    const { body: list } = await operations.seriesList({}, { key });
    expect(list.data[0]).toEqual(body);
    expect((await create('A')).body.yearly).toBe(true);
    expect((await create('B', { yearly: null })).body.yearly).toBe(true);
  });

  test.each([
    [' f a ', 'FA'],
    ['\ta\u00a0b\u2003c\n', 'ABC'],
    ['a-b', 'A-B'],
    ['x'.repeat(20), 'X'.repeat(20)],
    [` ${'y'.repeat(20)} ${' '.repeat(300)}`, 'Y'.repeat(20)],
    ['!#$%&()*+,-./:;?@[', '!#$%&()*+,-./:;?@['],
    ['\\]^_`{|}~', '\\]^_`{|}~'],
    ['0', '0'],
    ['2026', '2026'],
  ])('the prefix %j is stored as %s, and taken in every way of writing it', async (sent, stored) => {
    expect((await create(sent)).body.prefix).toBe(stored);
    for (const again of [sent, stored, stored.toLowerCase(), `  ${stored} `]) {
      for (const parts of [{}, { type: 'rectifying' }, { yearly: false }]) {
        const reply = await create(again, parts);
        expect(reply).toMatchObject({ status: 409, code: 'number_series_prefix_taken' });
      }
    }
  });

  test.each([
    ['', 'too_small'],
    [' \n\u3000', 'too_small'],
    ['x'.repeat(21), 'too_big'],
    ['x"', 'invalid_characters'],
    ["x'", 'invalid_characters'],
    ['<x', 'invalid_characters'],
    ['x>', 'invalid_characters'],
    ['x=', 'invalid_characters'],
    ['ñ', 'invalid_characters'],
    ['x\u0000', 'invalid_characters'],
    ['x\u007f', 'invalid_characters'],
    ['😀', 'invalid_characters'],
    ['x\ud800', 'invalid_characters'],
    ['\u200bx', 'invalid_characters'],
  ])('the prefix %j is refused: %s', async (prefix, reason) => {
    expect(await create(prefix)).toMatchObject({
      status: 400,
      code: 'invalid_request',
      faults: [`prefix ${reason}`],
    });
  });

  test.each([
    ['a prefix that is no text', { prefix: 1, type: 'standard' }],
    ['no prefix', { type: 'standard' }],
    ['no type', { prefix: 'X' }],
    ['an unknown type', { prefix: 'X', type: 'ordinary' }],
    ['a yearly that is no boolean', { prefix: 'X', type: 'standard', yearly: 'yes' }],
    ['an unknown field', { prefix: 'X', type: 'standard', is_default: true }],
  ])('%s is an invalid request', async (_what, body) => {
    expect(await operations.createSeries(body, { key })).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
  });

  test('numbers that could equal those of another series are refused, in either order of creation', async () => {
    const collision = { status: 409, code: 'number_series_numbering_collision' };
    // F is yearly from birth: it composes F-2026-1, and so would F-2026 without years.
    expect(await create('F-2026', { yearly: false })).toMatchObject(collision);
    expect(await create('f - 2031', { yearly: false, type: 'rectifying' })).toMatchObject(collision);
    expect(await create('R-2026', { yearly: false })).toMatchObject(collision);
    expect((await create('T-2026', { yearly: false })).status).toBe(201);
    expect(await create('T')).toMatchObject(collision);
    expect(await create('T', { type: 'rectifying' })).toMatchObject(collision);
    expect((await create('T', { yearly: false })).status).toBe(201);
  });

  test.each([
    ['F-2026', {}],
    ['F-226', { yearly: false }],
    ['F-20260', { yearly: false }],
    ['F2026', { yearly: false }],
    ['FF-2026', { yearly: false }],
    ['F-2026-1', { yearly: false }],
    ['F-X026', { yearly: false }],
  ])('%s with %j collides with nothing', async (prefix, parts) => {
    expect(await create(prefix, parts)).toMatchObject({ status: 201 });
  });

  test('of series created at once that exclude each other one stands', async () => {
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => create('race')),
      ...Array.from({ length: 4 }, () => create('race-2026', { yearly: false })),
    ]);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(7);
  });

  test('two defaults exist from the beginning, and cannot be deleted', async () => {
    const { body } = await operations.seriesList({}, { key });
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    const facts = body.data.map(({ prefix, type, yearly, is_default }: Record<string, unknown>) => ({
      ...{ prefix, type, yearly, is_default },
    }));
    expect(facts).toHaveLength(2);
    expect(facts).toContainEqual({ prefix: 'F', type: 'standard', yearly: true, is_default: true });
    expect(facts).toContainEqual({ prefix: 'R', type: 'rectifying', yearly: true, is_default: true });
    for (const { id } of body.data) {
      expect(await operations.deleteSeries(id, { key })).toMatchObject({
        status: 409,
        code: 'number_series_in_use',
      });
    }
  });

  test('an unused series can be deleted, once, and its prefix given again', async () => {
    const { body } = await create('gone');
    expect((await operations.deleteSeries(body.id, { key })).status).toBe(204);
    expect(await operations.deleteSeries(body.id, { key })).toMatchObject({
      code: 'number_series_not_found',
    });
    expect(await operations.series(body.id, { key })).toMatchObject({ code: 'number_series_not_found' });
    expect(await create('gone')).toMatchObject({ status: 201 });
  });

  test('a series with an invoice can never be deleted', async () => {
    const { body } = await create('used');
    const issued = await operations.issue(aSimplifiedInvoice({ number_series_id: body.id }), { key });
    expect(issued.body).toMatchObject({
      number_series_id: body.id,
      number: expect.stringMatching(/^USED-\d{4}-1$/),
    });
    const refusal = await operations.deleteSeries(body.id, { key });
    expect(refusal).toMatchObject({ status: 409, code: 'number_series_in_use' });
  });

  test('a series of an integration stays as long as that uses it', async () => {
    const standard = (await create('shop')).body.id;
    const rectifying = (await create('shop-r', { type: 'rectifying' })).body.id;
    await service.db.pool.query(
      `insert into integration (id, environment_id, name, standard_series_id, rectifying_series_id)
       values ($1, $2, 'shop', $3, $4)`,
      [`int_${standard}`, company.test.environmentId, standard, rectifying],
    );
    for (const id of [standard, rectifying]) {
      expect(await operations.deleteSeries(id, { key })).toMatchObject({
        status: 409,
        code: 'number_series_in_use',
      });
    }
    await service.owner.query('delete from integration where id = $1', [`int_${standard}`]);
    expect((await operations.deleteSeries(standard, { key })).status).toBe(204);
  });

  test('an ordinary invoice goes on standard series of its environment only', async () => {
    for (const number_series_id of [
      company.test.rectifyingSeriesId,
      company.live.standardSeriesId,
      `ns_${'0'.repeat(32)}`,
      'ns_1',
      '',
      'F',
      company.test.standardSeriesId.toUpperCase(),
    ]) {
      const reply = await operations.issue(aSimplifiedInvoice({ number_series_id }), { key });
      expect(reply).toMatchObject({ status: 422, code: 'invalid_number_series' });
    }
    const { standardSeriesId: number_series_id } = company.test;
    expect((await operations.issue(aSimplifiedInvoice({ number_series_id }), { key })).status).toBe(201);
  });

  test('lists page through every series once, newest first, of one type if wanted', async () => {
    for (const letter of 'ABCDEFG') {
      await create(`P${letter}`, { type: 'BDF'.includes(letter) ? 'rectifying' : 'standard' });
    }
    const walk = async (query: Record<string, string>) => {
      const prefixes: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const after: Record<string, string> = cursor === undefined ? {} : { starting_after: cursor };
        const { body } = await operations.seriesList({ limit: 2, ...query, ...after }, { key });
        prefixes.push(...body.data.map(({ prefix }: { prefix: string }) => prefix));
        expect(body.has_more).toBe(body.next_cursor !== null);
        cursor = body.next_cursor;
      }
      return prefixes;
    };
    const all = await walk({});
    expect(all.slice(0, 7)).toEqual(['PG', 'PF', 'PE', 'PD', 'PC', 'PB', 'PA']);
    expect(all.slice(7).sort()).toEqual(['F', 'R']);
    expect(await walk({ type: 'rectifying' })).toEqual(['PF', 'PD', 'PB', 'R']);
  });
});

test('a series is immutable: nothing can change one, not even in the database', async () => {
  const { standardSeriesId } = service.company.test;
  for (const method of ['PUT', 'PATCH', 'POST']) {
    const { status, body } = await service.call(method, `/v1/number_series/${standardSeriesId}`, {
      body: { prefix: 'X', type: 'standard' },
    });
    expect({ status, code: body.code }).toEqual({ status: 405, code: 'method_not_allowed' });
  }
  const change = service.owner.query(`update number_series set prefix = 'X' where id = $1`, [
    standardSeriesId,
  ]);
  await expect(change).rejects.toThrow(/sealed/);
});

test('the next page keeps the filters', async () => {
  for (const prefix of ['N1', 'N2', 'N3']) {
    await service.call('POST', '/v1/number_series', { body: { prefix, type: 'standard' } });
  }
  const { body } = await service.call('GET', '/v1/number_series?type=standard&limit=2');
  expect(body.next_url).toBe(`/v1/number_series?type=standard&limit=2&starting_after=${body.next_cursor}`);
  const { body: next } = await service.call('GET', body.next_url);
  expect(next.data.map(({ prefix }: { prefix: string }) => prefix)).toEqual(['N1', 'F']);
});

test('events of series contain the series as REST shows it', async () => {
  const { test: environment } = await createCompany(service.db);
  const { key } = environment;
  const listed = async () =>
    (await service.call('GET', '/v1/events?order=asc', { key })).body.data.map(
      ({ type, data }: { type: string; data: { object: object } }) => [type, data.object],
    );
  const { body: list } = await service.call('GET', '/v1/number_series', { key });
  const born = list.data.map((series: object) => ['number_series.created', series]);
  expect(await listed()).toEqual(expect.arrayContaining(born));
  const body = { prefix: 'POP', type: 'standard', yearly: false };
  const { body: made } = await service.call('POST', '/v1/number_series', { key, body });
  await service.call('DELETE', `/v1/number_series/${made.id}`, { key });
  expect((await listed()).slice(born.length)).toEqual([
    ['number_series.created', made],
    ['number_series.deleted', made],
  ]);
});
