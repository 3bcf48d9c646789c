import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import { NO_EXTENSION_COLUMNS } from '../../src/subjects/extensions/columns.ts';
import { ciiOf } from '../../src/subjects/formats/en16931/cii.ts';
import { semanticInvoice } from '../../src/subjects/formats/en16931/invoice.ts';
import { ublOf } from '../../src/subjects/formats/en16931/ubl.ts';
import { contentLine, invoiceContent, vat } from '../support/documents/invoice-content.ts';
import { formatSource, semanticInvoiceOf } from '../support/formats/format-source.ts';
import { randomInvoice } from '../support/formats/random-invoices.ts';

const termOf = (given: Partial<InvoiceContent>): string | undefined => {
  const outcome = semanticInvoice(formatSource(given));
  return isRefusal(outcome) ? outcome.errors[0]?.field : undefined;
};
const bearing = (type: string, name: string, rate = 0) => ({ taxes: [{ type, name, rate }] });
const { recipient } = invoiceContent();
const german = {
  ...recipient!,
  taxId: 'DE123456789',
  taxIdType: 'eu_vat',
  taxIdCountry: 'DE',
  country: 'DE',
};
const original = {
  references: [{ number: 'F-2026-1', issuedOn: '2026-05-02', operationOn: null }],
  reason: 'correction' as const,
};
const whole = { base: null, tax: null, surcharge: null };

describe('the category of a line', () => {
  test.each([
    ['vat at a rate', [contentLine('A', 100)], [['S', 2100, null]]],
    ['vat at no rate', [contentLine('A', 100, { taxes: [vat(0)] })], [['Z', 0, null]]],
    ['IGIC', [contentLine('A', 100, bearing('igic', 'IGIC 7%', 700))], [['L', 700, null]]],
    ['IPSI', [contentLine('A', 100, bearing('ipsi', 'IPSI 4%', 400))], [['M', 400, null]]],
    ['exempt', [contentLine('A', 100, bearing('es_exempt', 'Exento'))], [['E', 0, null]]],
    ['export', [contentLine('A', 100, bearing('export', 'Exportación'))], [['G', 0, 'VATEX-EU-G']]],
    [
      'not subject',
      [contentLine('A', 100, bearing('es_non_taxable', 'No sujeto'))],
      [['O', null, 'VATEX-EU-O']],
    ],
    ['one-stop shop', [contentLine('A', 100, bearing('eu_oss', 'IVA OSS 19%', 1900))], [['S', 1900, null]]],
    [
      'reverse charge',
      [contentLine('A', 100, bearing('es_inversion_sujeto_pasivo', 'Inversión'))],
      [['AE', 0, 'VATEX-EU-AE']],
    ],
  ])('%s', (_what, lines, expected) => {
    const { vatBreakdown } = semanticInvoiceOf({ lines });
    expect(
      vatBreakdown.map(({ category, reasonCode }) => [category.code, category.rate, reasonCode]),
    ).toEqual(expected);
  });

  test('an intra-Community supply has the day and the state that it went to', () => {
    const lines = [contentLine('A', 100, bearing('eu_b2b', 'Entrega intracomunitaria'))];
    const { vatBreakdown, deliveredOn, deliveredTo, buyer } = semanticInvoiceOf({ lines, recipient: german });
    expect(vatBreakdown[0]).toMatchObject({ category: { code: 'K' }, reasonCode: 'VATEX-EU-IC' });
    expect({ deliveredOn, deliveredTo, vatId: buyer.vatId }).toEqual({
      ...{ deliveredOn: '2026-07-01', deliveredTo: 'DE', vatId: 'DE123456789' },
    });
  });
});

describe('what the standard cannot say names its term', () => {
  const line = (type: string) => [contentLine('A', 100, bearing(type, type))];
  test.each<[string, Partial<InvoiceContent>, string]>([
    ['a voided invoice', { voidedOn: '2026-07-02' }, 'BT-3'],
    ['one of another system', { imported: true }, 'BT-3'],
    ['no buyer', { recipient: null }, 'BT-44'],
    ['a buyer of no country', { recipient: { ...recipient!, country: null, taxIdCountry: null } }, 'BT-55'],
    ['another tax', { lines: line('other') }, 'BT-151'],
    ['not subject beside vat', { lines: [...line('es_non_taxable'), contentLine('B', 100)] }, 'BG-23'],
    [
      'a supply to another state without its VAT number',
      { lines: line('eu_b2b'), recipient: { ...german, taxId: 'P1', taxIdType: 'passport' } },
      'BT-48',
    ],
    [
      'reverse charge to nobody registered',
      { lines: line('es_inversion_sujeto_pasivo'), recipient: { ...german, taxIdType: 'other' } },
      'BT-48',
    ],
  ])('%s', (_what, given, term) => {
    expect(termOf(given)).toBe(term);
  });

  test('VAT of the lines that is 1.00 or more from that of their sum', () => {
    const lines = (count: number) =>
      Array.from({ length: count }, () => contentLine('A', 12, { taxes: [vat(2100)] }));
    // 21 % of 0.12 is 0.0252, and each line has 0.03.
    expect(termOf({ lines: lines(200) })).toBeUndefined();
    expect(termOf({ lines: lines(240) })).toBe('BT-117');
  });

  test('several preceding invoices, in a syntax that holds one', () => {
    const exchanged = [1, 2].map((number) => ({ number: `T-2026-${number}`, issuedOn: '2026-06-01' }));
    const invoice = semanticInvoiceOf({ kind: 'exchange', exchanged });
    expect(invoice.precedingInvoices).toEqual(exchanged);
    const refused = ciiOf(invoice);
    expect(isRefusal(refused) && refused.errors[0]?.field).toBe('BT-25');
  });
});

test('IGIC without a rate is refused where the syntax’s rules refuse it', () => {
  const invoice = semanticInvoiceOf({ lines: [contentLine('A', 100, bearing('igic', 'IGIC 0%', 0))] });
  expect(String(ublOf(invoice))).toContain('<cbc:ID>L</cbc:ID>');
  const refused = ciiOf(invoice);
  expect(isRefusal(refused) && refused.errors[0]?.field).toBe('BT-152');
});

describe('a correction', () => {
  test('that takes back is a credit note with positive amounts', () => {
    const lines = [contentLine('A', -1_000, { quantity: 3 }), contentLine('B', 400)];
    const invoice = semanticInvoiceOf({
      kind: 'rectifying_differences',
      lines,
      rectification: { ...original, ...whole },
    });
    expect(invoice).toMatchObject({
      typeCode: '381',
      isCreditNote: true,
      precedingInvoices: [{ number: 'F-2026-1', issuedOn: '2026-05-02' }],
    });
    expect(invoice.totals).toMatchObject({ lines: 2_600, vat: 546, withVat: 3_146, due: 3_146 });
    expect(invoice.lines.map(({ quantity, price, amount }) => [quantity, price, amount])).toEqual([
      ['3', '10.00', 3_000],
      ['-1', '4.00', -400],
    ]);
  });

  test('that adds is a debit note', () => {
    const rectification = { ...original, ...whole };
    expect(semanticInvoiceOf({ kind: 'rectifying_differences', rectification })).toMatchObject({
      typeCode: '383',
      isCreditNote: false,
    });
  });

  test('by substitution is a corrected invoice', () => {
    const rectification = { ...original, base: 10_000, tax: 2_100, surcharge: null };
    const invoice = semanticInvoiceOf({ kind: 'rectifying_substitution', rectification });
    expect(invoice).toMatchObject({ typeCode: '384', isCreditNote: false });
    expect(invoice.notes).toContain(
      'Importes rectificados: Base imponible 100,00 €, cuota 21,00 €, total 121,00 €',
    );
    expect(invoice.notes).toContainEqual(
      expect.stringMatching(/^Importe de la rectificación: Base imponible /),
    );
  });
});

describe('amounts', () => {
  test('the equivalence surcharge is a charge beside the VAT, and the total that of the invoice', () => {
    const surcharge = { type: 'es_recargo_equivalencia', name: 'R.E. 5,2%', rate: 520 };
    const { charges, totals, vatBreakdown } = semanticInvoiceOf({
      lines: [contentLine('A', 10_000, { taxes: [vat(2100), surcharge] })],
    });
    expect(charges).toMatchObject([
      { amount: 520, base: 10_000, percentage: 520, reason: 'Recargo de equivalencia 5,2 %' },
    ]);
    expect(totals).toMatchObject({
      lines: 10_000,
      charges: 520,
      withoutVat: 10_520,
      vat: 2_100,
      withVat: 12_620,
    });
    expect(vatBreakdown).toMatchObject([
      { base: 10_000, tax: 2_100 },
      { base: 520, tax: 0, category: { code: 'E' } },
    ]);
  });

  test('withheld tax is not due, and a note explains it', () => {
    const extensions = {
      ...NO_EXTENSION_COLUMNS,
      withholding_rate: 1_500,
      withholding_base: 10_000,
      withholding_amount: 1_500,
    };
    const { totals, notes } = semanticInvoiceOf({ extensions });
    expect(totals).toMatchObject({ withVat: 12_100, paid: 1_500, due: 10_600 });
    expect(notes).toContain('Retención IRPF 15\u00a0% sobre 100,00 €: 15,00 €');
  });

  test('a discount line has the minus sign at its quantity, because no price is negative', () => {
    const { lines } = semanticInvoiceOf({
      lines: [contentLine('A', 1_000), contentLine('Descuento', -150, { quantity: 2 })],
    });
    expect(lines[1]).toMatchObject({ quantity: '-2', price: '1.50', amount: -300 });
  });
});

describe('how it is to be paid', () => {
  const iban = 'ES9121000418450200051332';
  const paid = (payment: NonNullable<InvoiceContent['extensions']['payment']>) =>
    semanticInvoiceOf({ extensions: { ...NO_EXTENSION_COLUMNS, payment } });

  test.each([
    ['a transfer to an account', { means: 'transfer', iban }, { code: '58', iban, debitedIban: null }],
    ['a transfer to none', { means: 'transfer' }, { code: '1', iban: null, debitedIban: null }],
    [
      'a direct debit of an account',
      { means: 'direct_debit', iban },
      { code: '59', iban: null, debitedIban: iban },
    ],
    ['cash', { means: 'cash' }, { code: '10', iban: null, debitedIban: null }],
  ] as const)('%s', (_what, payment, expected) => {
    expect(paid(payment).paymentMeans).toMatchObject(expected);
  });

  test('with its reference and terms', () => {
    const { paymentMeans, paymentTerms } = paid({ means: 'card', reference: 'RF 1', terms: 'A 30 días' });
    expect({ paymentMeans, paymentTerms }).toMatchObject({
      paymentMeans: { remittance: 'RF 1' },
      paymentTerms: 'A 30 días',
    });
  });
});

test('what the buyer wants named and the days of delivery have terms of their own', () => {
  const references = { purchase_order: 'P-1', buyer_reference: 'B-2', contract: 'C-3', project: 'O-4' };
  const delivery = { from: '2026-06-01', to: '2026-06-30' };
  const invoice = semanticInvoiceOf({ extensions: { ...NO_EXTENSION_COLUMNS, references, delivery } });
  expect(invoice).toMatchObject({
    ...{ purchaseOrder: 'P-1', buyerReference: 'B-2', contract: 'C-3', project: 'O-4', period: delivery },
  });
});

test('who is established outside the territory of VAT is not registered for it by charging IGIC', () => {
  const issuer = { ...invoiceContent().issuer, postalCode: '35001' };
  const igic = semanticInvoiceOf({ issuer, lines: [contentLine('A', 100, bearing('igic', 'IGIC 7%', 700))] });
  expect(igic.seller).toMatchObject({ vatId: null, taxRegistration: 'B72877814' });
  expect(semanticInvoiceOf({ issuer }).seller).toMatchObject({ vatId: 'ESB72877814', taxRegistration: null });
});

test('the same invoice gives the same bytes', () => {
  let written = 0;
  for (let seed = 0; seed < 24; seed += 1) {
    const [one, other] = [randomInvoice(seed), randomInvoice(seed)].map(({ source }) =>
      semanticInvoice(source),
    );
    if (isRefusal(one!) || isRefusal(other!)) continue;
    expect(ublOf(one!).equals(ublOf(other!))).toBe(true);
    written += 1;
  }
  expect(written).toBeGreaterThan(10);
});

test('text from outside stays text', () => {
  const description = '</cbc:Name><cbc:Name>"&amp;\u0007\ufffe';
  const text = String(ublOf(semanticInvoiceOf({ lines: [contentLine(description, 100)], notes: 'a\r\nb' })));
  expect(text).toContain('<cbc:Name>&lt;/cbc:Name&gt;&lt;cbc:Name&gt;&quot;&amp;amp;  </cbc:Name>');
  expect(text).toContain('<cbc:Note>a\nb</cbc:Note>');
});
