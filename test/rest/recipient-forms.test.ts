import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { documentFor } from '../../src/subjects/documents/document.ts';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const { recipient: ana } = aCompleteInvoice();
const address = { line1: 'Rue Haute 1', postal_code: '1000', city: 'Bruxelles', country: 'BE' };
const taxed = (type: string, rate?: number) => [aLine({ tax_items: [{ type, rate }] })];

const qualified = (parts: object = {}) => aCompleteInvoice({ qualified_simplified: true, ...parts });
const unidentified = (parts: object = {}) =>
  aCompleteInvoice({
    recipient_unidentified: true,
    recipient: { name: 'Marie Dubois', address },
    line_items: taxed('eu_oss', 21),
    ...parts,
  });

async function issued(body: object) {
  const answer = await service.call('POST', '/v1/invoices', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

async function recordOf(id: string): Promise<string> {
  const { body } = await service.graphql('query ($id: ID!) { invoice(id: $id) { records { xml } } }', { id });
  return body.data.invoice.records.at(-1).xml;
}

async function printed(id: string): Promise<string> {
  const file = await documentFor(service.services, service.company.test.environmentId, id);
  if (isRefusal(file)) throw new Error(file.detail);
  return tools.textOf(file.bytes);
}

const corrects = ({ id }: { id: string }, parts: object = {}, rectifies: object = {}) => ({
  type: 'complete',
  line_items: [aLine({ quantity: 1, unit_amount: -100 })],
  rectifies: { invoice_id: id, method: 'differences', ...rectifies },
  ...parts,
});

describe.each(PROTOCOLS)('over %s', (protocol) => {
  const operations = () => operationsOf(service, protocol);

  test.each([
    ['qualified_simplified', qualified()],
    ['recipient_unidentified', unidentified()],
  ])('%s is answered by issuing and reading, and by the same key again', async (flag, body) => {
    const { status, body: invoice } = await operations().issue(body, {
      idempotencyKey: `${protocol}${flag}`,
    });
    expect({ status, [flag]: invoice[flag] }).toEqual({ status: 201, [flag]: true });
    expect((await operations().invoice(invoice.id)).body[flag]).toBe(true);
    const again = await operations().issue(body, { idempotencyKey: `${protocol}${flag}` });
    expect(again.body.id).toBe(invoice.id);
  });

  test.each([
    [
      'a qualified ticket',
      aSimplifiedInvoice({ qualified_simplified: true }),
      'qualified_simplified not_supported',
    ],
    [
      'an unidentified ticket',
      aSimplifiedInvoice({ recipient_unidentified: true }),
      'recipient_unidentified not_supported',
    ],
    ['both forms', unidentified({ qualified_simplified: true }), 'recipient_unidentified not_supported'],
    ['a tax id without need', unidentified({ recipient: ana }), 'recipient.tax_id not_supported'],
    ['no name', unidentified({ recipient: { address } }), 'recipient.name required'],
    ['no address', unidentified({ recipient: { name: 'Marie' } }), 'recipient.address required'],
    ['a withholding by nobody', unidentified({ withholding: { rate: 15 } }), 'withholding not_supported'],
    [
      'no tax id on a qualified one',
      qualified({ recipient: { name: 'Ana', address } }),
      'recipient.tax_id required',
    ],
  ])('%s is refused with 400', async (_what, body, fault) => {
    const refused = { status: 400, code: 'invalid_request', faults: [fault] };
    expect(await operations().issue(body)).toMatchObject(refused);
    expect(await operations().validate(body)).toMatchObject(refused);
  });

  test.each([
    [
      'over 3,000 EUR',
      qualified({ line_items: [aLine({ unit_amount: 124_000 })] }),
      'simplified_amount_exceeded',
    ],
    ...['eu_b2b', 'eu_b2b_services', 'export', 'es_inversion_sujeto_pasivo'].map(
      (type) => [type, qualified({ line_items: taxed(type) }), 'simplified_incompatible_tax_type'] as const,
    ),
    ['eu_oss', qualified({ line_items: taxed('eu_oss', 21) }), 'simplified_incompatible_tax_type'],
    [
      'a passport',
      qualified({ recipient: { ...ana, tax_id: 'X123', tax_id_type: 'passport', tax_id_country: 'US' } }),
      'invalid_tax_id',
    ],
    ['Spanish VAT without tax id', unidentified({ line_items: taxed('vat', 21) }), 'invalid_tax_data'],
    ['a name too short', unidentified({ recipient: { name: 'M', address } }), 'insufficient_recipient_data'],
  ] as const)('%s is refused with 422', async (_what, body, code) => {
    expect(await operations().validate(body)).toMatchObject({ status: 422, code });
  });
});

describe('a simplified invoice with its recipient', () => {
  test('is registered as F1 with its flag, and so are its corrections', async () => {
    const invoice = await issued(qualified({ line_items: [aLine({ unit_amount: 123_900 })] }));
    expect(await recordOf(invoice.id)).toMatch(
      /<sf:TipoFactura>F1<.*<\/sf:DescripcionOperacion><sf:FacturaSimplificadaArt7273>S<\/sf:FacturaSimplificadaArt7273><sf:Destinatarios>/,
    );
    const delta = await issued(corrects(invoice));
    expect(delta).toMatchObject({ qualified_simplified: true, recipient_tax_id: '12345678Z' });
    expect(await recordOf(delta.id)).toMatch(/R1<.*<sf:FacturaSimplificadaArt7273>S</);
    const refused = await service.call('POST', '/v1/invoices', {
      body: corrects(delta, { qualified_simplified: true }),
    });
    expect(refused.body.errors).toMatchObject([{ field: 'qualified_simplified', code: 'not_supported' }]);
    const operator = await operatorOf(service);
    const amended = await operator.amendRecord({ invoiceId: delta.id, reason: 'text', description: 'Otra' });
    expect(amended.errors).toBeUndefined();
    expect(await recordOf(delta.id)).toMatch(
      />Otra<\/sf:DescripcionOperacion><sf:FacturaSimplificadaArt7273>S</,
    );
  });

  test('a correction cannot exceed the limit, nor change to another kind of id', async () => {
    const invoice = await issued(qualified());
    const substitution = (parts: object) => corrects(invoice, parts, { method: 'substitution' });
    const many = substitution({ line_items: [aLine({ unit_amount: 200_000 })] });
    const other = substitution({
      line_items: [aLine()],
      recipient: { tax_id: 'X123', tax_id_type: 'passport', tax_id_country: 'US' },
    });
    const codes = [many, other].map(
      async (body) => (await service.call('POST', '/v1/invoices', { body })).body.code,
    );
    expect(await Promise.all(codes)).toEqual(['simplified_amount_exceeded', 'invalid_tax_id']);
  });

  test.skipIf(!tools.haveTools('pdftotext'))(
    'is printed under its legal name, with the tax apart, and cannot be exchanged',
    async () => {
      const invoice = await issued(qualified());
      const text = await printed(invoice.id);
      expect(text).toMatch(/^\s*Factura simplificada$/m);
      expect(text).toContain('NIF 12345678Z');
      expect(text).toMatch(/^IVA +200,00 +21 % +42,00$/m);
      const exchange = await (await operatorOf(service)).exchangeInvoices({
        ticketIds: [invoice.id],
        recipient: {
          ...{ name: ana.name, taxId: ana.tax_id },
          address: { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid', country: 'ES' },
        },
      });
      expect(exchange.errors?.[0]?.extensions.code).toBe('invalid_request');
    },
  );

  test('says so in structured documents', async () => {
    const invoice = await issued(qualified());
    const format = async (name: string) =>
      String((await service.call('GET', `/v1/invoices/${invoice.id}/formats/${name}`)).body);
    expect(await format('ubl')).toContain('<cbc:Note>Factura simplificada</cbc:Note>');
    expect(await format('facturae')).toContain('<InvoiceDocumentType>FA</InvoiceDocumentType>');
  });
});

describe('the given name and the surnames of a recipient', () => {
  const apart = { given_name: 'Ana', surnames: 'García Pérez' };

  test.each(PROTOCOLS)('are answered as sent, and inherited, over %s', async (protocol) => {
    const operations = operationsOf(service, protocol);
    const { body } = await operations.issue(aCompleteInvoice({ recipient: { ...ana, ...apart } }));
    expect((await operations.invoice(body.id)).body.recipient).toMatchObject(apart);
    expect((await operations.issue(corrects(body))).body.recipient).toMatchObject(apart);
  });

  test('are absent from an invoice without them', async () => {
    const { recipient } = await issued(aCompleteInvoice());
    expect(Object.keys(recipient)).not.toContain('given_name');
  });
});

describe('an invoice whose recipient needs no tax id', () => {
  test('is registered as F2 without recipient or limit, and so are its corrections', async () => {
    const invoice = await issued(
      unidentified({
        line_items: [aLine({ unit_amount: 900_000, tax_items: [{ type: 'eu_oss', rate: 21 }] })],
      }),
    );
    expect(invoice).toMatchObject({
      type: 'complete',
      recipient_tax_id: null,
      recipient: { name: 'Marie Dubois', tax_id: null, tax_id_type: null, tax_id_country: null },
    });
    const xml = await recordOf(invoice.id);
    expect(xml).toMatch(
      /<sf:TipoFactura>F2<.*<sf:FacturaSinIdentifDestinatarioArt61d>S<\/sf:FacturaSinIdentifDestinatarioArt61d><sf:Desglose>/,
    );
    expect(xml).not.toContain('Destinatarios');
    const oss = {
      line_items: [aLine({ quantity: 1, unit_amount: -100, tax_items: [{ type: 'eu_oss', rate: 21 }] })],
    };
    const delta = await issued(corrects(invoice, oss));
    expect(delta).toMatchObject({ recipient_unidentified: true, recipient_name: 'Marie Dubois' });
    expect(await recordOf(delta.id)).toMatch(/R5<.*<sf:FacturaSinIdentifDestinatarioArt61d>S</);
    const refused = (body: object) => service.call('POST', '/v1/invoices', { body });
    expect((await refused(corrects(delta, oss, { reason: 'insolvency' }))).body.code).toBe(
      'reason_incompatible_with_recipient',
    );
    const named = corrects(
      delta,
      { ...oss, line_items: taxed('eu_oss', 21), recipient: { tax_id: '12345678Z' } },
      { method: 'substitution' },
    );
    expect((await refused(named)).body.errors).toMatchObject([
      { field: 'recipient.tax_id', code: 'not_supported' },
    ]);
    const operator = await operatorOf(service);
    const amended = await operator.amendRecord({
      invoiceId: invoice.id,
      reason: 'x',
      recipient: { name: 'Marie' },
    });
    expect(amended.errors[0].extensions.code).toBe('invalid_request');
  });

  test.skipIf(!tools.haveTools('pdftotext'))(
    'is printed as a complete invoice, with name and address',
    async () => {
      const text = await printed((await issued(unidentified())).id);
      expect(text).toMatch(/^\s*Factura$/m);
      expect(text).toContain('Marie Dubois');
      expect(text).toContain('1000 Bruxelles');
    },
  );
});
