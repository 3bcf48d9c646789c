import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { holdChain, untilWaiting } from '../support/database/held-locks.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operatorOf } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

// Two processes on one database: what is queued in one cannot order what the other does.
let one: TestService;
let other: TestService;
let operator: Awaited<ReturnType<typeof operatorOf>>;
beforeAll(async () => {
  one = await testService();
  other = await testService({}, { beside: one });
  operator = await operatorOf(other);
});
afterAll(async () => {
  await other.close();
  await one.close();
});

let made = 0;
async function newSeries(): Promise<string> {
  made += 1;
  const { body } = await one.call('POST', '/v1/number_series', {
    body: { prefix: `S${made}X`, type: 'standard' },
  });
  return body.id;
}

/** What a racer got: null for a success, or the code of its refusal. */
type Racer = () => Promise<string | null>;

const remove =
  (id: string): Racer =>
  async () => {
    const { status, body } = await one.call('DELETE', `/v1/number_series/${id}`);
    return status === 204 ? null : body.code;
  };
const issue =
  (number_series_id?: string): Racer =>
  async () => {
    const { status, body } = await one.call('POST', '/v1/invoices', {
      body: aSimplifiedInvoice({ ...(number_series_id && { number_series_id }) }),
    });
    return status === 201 ? null : body.code;
  };
const mutation =
  (call: (place: string) => string): Racer =>
  async () => {
    const place = `companyId: "${one.company.companyId}", environment: test`;
    const { errors } = await operator.execute(`mutation { ${call(place)} { id } }`, {});
    return errors?.[0]?.extensions.code ?? null;
  };
const makeDefault = (id: string): Racer =>
  mutation((place) => `setDefaultNumberSeries(${place}, id: "${id}", reason: "x")`);
const drop = (id: string): Racer =>
  mutation((place) => `deleteNumberSeries(${place}, id: "${id}", reason: "x")`);
const integrate = (id: string): Racer => {
  const name = `shop of ${id}`;
  return mutation(
    (place) =>
      `createIntegration(input: { ${place}, name: "${name}", standardSeriesId: "${id}", reason: "x" })`,
  );
};

async function defaultSeries(): Promise<string | undefined> {
  const { status, body } = await one.call('GET', '/v1/number_series?type=standard&limit=100');
  expect(status, 'the key is in force').toBe(200);
  const found = body.data.filter((series: { is_default: boolean }) => series.is_default);
  expect(found.length).toBeLessThanOrEqual(1);
  if (found.length === 1) return found[0].id;
  const { rows } = await one.owner.query<{ id: string }>(
    `select d.series_id as id from series_default d join number_series s using (environment_id, type)
      where d.environment_id = $1 and d.type = 'standard' and s.id = d.series_id`,
    [one.company.test.environmentId],
  );
  return rows[0]?.id;
}

const GONE = 'number_series_not_found';
const IN_USE = 'number_series_in_use';
const UNFIT = 'invalid_number_series';

/** Who races, and what they may get together; anything else, and above all no default, is a fault. */
const RACES: [string, number, (id: string) => Promise<Racer[]> | Racer[], (string | null)[][]][] = [
  [
    'a series is made the default and deleted',
    60,
    (id) => [makeDefault(id), remove(id)],
    [
      [null, IN_USE],
      [GONE, null],
    ],
  ],
  [
    'a series is deleted by an operator and made the default',
    40,
    (id) => [drop(id), makeDefault(id)],
    [
      [IN_USE, null],
      [null, GONE],
    ],
  ],
  [
    'two are made the default',
    30,
    async (id) => [makeDefault(id), makeDefault(await newSeries())],
    [[null, null]],
  ],
  [
    'the default is replaced and deleted',
    30,
    async (id) => {
      await makeDefault(id)();
      return [makeDefault(await newSeries()), remove(id)];
    },
    [
      [null, null],
      [null, IN_USE],
    ],
  ],
  [
    'one is deleted twice',
    20,
    (id) => [remove(id), drop(id)],
    [
      [null, GONE],
      [GONE, null],
    ],
  ],
  [
    'one is deleted and issued on',
    30,
    (id) => [remove(id), issue(id)],
    [
      [IN_USE, null],
      [null, UNFIT],
    ],
  ],
  [
    'an integration gets one that is deleted',
    30,
    (id) => [remove(id), integrate(id)],
    [
      [IN_USE, null],
      [null, UNFIT],
    ],
  ],
  [
    'the default is replaced and deleted while an invoice that names none is issued',
    20,
    async (id) => {
      await makeDefault(id)();
      return [makeDefault(await newSeries()), remove(id), issue()];
    },
    [
      [null, null, null],
      [null, IN_USE, null],
      [null, null, 'service_unavailable'],
    ],
  ],
];

test.each(RACES)(
  'when %s (%i times), there is a default and the key works',
  async (_what, times, of, outcomes) => {
    for (let time = 0; time < times; time++) {
      const racers = await of(await newSeries());
      const answers = new Array<string | null>(racers.length);
      const order = racers.map((_, index) => index);
      if (time % 2 === 1) order.reverse();
      await Promise.all(
        order.map(async (index) => {
          answers[index] = await racers[index]!();
        }),
      );
      expect(outcomes).toContainEqual(answers);
      expect(await defaultSeries(), `after time ${time}`).toBeDefined();
    }
    const { environmentId } = one.company.test;
    expect((await verifyEnvironment(one.db.pool, environmentId))?.findings).toEqual([]);
  },
);

test('an invoice whose default was replaced and deleted after its check is to be sent again, and then issued', async () => {
  const { environmentId } = one.company.test;
  const usual = await defaultSeries();
  const unused = await newSeries();
  await makeDefault(unused)();
  const chain = await holdChain(other.db, environmentId);
  const issuing = issue()();
  await untilWaiting(other.db, 1);
  await one.owner.query(
    `update series_default set series_id = '${usual}' where environment_id = ${environmentId} and type = 'standard'`,
  );
  await one.owner.query(`delete from number_series where id = '${unused}'`);
  await chain.release();
  expect(await issuing).toBe('service_unavailable');
  expect(await issue()()).toBeNull();
});
