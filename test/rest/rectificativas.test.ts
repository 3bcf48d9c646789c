import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as answers from '../../rest/response-schemas.ts';
import { removeCatalogRow } from '../../src/subjects/taxes/store/catalog.ts';
import { type Answer, type TestService, testService } from '../support/http/http-service.ts';
import { persistedCounts } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const issue = (body: object): Promise<Answer> => service.call('POST', '/v1/invoices', { body });

/** An invoice in force, by its answer. */
async function issued(body: object) {
  const answer = await issue(body);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return answer.body;
}

const credit = (unit_amount: number, parts: object = {}) => ({
  line_items: [aLine({ quantity: 1, unit_amount })],
  ...parts,
});

function differences(invoice: { id: string; type: string }, unit_amount: number, parts: object = {}) {
  return {
    type: invoice.type,
    ...credit(unit_amount),
    rectifies: { invoice_id: invoice.id, method: 'differences' },
    ...parts,
  };
}

function substitution(invoice: { id: string; type: string }, unit_amount: number, parts: object = {}) {
  return differences(invoice, unit_amount, {
    rectifies: { invoice_id: invoice.id, method: 'substitution' },
    ...parts,
  });
}

async function code(body: object): Promise<string> {
  const answer = await issue(body);
  expect(answers.errorEnvelope.parse(answer.body)).toEqual(answer.body);
  return answer.body.code;
}

async function xmlOf(id: string): Promise<string> {
  const { body } = await service.graphql(`query ($id: ID!) { invoice(id: $id) { records { xml } } }`, { id });
  return body.data.invoice.records[0].xml;
}

describe('a rectificativa that names its original', () => {
  test('by differences inherits the recipient and belongs to the family', async () => {
    const original = await issued(aCompleteInvoice());
    const delta = await issued(differences(original, -5_000));
    expect(delta).toMatchObject({
      number: expect.stringMatching(/^R-\d{4}-\d+$/),
      kind: 'rectifying_differences',
      total: -6_050,
      rectifies: [{ invoice_id: original.id }],
      recipient: original.recipient,
    });
    const read = await service.call('GET', `/v1/invoices/${original.id}`);
    expect(read.body.rectified_by).toEqual([{ invoice_id: delta.id }]);
    const xml = await xmlOf(delta.id);
    expect(xml).toContain(
      '<sf:TipoFactura>R1</sf:TipoFactura><sf:TipoRectificativa>I</sf:TipoRectificativa>',
    );
    expect(xml).toContain(`<sf:NumSerieFactura>${original.number}</sf:NumSerieFactura>`);
    expect(xml).not.toContain('ImporteRectificacion');
    expect(xml).toContain('<sf:CuotaTotal>-10.50</sf:CuotaTotal><sf:ImporteTotal>-60.50</sf:ImporteTotal>');
  });

  test('the worked chain: delta, substitution, second substitution', async () => {
    const line = { quantity: 1, unit_amount: 10_000 };
    const original = await issued(aCompleteInvoice({ line_items: [aLine(line)] }));
    const delta = await issued(differences(original, -2_000));
    const first = await issued(substitution(delta, 5_000));
    const firstXml = await xmlOf(first.id);
    expect(firstXml).toContain(
      '<sf:BaseRectificada>80.00</sf:BaseRectificada><sf:CuotaRectificada>16.80</sf:CuotaRectificada>',
    );
    const references = /<sf:FacturasRectificadas>(.*)<\/sf:FacturasRectificadas>/.exec(firstXml)![1]!;
    expect([...references.matchAll(/NumSerieFactura>([^<]+)</g)].map(([, number]) => number)).toEqual([
      original.number,
      delta.number,
    ]);
    const second = await issued(substitution(first, 4_000));
    const secondXml = await xmlOf(second.id);
    expect(secondXml).toContain(
      '<sf:BaseRectificada>50.00</sf:BaseRectificada><sf:CuotaRectificada>10.50</sf:CuotaRectificada>',
    );
    expect(secondXml.match(/<sf:IDFacturaRectificada>/g)).toHaveLength(1);
  });

  test('by differences raises a total below zero, even if it stays there, and never reduces one to below it', async () => {
    const line = aLine({ quantity: 1, unit_amount: -10_000 });
    const refund = await issued(aCompleteInvoice({ line_items: [line] }));
    expect(await code(differences(refund, -100))).toBe('family_balance_below_zero');
    const less = await issued(differences(refund, 4_000));
    expect(await code(differences(less, -100))).toBe('family_balance_below_zero');
    const raised = await issued(differences(less, 7_000));
    expect(await code(differences(raised, -1_100))).toBe('family_balance_below_zero');
    await issued(differences(raised, -1_000));
  });

  test('of a ticket is R5 without a recipient, for any reason', async () => {
    const ticket = await issued(aSimplifiedInvoice());
    const rectifies = { invoice_id: ticket.id, method: 'differences', reason: 'insolvency' };
    const delta = await issued(differences(ticket, -1_000, { rectifies }));
    const xml = await xmlOf(delta.id);
    expect(xml).toContain('<sf:TipoFactura>R5</sf:TipoFactura>');
    expect(xml).not.toContain('Destinatarios');
  });

  test('by substitution restates an address without a query, and an identity with one', async () => {
    const original = await issued(aCompleteInvoice());
    const address = { line1: 'Calle Nueva 2', postal_code: '08001', city: 'Barcelona', country: 'ES' };
    const moved = await issued(substitution(original, 1_000, { recipient: { address } }));
    expect(moved.recipient).toMatchObject({ tax_id: '12345678Z', address: { ...address, line2: null } });
    const recipient = { name: 'NO CENSADO SL' };
    expect(await code(substitution(moved, 1_000, { recipient }))).toBe('invalid_tax_id');
    expect(await code(substitution(moved, 1_000, { recipient: { name: 'X' } }))).toBe(
      'insufficient_recipient_data',
    );
    const down = { name: 'CENSO CAIDO SL' };
    expect(await code(substitution(moved, 1_000, { recipient: down }))).toBe('tax_id_validation_unavailable');
  });
});

describe('what cannot be rectified', () => {
  test('an invoice that was corrected or replaced', async () => {
    const corrected = await issued(aCompleteInvoice());
    const delta = await issued(differences(corrected, -100));
    expect(await code(differences(corrected, -100))).toBe('invoice_not_family_tip');
    await issued(substitution(delta, 100));
    expect(await code(differences(delta, -100))).toBe('invoice_already_replaced');
  });

  test('an unknown or foreign invoice', async () => {
    const live = await service.call('POST', '/v1/invoices', {
      key: service.company.live.key,
      body: aCompleteInvoice(),
    });
    for (const id of ['inv_nothing', live.body.id]) {
      expect(await code(differences({ id, type: 'complete' }, -100))).toBe('rectified_invoice_not_found');
    }
  });

  test('an invoice that is still being registered', async () => {
    const key = service.company.live.key;
    const { body } = await service.call('POST', '/v1/invoices', { key, body: aCompleteInvoice() });
    const answer = await service.call('POST', '/v1/invoices', { key, body: differences(body, -100) });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 503,
      code: 'invoice_pending_at_aeat',
    });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('what a rectificativa may not contain', () => {
  let original: { id: string; type: string };
  let ticket: { id: string; type: string };
  beforeAll(async () => {
    original = await issued(aCompleteInvoice());
    ticket = await issued(aSimplifiedInvoice());
  });

  const external = { number: 'OLD-1', issued_on: '2024-05-05' };
  const elsewhere = (parts: object, rest: object = {}) =>
    aCompleteInvoice({ rectifies: { external: { ...external, ...parts }, method: 'differences', ...rest } });

  test.each<[string, () => object]>([
    [
      'invalid_rectifies_reference',
      () => differences(original, -1_000, { rectifies: { method: 'differences' } }),
    ],
    [
      'invalid_rectifies_reference',
      () =>
        differences(original, -1_000, {
          ...aCompleteInvoice(),
          rectifies: { method: 'differences', invoice_id: original.id, external },
        }),
    ],
    ['downgrade_to_simplified_not_allowed', () => differences({ ...original, type: 'simplified' }, -1_000)],
    ['upgrade_to_complete_not_allowed', () => differences({ ...ticket, type: 'complete' }, -1_000)],
    [
      'recipient_overrides_not_allowed_for_differences',
      () => differences(original, -1_000, { recipient: { email: 'a@example.com' } }),
    ],
    ['family_balance_below_zero', () => differences(original, -99_999_999)],
    ['replacement_total_negative', () => substitution(original, -1_000)],
    [
      'line_item_without_tax_items',
      () =>
        differences(original, -1_000, { line_items: [{ description: 'x', quantity: 1, unit_amount: -5 }] }),
    ],
    [
      'rectifying_series_invalid',
      () => differences(original, -1_000, { number_series_id: service.company.test.standardSeriesId }),
    ],
    ['rectifying_series_invalid', () => differences(original, -1_000, { number_series_id: 'ns_x' })],
    ['external_reference_invalid', () => elsewhere({ number: 'A"B' })],
    ['external_reference_invalid', () => elsewhere({ number: 'A'.repeat(61) })],
    ['external_reference_invalid', () => elsewhere({ issued_on: '2024-02-30' })],
    ['external_reference_invalid', () => elsewhere({ issued_on: '2999-01-01' })],
    ['rectified_amounts_required_for_substitution', () => elsewhere({}, { method: 'substitution' })],
    [
      'tax_id_type_country_mismatch',
      () => substitution(original, 1_000, { recipient: { tax_id_type: 'es_nif', tax_id_country: 'FR' } }),
    ],
    [
      'insufficient_recipient_data',
      () => substitution(original, 1_000, { recipient: { company_name: 'x'.repeat(101) } }),
    ],
    ['invalid_tax_id', () => substitution(original, 1_000, { recipient: { tax_id: '12345678A' } })],
    ['invalid_request', () => differences(original, -1_000, { operation_date: '2026-01-01' })],
    [
      'invalid_tax_rate',
      () =>
        differences(original, -1_000, { line_items: [aLine({ tax_items: [{ type: 'vat', rate: 20 }] })] }),
    ],
    [
      'simplified_incompatible_tax_type',
      () =>
        differences(ticket, -1_000, {
          line_items: [aLine({ tax_items: [{ type: 'es_inversion_sujeto_pasivo' }] })],
        }),
    ],
    ['simplified_amount_exceeded', () => substitution(ticket, 300_000)],
  ])('%s, leaving nothing behind', async (expected, body) => {
    const before = await persistedCounts(service.db);
    expect(await code(body())).toBe(expected);
    expect(await persistedCounts(service.db)).toEqual(before);
  });

  test('a tax that the catalog no longer classifies', async () => {
    const before = await persistedCounts(service.db);
    await removeCatalogRow(service.db.pool, service.company.companyId, 'igic');
    const line_items = [aLine({ unit_amount: -100, tax_items: [{ type: 'igic', rate: 7 }] })];
    expect(await code(differences(original, 0, { line_items }))).toBe('invalid_tax_data');
    expect(await persistedCounts(service.db)).toEqual(before);
  });

  test('reasons admit only certain recipients', async () => {
    const passport = {
      name: 'Jane Roe',
      tax_id: 'X123',
      tax_id_type: 'passport',
      tax_id_country: 'US',
      address: { line1: '1 Main St', postal_code: '10001', city: 'New York', country: 'US' },
    };
    const abroad = await issued(aCompleteInvoice({ recipient: passport }));
    for (const reason of ['insolvency', 'uncollectible']) {
      const rectifies = { invoice_id: abroad.id, method: 'differences', reason };
      expect(await code(differences(abroad, -1_000, { rectifies }))).toBe(
        'reason_incompatible_with_recipient',
      );
    }
  });
});

describe('a rectificativa of an invoice issued elsewhere', () => {
  test('refers to it by number and day, and declares what a substitution replaces', async () => {
    const rectified_amounts = { base: 10_000, tax: 2_100, surcharge: 520 };
    const rectifies = {
      external: { number: 'OLD-7', issued_on: '2023-01-31', rectified_amounts },
      method: 'substitution',
      reason: 'other',
    };
    const answer = await issued(aCompleteInvoice({ rectifies }));
    expect(answer.rectifies).toEqual([{ external: { number: 'OLD-7', issued_on: '2023-01-31' } }]);
    const xml = await xmlOf(answer.id);
    expect(xml).toContain(
      '<sf:TipoFactura>R4</sf:TipoFactura><sf:TipoRectificativa>S</sf:TipoRectificativa>',
    );
    expect(xml).toContain(
      '<sf:NumSerieFactura>OLD-7</sf:NumSerieFactura><sf:FechaExpedicionFactura>31-01-2023<',
    );
    expect(xml).toContain('<sf:CuotaRecargoRectificado>5.20</sf:CuotaRecargoRectificado>');
  });

  test('is followed by others, with the original and its amounts as members', async () => {
    const rectified_amounts = { base: 10_000, tax: 2_100 };
    const external = { number: 'OLD-8', issued_on: '2023-01-31', rectified_amounts };
    const parts = { line_items: [aLine({ quantity: 1, unit_amount: -2_000 })] };
    const delta = await issued(
      aCompleteInvoice({ ...parts, rectifies: { external, method: 'differences' } }),
    );
    expect(await code(differences(delta, -8_001))).toBe('family_balance_below_zero');
    const replacement = await issued(substitution(delta, 5_000));
    const xml = await xmlOf(replacement.id);
    const references = /<sf:FacturasRectificadas>(.*)<\/sf:FacturasRectificadas>/.exec(xml)![1]!;
    expect([...references.matchAll(/NumSerieFactura>([^<]+)</g)].map(([, number]) => number)).toEqual([
      'OLD-8',
      delta.number,
    ]);
    expect(xml).toContain(
      '<sf:BaseRectificada>80.00</sf:BaseRectificada><sf:CuotaRectificada>16.80</sf:CuotaRectificada>',
    );
  });

  test('cannot be replaced while its amounts are unknown', async () => {
    const external = { number: 'OLD-9', issued_on: '2023-01-31' };
    const delta = await issued(aCompleteInvoice({ rectifies: { external, method: 'differences' } }));
    expect(await code(substitution(delta, 5_000))).toBe('rectified_amounts_required_for_substitution');
    await issued(differences(delta, -99_999_999));
  });

  test('is refused when the number is one of ours', async () => {
    const { number } = await issued(aSimplifiedInvoice());
    const rectifies = { external: { number, issued_on: '2024-01-01' }, method: 'differences' };
    expect(await code(aCompleteInvoice({ rectifies }))).toBe('external_reference_matches_existing_invoice');
  });
});

test('of two rectifications of one head at the same moment one wins, and the other learns why', async () => {
  const original = await issued(aCompleteInvoice());
  const replies = await Promise.all(
    [-100, -200, -300, -400].map((amount) => issue(differences(original, amount))),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  const codes = replies.filter(({ status }) => status !== 201).map(({ body }) => body.code);
  expect(new Set(codes)).toEqual(new Set(['invoice_not_family_tip']));
});

test('validation applies the same rules to a rectificativa and returns its kind', async () => {
  const original = await issued(aCompleteInvoice());
  const { status, body } = await service.call('POST', '/v1/invoices/validate', {
    body: differences(original, -1_000),
  });
  expect(status).toBe(200);
  expect(answers.validatedInvoice.parse(body)).toMatchObject({
    kind: 'rectifying_differences',
    total: -1_210,
  });
  await issued(differences(original, -1_000));
  const late = await service.call('POST', '/v1/invoices/validate', { body: differences(original, -1_000) });
  expect(late.body.code).toBe('invoice_not_family_tip');
});
