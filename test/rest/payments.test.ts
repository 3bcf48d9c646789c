import { afterAll, beforeAll, expect, test } from 'vitest';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { createApiKey } from '../../src/subjects/accounts/keys.ts';
import { verifyJournalOnly } from '../../src/subjects/journal/verify.ts';
import { recordOverdue } from '../../src/subjects/payments/overdue.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { ANA, differences, operatorOf, substitution } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** Payments of invoices: what is recorded, what of it is told, and what is refused. */

const DAY_MS = 24 * 60 * 60 * 1_000;

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(async () => {
  clock.reset();
  await service.close();
});

const today = () => madridDay(clock.now());
const inDays = (days: number) => madridDay(new Date(clock.now().getTime() + days * DAY_MS));

/** An invoice over 121.00 EUR. */
const anInvoice = (parts: object = {}) =>
  aCompleteInvoice({ line_items: [aLine({ quantity: 1, unit_amount: 10_000 })], ...parts });

const issued = async (body: object) => {
  const answer = await service.call('POST', '/v1/invoices', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const record = (id: string, amount: unknown, parts: object = {}, headers = {}) =>
  service.call('POST', `/v1/invoices/${id}/payments`, {
    body: { amount, paid_on: today(), ...parts },
    headers,
  });
const recorded = async (id: string, amount: number, parts: object = {}) => {
  const answer = await record(id, amount, parts);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const refusal = async (answer: ReturnType<typeof record>) => {
  const { status, body } = await answer;
  return [status, body.code, body.errors?.[0]?.field];
};
const remove = (id: string, payment: string) =>
  service.call('DELETE', `/v1/invoices/${id}/payments/${payment}`);
const read = async (id: string) => (await service.call('GET', `/v1/invoices/${id}?expand[]=payments`)).body;
const standing = async (id: string) => {
  const { payment_status: status, amount_paid: paid, amount_due: due } = await read(id);
  return [status, paid, due];
};
const TYPES = ['payment_recorded', 'payment_removed', 'paid', 'overdue']
  .map((type) => `type=invoice.${type}`)
  .join('&');
const eventsOf = async (id: string) => {
  const { body } = await service.call('GET', `/v1/events?order=asc&limit=100&after_sequence=0&${TYPES}`);
  const all = body.data as { type: string; data: { object: Record<string, unknown>; previous?: object } }[];
  expect(body.has_more).toBe(false);
  return all.filter(({ data }) => data.object['id'] === id);
};

test('an invoice without payment data has only the contract’s fields, until something is paid', async () => {
  const { id, ...answer } = await issued(anInvoice());
  for (const shown of [answer, (await service.call('GET', `/v1/invoices/${id}`)).body]) {
    expect(Object.keys(shown).filter((name) => /payment|amount_(paid|due)/.test(name))).toEqual([]);
  }
  expect(await read(id)).toMatchObject({ payments: [], payment_status: 'unpaid', amount_due: 12_100 });
  await recorded(id, 100);
  expect((await service.call('GET', `/v1/invoices/${id}`)).body).toMatchObject({
    ...{ payment_status: 'partially_paid', amount_paid: 100, amount_due: 12_000 },
  });
});

test('an invoice with a due date or means of payment reports its payment status from the beginning', async () => {
  for (const terms of [{ due_date: inDays(30) }, { payment: { means: 'card' } }]) {
    const answer = await issued(anInvoice(terms));
    expect(answer).toMatchObject({ payment_status: 'unpaid', amount_paid: 0, amount_due: 12_100 });
  }
});

test('is recorded, listed, read, and counted until it is removed', async () => {
  const { id } = await issued(anInvoice({ due_date: inDays(30) }));
  const first = await recorded(id, 2_100, { means: 'transfer', reference: 'REF 1' });
  expect(first).toMatchObject({ amount: 2_100, paid_on: today(), means: 'transfer', reference: 'REF 1' });
  const second = await recorded(id, 10_000);
  expect(second).toMatchObject({ means: null, reference: null });
  expect(await standing(id)).toEqual(['paid', 12_100, 0]);
  expect((await read(id)).payments).toEqual([first, second]);
  const page = (await service.call('GET', `/v1/invoices/${id}/payments?limit=1`)).body;
  expect(page).toMatchObject({ data: [first], has_more: true, next_cursor: first.id });
  expect((await service.call('GET', page.next_url)).body).toMatchObject({ data: [second], has_more: false });
  expect((await service.call('GET', `/v1/invoices/${id}/payments/${second.id}`)).body).toEqual(second);
  for (let time = 0; time < 2; time += 1) expect((await remove(id, first.id)).status).toBe(204);
  expect(await standing(id)).toEqual(['partially_paid', 10_000, 2_100]);
  expect((await read(id)).payments).toEqual([second]);
  expect((await service.call('GET', `/v1/invoices/${id}/payments/${first.id}`)).body.code).toBe(
    'payment_not_found',
  );
  await recorded(id, 2_100);
  const events = await eventsOf(id);
  expect(events.map(({ type }) => type.slice('invoice.'.length))).toEqual([
    ...['payment_recorded', 'payment_recorded', 'paid', 'payment_removed', 'payment_recorded', 'paid'],
  ]);
  const summary = ({ data: { object, previous } }: (typeof events)[number]) => [
    [object['payment_status'], object['amount_paid'], object['amount_due']],
    previous,
  ];
  expect(summary(events[0]!)).toEqual([
    ['partially_paid', 2_100, 10_000],
    { payment_status: 'unpaid', amount_paid: 0, amount_due: 12_100 },
  ]);
  expect(summary(events[3]!)).toEqual([
    ['partially_paid', 10_000, 2_100],
    { payment_status: 'paid', amount_paid: 12_100, amount_due: 0 },
  ]);
});

test('withheld tax is not part of the amount due', async () => {
  const { id } = await issued(anInvoice({ withholding: { rate: 15 } }));
  expect(await standing(id)).toEqual(['unpaid', 0, 10_600]);
  expect(await refusal(record(id, 10_601))).toEqual([422, 'payment_exceeds_payable', 'amount']);
  await recorded(id, 10_600);
  expect(await standing(id)).toEqual(['paid', 10_600, 0]);
});

test('refuses what is no payment, and names the field', async () => {
  const { id } = await issued(anInvoice({ operation_date: inDays(-3) }));
  const wrong: [amount: unknown, parts: object, field: string][] = [
    ...([0, -1, 1.5, '1', null, 100_000_000_000_000].map((amount) => [amount, {}, 'amount']) as []),
    ...['2026-02-30', 'gestern', null, inDays(1), '1998-12-31'].map((day): [number, object, string] => [
      1,
      { paid_on: day },
      'paid_on',
    ]),
    [1, { means: 'gold' }, 'means'],
    [1, { reference: 'x'.repeat(141) }, 'reference'],
    [1, { reference: 'a\u0000b' }, 'reference'],
    [1, { currency: 'usd' }, 'currency'],
  ];
  for (const [amount, parts, field] of wrong) {
    expect(await refusal(record(id, amount, parts)), JSON.stringify([amount, parts])).toEqual([
      ...[400, 'invalid_request', field],
    ]);
  }
  expect(await refusal(record(`inv_${'0'.repeat(32)}`, 1))).toEqual([404, 'invoice_not_found', undefined]);
  expect((await remove(id, `pay_${'0'.repeat(32)}`)).body.code).toBe('payment_not_found');
  expect((await remove(id, 'nonsense')).body.code).toBe('payment_not_found');
});

test('two simultaneous ones never exceed the amount due', async () => {
  const { id } = await issued(anInvoice());
  const answers = await Promise.all(Array.from({ length: 8 }, () => record(id, 5_000)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422, 422, 422, 422]);
  expect(await standing(id)).toEqual(['partially_paid', 10_000, 2_100]);
});

test('is recorded once for an idempotency key', async () => {
  const { id } = await issued(anInvoice());
  const { id: other } = await issued(anInvoice());
  const key = { 'idempotency-key': 'payment 1' };
  const first = await record(id, 100, {}, key);
  const again = await record(id, 100, {}, key);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect((await record(id, 200, {}, key)).body.code).toBe('idempotency_conflict');
  expect((await record(other, 100, {}, key)).body.code).toBe('idempotency_conflict');
  expect(await standing(id)).toEqual(['partially_paid', 100, 12_000]);
});

test('another environment’s invoice is not found, and a key needs the scope', async () => {
  const { id } = await issued(anInvoice());
  const { test, live } = service.company;
  const path = `/v1/invoices/${id}/payments`;
  const body = { amount: 1, paid_on: today() };
  expect((await service.call('POST', path, { body, key: live.key })).body.code).toBe('invoice_not_found');
  const owner = { environmentId: test.environmentId, environment: 'test', name: 'reader' } as const;
  const reader = await createApiKey(service.db.pool, { ...owner, scopes: ['read'] });
  expect((await service.call('POST', path, { body, key: reader.key })).body.code).toBe('forbidden');
  expect((await service.call('GET', path, { key: reader.key })).status).toBe(200);
  const { rows } = await service.db.pool.query('select from invoice_payment where invoice_id = $1', [id]);
  expect(rows).toEqual([]);
});

test('a rectificativa by differences changes what is to be paid, and takes what is given back', async () => {
  const { id } = await issued(anInvoice({ due_date: inDays(30) }));
  await recorded(id, 10_000);
  const credit = await issued(differences({ id, type: 'complete' } as never, -3_000));
  expect(await standing(credit.id)).toEqual([undefined, undefined, undefined]);
  expect(await standing(id)).toEqual(['paid', 10_000, -1_530]);
  expect(await refusal(record(id, 1))).toEqual([422, 'payment_exceeds_payable', 'amount']);
  expect(await refusal(record(credit.id, 1_531))).toEqual([422, 'payment_exceeds_payable', 'amount']);
  await recorded(credit.id, 1_530);
  expect(await standing(id)).toEqual(['paid', 8_470, 0]);
  expect((await read(credit.id)).payments).toHaveLength(1);
});

test('a rectificativa that lowers the amount due to what was paid reports it as paid', async () => {
  const { id } = await issued(anInvoice({ due_date: inDays(30) }));
  await recorded(id, 8_470);
  await issued(differences({ id, type: 'complete' } as never, -3_000));
  expect(await standing(id)).toEqual(['paid', 8_470, 0]);
  expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['invoice.payment_recorded', 'invoice.paid']);
});

test('is recorded of a day before the invoice, because it was paid in advance', async () => {
  const { id } = await issued(anInvoice());
  expect((await recorded(id, 12_100, { paid_on: inDays(-90) })).paid_on).toBe(inDays(-90));
  expect(await standing(id)).toEqual(['paid', 12_100, 0]);
});

test('a substitution takes over what was paid, and nothing is due of what it replaces', async () => {
  const { id } = await issued(anInvoice());
  await recorded(id, 2_000);
  const { id: later } = await issued(substitution({ id, type: 'complete' } as never, 5_000));
  expect(await standing(id)).toEqual([undefined, undefined, undefined]);
  expect(await standing(later)).toEqual(['partially_paid', 2_000, 4_050]);
  expect(await refusal(record(id, 1))).toEqual([422, 'invoice_already_replaced', undefined]);
  await recorded(later, 4_050);
  expect(await standing(later)).toEqual(['paid', 6_050, 0]);
  const operator = await operatorOf(service);
  expect((await operator.voidInvoice(later)).errors).toBeUndefined();
  expect(await standing(id)).toEqual(['partially_paid', 6_050, 6_050]);
});

test('of a voided one nothing is recorded, and a ticket that was exchanged is paid by what it was exchanged for', async () => {
  const { id: wrong } = await issued(anInvoice({ due_date: inDays(3) }));
  const { id: ticket } = await issued(aSimplifiedInvoice());
  const own = await read(ticket);
  await recorded(ticket, 50);
  const { id: mistake } = await recorded(ticket, 7);
  const operator = await operatorOf(service);
  expect((await operator.voidInvoice(wrong)).errors).toBeUndefined();
  expect(await refusal(record(wrong, 1))).toEqual([422, 'invoice_already_voided', undefined]);
  expect(await standing(wrong)).toEqual([undefined, undefined, undefined]);
  const { data, errors } = await operator.exchangeInvoices({ ticketIds: [ticket], recipient: ANA });
  expect(errors).toBeUndefined();
  expect(await standing(data.result.id)).toEqual(['partially_paid', 57, own.total - 57]);
  expect((await remove(ticket, mistake)).status).toBe(204);
  expect(await standing(data.result.id)).toEqual(['partially_paid', 50, own.total - 50]);
  expect(await standing(ticket)).toEqual([undefined, undefined, undefined]);
  expect(await refusal(record(ticket, 1))).toEqual([422, 'invoice_has_live_canje', undefined]);
});

test('is overdue from the day after, and reported once', async () => {
  const { id } = await issued(anInvoice({ due_date: today() }));
  const { id: paid } = await issued(anInvoice({ due_date: today() }));
  await recorded(paid, 12_100);
  await recorded(id, 100);
  await recordOverdue(service.db);
  expect(await standing(id)).toEqual(['partially_paid', 100, 12_000]);
  // Time goes on from here: what is issued is never older than what was before it.
  clock.shift(DAY_MS);
  expect(await standing(id)).toEqual(['overdue', 100, 12_000]);
  await Promise.all([recordOverdue(service.db), recordOverdue(service.db)]);
  await recordOverdue(service.db);
  const ofInvoice = await eventsOf(id);
  expect(ofInvoice.map(({ type }) => type)).toEqual(['invoice.payment_recorded', 'invoice.overdue']);
  expect(ofInvoice[1]!.data.object).toMatchObject({ payment_status: 'overdue', amount_due: 12_000 });
  expect((await eventsOf(paid)).map(({ type }) => type)).not.toContain('invoice.overdue');
  await recorded(id, 12_000);
  expect(await standing(id)).toEqual(['paid', 12_100, 0]);
});

type Listed = { id: string; paymentStatus: string | null; amountPaid: number; amountDue: number };

const listed = async (query: string): Promise<Listed[]> => {
  const { body } = await service.graphql(query);
  expect(body.errors).toBeUndefined();
  return body.data.invoices.edges.map(({ node }: { node: Listed }) => node);
};

/** Checks lists and sums of each payment status against what each invoice reports. */
async function expectSameInLists(): Promise<void> {
  const all = await listed(
    '{ invoices(first: 100) { edges { node { id paymentStatus amountPaid amountDue } } } }',
  );
  expect(new Set(all.map(({ paymentStatus }) => paymentStatus))).toEqual(
    new Set(['unpaid', 'partially_paid', 'paid', 'overdue', 'credited', null]),
  );
  for (const wanted of [
    ['unpaid'],
    ['partially_paid'],
    ['paid'],
    ['overdue'],
    ['credited'],
    ['paid', 'credited'],
    ['paid', 'overdue', 'unpaid'],
    ['unpaid', 'partially_paid', 'overdue'],
  ]) {
    const meant = all.filter(({ paymentStatus }) => wanted.includes(paymentStatus ?? ''));
    const ids = meant.map(({ id }) => id).sort();
    const filter = `filter: { paymentStatus: [${wanted.join(' ')}] }`;
    const found = await listed(`{ invoices(first: 100, ${filter}) { edges { node { id } } } }`);
    expect(found.map(({ id }) => id).sort(), `${wanted}`).toEqual(ids);
    const query = wanted.map((status) => `payment_status=${status}`).join('&');
    const { body } = await service.call('GET', `/v1/invoices?limit=100&${query}`);
    expect(body.data.map(({ id }: Listed) => id).sort()).toEqual(ids);
    const { body: sums } = await service.graphql(
      `{ invoiceTotals(${filter}) { count amountPaid amountDue } }`,
    );
    const sum = (field: 'amountPaid' | 'amountDue') => meant.reduce((total, one) => total + one[field], 0);
    expect(sums.data.invoiceTotals).toEqual([
      { count: meant.length, amountPaid: sum('amountPaid'), amountDue: sum('amountDue') },
    ]);
  }
}

test('lists and sums use it, in REST and GraphQL, as each invoice reports it', async () => {
  await issued(anInvoice({ line_items: [aLine(), aLine({ unit_amount: -10_000 })] }));
  await issued(differences(await issued(anInvoice()), -10_000));
  const longDue = await issued(anInvoice({ due_date: inDays(1) }));
  await issued(anInvoice({ due_date: inDays(1) }));
  clock.shift(10 * DAY_MS);
  await issued(anInvoice({ due_date: inDays(-1), operation_date: inDays(-2) }));
  await expectSameInLists();
  await recordOverdue(service.db);
  await expectSameInLists();
  // Recorded as overdue, and due later since.
  await issued(differences(longDue, -1_000, { due_date: inDays(30) }));
  expect((await standing(longDue.id))[0]).toBe('unpaid');
  await expectSameInLists();
  const { body } = await service.graphql('{ invoiceTotals(groupBy: [TAX_RATE]) { amountPaid amountDue } }');
  expect(body.data.invoiceTotals[0]).toEqual({ amountPaid: null, amountDue: null });
  expect((await service.call('GET', '/v1/invoices?payment_status=owed')).status).toBe(400);
});

test('mutations answer the payment and the invoice as it is then; operators give a reason', async () => {
  const { id } = await issued(anInvoice());
  const RECORD = `mutation ($id: ID!, $day: Date!, $reason: String) {
    recordPayment(input: { invoiceId: $id, amount: 100, paidOn: $day, means: cash }, reason: $reason) {
      payment { id amount paidOn means removedAt invoice { id } } invoice { amountDue payments { totalCount } } } }`;
  const REMOVE = `mutation ($id: ID!, $payment: ID!) { removePayment(invoiceId: $id, paymentId: $payment) {
    payment { id removedAt } invoice { id amountDue payments { totalCount } } } }`;
  const variables = { id, day: today() };
  const made = (await service.graphql(RECORD, variables)).body.data.recordPayment;
  expect(made).toMatchObject({
    payment: { amount: 100, means: 'cash', removedAt: null, invoice: { id } },
    invoice: { amountDue: 12_000, payments: { totalCount: 1 } },
  });
  const { payment } = made;
  const found = (await service.graphql(`{ node(id: "${payment.id}") { id __typename } }`)).body.data.node;
  expect(found).toEqual({ id: payment.id, __typename: 'Payment' });
  const removed = (await service.graphql(REMOVE, { id, payment: payment.id })).body.data.removePayment;
  expect(removed.payment.removedAt).not.toBeNull();
  expect(removed.invoice).toMatchObject({ amountDue: 12_100, payments: { totalCount: 0 } });
  const operator = await operatorOf(service);
  expect((await operator.execute(RECORD, variables)).errors[0].extensions.errors[0].field).toBe('reason');
  expect((await operator.execute(RECORD, { ...variables, reason: 'A call' })).errors).toBeUndefined();
  const { rows } = await service.db.pool.query(
    `select actor, reason from audit_entry where subject = $1 and action = 'record_payment'`,
    [id],
  );
  expect(rows).toEqual([{ actor: operator.id, reason: 'A call' }]);
});

test('the journal has an entry for each of them', async () => {
  const { findings } = await verifyJournalOnly(service.db.pool, service.company.test.environmentId);
  expect(findings).toEqual([]);
});

test('the status between businesses follows the payments', async () => {
  const statuses = async (id: string) =>
    (await service.call('GET', `/v1/invoices/${id}/business_statuses`)).body.data.map(
      ({ status, on }: { status: string; on: string }) => [status, on],
    );
  const { id } = await issued(anInvoice());
  expect(await statuses(id)).toEqual([]);
  const { id: payment } = await recorded(id, 12_100);
  expect(await statuses(id)).toEqual([['settled', today()]]);
  await remove(id, payment);
  expect(await statuses(id)).toEqual([
    ['settled', today()],
    ['settlement_cancelled', today()],
  ]);
  const ticket = await issued(aSimplifiedInvoice());
  await recorded(ticket.id, ticket.total);
  expect(await statuses(ticket.id)).toEqual([]);
  expect((await service.call('GET', '/v1/invoices/inv_1/business_statuses')).body.code).toBe(
    'invoice_not_found',
  );
});
