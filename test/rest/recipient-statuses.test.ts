import { afterAll, beforeAll, expect, test } from 'vitest';
import { plusDays } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { verifyJournalOnly } from '../../src/subjects/journal/verify.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operatorOf, substitution } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** What the recipient of an invoice says of it. */

/** A Thursday before a weekend, the Constitution on a Sunday and the Immaculate Conception on a Tuesday. */
const TODAY = '2026-12-03';

let service: TestService;
beforeAll(async () => {
  service = await testService();
  clock.freeze(new Date(`${TODAY}T10:00:00Z`));
});
afterAll(async () => {
  clock.reset();
  await service.close();
});

const issued = async (body: object = aCompleteInvoice({ line_items: [aLine()] })) => {
  const answer = await service.call('POST', '/v1/invoices', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const report = (id: string, body: object, headers = {}) =>
  service.call('POST', `/v1/invoices/${id}/recipient_statuses`, { body: { on: TODAY, ...body }, headers });
const reported = async (id: string, body: object) => {
  const answer = await report(id, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const refusal = async (answer: ReturnType<typeof report>) => {
  const { status, body } = await answer;
  return [status, body.code, body.errors?.[0]?.field];
};
const listed = async (id: string) =>
  (await service.call('GET', `/v1/invoices/${id}/recipient_statuses`)).body.data;
const eventsOf = async (id: string) => {
  const { body } = await service.call('GET', '/v1/events?order=asc&limit=100&after_sequence=0');
  const all = body.data as { type: string; data: { object: { id: string } } & Record<string, unknown> }[];
  return all.filter(({ type, data }) => data.object.id === id && type.startsWith('invoice.recipient_'));
};
const REJECTED = { status: 'rejected', status_reason: 'The goods did not arrive.' };
const PAID = { status: 'paid' };

test('is recorded, listed and reported as an event, and changes no payment', async () => {
  const { id } = await issued();
  expect(await listed(id)).toEqual([]);
  const rejected = await reported(id, REJECTED);
  expect(rejected).toEqual({
    ...{ ...REJECTED, on: TODAY, told_on: TODAY, told_by: '2026-12-10', is_late: false },
    created_at: `${TODAY}T10:00:00.000Z`,
  });
  const withdrawn = await reported(id, { status: 'withdrawn', status_reason: 'They were in the post.' });
  const paid = await reported(id, PAID);
  expect(await listed(id)).toEqual([rejected, withdrawn, paid]);
  const events = await eventsOf(id);
  const types = ['recipient_rejected', 'recipient_status_withdrawn', 'recipient_paid'];
  expect(events.map(({ type }) => type)).toEqual(types.map((type) => `invoice.${type}`));
  const { created_at: _, ...status } = rejected;
  expect(events[0]!.data).toMatchObject({ object: { id, status: 'issued' }, recipient_status: status });
  expect(events.map(({ data }) => (data['recipient_status'] as { status: string }).status)).toEqual([
    ...['rejected', 'withdrawn', 'paid'],
  ]);
  const query = `{ invoice(id: "${id}") { paymentStatus amountPaid recipientStatus { status statusReason }
    recipientStatuses { status } } }`;
  const { body } = await service.call('POST', '/graphql', { body: { query: query } });
  expect(body.data.invoice).toEqual({
    ...{ paymentStatus: 'unpaid', amountPaid: 0, recipientStatus: { status: 'paid', statusReason: null } },
    recipientStatuses: [{ status: 'rejected' }, { status: 'withdrawn' }, { status: 'paid' }],
  });
  const { findings } = await verifyJournalOnly(service.db.pool, service.company.test.environmentId);
  expect(findings).toEqual([]);
});

test('follows from what counts, however many come at once', async () => {
  const { id } = await issued();
  const conflict = [409, 'recipient_status_conflict', 'status'];
  expect(await refusal(report(id, { status: 'withdrawn', status_reason: 'x' }))).toEqual(conflict);
  const answers = await Promise.all([1, 2, 3, 4].map(() => report(id, PAID)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  expect(await refusal(report(id, REJECTED))).toEqual(conflict);
  await reported(id, { status: 'withdrawn', status_reason: 'A typing mistake.' });
  await reported(id, REJECTED);
  expect(await refusal(report(id, REJECTED))).toEqual(conflict);
  await reported(id, PAID);
  while ((await listed(id)).length < 20) {
    const paid = (await listed(id)).at(-1).status === 'paid';
    await reported(id, paid ? { status: 'withdrawn', status_reason: 'x' } : PAID);
  }
  const next =
    (await listed(id)).at(-1).status === 'paid' ? { status: 'withdrawn', status_reason: 'x' } : PAID;
  expect(await refusal(report(id, next))).toEqual(conflict);
});

test('refuses impossible values, and names the field', async () => {
  const { id } = await issued();
  const tomorrow = plusDays(TODAY, 1);
  const yesterday = plusDays(TODAY, -1);
  const wrong: [object, string][] = [
    [{ status: 'rejected' }, 'status_reason'],
    [{ status: 'withdrawn' }, 'status_reason'],
    [{ status: 'paid', status_reason: 'x' }, 'status_reason'],
    [{ status: 'accepted' }, 'status'],
    [{ ...PAID, on: tomorrow }, 'on'],
    [{ ...PAID, on: '2026-02-30' }, 'on'],
    [{ ...PAID, on: yesterday }, 'on'],
    [{ ...REJECTED, on: yesterday }, 'on'],
    [{ ...PAID, told_on: tomorrow }, 'told_on'],
    [{ ...PAID, told_on: yesterday }, 'told_on'],
    [{ ...REJECTED, status_reason: 'x'.repeat(501) }, 'status_reason'],
    [{ ...PAID, toldOn: TODAY }, 'toldOn'],
  ];
  for (const [body, field] of wrong) {
    expect({ body, refused: await refusal(report(id, body)) }).toEqual({
      ...{ body, refused: [400, 'invalid_request', field] },
    });
  }
  expect(await listed(id)).toEqual([]);
  const delivered = await issued(aCompleteInvoice({ line_items: [aLine()], operation_date: yesterday }));
  await reported(delivered.id, { ...PAID, on: yesterday });
});

test('is of complete invoices for a Spanish tax id alone, as long as they are in force', async () => {
  const operator = await operatorOf(service);
  const voided = await issued();
  expect((await operator.voidInvoice(voided.id)).errors).toBeUndefined();
  const replaced = await issued();
  await issued(substitution(replaced, 900));
  const address = { line1: '1 rue', city: 'Paris', postal_code: '75001', country: 'FR' };
  const foreign = {
    name: 'Jean Dupont',
    tax_id: 'AB123',
    tax_id_type: 'passport',
    tax_id_country: 'FR',
    address,
  };
  const refused: [string, number, string][] = [
    [(await issued(aSimplifiedInvoice())).id, 422, 'recipient_status_not_applicable'],
    [(await issued(aCompleteInvoice({ recipient: foreign }))).id, 422, 'recipient_status_not_applicable'],
    [voided.id, 422, 'invoice_already_voided'],
    [replaced.id, 422, 'invoice_already_replaced'],
    [`inv_${'0'.repeat(32)}`, 404, 'invoice_not_found'],
  ];
  for (const [id, ...answer] of refused) {
    expect((await refusal(report(id, PAID))).slice(0, 2)).toEqual(answer);
  }
  // Nobody records what is another environment's.
  const { id } = await issued();
  const { key } = service.company.live;
  const elsewhere = await service.call('POST', `/v1/invoices/${id}/recipient_statuses`, {
    ...{ key, body: { ...PAID, on: TODAY } },
  });
  expect(elsewhere.body.code).toBe('invoice_not_found');
});

test('is recorded once for an idempotency key, and an operator gives a reason', async () => {
  const { id } = await issued();
  const headers = { 'idempotency-key': 'said-once' };
  const first = await report(id, REJECTED, headers);
  const again = await report(id, REJECTED, headers);
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect((await report(id, PAID, headers)).body.code).toBe('idempotency_conflict');
  expect(await listed(id)).toHaveLength(1);
});

test('is to be reported within four days without weekends and national holidays', async () => {
  const { id } = await issued();
  const friday = await issued();
  clock.freeze(new Date('2026-12-10T10:00:00Z'));
  expect(await reported(id, PAID)).toMatchObject({ told_by: '2026-12-10', is_late: false });
  clock.freeze(new Date('2026-12-11T10:00:00Z'));
  expect(await reported(friday.id, PAID)).toMatchObject({ told_by: '2026-12-10', is_late: true });
  const other = await issued();
  const inTime = { status: 'rejected', status_reason: 'No.', on: '2026-12-11', told_on: '2026-12-11' };
  expect(await reported(other.id, inTime)).toMatchObject({ told_by: '2026-12-17', is_late: false });
});
