import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentFor } from '../../src/subjects/documents/document.ts';
import { defaultTaxCatalog } from '../../src/subjects/taxes/catalog.ts';
import { saveCatalogRow } from '../../src/subjects/taxes/edit-catalog.ts';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { ANA, decideRecords, operatorOf, xmlOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/**
 * The records, the printed text and the structured documents of an invoice in each form that Spanish law gives it, word for word, against
 * test/golden/forms; of a format that cannot express it the refusal. What differs from run to run (days, moments, fingerprints, ids) is left out.
 * `UPDATE_GOLDEN=1` writes the files anew: look at the difference then.
 */

const FOLDER = join(import.meta.dirname, '../golden/forms');
const FORMATS = ['ubl', 'cii', 'facturae', 'ubl_es'] as const;
const canRead = tools.haveTools('pdftotext');

let service: TestService;
let operator: Awaited<ReturnType<typeof operatorOf>>;
/** Whose invoices they are, unless a form names another company. */
let usual: TestCompany;
beforeAll(async () => {
  service = await testService();
  operator = await operatorOf(service);
  usual = service.company;
});
afterAll(() => service.close());

/** `of`: whose it is, if not the usual company's. */
type Issued = { readonly id: string; readonly of?: TestCompany };

async function call(path: string, body: object, { live }: TestCompany = usual) {
  const answer = await service.call('POST', path, { body, key: live.key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}
const complete = (parts: object = {}): Promise<Issued> =>
  call('/v1/invoices', aCompleteInvoice({ line_items: [line('Servicio', 10_000)], ...parts }));
const line = (description: string, unit_amount: number, tax: object = { type: 'vat', rate: 21 }) =>
  aLine({ description, quantity: 1, unit_amount, tax_items: [tax] });
const series = async (prefix: string): Promise<string> =>
  (await call('/v1/number_series', { prefix, type: 'standard' })).id;

const address = { line1: 'Calle Mayor 1', postal_code: '28001', city: 'Madrid', country: 'ES' };
const ana = { name: ANA.name, tax_id: ANA.taxId, address };
const other = { name: 'Ejemplo SL', tax_id: 'B72877814', address };
const abroad = { line1: '12 rue de la Paix', postal_code: '75002', city: 'Paris', country: 'FR' };

async function exchanged(): Promise<Issued> {
  const ticket = await call('/v1/invoices', aSimplifiedInvoice({ line_items: [line('Zapatillas', 1_000)] }));
  await decideRecords(service.db, ticket.id, 'registered');
  const exchange = await call('/v1/exchanges', { ticket_ids: [ticket.id], recipient: ana });
  await decideRecords(service.db, exchange.id, 'registered');
  return exchange;
}

/** How an invoice of each form comes about. */
const FORMS: Readonly<Record<string, () => Promise<readonly Issued[]>>> = {
  disbursements: async () => [
    await complete({
      disbursements: [
        { description: 'Aranceles del Registro Mercantil', amount: 13_250, reference: 'RM-2026/00918' },
        { description: 'Tasa de inscripción', amount: 1_500 },
      ],
    }),
  ],
  'lines-of-several-treatments': async () => [
    await complete({
      line_items: [
        line('Alquiler de un local', 3_000, { type: 'vat', rate: 21, regime_key: '11' }),
        line('Curso', 5_000, { type: 'es_exempt', exemption: 'E1' }),
        line('Depósito aduanero', 6_000, { type: 'es_exempt', exemption: 'E4' }),
        line('Obra en Las Palmas', 2_000, { type: 'es_non_taxable_localization', regime_key: '08' }),
      ],
    }),
  ],
  'ticket-with-its-recipient': async () => [await complete({ qualified_simplified: true })],
  'recipient-without-tax-id': async () => [
    await complete({
      ...{ recipient_unidentified: true, recipient: { name: 'Marie Dubois', address: abroad } },
      line_items: [line('Auriculares', 8_900, { type: 'eu_oss', rate: 20 })],
    }),
  ],
  'self-billing': async () => [
    await complete({ issued_by: 'recipient', number_series_id: await series('AUTO') }),
  ],
  'third-party': async () => [
    await complete({
      ...{ issued_by: 'third_party', number_series_id: await series('GESTORIA') },
      third_party: { name: 'Gestoría Ruiz SL', tax_id: 'B12345674' },
    }),
  ],
  'prices-with-their-taxes': async () => [
    await complete({
      line_items: [{ ...line('Camiseta', 899), quantity: 12, prices_include_tax: true }],
    }),
  ],
  'substitution-in-basque': async () => {
    const { id } = await complete({ line_items: [line('Asesoría', 10_000)] });
    await decideRecords(service.db, id, 'registered');
    return [
      await complete({
        ...{ recipient: undefined, rectifies: { invoice_id: id, method: 'substitution' }, language: 'eu' },
        line_items: [line('Asesoría', 8_000), line('Curso', 1_000, { type: 'es_exempt' })],
      }),
    ];
  },
  'withholding-of-a-part': async () => [await complete({ withholding: { rate: 15, base: 6_000 } })],
  'display-currency': async () => [
    await complete({ display_currency: { code: 'usd', rate: '1.0837', source: 'BCE' } }),
  ],
  'earlier-rates': async () => {
    const external = {
      ...{ number: 'A/2023/117', issued_on: '2023-06-02', operation_date: '2023-05-31' },
      rectified_amounts: { base: 12_000, tax: 600, surcharge: 74 },
    };
    return [
      await complete({
        ...{ recargo_equivalencia: true, rectifies: { external, method: 'substitution' } },
        line_items: [line('Aceite', 10_000, { type: 'vat', rate: 5 })],
      }),
    ];
  },
  'return-after-an-exchange': async () => {
    const { id } = await exchanged();
    const body = { line_items: [line('Zapatillas', -300)], reason: 'Devuelto' };
    const { rectification, exchanges } = await call(`/v1/exchanges/${id}/returns`, body);
    return [rectification, ...exchanges];
  },
  'replacement-of-an-exchange': async () => {
    const { id } = await exchanged();
    const body = { recipient: other, reason: 'NIF de otra empresa' };
    return (await call(`/v1/exchanges/${id}/replacement`, body)).exchanges;
  },
  'correction-of-several-invoices': async () => {
    const originals = [await complete({ recipient: ana }), await complete({ recipient: ana })];
    for (const { id } of originals) await decideRecords(service.db, id, 'registered');
    const invoice_ids = originals.map(({ id }) => id);
    return [
      await call('/v1/invoices', {
        ...{ type: 'complete', rectifies: { invoice_ids, method: 'differences' } },
        line_items: invoice_ids.map((id, index) => ({
          ...line('Rebaja acordada', -1_000 * (index + 1)),
          rectifies_invoice_id: id,
        })),
      }),
    ];
  },
  'canary-islands': async () => {
    const of = await createCompany(service.db, {
      legalName: 'Comercial Teide SL',
      address: { line1: 'Calle de Triana 1', postalCode: '35002', city: 'Las Palmas de Gran Canaria' },
    });
    const exempt = { ...defaultTaxCatalog.get('es_exempt')!, agencyTax: '03' as const, legalMention: null };
    await saveCatalogRow(service.db.pool, of.companyId, exempt);
    const body = aCompleteInvoice({
      line_items: [
        line('Zapatos', 8_000, { type: 'igic', rate: 7 }),
        line('Pan', 500, { type: 'igic', rate: 0 }),
        line('Mercancía a la península', 1_000, { type: 'es_exempt', exemption: 'E5', regime_key: '19' }),
      ],
    });
    return [{ ...(await call('/v1/invoices', body, of)), of }];
  },
  'company-with-a-new-name': async () => {
    const of = await createCompany(service.db);
    const issue = () =>
      call('/v1/invoices', aCompleteInvoice({ line_items: [line('Servicio', 10_000)] }), of);
    const before = await issue();
    await operator.execute(
      `mutation ($companyId: ID!) { updateCompany(companyId: $companyId, legalName: "Talleres Ñandú e Hijos SL", reason: "Escritura",
        address: { line1: "Calle Nueva 2", postalCode: "08001", city: "Barcelona" }) { id } }`,
      { companyId: of.companyId },
    );
    return [
      { ...before, of },
      { ...(await issue()), of },
    ];
  },
  'amendment-of-an-accepted-record': async () => {
    const issued = await complete();
    await decideRecords(service.db, issued.id, 'registered');
    await operator.amendRecord({ invoiceId: issued.id, description: 'Asesoría del segundo trimestre' });
    return [issued];
  },
  'volume-discount': async () => [
    await complete({
      rectifies: {
        ...{ period: { from: '2025-01-01', to: '2025-12-31' } },
        ...{ method: 'differences', reason: 'volume_discount' },
      },
      line_items: [line('Rappel de 2025', -50_000)],
    }),
  ],
};

/** Without what is another one each time. */
const steady = (text: string): string =>
  text
    .replace(/\b\d{4}-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d/g, '(moment)')
    .replace(/\b(?:0[1-9]|[12]\d|3[01])([-/])(?:0[1-9]|1[0-2])\1(?:2026|2027|2028|2029)\b/g, '(day)')
    .replace(/\b(?:2026|2027|2028|2029)([-/])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])\b/g, '(day)')
    .replace(/\b(?:2026|2027|2028|2029)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\b/g, '(day)')
    .replace(/-20(?:2[6-9]|3\d)-/g, '-(year)-')
    .replace(/\b[0-9A-F]{64}\b/g, '(fingerprint)')
    .replace(/(<sf:NumeroInstalacion>)[^<]*/g, '$1(installation)')
    .replace(/(<sf:Version>)[^<]*/g, '$1(version)')
    .replace(/\binv_\w+/g, '(id)');

const inLines = (xml: string) => xml.replace(/></g, '>\n<');

async function textOf({ id, of = usual }: Issued): Promise<string> {
  const file = await documentFor(service.services, of.live.environmentId, id);
  const printed = tools.textOf((file as { bytes: Buffer }).bytes).replace(/[ \u00a0]+/g, ' ');
  const parts = [
    ...(await xmlOf(service.db, id)).map(inLines),
    printed.replace(/\s*\n\s*/g, '\n').trim(),
    ...(await Promise.all(FORMATS.map((format) => formatOf(id, format, of)))),
  ];
  return steady(`${parts.join('\n\n')}\n`);
}

async function formatOf(id: string, format: string, { live }: TestCompany): Promise<string> {
  const answer = await fetch(`${service.url}/v1/invoices/${id}/formats/${format}`, {
    headers: { authorization: `Bearer ${live.key}` },
  });
  const text = await answer.text();
  return answer.ok ? inLines(text) : `${format}: ${JSON.parse(text).detail}`;
}

test.skipIf(!canRead).each(Object.keys(FORMS))(
  '%s: records, paper and formats are as they were',
  async (name) => {
    const texts = [];
    for (const invoice of await FORMS[name]!()) texts.push(await textOf(invoice));
    const text = texts.join('\n=====\n\n');
    const file = join(FOLDER, `${name}.txt`);
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  },
);
