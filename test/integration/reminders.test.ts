import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { advanceTestClockTask } from '../../jobs/schedules.ts';
import { madridDay, plusDays, startOfMadridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { ACCOUNT_LIMITS } from '../../src/subjects/accounts/limits.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { dayOfPeriod } from '../../src/subjects/drafts/periods.ts';
import { remindOverdue } from '../../src/subjects/emails/remind.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { createCompany } from '../support/invoices/company.ts';
import { differences, substitution } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';
import { Sending } from '../support/mail/sending.ts';

/** Reminders of overdue invoices: when they are sent, of what, and what is refused of their schedule. */

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.open();
});
const files = importFiles();
afterAll(async () => {
  await sending?.close();
  files.remove();
});
beforeEach(() => sending.renew());
afterEach(() => clock.reset());

const daysBetween = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
const today = () => madridDay(clock.now());
const schedule = async (days: unknown, others: object = {}) => {
  const answer = await sending.call('PATCH', '/v1/email_settings', { reminder_days: days, ...others });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
/** An invoice over 121.00 EUR that is due today. */
const dueToday = (parts: object = {}) =>
  sending.issue({ line_items: [aLine({ quantity: 1, unit_amount: 10_000 })], due_date: today(), ...parts });
const environmentId = () => sending.company.test.environmentId;
const remind = (own = environmentId()) => remindOverdue(sending.service.services, own);
/** The days of this environment go by, each with what it brings. */
async function pass(days: number): Promise<void> {
  const set = await sending.call('POST', '/v1/test_clock', { advance: `P${days}D` });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
  await advanceTestClockTask(sending.service.services)({ environmentId: environmentId() }, {} as never);
}
const remindersOf = async (id: string): Promise<number[]> =>
  (await sending.emails(id)).map(({ reminder_days }) => reminder_days).reverse();
const pay = async (id: string, amount: number) => {
  const { body: now } = await sending.call('GET', '/v1/test_clock');
  const paid_on = madridDay(new Date(now.now));
  const answer = await sending.call('POST', `/v1/invoices/${id}/payments`, { amount, paid_on });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
};

test('a year of a schedule, payments and reminders is run by the clock of a test environment', async () => {
  await schedule([3, 30]);
  const first = `${today().slice(0, 4)}-12-31`;
  const body = {
    invoice: aCompleteInvoice(),
    frequency: 'monthly',
    starts_on: first,
    count: 12,
    due_in_days: 10,
  };
  const made = await sending.call('POST', '/v1/invoice_schedules', body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const year = Array.from({ length: 12 }, (_, month) => dayOfPeriod(first, 'monthly', month));
  const goTo = async (day: string) => {
    const { body: environmentClock } = await sending.call('GET', '/v1/test_clock');
    await pass(daysBetween(madridDay(new Date(environmentClock.now)), day));
  };
  const issued = async (): Promise<{ id: string; invoice_date: string; due_date: string; total: number }[]> =>
    (await sending.call('GET', '/v1/invoices?limit=100')).body.data.reverse();
  // Of every three one is paid at once, one after its first reminder, and one never.
  for (const [month, day] of year.entries()) {
    await goTo(day);
    const { id, total } = (await issued()).at(-1)!;
    if (month % 3 === 0) await pay(id, total);
    await goTo(plusDays(day, 14));
    if (month % 3 === 1) await pay(id, total);
  }
  await goTo(plusDays(year.at(-1)!, 45));
  const all = await issued();
  expect(all.map(({ invoice_date }) => madridDay(new Date(invoice_date)))).toEqual(year);
  expect(all.map(({ due_date }) => due_date)).toEqual(year.map((day) => plusDays(day, 10)));
  const became = await Promise.all(
    all.map(async ({ id }) => ({
      reminders: await remindersOf(id),
      status: (await sending.call('GET', `/v1/invoices/${id}`)).body.payment_status,
    })),
  );
  const ends = [
    { reminders: [], status: 'paid' },
    { reminders: [3], status: 'paid' },
    { reminders: [3, 30], status: 'overdue' },
  ];
  expect(became).toEqual(year.map((_, month) => ends[month % 3]));
  const eventsOf = async (type: string) =>
    (await sending.call('GET', `/v1/events?limit=100&type=${type}`)).body.data.length;
  expect([
    await eventsOf('invoice.issued'),
    await eventsOf('invoice.overdue'),
    await eventsOf('invoice.paid'),
  ]).toEqual([...[12, 8, 8]]);
  const found = await verifyEnvironment(sending.service.db.pool, environmentId());
  expect(found?.findings).toEqual([]);
});

describe('an overdue invoice', () => {
  test('is reminded of on each day of the schedule, once, while it is unpaid', async () => {
    const before = await dueToday();
    await pass(4);
    expect(await remindersOf(before.id)).toEqual([]);
    await schedule([10, 3, 30]);
    const { id } = await sending.issue({ due_date: plusDays(today(), 4) });
    await pass(2);
    expect(await remindersOf(id)).toEqual([]);
    await pass(1);
    expect(await remindersOf(id)).toEqual([3]);
    await pass(7);
    // However often it is looked at, and by however many.
    await Promise.all([remind(), remind(), remind()]);
    expect(await remindersOf(id)).toEqual([3, 10]);
    await pass(25);
    expect(await remindersOf(id)).toEqual([3, 10, 30]);
    // Whose third day was over when the schedule was set.
    expect(await remindersOf(before.id)).toEqual([10, 30]);
    const [email] = await sending.emails(id);
    expect(email).toMatchObject({
      ...{ kind: 'reminder', reminder_days: 30, requested_by: 'reminder_schedule', to: ['ana@example.com'] },
    });
  });

  test('is reminded with the open amount, the due date, the PDF and the company’s text', async () => {
    await schedule([3], { reminder_message: '¿Alguna duda?\nLlámenos.', reminder_language: 'ca' });
    const due = today();
    const { id, number } = await dueToday({ language: 'eu' });
    await pay(id, 2_100);
    await pass(3);
    const [email] = await sending.emails(id);
    expect(await sending.deliver(email.id)).toBeNull();
    const [message] = sending.server.received;
    const text = message!.parts.find(({ type }) => type === 'text/plain')!.bytes.toString();
    const [year, month, day] = due.split('-');
    for (const expected of [
      'Pendent de pagament:',
      '100,00',
      '121,00',
      `${day}/${month}/${year}`,
      number,
      'Llámenos.',
    ])
      expect(text).toContain(expected);
    expect(message!.parts.find(({ type }) => type === 'application/pdf')!.filename).toBe(`${number}.pdf`);
    const [event] = await sending.events('invoice.sent');
    expect(event.data.email).toEqual({ id: email.id, kind: 'reminder', reason: null });
  });

  test('that is paid, voided, credited in full, replaced, imported or without an address is not', async () => {
    await schedule([1, 2]);
    const recipient = aCompleteInvoice().recipient;
    const file = files.jsonLines([anOldInvoice('OLD-1', { recipient, due_date: today() })]);
    await importInvoices(sending.service.db, { environmentId: environmentId(), file, actor: 'opk_1' });
    const { body: found } = await sending.call('GET', '/v1/invoices?number=OLD-1');
    const [imported] = found.data;
    expect(imported).toMatchObject({ email: 'ana@example.com', payment_status: 'unpaid' });
    const paid = await dueToday();
    const voided = await dueToday();
    const credited = await dueToday();
    const replaced = await dueToday();
    const nobody = await dueToday({ recipient: { ...aCompleteInvoice().recipient, email: undefined } });
    const { body: ticket } = await sending.call('POST', '/v1/invoices', aSimplifiedInvoice());
    await pay(paid.id, 12_100);
    const operator = (await createOperatorKey(sending.service.db.pool, 'Ada')).key;
    const voiding = await sending.service.graphql(
      'mutation ($id: ID!) { voidInvoice(invoiceId: $id, reason: "wrong") { id } }',
      { id: voided.id },
      { key: operator },
    );
    expect(voiding.body.errors).toBeUndefined();
    const correct = async (body: object) => {
      const answer = await sending.call('POST', '/v1/invoices', body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body;
    };
    await correct(differences({ ...credited, type: 'complete' }, -10_000));
    const instead = await correct(
      substitution({ ...replaced, type: 'complete' }, 9_000, { due_date: today() }),
    );
    await pass(1);
    for (const { id } of [paid, voided, credited, replaced, imported, nobody, ticket])
      expect(await remindersOf(id)).toEqual([]);
    expect(await remindersOf(instead.id)).toEqual([1]);
  });

  test('that is paid after its reminder was written down gets none of it', async () => {
    await schedule([1]);
    const { id } = await dueToday();
    const late = await dueToday();
    await pass(1);
    const [[email], [other]] = [await sending.emails(id), await sending.emails(late.id)];
    await pay(id, 12_100);
    expect(await sending.deliver(email.id)).toBeNull();
    // The other is paid between the making of the message and the first word about it.
    const { transport } = sending.service.services.mailer!;
    const handOver = transport.handOver.bind(transport);
    transport.handOver = async (message, begin) => {
      await pay(late.id, 12_100);
      return handOver(message, begin);
    };
    try {
      expect(await sending.deliver(other.id)).not.toBeNull();
    } finally {
      transport.handOver = handOver;
    }
    expect(await sending.deliver(other.id)).toBeNull();
    expect(sending.server.received).toEqual([]);
    for (const one of [id, late.id])
      expect((await sending.emails(one))[0]).toMatchObject({ status: 'failed', reason: 'no_longer_due' });
  });

  test('is reminded of up to a week late, by the latest reminder only, and never at night', async () => {
    await schedule([1, 3, 5]);
    const { id } = await dueToday();
    const night = startOfMadridDay(plusDays(today(), 6)).getTime() - Date.now();
    for (const [hour, made] of [
      [8, []],
      [20, []],
      [9, [5]],
      [19, [5]],
    ] as const) {
      clock.shift(night + hour * 3_600_000);
      await remindOverdue(sending.service.services, null);
      clock.reset();
      expect([hour, await remindersOf(id)]).toEqual([hour, made]);
    }
    const later = await dueToday();
    clock.shift(13 * 86_400_000);
    await remind();
    clock.reset();
    expect(await remindersOf(later.id)).toEqual([]);
  });
});

describe('a schedule of reminders', () => {
  test('is off until it is set, and off again when it is cleared', async () => {
    const off = { reminder_days: [], reminder_language: null, reminder_message: null };
    expect((await sending.call('GET', '/v1/email_settings')).body).toMatchObject(off);
    const set = await schedule([10, 3], { reminder_language: 'en', reminder_message: 'a\nb' });
    expect(set).toMatchObject({ reminder_days: [3, 10], reminder_language: 'en', reminder_message: 'a\nb' });
    // What is not named stays.
    const named = await sending.call('PATCH', '/v1/email_settings', { sender_name: 'X' });
    expect(named.body).toMatchObject({ reminder_days: [3, 10], sender_name: 'X' });
    expect(await schedule(null)).toMatchObject({ reminder_days: [], reminder_language: 'en' });
    const { id } = await dueToday();
    await pass(11);
    expect(await remindersOf(id)).toEqual([]);
  });

  test('is another company’s own', async () => {
    await schedule([1]);
    const { id } = await dueToday();
    const other = sending.company;
    sending.company = await createCompany(sending.service.db);
    const own = await dueToday();
    await pass(3);
    expect(await remindersOf(own.id)).toEqual([]);
    sending.company = other;
    expect(await remindersOf(id)).toEqual([]);
  });

  const days = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index);
  test.each([
    ['a thousand of them', { reminder_days: days(1_000) }, 'reminder_days', 'too_big'],
    ['eleven of them', { reminder_days: days(11) }, 'reminder_days', 'too_big'],
    ['the due day itself', { reminder_days: [0] }, 'reminder_days[0]', 'too_small'],
    ['a day before it', { reminder_days: [3, -1] }, 'reminder_days[1]', 'too_small'],
    ['a day beyond a year', { reminder_days: [366] }, 'reminder_days[0]', 'too_big'],
    ['a day of no whole number', { reminder_days: [1.5] }, 'reminder_days[0]', 'invalid_type'],
    ['a day as text', { reminder_days: ['3'] }, 'reminder_days[0]', 'invalid_type'],
    ['a day twice', { reminder_days: [3, 10, 3] }, 'reminder_days[2]', 'duplicate'],
    ['one number', { reminder_days: 3 }, 'reminder_days', 'invalid_type'],
    ['a language that there is not', { reminder_language: 'fr' }, 'reminder_language', 'invalid_value'],
    ['a text that is too long', { reminder_message: 'x'.repeat(2_001) }, 'reminder_message', 'too_big'],
  ])('is refused with %s', async (_, body, field, code) => {
    const { status, body: refused } = await sending.call('PATCH', '/v1/email_settings', body);
    expect({ status, fault: refused.errors[0] }).toMatchObject({ status: 400, fault: { field, code } });
  });

  test('takes ten days up to a year', async () => {
    expect((await schedule(days(10, 356))).reminder_days).toEqual(days(10, 356));
  });
});

test('of a test environment count towards its messages of an hour, and wait beyond them', async () => {
  await schedule([1]);
  const ids = [(await dueToday()).id, (await dueToday()).id];
  const { rateLimits } = sending.service.services;
  const own = { environmentId: environmentId(), environment: 'test' } as const;
  for (let sent = 1; sent < ACCOUNT_LIMITS.testEmails.value; sent += 1) await rateLimits.takeEmails(own, 1);
  await pass(1);
  const reminded = await Promise.all(ids.map(remindersOf));
  expect(reminded.flat()).toEqual([1]);
  expect(await remind()).toBe(0);
});
