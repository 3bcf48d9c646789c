import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { Visitor } from '../support/http/visitor.ts';
import type { createCompany } from '../support/invoices/company.ts';
import { operatorOf } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { aLink, aSale, aShop } from '../support/pages/portal.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const createSeries = async (prefix: string, key?: string) =>
  (
    await service.call('POST', '/v1/number_series', {
      body: { prefix, type: 'standard' },
      ...(key && { key }),
    })
  ).body;
const remove = (id: string) => service.call('DELETE', `/v1/number_series/${id}`);
const environmentOf = () => `companyId: "${service.company.companyId}", environment: test`;

async function makeDefault(id: string): Promise<string | null> {
  const { key } = await operatorOf(service);
  const text = `mutation { setDefaultNumberSeries(${environmentOf()}, id: "${id}", reason: "x") { id } }`;
  const { body } = await service.graphql(text, {}, { key });
  return body.errors?.[0]?.extensions.code ?? null;
}

async function defaults(): Promise<string[]> {
  const { rows } = await service.owner.query<{ id: string }>(
    `select series_id as id from series_default where environment_id = $1 and type = 'standard'`,
    [service.company.test.environmentId],
  );
  return rows.map(({ id }) => id);
}

test('of making a series the default and deleting it at once one wins, and there is a default', async () => {
  for (let pair = 0; pair < 6; pair++) {
    const { id } = await createSeries(`PAIR${pair}`);
    const both = [() => makeDefault(id), () => remove(id)] as const;
    const [made, deleted] =
      pair % 2 === 0
        ? await Promise.all([both[0](), both[1]()])
        : (await Promise.all([both[1](), both[0]()])).toReversed();
    const outcome = [made, (deleted as { status: number }).status];
    expect([
      [null, 409],
      ['number_series_not_found', 204],
    ]).toContainEqual(outcome);
    const kept = made === null ? id : (await defaults())[0];
    expect(await defaults()).toEqual([kept]);
    expect((await service.call('GET', '/v1/number_series')).status).toBe(200);
  }
});

describe('the database', () => {
  const { query } = { query: (text: string) => service.db.pool.query(text) };

  test('lets the service delete no default, nor a series that is one', async () => {
    await expect(query('delete from series_default')).rejects.toThrow(/permission denied/);
    await expect(query('delete from number_series')).rejects.toThrow(/series_default/);
  });

  test('has one default of a type, which is a series of its environment and type', async () => {
    const { test: own, live } = service.company;
    const set = (id: string) =>
      query(`update series_default set series_id = '${id}'
        where environment_id = ${own.environmentId} and type = 'standard'`);
    for (const id of [live.standardSeriesId!, own.rectifyingSeriesId!, 'ns_none'])
      await expect(set(id)).rejects.toThrow(/foreign key/);
    await expect(
      query(`insert into series_default (environment_id, type, series_id, created_at)
        values (${own.environmentId}, 'standard', '${own.standardSeriesId}', now())`),
    ).rejects.toThrow(/series_default_pkey/);
  });
});

describe('an environment that has lost its defaults, as a database of before could', () => {
  let key: string;
  let other: Awaited<ReturnType<typeof createCompany>>;
  beforeAll(async () => {
    const shop = await aShop(service);
    await aSale(service, shop, 'ana');
    link = await aLink(service, shop, 'ana');
    other = service.company;
    key = other.test.key;
    const { environmentId } = other.test;
    await service.owner.query('delete from series_default where environment_id = $1', [environmentId]);
  });
  let link: string;

  test('its key reads, its portal opens, operators see it, and only issuing is refused', async () => {
    expect((await service.call('GET', '/v1/invoices', { key })).status).toBe(200);
    expect(await service.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() })).toMatchObject({
      status: 422,
      body: { code: 'invalid_number_series' },
    });
    const body = { email: 'a@example.com' };
    expect((await service.call('POST', '/v1/access_tokens', { key, body })).status).not.toBe(401);
    const visitor = await new Visitor(service.url).enter(link);
    expect((await visitor.get('/portal')).status).toBe(200);
    const { execute } = await operatorOf(service);
    const number = other.test.environmentId;
    const seen = await execute('query ($id: ID!) { environment(id: $id) { number standardSeriesId } }', {
      id: String(number),
    });
    expect(seen.data.environment).toEqual({ number, standardSeriesId: null });
  });

  test('an operator mends it by making a series the default', async () => {
    expect(await makeDefault(other.test.standardSeriesId!)).toBeNull();
    expect(await defaults()).toEqual([other.test.standardSeriesId]);
    expect((await service.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() })).status).toBe(
      201,
    );
  });

  test('or creates one: the first series of a type is its default', async () => {
    await service.owner.query('delete from series_default where environment_id = $1', [
      other.test.environmentId,
    ]);
    const made = await createSeries('FIRST');
    expect(made).toMatchObject({ is_default: true });
    expect(await createSeries('SECOND')).toMatchObject({ is_default: false });
    expect(await defaults()).toEqual([made.id]);
  });
});

test('a key whose environment has no open chain reads, and issuing waits', async () => {
  const { environmentId } = service.company.test;
  await service.owner.query('update chain set closed_at = now() where environment_id = $1', [environmentId]);
  expect((await service.call('GET', '/v1/invoices')).status).toBe(200);
  expect((await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() })).status).toBe(503);
  await service.owner.query('update chain set closed_at = null where environment_id = $1', [environmentId]);
  expect((await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() })).status).toBe(201);
});
