import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { firstOfMonth, startOfMadridDay } from '../../src/ground/lib/calendar.ts';
import { computeDayTotals } from '../../src/subjects/invoices/compute-day-totals.ts';
import {
  readPaymentTotals,
  readRateTotals,
  readTotals,
} from '../../src/subjects/invoices/store/read-totals.ts';
import { verifyJournalOnly } from '../../src/subjects/journal/verify.ts';
import {
  ACTS,
  act,
  asOwner,
  environmentId,
  expectSameHoweverAsked,
  inDays,
  issued,
  OF_ALL,
  operator,
  service,
  startTotalsHistories,
  totalsOf,
} from './totals-histories.ts';

/** Totals from the sums of months and of the part of a day that is over, which the job keeps with those of days. */

startTotalsHistories();

const ENDS = `select before::text, until, months_before::text as months, recipients_before::text as recipients,
  recipients_until as "recipientsUntil", recipient_months_before::text as "recipientMonths" from day_total_end`;
const ends = async () => (await service.owner.query(ENDS)).rows[0];
beforeAll(async () => {
  for (const { name, which } of fc.sample(act, { numRuns: 60, seed: 5 })) {
    await ACTS.issue(which);
    await ACTS[name](which);
  }
});

/** Until some of today was issued more than an hour ago. */
async function issuePartOfToday(): Promise<void> {
  await ACTS.laterToday(0);
  do await ACTS.laterToday(1);
  while (inDays(-1 / 8) !== inDays(0));
}

/** A day within a month, not long ago: sums of months do not have the days since. */
const withinMonth = () => (inDays(-20).endsWith('-01') ? inDays(-19) : inDays(-20));

test('is read from sums of months, of days within one, and from those by type and by recipient', async () => {
  await issuePartOfToday();
  await ACTS.addUpDays();
  await ACTS.deduct();
  const all = { max: 1_000, filter: { inForce: true }, groupBy: [] } as const;
  const types = { ...all, filter: { inForce: true, types: ['simplified'] } } as const;
  const recipients = { ...all, groupBy: ['RECIPIENT'] } as const;
  const issuedFrom = startOfMadridDay(withinMonth());
  const since = { inForce: true, issuedFrom };
  const today = { inForce: true, issuedFrom: startOfMadridDay(inDays(0)) };
  const { pool } = service.db;
  for (const [table, sums] of [
    ['month_total', all],
    ['day_total', { ...all, filter: since }],
    ['day_total', { ...all, filter: today }],
    ['type_total', types],
    ['recipient_total', { ...recipients, filter: since }],
    ['recipient_total', { ...recipients, filter: today }],
    ['recipient_month_total', recipients],
    ['deducted_month_total', all],
    ['deducted_total', { ...all, filter: since }],
    ['deducted_recipient_month_total', types],
    ['deducted_recipient_month_total', recipients],
    ['deducted_recipient_total', { ...recipients, filter: since }],
  ] as const) {
    const read = async () => [
      await readTotals(pool, environmentId, sums),
      await readRateTotals(pool, environmentId, sums),
    ];
    const before = await read();
    await asOwner(`create table kept as table ${table}; delete from ${table}`);
    const [amounts, rates] = await read();
    expect(amounts, table).not.toEqual(before[0]);
    expect(rates, table).not.toEqual(before[1]);
    await asOwner(`insert into ${table} table kept; drop table kept`);
    expect(await read(), table).toEqual(before);
  }
  for (const [table, sums] of [
    ['recipient_payment_month_total', recipients],
    ['recipient_payment_month_total', types],
    ['recipient_payment_total', { ...recipients, filter: since }],
  ] as const) {
    const before = await readPaymentTotals(pool, environmentId, sums);
    await asOwner(`update ${table} set due = due + 1`);
    expect(await readPaymentTotals(pool, environmentId, sums), table).not.toEqual(before);
    await asOwner(`update ${table} set due = due - 1`);
    expect(await readPaymentTotals(pool, environmentId, sums), table).toEqual(before);
  }
});

test('months are added up again by what changes their days, and still read', async () => {
  await ACTS.addUpDays();
  const complete = await ends();
  await ACTS.nextDay(0);
  await operator.voidInvoice(issued.find(({ type }) => type === 'simplified')!.id);
  await ACTS.pay(issued.length - 1);
  await ACTS.pay(1);
  await ACTS.deduct();
  await ACTS.addChanges();
  expect(await ends()).toEqual(complete);
  await expectSameHoweverAsked();
});

test('what was voided of today is deducted, whether its sums have it or not', async () => {
  const { pool } = service.db;
  const groupBy = ['RECIPIENT'] as const;
  const expectDeducted = async () => {
    const today = { issuedFrom: startOfMadridDay(inDays(0)) };
    for (const filter of [{}, today, { types: ['simplified'] as const }])
      expect(await totalsOf(filter, [[], groupBy])).toEqual(
        await totalsOf({ ...filter, ...OF_ALL }, [[], groupBy]),
      );
  };
  await issuePartOfToday();
  await ACTS.addUpDays();
  const summed = issued.slice(-2)[0]!;
  // The sums of today have the first one of these, and not the second.
  for (const { id } of [summed, issued.at(-1)!]) {
    await operator.voidInvoice(id);
    await expectDeducted();
    await ACTS.deduct();
    await expectDeducted();
  }
  const { rows } = await pool.query('select from corrected_invoice where not deducted');
  expect(rows).toEqual([]);
  await ACTS.addUpDays();
  await expectDeducted();
});

test('a month whose sums are not those of its days is found by verification', async () => {
  const found = async () => (await verifyJournalOnly(service.db.pool, environmentId))!.findings;
  expect(await found()).toEqual([]);
  const amounts = ['tax = tax + 1', `lines = jsonb_set(lines, '{0,count}', '99')`, `rates = '[]'`];
  for (const [table, changes] of [
    ['month_total', amounts],
    ['recipient_month_total', ['tax = tax + 1']],
    ['deducted_month_total', ['tax = tax + 1']],
    ['deducted_recipient_month_total', ['tax = tax + 1']],
    ['recipient_payment_month_total', ['paid = paid + 1', 'due = 0']],
  ] as const)
    for (const changed of changes) {
      await asOwner(`create table kept as table ${table}; update ${table} set ${changed}`);
      expect(await found(), `${table}: ${changed}`).toContainEqual(
        expect.objectContaining({ what: 'day_total', expected: 'the sums of its days' }),
      );
      await asOwner(`delete from ${table}; insert into ${table} table kept; drop table kept`);
    }
  expect(await found()).toEqual([]);
});

test('the part of a day whose sums are not those of its invoices is found by verification', async () => {
  await issuePartOfToday();
  await ACTS.addUpDays();
  const { rows } = await service.owner.query<{ day: string; until: Date }>(
    'select before::text as day, until from day_total_end',
  );
  const [{ day, until }] = rows as [{ day: string; until: Date }];
  expect(until > startOfMadridDay(day)).toBe(true);
  for (const table of ['day_total', 'recipient_total', 'type_total']) {
    await asOwner(`update ${table} set total = total + 1 where day = '${day}'`);
    const { findings } = (await verifyJournalOnly(service.db.pool, environmentId))!;
    expect(findings, table).not.toEqual([]);
    for (const finding of findings)
      expect(finding).toMatchObject({ what: 'day_total', subjectId: expect.stringContaining(day) });
    await asOwner(`update ${table} set total = total - 1 where day = '${day}'`);
  }
});
test('months of days that were added up before there were months are added up one by one, by the next job', async () => {
  await asOwner(`delete from month_total; delete from recipient_month_total; delete from recipient_payment_month_total;
    update day_total_end set months_before = null, recipient_months_before = null, until = null, recipients_until = null`);
  await expectSameHoweverAsked();
  const revision = async () =>
    (await service.owner.query<{ revision: number }>('select revision from day_total_end')).rows[0]!.revision;
  const begun = await revision();
  await computeDayTotals(service.db);
  const { before, months, recipientMonths } = await ends();
  expect([months, recipientMonths]).toEqual([before, before]);
  // More than one transaction.
  expect((await revision()) - begun).toBeGreaterThan(6);
  const { rows } = await service.owner.query('select day from month_total');
  expect(rows.length).toBeGreaterThan(1);
  for (const mark of ['months_before', 'recipient_months_before']) {
    await asOwner(`update day_total_end set ${mark} = '${firstOfMonth(before)}'`);
    await computeDayTotals(service.db);
    expect(await ends(), mark).toMatchObject({ months: before, recipientMonths: before });
  }
  await expectSameHoweverAsked();
});

test('an hour later the job adds up what was issued since, of the same day as well', async () => {
  do await issuePartOfToday();
  while (inDays(1 / 12) !== inDays(0));
  await computeDayTotals(service.db);
  const { before, until } = await ends();
  await ACTS.laterToday(0);
  await computeDayTotals(service.db);
  const later = await ends();
  expect(later.before).toBe(before);
  expect(later.until > until).toBe(true);
  expect(later.recipientsUntil).toEqual(later.until);
});
