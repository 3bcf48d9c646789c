import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { camelKeys } from '../../src/ground/lib/case.ts';
import { documentFor } from '../../src/subjects/documents/document.ts';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { Visitor } from '../support/http/visitor.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { operatorIn } from '../support/pages/console.ts';
import { aLink, aSale, aSaleLine, aShop } from '../support/pages/portal.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const lines = (...amounts: number[]) => ({
  line_items: amounts.map((unit_amount) => aLine({ quantity: 1, unit_amount })),
});
const at = (rate: unknown) => ({ withholding: { rate } });
const irpf = (rate: number, base: number, amount: number) => ({ type: 'irpf', rate, base, amount });
const differences = (id: string) => ({
  ...{ recipient: undefined, rectifies: { invoice_id: id, method: 'differences' } },
});
const substitution = (id: string) => ({
  ...{ recipient: undefined, rectifies: { invoice_id: id, method: 'substitution' } },
});

async function issue(fields: object) {
  const { status, body } = await service.call('POST', '/v1/invoices', {
    body: aCompleteInvoice({ ...fields }),
  });
  expect(body).toMatchObject(status === 201 ? {} : { code: null });
  return body;
}

async function familyOf(id: string) {
  const { body } = await service.graphql(
    `{ invoice(id: "${id}") { family { inForceTotal inForcePayable } } }`,
  );
  return body.data.invoice.family;
}

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test('the net total is withheld at the rate, and neither total nor breakdown changes', async () => {
    const operations = operationsOf(service, protocol);
    const request = aCompleteInvoice({ ...lines(100_000, 33_333), ...at(15) });
    const shown = {
      ...{ subtotal: 133_333, tax: 28_000, total: 161_333 },
      ...{ withholding: irpf(15, 133_333, 20_000), amount_payable: 141_333 },
    };
    const dryRun = await operations.validate(request);
    expect(dryRun).toMatchObject({ status: 200, body: shown });
    const issued = await operations.issue(request);
    expect(issued).toMatchObject({ status: 201, body: shown });
    expect((await operations.invoice(issued.body.id)).body).toMatchObject(shown);
    const list = JSON.stringify((await operations.invoices({ number: issued.body.number })).body);
    expect(list).toContain('"amount":20000');
  });

  test.each([
    ['a rate of nothing', at(0), 'withholding.rate too_small'],
    ['a rate below nothing', at(-15), 'withholding.rate too_small'],
    ['a fraction', at(0.39), 'withholding.rate too_small'],
    ['more than a half', at(50.01), 'withholding.rate too_big'],
    ['three decimals', at(7.125), 'withholding.rate invalid_format'],
    ['a ticket', { ...aSimplifiedInvoice(at(15)), recipient: undefined }, 'withholding not_supported'],
  ])('%s is refused', async (_what, fields, fault) => {
    const operations = operationsOf(service, protocol);
    const refused = { status: 400, code: 'invalid_request', faults: [fault] };
    expect(await operations.issue(aCompleteInvoice(fields))).toMatchObject(refused);
    expect(await operations.validate(aCompleteInvoice(fields))).toMatchObject(refused);
  });

  test.each([
    ['the least', 0.4, 400],
    ['of two decimals', 7.35, 7_350],
    ['the highest', 50, 50_000],
  ])('a rate of the limits is taken: %s', async (_what, rate, amount) => {
    const { body } = await operationsOf(service, protocol).issue(
      aCompleteInvoice({ ...lines(100_000), ...at(rate) }),
    );
    expect(body.withholding).toEqual(irpf(rate, 100_000, amount));
  });

  test('no foreign recipient withholds, with any kind of identification', async () => {
    const operations = operationsOf(service, protocol);
    const abroad = { line1: 'Rue 1', postal_code: '75001', city: 'Paris', country: 'FR' };
    const recipients = [
      { name: 'Client SARL', tax_id: 'FR40303265045', address: abroad },
      { name: 'Ana Ruiz', tax_id: 'X123', tax_id_type: 'passport', tax_id_country: 'ES', address: abroad },
      { name: 'Acme Inc', tax_id: '12-3456789', tax_id_country: 'US', tax_id_type: 'other', address: abroad },
    ];
    for (const recipient of recipients) {
      const refused = await operations.issue(aCompleteInvoice({ recipient, ...at(15) }));
      expect(refused).toMatchObject({ status: 422, code: 'invalid_tax_data' });
      expect(refused.faults).toEqual(['withholding invalid_tax_data']);
      const { status } = await operations.issue(aCompleteInvoice({ recipient }));
      expect(status).toBe(201);
    }
  });
});

test('a half cent is rounded away from zero, in both directions', async () => {
  const { id, withholding } = await issue({ ...lines(10_010), ...at(15) });
  expect(withholding).toEqual(irpf(15, 10_010, 1_502));
  const credit = await issue({ ...differences(id), ...lines(-10_010) });
  expect(credit.withholding).toEqual(irpf(15, -10_010, -1_502));
  expect(await familyOf(credit.id)).toEqual({ inForceTotal: 0, inForcePayable: 0 });
});

test('a rectificativa by differences takes over the rate, and none other is taken', async () => {
  const { id } = await issue({ ...lines(100_000), ...at(15) });
  const credit = { ...differences(id), ...lines(-20_000) };
  const other = await service.call('POST', '/v1/invoices', {
    body: aCompleteInvoice({ ...credit, ...at(7) }),
  });
  expect(other).toMatchObject({ status: 422, body: { code: 'invalid_tax_data' } });
  expect(other.body.errors).toMatchObject([{ field: 'withholding.rate' }]);
  const first = await issue(credit);
  expect(first).toMatchObject({
    ...{ total: -24_200, withholding: irpf(15, -20_000, -3_000), amount_payable: -21_200 },
  });
  const second = await issue({ ...differences(first.id), ...lines(10_000), ...at(15) });
  expect(second.withholding).toEqual(irpf(15, 10_000, 1_500));
  expect(await familyOf(second.id)).toEqual({ inForceTotal: 108_900, inForcePayable: 95_400 });
});

test('a substitution has its own, or none', async () => {
  const { id } = await issue({ ...lines(100_000), ...at(15) });
  const replaced = await issue({ ...substitution(id), ...lines(50_000), ...at(7) });
  expect(replaced.withholding).toEqual(irpf(7, 50_000, 3_500));
  expect(await familyOf(replaced.id)).toEqual({ inForceTotal: 60_500, inForcePayable: 57_000 });
  const without = await issue({ ...substitution(replaced.id), ...lines(50_000) });
  expect(Object.keys(without)).not.toContain('withholding');
  expect(await familyOf(without.id)).toEqual({ inForceTotal: 60_500, inForcePayable: 60_500 });
});

test('an invoice issued elsewhere has a total in force, and an unknown amount due', async () => {
  const external = {
    ...{ number: 'OLD-1', issued_on: '2026-01-02', rectified_amounts: { base: 100_000, tax: 21_000 } },
  };
  const { id, withholding } = await issue({
    ...{ rectifies: { external, method: 'differences' }, ...lines(-20_000), ...at(15) },
  });
  expect(withholding).toEqual(irpf(15, -20_000, -3_000));
  expect(await familyOf(id)).toEqual({ inForceTotal: 96_800, inForcePayable: null });
});

test('an invoice without one has no such fields in REST, and null in GraphQL', async () => {
  const { id, ...issued } = await issue({});
  expect(Object.keys(issued)).not.toContain('withholding');
  expect(Object.keys(issued)).not.toContain('amount_payable');
  const { body: dryRun } = await service.call('POST', '/v1/invoices/validate', { body: aCompleteInvoice() });
  expect(Object.keys(dryRun)).not.toContain('withholding');
  const { body } = await service.graphql(`{ invoice(id: "${id}") { withholding { rate } amountPayable } }`);
  expect(body.data.invoice).toEqual({ withholding: null, amountPayable: null });
});

test('record, fingerprint and QR code are those of the same invoice without one', async () => {
  const of = async (fields: object) => {
    const { id, total, number, verifactu } = await issue({ ...lines(98_765), ...fields });
    const { body } = await service.graphql(`{ invoice(id: "${id}") { records { xml } } }`);
    const xml: string = body.data.invoice.records[0].xml;
    return { id, total, number, verifactu, xml };
  };
  const [plain, withheld] = [await of({}), await of(at(15))];
  const unlinked = ({ xml, number, id }: { xml: string; number: string; id: string }) =>
    xml
      .replaceAll(number, 'NUMBER')
      .replaceAll(id, 'ID')
      .replace(/<sf:(?:sf:)?Encadenamiento>.*<\/sf:Encadenamiento>/s, '')
      .replace(/<sf:FechaHoraHusoGenRegistro>[^<]*/, '')
      .replace(/<sf:Huella>[^<]*/, '');
  expect(unlinked(withheld)).toBe(unlinked(plain));
  expect(new URL(withheld.verifactu.qr_url).searchParams.get('importe')).toBe('1195.06');
});

test('an event reports it', async () => {
  const { id } = await issue({ ...lines(100_000), ...at(19) });
  const { body: event } = await service.call('GET', '/v1/events?order=desc&limit=1');
  const shown = { id, withholding: irpf(19, 100_000, 19_000), amount_payable: 102_000 };
  expect(event.data[0].data.object).toMatchObject(shown);
});

test.skipIf(!tools.haveTools('pdftotext'))('follows the total on the document', async () => {
  const pageOf = async (fields: object) => {
    const { id } = await issue(fields);
    const file = await documentFor(service.services, service.company.test.environmentId, id);
    if (isRefusal(file)) throw new Error(file.detail);
    return tools.textOf(file.bytes);
  };
  const page = await pageOf({ ...lines(100_000), ...at(15) });
  expect(page).toMatch(/Total factura.+1\.210,00\s€.+Retención IRPF 15\s%.+Total a pagar/s);
  expect(page).toMatch(/-150,00\s€.+1\.060,00\s€/s);
  expect(await pageOf(lines(100_000))).not.toMatch(/Retención|a pagar/);
});

test('is shown to the customer and to operators, and an order may bring it', async () => {
  const shop = await aShop(service);
  const sale = await aSale(service, shop, 'customer-1', {
    ...{ type: 'complete', recipient: camelKeys(aCompleteInvoice().recipient), ...at(15) },
    lineItems: [{ ...aSaleLine, quantity: 1, unitAmount: 100_000 }],
  });
  const link = await aLink(service, shop, 'customer-1');
  const customer = new Visitor(service.url);
  const { location } = await customer.get(new URL(link).pathname);
  const operator = await operatorIn(service);
  const own = (await customer.get(`${location}/invoices/${sale.id}`)).text.replace(/<[^>]+>/g, ' ');
  expect(own).toMatch(/Retención IRPF 15\s% +-150,00\s€ +Total a pagar +1\.060,00\s€/);
  const console = (await operator.get(`/console/invoices/${sale.id}`)).text.replace(/<[^>]+>/g, ' ');
  expect(console).toMatch(/IRPF withheld \(15 %\) €150\.00 · +to be paid €1,060\.00/);
});

test('what is to be paid stands out on the customer’s page, and so does what is left of it', async () => {
  const shop = await aShop(service);
  const sale = await aSale(service, shop, 'customer-2', {
    ...{ type: 'complete', recipient: camelKeys(aCompleteInvoice().recipient), ...at(15) },
    lineItems: [{ ...aSaleLine, quantity: 1, unitAmount: 100_000 }],
  });
  const customer = new Visitor(service.url);
  const { location } = await customer.get(new URL(await aLink(service, shop, 'customer-2')).pathname);
  const emphasised = async () => {
    const { text } = await customer.get(`${location}/invoices/${sale.id}`);
    return [...text.matchAll(/<div class="all"><dt>([^<]+)<\/dt>/g)].map(([, name]) => name);
  };
  expect(await emphasised()).toEqual(['Total', 'Total a pagar']);
  const paid = { amount: 6_000, paid_on: madridDay(new Date()) };
  const { status } = await service.call('POST', `/v1/invoices/${sale.id}/payments`, { body: paid });
  expect(status).toBe(201);
  expect(await emphasised()).toEqual(['Total', 'Total a pagar', 'Pendiente de pago']);
});

test('a part of the net amount may be the base, and a full credit takes back no more', async () => {
  const ofPart = (base: number) => ({ ...lines(10_000, 5_000), withholding: { rate: 15, base } });
  for (const base of [15_001, -1]) {
    const refused = await service.call('POST', '/v1/invoices', { body: aCompleteInvoice(ofPart(base)) });
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_tax_data' } });
    expect(refused.body.errors[0].field).toBe('withholding.base');
  }
  const original = await issue(ofPart(10_000));
  expect(original.withholding).toEqual(irpf(15, 10_000, 1_500));
  expect(original.amount_payable).toBe(18_150 - 1_500);
  const untouched = await issue({
    ...lines(-1_000),
    ...differences(original.id),
    withholding: { rate: 15, base: 0 },
  });
  expect(untouched.withholding).toEqual(irpf(15, 0, 0));
  const rest = await issue({ ...lines(-10_000, -4_000), ...differences(untouched.id) });
  expect(rest.withholding).toEqual(irpf(15, -10_000, -1_500));
});
