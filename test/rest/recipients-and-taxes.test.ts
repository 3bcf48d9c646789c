import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { ANA, operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '10000' });
});
afterAll(() => service.close());

const taxed = (unit_amount: number, type: string, rate?: number) =>
  aLine({ quantity: 1, unit_amount, tax_items: [rate === undefined ? { type } : { type, rate }] });
const oss = taxed(10_000, 'eu_oss', 19);
const services = taxed(10_000, 'eu_b2b_services');

const livingIn = (country: string, postal_code = '10115') => ({
  address: { line1: 'Hauptstraße 1', postal_code, city: 'Berlin', country },
});
const SPANIARD = aCompleteInvoice().recipient;
const UNREGISTERED = { ...SPANIARD, tax_id_type: 'not_registered' };
const BUSINESS = { name: 'Beispiel GmbH', tax_id: 'DE136695976', ...livingIn('DE') };
const consumer = (country: string, postalCode?: string) => ({
  ...{ name: 'Erika Mustermann', tax_id: 'C01X00T47', tax_id_type: 'passport', tax_id_country: 'DE' },
  ...livingIn(country, postalCode),
});

const refusedAt = (field: string) => ({
  status: 422,
  code: 'invalid_tax_data',
  faults: [`${field} invalid_tax_data`],
});

describe.each(PROTOCOLS)('over %s', (protocol) => {
  let operations: Operations;
  beforeAll(() => {
    operations = operationsOf(service, protocol);
  });

  test.each<[what: string, recipient: object, line: object, instead: string]>([
    ['a service to a business in the EU, to a Spanish NIF', SPANIARD, services, 'vat'],
    ['the same, to somebody outside the census', UNREGISTERED, services, 'vat'],
    [
      'a supply to a business in the EU, to a Spanish NIF',
      SPANIARD,
      taxed(10_000, 'eu_b2b'),
      'EU VAT number',
    ],
    ['the one-stop shop, at a Spanish address', consumer('ES', '28013'), oss, 'igic'],
    ['the one-stop shop, to a business in the EU', BUSINESS, oss, 'eu_b2b'],
    [
      'the one-stop shop, to a Spanish company',
      { ...SPANIARD, tax_id: 'B12345674', tax_id_type: 'es_nif', ...livingIn('DE') },
      oss,
      'company',
    ],
    [
      'the one-stop shop, to one who is certified to live outside the EU',
      { ...consumer('FR'), tax_id_type: 'residence_certificate', tax_id_country: 'US' },
      oss,
      'lives in US',
    ],
    ['the one-stop shop, outside the EU', consumer('US'), oss, 'export'],
    ['the one-stop shop, in Great Britain', consumer('GB', 'SW1A 1AA'), oss, 'export'],
    ['the one-stop shop, in Réunion, where VAT is not that of France', consumer('RE'), oss, 'export'],
  ])('%s: refused', async (_what, recipient, line, instead) => {
    const body = aCompleteInvoice({ recipient, line_items: [taxed(100, 'es_non_taxable'), line] });
    for (const ask of [operations.issue, operations.validate]) {
      const reply = await ask(body);
      expect(reply).toMatchObject(refusedAt('line_items[1].tax_items'));
      expect(reply.detail).toContain(instead);
    }
  });

  test('a line hides behind none of the same declaration', async () => {
    const line_items = [taxed(10_000, 'es_non_taxable_localization'), services];
    expect(await operations.issue(aCompleteInvoice({ line_items }))).toMatchObject(
      refusedAt('line_items[1].tax_items'),
    );
  });

  test.each([
    ['in a member state', consumer('FR')],
    ['in Greece', consumer('GR')],
    ['in Monaco, part of the territory of France', consumer('MC')],
    ['in Northern Ireland, which counts as a member state for goods', consumer('GB', 'bt1 5gs')],
    [
      'with a Spanish NIF, at home in a member state',
      { ...SPANIARD, tax_id_type: 'es_nif', ...livingIn('PT') },
    ],
  ])('the one-stop shop is for consumers %s', async (_where, recipient) => {
    expect(await operations.issue(aCompleteInvoice({ recipient, line_items: [oss] }))).toMatchObject({
      status: 201,
    });
  });

  test('on a ticket the address decides, if there is one', async () => {
    const ticket = (recipient?: object) =>
      operations.issue(aSimplifiedInvoice({ line_items: [oss], ...(recipient && { recipient }) }));
    expect(await ticket({ address: { country: 'ES' } })).toMatchObject(refusedAt('line_items[0].tax_items'));
    expect(await ticket({ address: { country: 'DE' } })).toMatchObject({ status: 201 });
    expect(await ticket()).toMatchObject({ status: 201 });
  });

  describe('a ticket below zero', () => {
    const NEGATIVE = { status: 400, code: 'invalid_request', faults: ['line_items negative_total'] };
    const ticket = (...amounts: number[]) =>
      aSimplifiedInvoice({ line_items: amounts.map((amount) => taxed(amount, 'vat', 21)) });

    test('that sells nothing is a rectificativa, and the refusal says so', async () => {
      for (const body of [ticket(-1_000), ticket(-1_000, 0), ticket(-1, -1)]) {
        expect(await operations.issue(body)).toMatchObject(NEGATIVE);
        expect(await operations.validate(body)).toMatchObject(NEGATIVE);
      }
      const { body } = await service.call('POST', '/v1/invoices', { body: ticket(-1_000) });
      expect(body.errors[0].message).toContain('rectifies');
      const decimals = { quantity: undefined, quantity_decimal: '0.5', prices_include_tax: true };
      const line_items = [{ ...taxed(-1_000, 'vat', 21), ...decimals }];
      expect(await operations.issue(aSimplifiedInvoice({ line_items }))).toMatchObject(NEGATIVE);
    });

    test('may set a return off in a later sale, and may come to nothing', async () => {
      for (const body of [ticket(-1_000, 500), ticket(0)]) {
        expect(await operations.issue(body)).toMatchObject({ status: 201 });
      }
    });

    test('is taken as a complete invoice, and as a rectificativa', async () => {
      const line_items = [taxed(-1_000, 'vat', 21)];
      expect(await operations.issue(aCompleteInvoice({ line_items }))).toMatchObject({ status: 201 });
      const { body } = await operations.issue(ticket(2_000));
      const rectifies = { invoice_id: body.id, method: 'differences' };
      expect(await operations.issue(aSimplifiedInvoice({ line_items, rectifies }))).toMatchObject({
        status: 201,
      });
    });
  });

  test('a rate of withholding that is a fraction is refused, and the refusal says what is meant', async () => {
    const refused = await operations.issue(aCompleteInvoice({ withholding: { rate: 0.15 } }));
    expect(refused).toMatchObject({ status: 400, faults: ['withholding.rate too_small'] });
    expect(refused.detail).toContain('15 for 15 %');
  });

  test('a draft is kept, and says why it could not be issued', async () => {
    const line_items = [services];
    const { body } = await operations.createDraft({ invoice: aCompleteInvoice({ line_items }) });
    expect(body.errors).toMatchObject([{ code: 'invalid_tax_data' }]);
    expect(await operations.issueDraft(body.id)).toMatchObject(refusedAt('line_items[0].tax_items'));
    const fields = { line_items: [taxed(-100, 'vat', 21)] };
    const negative = await operations.createDraft({ invoice: aSimplifiedInvoice(fields) });
    expect(negative.body.errors).toMatchObject([{ code: 'negative_total' }]);
  });

  test('a schedule that could issue nothing is not created', async () => {
    const invoice = aCompleteInvoice({ line_items: [services] });
    const request = { invoice, frequency: 'monthly', starts_on: '2999-01-01' };
    expect(await operations.createSchedule(request)).toMatchObject({ code: 'invalid_tax_data' });
  });
});

describe('what was issued before is corrected all the same', () => {
  /** An invoice for a German business whose recipient then becomes, in its row, what no invoice takes any more. */
  async function soldWrongly(line: object, columns: string): Promise<string> {
    const invoice = aCompleteInvoice({ recipient: BUSINESS, line_items: [line] });
    const { body, status } = await service.call('POST', '/v1/invoices', { body: invoice });
    expect(status).toBe(201);
    const client = await service.owner.connect();
    try {
      await client.query('set session_replication_role = replica');
      await client.query(`update invoice set ${columns} where id = $1`, [body.id]);
    } finally {
      await client.query('reset session_replication_role');
      client.release();
    }
    return body.id;
  }
  const SPANISH =
    "recipient_tax_id = '12345678Z', recipient_tax_id_type = 'es_nif', recipient_tax_id_country = 'ES'";
  const correct = (id: string, method: string, line_items: object[], recipient?: object) =>
    operationsOf(service, 'REST').issue(
      aCompleteInvoice({ line_items, recipient, rectifies: { invoice_id: id, method } }),
    );

  test('by differences and by a substitution, with the inherited recipient', async () => {
    const took = await soldWrongly(services, SPANISH);
    const back = [taxed(-10_000, 'eu_b2b_services'), taxed(10_000, 'vat', 21)];
    expect(await correct(took, 'differences', back)).toMatchObject({ status: 201 });
    const other = await soldWrongly(services, SPANISH);
    expect(await correct(other, 'substitution', [taxed(8_000, 'eu_b2b_services')])).toMatchObject({
      status: 201,
    });
  });

  test('but neither with a tax that it does not bear, nor with a recipient that is restated', async () => {
    const sold = await soldWrongly(services, SPANISH);
    const refused = refusedAt('line_items[0].tax_items');
    expect(await correct(sold, 'differences', [taxed(100, 'eu_b2b')])).toMatchObject(refused);
    expect(await correct(sold, 'substitution', [services], { ...SPANIARD })).toMatchObject(refused);
  });

  test('of an invoice issued elsewhere, lines may take back what was charged wrongly', async () => {
    const rectifies = { external: { number: 'OTRA-7', issued_on: '2025-03-01' }, method: 'differences' };
    const with_ = (line: object) =>
      operationsOf(service, 'REST').issue(aCompleteInvoice({ line_items: [line], rectifies }));
    expect(await with_(services)).toMatchObject(refusedAt('line_items[0].tax_items'));
    expect(await with_(taxed(-10_000, 'eu_b2b_services'))).toMatchObject({ status: 201 });
  });
});

test('tickets of the one-stop shop are not exchanged for a Spaniard’s invoice', async () => {
  const operator = await operatorOf(service);
  const { body } = await service.call('POST', '/v1/invoices', {
    body: aSimplifiedInvoice({ line_items: [oss] }),
  });
  const { errors } = await operator.exchangeInvoices({ ticketIds: [body.id], recipient: ANA });
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'invalid_tax_data',
    errors: [{ field: 'input.recipient.address.country' }],
  });
});
