import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable } from '../../src/ground/db/queryable.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { madridDay, startOfMadridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import {
  addPaymentChangesOf,
  computeDayTotals,
  computeDayTotalsOf,
  computeNextRecipients,
  deductOutOfForceOf,
} from '../../src/subjects/invoices/compute-day-totals.ts';
import type { InvoiceFilter } from '../../src/subjects/invoices/filter.ts';
import {
  readPaymentTotals,
  readRateTotals,
  readTotals,
} from '../../src/subjects/invoices/store/read-totals.ts';
import type { TotalGroup } from '../../src/subjects/invoices/sums.ts';
import { verifyJournalOnly } from '../../src/subjects/journal/verify.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { ANA, differences, operatorOf, substitution } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';

/** What invoices come to and what of it is paid and due, as daily sums with the changes since tell, and as all invoices do. */

const DAY_MS = 24 * 60 * 60 * 1_000;
/** No invoice has less, and daily sums cannot tell: all invoices are read. */
const OF_ALL = { totalFrom: -1_000_000_000 };
/** Beyond every invoice. */
const NEVER = new Date('2100-01-01T00:00:00Z');

const files = importFiles();
let service: TestService;
let operator: Awaited<ReturnType<typeof operatorOf>>;
let environmentId: number;
const issued: { id: string; type: string }[] = [];
const payments: { invoice: string; id: string }[] = [];
let imported = 0;
beforeAll(async () => {
  service = await testService();
  operator = await operatorOf(service);
  ({ environmentId } = service.company.test);
});
afterAll(async () => {
  clock.reset();
  await service?.close();
  files.remove();
});

const key = () => service.company.test.key;
const inDays = (days: number) => madridDay(new Date(clock.now().getTime() + days * DAY_MS));
const pick = <T>(all: readonly T[], which: number): T | undefined => all[which % Math.max(all.length, 1)];

async function issue(body: object): Promise<void> {
  const answer = await service.call('POST', '/v1/invoices', { body, key: key() });
  if (answer.status === 201) issued.push(answer.body);
}

/** A ticket, or an invoice with or without a due day. */
function issueAny(which: number): Promise<void> {
  if (which % 3 === 0) return issue(aSimplifiedInvoice());
  const lines = [aLine({ quantity: 1, unit_amount: 10_000 + which })];
  return issue(aCompleteInvoice({ line_items: lines, ...(which % 3 === 1 && { due_date: inDays(30) }) }));
}

/** What may happen to an environment's invoices, those at random places; what is refused changes nothing. */
const ACTS = {
  issue: issueAny,
  pay: async (which: number) => {
    const invoice = pick(issued, which);
    if (invoice === undefined) return;
    const body = { amount: 100 + which, paid_on: inDays(0) };
    const answer = await service.call('POST', `/v1/invoices/${invoice.id}/payments`, { body, key: key() });
    if (answer.status === 201) payments.push({ invoice: invoice.id, id: answer.body.id });
  },
  removePayment: async (which: number) => {
    const payment = pick(payments, which);
    if (payment === undefined) return;
    await service.call('DELETE', `/v1/invoices/${payment.invoice}/payments/${payment.id}`, { key: key() });
  },
  credit: async (which: number) => {
    const invoice = pick(issued, which);
    if (invoice !== undefined) await issue(differences(invoice, -10 - which));
  },
  substitute: async (which: number) => {
    const invoice = pick(issued, which);
    if (invoice !== undefined) await issue(substitution(invoice, 5_000 + which));
  },
  void: async (which: number) => {
    const invoice = pick(issued, which);
    if (invoice !== undefined) await operator.voidInvoice(invoice.id);
  },
  exchange: async (which: number) => {
    const tickets = issued.filter(({ type }) => type === 'simplified');
    const ticket = pick(tickets, which);
    if (ticket === undefined) return;
    const { data } = await operator.exchangeInvoices({ ticketIds: [ticket.id], recipient: ANA });
    if (data?.result) issued.push({ id: data.result.id, type: 'complete' });
  },
  /** Some of a day that has been added up, and some with a due day. */
  import: async (which: number) => {
    const days = which % 2 === 0 ? 400 : 1;
    const row = anOldInvoice(`OLD-${++imported}`, {
      issued_at: `${inDays(-days)}T12:00:00+01:00`,
      ...(which % 3 === 0 && { due_date: inDays(10) }),
      line_items: [aLine({ unit_amount: 700 })],
    });
    const file = files.jsonLines([row]);
    const done = await importInvoices(service.db, { environmentId, file, actor: 'opk_1' });
    if (isRefusal(done)) throw new Error(done.detail);
  },
  /** Some of a day is added up before it is over. */
  laterToday: async (which: number) => {
    clock.shift(DAY_MS / 12);
    await issueAny(which);
  },
  nextDay: async (which: number) => {
    clock.shift(DAY_MS);
    await issueAny(which);
  },
  addUpDays: () => computeDayTotalsOf(service.db, environmentId),
  addChanges: () => addPaymentChangesOf(service.db, environmentId),
  deduct: () => deductOutOfForceOf(service.db, environmentId),
} as const satisfies Record<string, (which: number) => Promise<void>>;

const NAMES = Object.keys(ACTS) as (keyof typeof ACTS)[];

const GROUPINGS = [[], ['SERIES', 'KIND'], ['MONTH'], ['QUARTER', 'KIND'], ['RECIPIENT', 'MONTH']] as const;

async function totalsOf(filter: InvoiceFilter, groupings: readonly (readonly TotalGroup[])[] = GROUPINGS) {
  const found: unknown[] = [];
  for (const groupBy of groupings) {
    const sums = { filter: { ...filter, inForce: true }, groupBy, max: 1_000 };
    const { pool } = service.db;
    const rows = await readPaymentTotals(pool, environmentId, sums);
    // A group for invoices none of which counts may be there or not.
    found.push(rows.filter(({ paid, due }) => paid !== 0 || due !== 0));
    found.push(await readTotals(pool, environmentId, sums), await readRateTotals(pool, environmentId, sums));
    const byRate = { ...sums, groupBy: [...groupBy, 'TAX_RATE'] as const };
    found.push(await readTotals(pool, environmentId, byRate));
  }
  return found;
}

async function expectSame(what: string): Promise<void> {
  const groupings = [['SERIES', 'KIND']] as const;
  expect(await totalsOf({}, groupings), what).toEqual(await totalsOf(OF_ALL, groupings));
  const [finer, types] = [[['RECIPIENT']], ['simplified']] as const;
  expect(await totalsOf({}, finer), what).toEqual(await totalsOf(OF_ALL, finer));
  expect(await totalsOf({ types }, groupings), what).toEqual(await totalsOf({ ...OF_ALL, types }, groupings));
}

async function expectSameHoweverAsked(): Promise<void> {
  const startOfDay = startOfMadridDay(inDays(-1));
  const types = ['complete'] as const;
  const beforeMonths = { issuedFrom: startOfMadridDay(inDays(-400)) };
  const periods = [{}, { issuedFrom: startOfDay }, { issuedBefore: startOfDay }, beforeMonths];
  for (const filter of periods.flatMap((period) => [period, { ...period, types }]))
    expect(await totalsOf(filter)).toEqual(await totalsOf({ ...filter, ...OF_ALL }));
  // From single invoices: those out of force are collected, or each is looked up.
  const byRecipient = [['RECIPIENT']] as const;
  const few = { ...OF_ALL, issuedFrom: startOfMadridDay(inDays(-90)) };
  expect(await totalsOf(few, byRecipient)).toEqual(
    await totalsOf({ ...few, issuedBefore: NEVER }, byRecipient),
  );
}

const act = fc.record({ name: fc.constantFrom(...NAMES), which: fc.nat(400) });

test('stays the same to the cent with any payments, corrections, imports, daily sums and deductions in between', async () => {
  const histories = fc.array(act, { minLength: 25, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(histories, async (acts) => {
      // There is something of everything before.
      for (const name of ['issue', 'pay', 'nextDay', 'addUpDays'] as const) await ACTS[name](issued.length);
      for (const { name, which } of acts) {
        await ACTS[name](which);
        await expectSame(`${name} ${which}`);
      }
      await expectSameHoweverAsked();
    }),
    { numRuns: 4, seed: 11, endOnFailure: true },
  );
  const { rows } = await service.db.pool.query<{ totals: number; changes: number }>(
    'select (select count(*)::int from payment_total) as totals, (select count(*)::int from payment_change) as changes',
  );
  expect(rows[0]!.totals).toBeGreaterThan(3);
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
async function asOwner(statement: string): Promise<void> {
  const client = await service.owner.connect();
  try {
    await client.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
  } finally {
    client.release();
  }
}

/** A day within a month, not long ago: sums of months do not have the days since. */
const withinMonth = () => (inDays(-20).endsWith('-01') ? inDays(-19) : inDays(-20));

test('is read from sums of months, of days within one, and from those by type and by recipient', async () => {
  await ACTS.laterToday(0);
  await ACTS.laterToday(1);
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

test('a month whose sums are not those of its days is found by verification', async () => {
  const found = async () => (await verifyJournalOnly(service.db.pool, environmentId))!.findings;
  expect(await found()).toEqual([]);
  const amounts = ['tax = tax + 1', `lines = jsonb_set(lines, '{0,count}', '99')`, `rates = '[]'`];
  for (const [table, changes] of [
    ['month_total', amounts],
    ['recipient_month_total', amounts],
    ['deducted_month_total', amounts],
    ['deducted_recipient_month_total', amounts],
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

const ENDS = `select before::text, until, months_before::text as months, recipients_before::text as recipients,
  recipients_until as "recipientsUntil", recipient_months_before::text as "recipientMonths" from day_total_end`;
const ends = async () => (await service.owner.query(ENDS)).rows[0];
const firstOfMonth = (day: string) => `${day.slice(0, -2)}01`;

test('what an earlier version adds up, or has added up again, ends the sums of months and of a part of a day before', async () => {
  const complete = async () => {
    await ACTS.laterToday(0);
    await ACTS.addUpDays();
    const { before, until } = await ends();
    expect(until).not.toBeNull();
    expect(await ends()).toEqual({
      ...{ before, until, months: before, recipients: before },
      ...{ recipientsUntil: until, recipientMonths: before },
    });
    return before as string;
  };
  const day = await complete();
  const nothingOfDay = { until: null, recipientsUntil: null };
  // An import of invoices of the same day.
  await service.owner.query('update day_total_end set position = null, revision = revision + 1');
  expect(await ends()).toMatchObject({ ...nothingOfDay, before: day, months: day, recipientMonths: day });
  await complete();
  const months = { months: firstOfMonth(day), recipientMonths: firstOfMonth(day) };
  await service.owner.query('update day_total_end set before = before + 1');
  await service.owner.query('update day_total_end set recipients_before = before');
  expect(await ends()).toMatchObject({ ...nothingOfDay, ...months });
  await service.owner.query('update day_total_end set before = $1, recipients_before = $1', [day]);
  await complete();
  await service.owner.query(`update day_total_end set before = before - 40`);
  const { before, ...rest } = await ends();
  const first = firstOfMonth(before);
  expect(rest).toEqual({ ...nothingOfDay, recipients: before, months: first, recipientMonths: first });
  await complete();
  // It adds what is paid to days alone, and what is deducted.
  for (const [changed, months] of [
    ['update recipient_payment_total set paid = paid', 'recipientMonths'],
    ['insert into recipient_payment_total select * from kept', 'recipientMonths'],
    ['delete from deducted_total', 'months'],
    ['insert into deducted_total select * from kept', 'months'],
    ['delete from deducted_recipient_total', 'recipientMonths'],
    ['insert into deducted_recipient_total select * from kept', 'recipientMonths'],
  ] as const) {
    const table = /\w+_total/.exec(changed)![0];
    await asOwner(`create table kept as table ${table}`);
    if (changed.startsWith('insert')) await asOwner(`delete from ${table}`);
    const known = await ends();
    await service.owner.query(changed);
    const { rows } = await service.owner.query<{ day: string }>('select min(day)::text as day from kept');
    expect(await ends(), changed).toEqual({ ...known, [months]: firstOfMonth(rows[0]!.day) });
    await asOwner(`delete from ${table}; insert into ${table} table kept; drop table kept;
      update day_total_end set months_before = before, recipient_months_before = recipients_before`);
  }
  await expectSameHoweverAsked();
  expect(await verifyJournalOnly(service.db.pool, environmentId)).toMatchObject({ findings: [] });
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
  await expectSameHoweverAsked();
});

test('an hour later the job adds up what was issued since, of the same day as well', async () => {
  await ACTS.nextDay(0);
  await ACTS.laterToday(0);
  await computeDayTotals(service.db);
  const { before, until } = await ends();
  await ACTS.laterToday(0);
  await computeDayTotals(service.db);
  const later = await ends();
  expect(later.before).toBe(before);
  expect(later.until > until).toBe(true);
  expect(later.recipientsUntil).toEqual(later.until);
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
  await ACTS.nextDay(0);
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
