import { afterAll, beforeAll, expect, test } from 'vitest';
import { madridDay, plusDays } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { codeOf, differences, operatorOf, substitution } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

/** An invoice that was credited: whether it counts as paid, and what is told of it. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const today = () => madridDay(clock.now());
/** An invoice over 121.00 EUR, due in a month. */
const anInvoice = (parts: object = {}) =>
  aCompleteInvoice({
    ...{ due_date: plusDays(today(), 30), line_items: [aLine({ quantity: 1, unit_amount: 10_000 })] },
    ...parts,
  });

const issued = async (body: object) => {
  const answer = await service.call('POST', '/v1/invoices', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const record = (id: string, amount: number) =>
  service.call('POST', `/v1/invoices/${id}/payments`, { body: { amount, paid_on: today() } });
const standing = async (id: string) => {
  const { body } = await service.call('GET', `/v1/invoices/${id}`);
  return [body.payment_status, body.amount_paid, body.amount_due];
};
const TYPES = 'type=invoice.payment_recorded&type=invoice.paid';
const paidTypes = async (id: string) => {
  const { body } = await service.call('GET', `/v1/events?order=asc&limit=100&after_sequence=0&${TYPES}`);
  const own = body.data.filter(({ data }: { data: { object: { id: string } } }) => data.object.id === id);
  return own.map(({ type }: { type: string }) => type);
};
const voided = async (id: string) =>
  expect(codeOf(await (await operatorOf(service)).voidInvoice(id))).toBeNull();

test('is credited, not paid, once all of it was credited without a payment, and unpaid if the credit is voided', async () => {
  const invoice = await issued(anInvoice());
  const credit = await issued(differences(invoice, -10_000));
  expect(await standing(invoice.id)).toEqual(['credited', 0, 0]);
  expect(await paidTypes(invoice.id)).toEqual([]);
  expect((await record(invoice.id, 1)).body.code).toBe('payment_exceeds_payable');
  await voided(credit.id);
  expect(await standing(invoice.id)).toEqual(['unpaid', 0, 12_100]);
  const replacement = await issued(substitution(invoice, 0, { due_date: plusDays(today(), 30) }));
  expect(await standing(replacement.id)).toEqual(['credited', 0, 0]);
  expect(await paidTypes(replacement.id)).toEqual([]);
});

test('is paid when what was paid is all that a credit left, or more: the event says so', async () => {
  for (const credited of [-3_000, -10_000]) {
    const invoice = await issued(anInvoice());
    expect((await record(invoice.id, 8_470)).status).toBe(201);
    const credit = await issued(differences(invoice, credited));
    expect((await standing(invoice.id))[0]).toBe('paid');
    expect(await paidTypes(invoice.id)).toEqual(['invoice.payment_recorded', 'invoice.paid']);
    if (credited === -3_000) continue;
    // What is given back leaves an invoice that was credited, and was paid once.
    const { body: refund } = await record(credit.id, 8_470);
    expect(await standing(invoice.id)).toEqual(['credited', 0, 0]);
    expect((await service.call('DELETE', `/v1/invoices/${credit.id}/payments/${refund.id}`)).status).toBe(
      204,
    );
    expect(await standing(invoice.id)).toEqual(['paid', 8_470, -8_470]);
    expect(await paidTypes(invoice.id)).toEqual(['invoice.payment_recorded', 'invoice.paid']);
  }
});

test('is paid if it was issued for zero: nothing of it was credited', async () => {
  const free = [aLine(), aLine({ unit_amount: -10_000 })];
  const { id } = await issued(anInvoice({ line_items: free }));
  expect(await standing(id)).toEqual(['paid', 0, 0]);
});
