import { expect, test } from 'vitest';
import { startOfMadridDay } from '../../src/ground/lib/calendar.ts';
import { computeDayTotals } from '../../src/subjects/invoices/compute-day-totals.ts';
import { haveMoreGroups } from '../../src/subjects/invoices/totals.ts';
import type { TotalGroup } from '../../src/subjects/invoices/totals-query.ts';
import { verifyJournalOnly } from '../../src/subjects/journal/verify.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import {
  ACTS,
  asOwner,
  environmentId,
  expectSameHoweverAsked,
  expectSameInHistories,
  inDays,
  issue,
  issued,
  OF_ALL,
  operator,
  service,
  startTotalsHistories,
  totalsOf,
} from './totals-histories.ts';

/** What invoices come to and what of it is paid and due, as the sums of days tell, and as all invoices do. */

startTotalsHistories();

const read = async <Row extends object>(text: string) => (await service.owner.query<Row>(text)).rows;
const daysToAdd = async () =>
  (await read<{ day: string }>('select distinct day::text from day_to_add order by day')).map(
    ({ day }) => day,
  );
const daysWithSums = async () =>
  (await read<{ day: string }>('select distinct day::text from day_total order by day')).map(
    ({ day }) => day,
  );

/** The next day, once nobody can issue on the one before: for an hour a server whose clock is late may. */
async function nextDay(): Promise<void> {
  await ACTS.nextDay(0);
  while (inDays(-1 / 24) !== inDays(0)) await ACTS.laterToday(0);
}

test('stays the same to the cent with any payments, corrections, imports and sums of days in between', async () => {
  await expectSameInHistories({ numRuns: 1, seed: 11 });
  expect(await daysWithSums(), 'something was added up').not.toEqual([]);
  await ACTS.addUpDays();
  expect(await verifyJournalOnly(service.db.pool, environmentId)).toMatchObject({ findings: [] });
});

test('is read from the sums of days, of all recipients or of each', async () => {
  await nextDay();
  await ACTS.addUpDays();
  expect(await daysToAdd()).toEqual([]);
  const recipients = [['RECIPIENT']] as const;
  const types = ['complete'] as const;
  for (const column of ['total', 'due'])
    for (const [level, groupings] of [
      ['of_recipient', recipients],
      ['not of_recipient', [['SERIES']] as const],
    ] as const) {
      const before = [await totalsOf({}, groupings), await totalsOf({ types }, groupings)];
      await service.owner.query(`update day_total set ${column} = ${column} + 1 where ${level}`);
      const after = [await totalsOf({}, groupings), await totalsOf({ types }, groupings)];
      for (const [index, found] of after.entries()) expect(found, level).not.toEqual(before[index]);
      await service.owner.query(`update day_total set ${column} = ${column} - 1 where ${level}`);
    }
});

test('a day whose invoices are paid or corrected is read from these until it is added up again', async () => {
  await issue(aCompleteInvoice());
  const { id } = issued.at(-1)!;
  const today = inDays(0);
  await nextDay();
  await ACTS.addUpDays();
  await service.owner.query('update day_total set total = total + 1, paid = paid + 1');
  const ofToday = { issuedFrom: startOfMadridDay(today), issuedBefore: startOfMadridDay(inDays(0)) };
  const expectReread = async (act: () => Promise<unknown>) => {
    expect(await totalsOf(ofToday)).not.toEqual(await totalsOf({ ...ofToday, ...OF_ALL }));
    await act();
    expect(await daysToAdd()).toContain(today);
    expect(await totalsOf(ofToday)).toEqual(await totalsOf({ ...ofToday, ...OF_ALL }));
    await service.owner.query('delete from day_to_add');
  };
  await expectReread(() => ACTS.pay(issued.findIndex((one) => one.id === id)));
  await expectReread(() => operator.voidInvoice(id));
  await asOwner('delete from day_total');
  await computeDayTotals(service.db);
  expect(await daysWithSums()).toEqual([]);
  await ACTS.addUpDays();
  await expectSameHoweverAsked();
});

test('tickets whose exchange is voided count again, on their days', async () => {
  await issue(aSimplifiedInvoice());
  await nextDay();
  await ACTS.exchange(issued.filter(({ type }) => type === 'simplified').length - 1);
  const exchange = issued.at(-1)!;
  await nextDay();
  await ACTS.addUpDays();
  await operator.voidInvoice(exchange.id);
  await expectSameHoweverAsked();
  await ACTS.addUpDays();
  await expectSameHoweverAsked();
});

test('more groups by recipient than an answer has are refused before they are added up', async () => {
  await ACTS.addUpDays();
  await asOwner(`insert into day_total select environment_id, true, day - d, series_id, kind, type, 'X' || n, 1, 0, 0, 0, 0, 0, '[]', '[]'
    from (select * from day_total where not of_recipient order by day limit 1) as first, generate_series(1, 1001) as n, generate_series(0, 1) as d`);
  const inForce = true;
  const haveMore = (groupBy: readonly TotalGroup[], max: number, filter = {}) =>
    haveMoreGroups(service.db.pool, environmentId, { filter: { inForce, ...filter }, groupBy }, max);
  expect(await haveMore(['MONTH', 'RECIPIENT'], 1_000)).toBe(true);
  expect(await haveMore(['RECIPIENT', 'TAX_RATE'], 1_000)).toBe(true);
  expect(await haveMore(['RECIPIENT'], 1_500)).toBe(false);
  expect(await haveMore(['DAY', 'RECIPIENT'], 1_500)).toBe(true);
  expect(await haveMore(['RECIPIENT'], 1_000, { issuedFrom: startOfMadridDay(inDays(0)) })).toBe(false);
  expect(await haveMore(['MONTH'], 1_000)).toBe(false);
  for (const groupBy of ['RECIPIENT', 'MONTH, RECIPIENT']) {
    const { body } = await service.graphql(`{ invoiceTotals(groupBy: [${groupBy}]) { count } }`);
    expect(body.errors[0].message, groupBy).toMatch(/more than 1000 groups/);
  }
  await asOwner("delete from day_total where recipient_tax_id like 'X%'");
});

test('few invoices without sums are not added up, and nothing is kept of what changes them', async () => {
  const { key, environmentId: live } = service.company.live;
  const { body } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice(), key });
  const payment = { amount: 1, paid_on: inDays(0) };
  const paid = await service.call('POST', `/v1/invoices/${body.id}/payments`, { body: payment, key });
  expect(paid.status).toBe(201);
  const ofLive = (table: string) => read(`select from ${table} where environment_id = ${live}`);
  expect(await ofLive('day_to_add')).not.toEqual([]);
  await computeDayTotals(service.db);
  expect(await ofLive('day_to_add')).toEqual([]);
  expect(await ofLive('day_total')).toEqual([]);
});

test('each day that is over is added up where there are sums, once nobody can issue on it any more', async () => {
  await nextDay();
  await ACTS.addUpDays();
  const last = (await daysWithSums()).at(-1)!;
  expect(last < inDays(0)).toBe(true);
  await nextDay();
  await ACTS.addUpDays();
  expect((await daysWithSums()).at(-1)).toBe(inDays(-1));
  await expectSameHoweverAsked();
});

test('the job adds up again what has changed since, of environments with sums', async () => {
  const { id } = issued.find(({ type }) => type === 'simplified')!;
  await operator.voidInvoice(id);
  await ACTS.pay(2);
  await asOwner(
    "insert into day_to_add (environment_id, day) select environment_id, '2999-01-01' from day_total limit 1",
  );
  await computeDayTotals(service.db);
  expect(await daysToAdd()).toEqual([]);
  await expectSameHoweverAsked();
  expect(await verifyJournalOnly(service.db.pool, environmentId)).toMatchObject({ findings: [] });
});

test('a payment that is committed while its day is added up is in the sums, or the day is added up again', async () => {
  const client = await service.owner.connect();
  try {
    await client.query('begin');
    // Not yet visible to the job, as a payment in progress.
    await client.query(
      `update payment_account set paid = paid + 1 where environment_id = $1 and holder_id = (
      select holder_id from payment_account where environment_id = $1 and holder_id is not null order by listed_at limit 1)`,
      [environmentId],
    );
    await service.owner.query(
      'insert into day_to_add (environment_id, day) select distinct environment_id, day from day_total',
    );
    await computeDayTotals(service.db);
    await client.query('commit');
  } finally {
    client.release();
  }
  expect(await daysToAdd()).toHaveLength(1);
  await expectSameHoweverAsked();
  await computeDayTotals(service.db);
  await expectSameHoweverAsked();
});
