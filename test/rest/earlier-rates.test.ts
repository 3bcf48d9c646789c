import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { xmlOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

/** Originals issued elsewhere may bear rates of an earlier time, which their rectificativas have too. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

let count = 0;
const at = (rate: number, external: object, more: object = {}, type = 'vat') => {
  count += 1;
  return aCompleteInvoice({
    line_items: [aLine({ quantity: 1, unit_amount: -1_000, tax_items: [{ type, rate }] })],
    rectifies: { external: { number: `OLD-${count}`, ...external }, method: 'differences' },
    ...more,
  });
};
const surcharged = { recargo_equivalencia: true };
const element = (xml: string, name: string) => new RegExp(`<sf:${name}>([^<]*)<`).exec(xml)?.[1];

describe.each(PROTOCOLS)('over %s, a rectificativa of an invoice issued elsewhere', (protocol) => {
  const issue = (body: object) => operationsOf(service, protocol).issue(body);
  const issued = async (body: object) => {
    const reply = await issue(body);
    expect(reply, reply.detail).toMatchObject({ status: 201 });
    return reply.body;
  };

  test('has the rates of its day, declares it, and passes it on', async () => {
    const external = { issued_on: '2023-06-02', operation_date: '2023-05-31' };
    const { id } = await issued(at(5, external, surcharged));
    const { body: first } = await service.call('GET', `/v1/invoices/${id}`);
    expect(first.rectifies[0].external).toMatchObject(external);
    expect(first.operation_date).toBe(first.invoice_date);
    const { body: shown } = await service.graphql(
      `{ invoice(id: "${id}") { rectifies { external { operationDate } } } }`,
    );
    expect(shown.data.invoice.rectifies).toEqual([{ external: { operationDate: '2023-05-31' } }]);
    const [xml] = await xmlOf(service.db, first.id);
    expect(xml).toContain(
      '</sf:FacturasRectificadas><sf:FechaOperacion>31-05-2023</sf:FechaOperacion><sf:DescripcionOperacion>',
    );
    expect(xml).toContain(
      '<sf:TipoImpositivo>5</sf:TipoImpositivo><sf:BaseImponibleOimporteNoSujeto>-10.00</sf:BaseImponibleOimporteNoSujeto>' +
        '<sf:CuotaRepercutida>-0.50</sf:CuotaRepercutida><sf:TipoRecargoEquivalencia>0.62</sf:TipoRecargoEquivalencia>' +
        '<sf:CuotaRecargoEquivalencia>-0.06</sf:CuotaRecargoEquivalencia>',
    );
    const { recipient: _, ...body } = at(5, {}, surcharged);
    const next = await issued({ ...body, rectifies: { invoice_id: first.id, method: 'differences' } });
    expect(element((await xmlOf(service.db, next.id))[0]!, 'FechaOperacion')).toBe('31-05-2023');
  });

  test('takes a day of its operation that the agency takes', async () => {
    const cases: [day: string, fault: string][] = [
      ['2023-06-03', 'too_big'],
      ['9999-12-31', 'too_big'],
      ['2000-01-01', 'too_small'],
      ['2023-02-30', 'invalid_format'],
    ];
    for (const [operation_date, fault] of cases) {
      expect(await issue(at(21, { issued_on: '2023-06-02', operation_date })), operation_date).toMatchObject({
        status: 400,
        faults: [`rectifies.external.operation_date ${fault}`],
      });
    }
  });
});

test.each([
  [0, '2023-01-01', '0'],
  [5, '2022-12-31', '0.5'],
  [5, '2024-09-30', '0.62'],
  [2, '2024-10-01', '0.26'],
  [7.5, '2024-12-31', '1'],
])('%s %% of %s has its surcharge', async (rate, issued_on, surcharge) => {
  const { body } = await service.call('POST', '/v1/invoices', { body: at(rate, { issued_on }, surcharged) });
  const [xml] = await xmlOf(service.db, body.id);
  expect(element(xml!, 'TipoRecargoEquivalencia')).toBe(surcharge);
  expect(element(xml!, 'FechaOperacion')).toBe(issued_on.split('-').reverse().join('-'));
  expect(body.rectifies[0].external).not.toHaveProperty('operation_date');
});

test.each([
  ['5 % before it existed', at(5, { issued_on: '2022-06-30' }), 'invalid_tax_rate'],
  ['5 % when it was over', at(5, { issued_on: '2024-10-01' }), 'invalid_tax_rate'],
  ['2 % today', at(2, { issued_on: '2025-01-01' }), 'invalid_tax_rate'],
  [
    'a surcharge of 0 % of 2022',
    at(0, { issued_on: '2022-12-31' }, surcharged),
    'invalid_recargo_equivalencia',
  ],
  ['IGIC of 2019', at(6.5, { issued_on: '2019-06-01' }, {}, 'igic'), undefined],
  ['what is older than the agency takes', at(21, { issued_on: '1999-01-01' }), undefined],
])('%s', async (_what, body, code) => {
  const reply = await service.call('POST', '/v1/invoices/validate', { body });
  expect(reply.body.code, reply.body.detail).toBe(code);
});
