import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());
afterEach(() => clock.reset());

const issue = (operation_date: unknown, protocol: (typeof PROTOCOLS)[number] = 'REST') =>
  operationsOf(service, protocol).issue(aSimplifiedInvoice({ operation_date }));

const declaredDay = async (id: string): Promise<string | null> => {
  const { body } = await service.graphql(`{ invoice(id: "${id}") { records { xml } } }`);
  return /<sf:FechaOperacion>([^<]*)</.exec(body.data.invoice.records[0].xml)?.[1] ?? null;
};

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test.each([
    '2026-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
    '1900-02-29',
    '2026-1-1',
    '20260101',
    '26-01-01',
    '01-01-2026',
    '2026/01/01',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '+002026-01-01',
    '٢٠٢٦-٠١-٠١',
    'today',
    '',
  ])('%j is no day', async (day) => {
    expect(await issue(day, protocol)).toMatchObject({
      status: 400,
      faults: ['operation_date invalid_format'],
    });
  });

  test('the days of the contract end at both sides', async () => {
    expect(await issue('2024-12-31', protocol)).toMatchObject({ faults: ['operation_date too_small'] });
    expect(await issue('0001-01-01', protocol)).toMatchObject({ faults: ['operation_date too_small'] });
    expect(await issue('2025-01-01', protocol)).toMatchObject({ status: 201 });
    expect(await issue('9999-12-31', protocol)).toMatchObject({ faults: ['operation_date too_big'] });
  });

  test('it does not go with rectifies', async () => {
    const rectifies = { invoice_id: 'inv_1', method: 'differences' };
    const body = aSimplifiedInvoice({ operation_date: '2026-01-01', rectifies });
    const reply = await operationsOf(service, protocol).issue(body);
    expect(reply).toMatchObject({ status: 400, faults: ['operation_date not_supported'] });
  });
});

describe('today is that of Madrid', () => {
  test.each([
    ['in summer', '2027-07-15T21:59:59.999Z', '2027-07-15T22:00:00.000Z', '2027-07-16'],
    ['in winter', '2028-01-10T22:59:59.999Z', '2028-01-10T23:00:00.000Z', '2028-01-11'],
    [
      'on the night before the clocks go forward',
      '2028-03-25T22:59:59Z',
      '2028-03-25T23:00:00Z',
      '2028-03-26',
    ],
    ['on the night after it', '2028-03-26T21:59:59Z', '2028-03-26T22:00:00Z', '2028-03-27'],
    ['on the night before they go back', '2028-10-28T21:59:59Z', '2028-10-28T22:00:00Z', '2028-10-29'],
    ['on the night after it', '2028-10-29T22:59:59Z', '2028-10-29T23:00:00Z', '2028-10-30'],
    ['on New Year', '2028-12-31T22:59:59Z', '2028-12-31T23:00:00Z', '2029-01-01'],
    ['on a leap day', '2032-02-28T22:59:59Z', '2032-02-28T23:00:00Z', '2032-02-29'],
  ])('%s', async (_when, before, after, day) => {
    clock.freeze(new Date(before));
    expect(await issue(day)).toMatchObject({ status: 400, faults: ['operation_date too_big'] });
    clock.freeze(new Date(after));
    expect(await issue(day)).toMatchObject({ status: 201 });
  });
});

describe('the answer', () => {
  test.each([
    ['a day of winter', '2026-01-15', '2026-01-14T23:00:00.000Z'],
    ['a day of summer', '2026-08-15', '2026-08-14T22:00:00.000Z'],
    ['the day on which the clocks go forward', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['the day after it', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['the day on which they go back', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['the day after it', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    ['a leap day', '2028-02-29', '2028-02-28T23:00:00.000Z'],
  ])('gives %s as midnight in Madrid, and is in the agency’s record', async (_what, day, instant) => {
    clock.freeze(new Date('2033-06-01T10:00:00Z'));
    const { body } = await issue(day);
    expect(body.operation_date).toBe(instant);
    const [year, month, date] = day.split('-');
    expect(await declaredDay(body.id)).toBe(`${date}-${month}-${year}`);
  });

  test('returns the instant of issue for the same day, and the record does not contain it', async () => {
    clock.freeze(new Date('2033-06-01T22:30:00Z'));
    for (const day of ['2033-06-02', undefined]) {
      const { body } = await issue(day);
      expect(body.operation_date).toBe(body.invoice_date);
      expect(await declaredDay(body.id)).toBeNull();
    }
    const { body } = await issue('2033-06-01');
    expect(body.operation_date).toBe('2033-05-31T22:00:00.000Z');
    expect(await declaredDay(body.id)).toBe('01-06-2033');
  });
});
