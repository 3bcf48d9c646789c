import { expect, test } from 'vitest';
import type { Queryable } from '../../src/ground/db/queryable.ts';
import {
  addPaymentChangesOf,
  computeDayTotals,
  computeNextRecipients,
} from '../../src/subjects/invoices/compute-day-totals.ts';
import { readTotals } from '../../src/subjects/invoices/store/read-totals.ts';
import { verifyJournalOnly } from '../../src/subjects/journal/verify.ts';
import { substitution } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import {
  ACTS,
  asOwner,
  daysWithPaymentTotals,
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

/** What invoices come to and what of it is paid and due, as daily sums with the changes since tell, and as all invoices do. */

startTotalsHistories();

test('stays the same to the cent with any payments, corrections, imports, daily sums and deductions in between', async () => {
  await expectSameInHistories({ numRuns: 1, seed: 11 });
  expect(await daysWithPaymentTotals(), 'something was added up').toBeGreaterThan(0);
  await ACTS.addUpDays();
  expect(await verifyJournalOnly(service.db.pool, environmentId)).toMatchObject({ findings: [] });
});

test('is read from daily sums', async () => {
  const before = await totalsOf({});
  await service.owner.query('update payment_total set due = due + 1');
  expect(await totalsOf({})).not.toEqual(before);
  await service.owner.query('update payment_total set due = due - 1');
  expect(await totalsOf({})).toEqual(before);
});

test('counts without what sums of days deduct, and what no longer counts is deducted once', async () => {
  const before = await totalsOf({});
  const flagged = 'select count(*)::int as count from corrected_invoice where deducted';
  const marked = async () => (await service.owner.query<{ count: number }>(flagged)).rows[0]!.count;
  await ACTS.deduct();
  const deducted = await marked();
  expect(deducted).toBeGreaterThan(3);
  expect(await totalsOf({})).toEqual(before);
  await ACTS.deduct();
  expect(await marked()).toBe(deducted);
  await service.owner.query('update deducted_month_total set total = total + 1');
  expect(await totalsOf({})).not.toEqual(before);
  await service.owner.query('update deducted_month_total set total = total - 1');
  expect(await totalsOf({})).toEqual(before);
});

/** Behind the triggers. */
test('what a version that knows no sums by recipient deducts is still deducted from these', async () => {
  await issue(aSimplifiedInvoice());
  await operator.voidInvoice(issued.at(-1)!.id);
  await ACTS.nextDay(0);
  await ACTS.addUpDays();
  await service.owner.query('update corrected_invoice set deducted = true where voided');
  const [byRecipient, types] = [[['RECIPIENT']], ['simplified']] as const;
  expect(await totalsOf({}, byRecipient)).toEqual(await totalsOf(OF_ALL, byRecipient));
  expect(await totalsOf({ types })).toEqual(await totalsOf({ ...OF_ALL, types }));
  // Its own sums have it as well.
  await service.owner.query('update corrected_invoice set deducted = deducted_by_recipient');
});

test('an import by a version that knows no sums by recipient reopens these too', async () => {
  const text = 'select before::text, recipients_before::text as recipients from day_total_end';
  const ends = async () => (await service.owner.query<{ before: string; recipients: string }>(text)).rows[0]!;
  const { before } = await ends();
  expect(await ends()).toEqual({ before, recipients: before });
  await service.owner.query(`update day_total_end set before = before - 1`);
  const { recipients } = await ends();
  expect(recipients < before).toBe(true);
  // That version adds up the days again, without recipients.
  await service.owner.query(`update day_total_end set before = $1`, [before]);
  expect(await ends()).toEqual({ before, recipients });
  await computeDayTotals(service.db);
  expect(await ends()).toEqual({ before, recipients: before });
});

test('sums by recipient that were begun are continued where they end, by at most so many invoices at a time', async () => {
  const days = 'select distinct day::text from recipient_total order by day';
  const present = async () => (await service.owner.query<{ day: string }>(days)).rows.map(({ day }) => day);
  const all = await present();
  expect(all.length).toBeGreaterThan(3);
  await service.owner.query(
    'delete from recipient_total; delete from type_total; update day_total_end set recipients_before = null',
  );
  await computeNextRecipients(service.db, environmentId, 1);
  expect(await present()).toEqual(all.slice(0, 1));
  await expectSameHoweverAsked();
  await ACTS.addUpDays();
  expect(await present()).toEqual(all);
  await expectSameHoweverAsked();
});

test('is added up of days that were before this was: by the next job', async () => {
  await service.owner.query('delete from payment_total; update day_total_end set payments_before = null');
  await expectSameHoweverAsked();
  await ACTS.addUpDays();
  const { rows } = await service.db.pool.query(
    'select before = payments_before as complete from day_total_end',
  );
  expect(rows).toEqual([{ complete: true }]);
  await expectSameHoweverAsked();
});

test('changes of environments without daily sums are deleted', async () => {
  const { key: other, environmentId: live } = service.company.live;
  const { body } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice(), key: other });
  const payment = { amount: 1, paid_on: inDays(0) };
  const paid = await service.call('POST', `/v1/invoices/${body.id}/payments`, { body: payment, key: other });
  expect(paid.status).toBe(201);
  const changes = async () => {
    const text = 'select count(*)::int as count from payment_change where environment_id = $1';
    return (await service.db.pool.query(text, [live])).rows[0].count;
  };
  expect(await changes()).toBeGreaterThan(0);
  await addPaymentChangesOf(service.db, live);
  expect(await changes()).toBe(0);
  const text = 'select from payment_total where environment_id = $1';
  expect((await service.db.pool.query(text, [live])).rows).toEqual([]);
});

test('each day that is over is added up, however little was issued on it, where there are sums', async () => {
  const end = async () =>
    (await service.db.pool.query<{ before: string }>('select before::text from day_total_end')).rows;
  await ACTS.nextDay(0);
  await computeDayTotals(service.db);
  // For an hour a server whose clock is late may still issue with a time of the day before.
  expect(await end()).toEqual([{ before: inDays(-1 / 24) }]);
  await ACTS.nextDay(1);
  await computeDayTotals(service.db);
  expect(await end()).toEqual([{ before: inDays(-1 / 24) }]);
  await expectSameHoweverAsked();
});

test('what has been voided since is deducted by the next job, even of an environment whose days have sums', async () => {
  await issue(aSimplifiedInvoice());
  await operator.voidInvoice(issued.at(-1)!.id);
  const text = 'select count(*)::int as count from corrected_invoice where voided and not deducted';
  const waiting = async () => (await service.db.pool.query<{ count: number }>(text)).rows[0]!.count;
  expect(await waiting()).toBeGreaterThan(0);
  await computeDayTotals(service.db);
  expect(await waiting()).toBe(0);
});

test('sums that change while they are read are read again', async () => {
  const { pool } = service.db;
  let reads = 0;
  const query = async (statement: string | { readonly text: string }, values?: unknown[]) => {
    const text = typeof statement === 'string' ? statement : statement.text;
    const answer = await pool.query(text, values ?? [environmentId]);
    if (text.includes('from month_total') && reads++ === 0)
      await service.owner.query('update day_total_end set revision = revision + 1');
    return answer;
  };
  const sums = { filter: { inForce: true }, groupBy: [], max: 1 };
  const totals = await readTotals({ query } as unknown as Queryable, environmentId, sums);
  expect(totals).toEqual(await readTotals(pool, environmentId, sums));
  expect(reads).toBe(2);
});

test('an invoice in force that the sums of its day deduct is found by verification', async () => {
  await issue(aCompleteInvoice());
  const original = issued.at(-1)!;
  await issue(substitution(original, 5_000));
  await operator.voidInvoice(issued.at(-1)!.id);
  // Of the day that is not over nothing is deducted by its mark.
  await ACTS.nextDay(0);
  await ACTS.nextDay(1);
  await ACTS.addUpDays();
  const before = await totalsOf({});
  const { id } = original;
  await asOwner(`insert into invoice_void (environment_id, invoice_id, record_id, reason, voided_by, voided_at)
    select environment_id, invoice_id, id, 'error', 'opk_1', now() from registration_record where invoice_id = '${id}'`);
  await ACTS.deduct();
  await asOwner(`delete from invoice_void where invoice_id = '${id}'`);
  expect(await totalsOf({})).not.toEqual(before);
  const { findings } = await verifyJournalOnly(service.db.pool, environmentId);
  expect(findings).toMatchObject([
    { what: 'day_total', subjectId: id, expected: 'in force', found: 'deducted' },
  ]);
});
