import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SourceLine } from '../../src/subjects/formats/facturae/source.ts';
import { documentOf, invoiceOf, type Tree, textOf } from '../support/formats/facturae-documents.ts';
import { HAVE_SCHEMAS, schemaFaults } from '../support/formats/facturae-schema.ts';
import { declared, facturaeSource, sourceLine, TAX_KINDS } from '../support/formats/facturae-source.ts';

/** A decimal text in hundredths, exactly. */
const hundredths = (text: string): number => {
  expect(text).toMatch(/^-?\d+\.\d{2}$/);
  return Number(text.replace('.', ''));
};

describe('a document', () => {
  test('is a function of its invoice, byte for byte', () => {
    expect(textOf({ notes: 'Gracias' })).toBe(textOf({ notes: 'Gracias' }));
  });

  test('carries any text as it is', () => {
    const notes = 'a < b & c > d "e" \'f\' ]]> ñ € 𝄞\nsecond line';
    expect(invoiceOf({ notes }).AdditionalData.InvoiceAdditionalInformation).toBe(notes);
  });

  test('is a batch of one, named by NIF, number and series, with the sums of the invoice', () => {
    const { FileHeader } = documentOf();
    expect(FileHeader).toMatchObject({ SchemaVersion: '3.2.2', Modality: 'I', InvoiceIssuerType: 'EM' });
    expect(FileHeader.Batch).toMatchObject({
      BatchIdentifier: 'B7287781417F-2026-',
      InvoicesCount: '1',
      TotalInvoicesAmount: { TotalAmount: '121.00' },
      TotalOutstandingAmount: { TotalAmount: '121.00' },
      TotalExecutableAmount: { TotalAmount: '121.00' },
      InvoiceCurrencyCode: 'EUR',
    });
  });

  test('marks a test, and links to the agency’s page of the invoice', () => {
    const literals: string[] = invoiceOf({ environment: 'test' }).LegalLiterals.LegalReference;
    expect(literals[0]).toBe('DOCUMENTO DE PRUEBA SIN VALIDEZ FISCAL');
    expect(literals.join('\n')).toContain('VERI*FACTU');
    expect(literals.at(-1)).toContain('numserie=F-2026-17');
    expect(invoiceOf().LegalLiterals.LegalReference.join()).not.toContain('PRUEBA');
  });
});

describe('series and number, one after the other, are the number of the invoice', () => {
  test.each([
    ['F-2026-17', 'F-2026-', '17'],
    ['TIENDA-9', 'TIENDA-', '9'],
    ['A-B-2026-1', 'A-B-2026-', '1'],
    ['ABCDEFGHIJKLMNOPQRST-2026-123456', 'ABCDEFGHIJKLMNOPQRST', '-2026-123456'],
  ])('%s', (number, series, last) => {
    const { InvoiceHeader } = invoiceOf({ number });
    expect(InvoiceHeader.InvoiceSeriesCode + InvoiceHeader.InvoiceNumber).toBe(number);
    expect(InvoiceHeader).toMatchObject({ InvoiceSeriesCode: series, InvoiceNumber: last });
  });
});

describe('taxes', () => {
  const lineOf = (type: string, more: Partial<Parameters<typeof sourceLine>[1]> = {}): Tree => {
    const rate = ['vat', 'igic', 'ipsi', 'other', 'eu_oss'].includes(type) ? 700 : 0;
    return invoiceOf({ lines: [sourceLine(10_000, { type, rate, ...more })] }).Items.InvoiceLine[0];
  };

  test.each([
    ['vat', '01', undefined],
    ['ipsi', '02', undefined],
    ['igic', '03', undefined],
    ['other', '05', undefined],
    // It is charged, and no Spanish reader may deduct it as IVA.
    ['eu_oss', '05', undefined],
    ['es_inversion_sujeto_pasivo', '01', undefined],
    ['es_exempt', '01', '01'],
    ['eu_b2b', '01', '01'],
    ['export', '01', '01'],
    ['es_non_taxable', '01', '02'],
    ['es_non_taxable_localization', '01', '02'],
    ['eu_b2b_services', '01', '02'],
  ])('%s is tax %s, special event %s', (type, code, event) => {
    const line = lineOf(type);
    expect(line.TaxesOutputs.Tax[0].TaxTypeCode).toBe(code);
    expect(line.SpecialTaxableEvent?.SpecialTaxableEventCode).toBe(event);
    if (event !== undefined) expect(line.SpecialTaxableEvent.SpecialTaxableEventReason).toMatch(/^01 \S/);
  });

  test('all types of the contract are in this table', () => expect(TAX_KINDS).toHaveLength(12));

  test('an exemption of IGIC remains one of IGIC', () => {
    const breakdown = [declared('es_exempt', { agencyTax: '03', exemption: 'E7', legalMention: null })];
    const lines = [sourceLine(10_000, { type: 'es_exempt', rate: 0 })];
    const [line] = invoiceOf({ lines, breakdown }).Items.InvoiceLine;
    expect(line.TaxesOutputs.Tax[0].TaxTypeCode).toBe('03');
    expect(line.SpecialTaxableEvent.SpecialTaxableEventReason).toBe('03 Operación exenta');
  });

  test('a type that the record combines with another keeps its own treatment', () => {
    const lines = ['es_non_taxable_localization', 'eu_b2b_services', 'eu_oss'].map((type) =>
      sourceLine(10_000, { type, rate: type === 'eu_oss' ? 2000 : 0 }),
    );
    const items = invoiceOf({ lines, breakdown: [declared('es_non_taxable_localization')] }).Items
      .InvoiceLine;
    expect(items.map((line: Tree) => line.SpecialTaxableEvent?.SpecialTaxableEventCode)).toEqual([
      '02',
      '02',
      undefined,
    ]);
    expect(items[2].TaxesOutputs.Tax[0]).toMatchObject({ TaxTypeCode: '05', TaxRate: '20.00' });
  });

  test('the equivalence surcharge stands with its tax', () => {
    const lines = [
      sourceLine(10_000, { surcharge: 520 }),
      sourceLine(5_000, { surcharge: 520 }),
      sourceLine(100),
    ];
    const { TaxesOutputs, InvoiceTotals } = invoiceOf({ lines });
    expect(TaxesOutputs.Tax).toHaveLength(2);
    expect(TaxesOutputs.Tax[0]).toMatchObject({
      TaxRate: '21.00',
      TaxableBase: { TotalAmount: '150.00' },
      TaxAmount: { TotalAmount: '31.50' },
      EquivalenceSurcharge: '5.20',
      EquivalenceSurchargeAmount: { TotalAmount: '7.80' },
    });
    expect(InvoiceTotals.TotalTaxOutputs).toBe('39.51');
  });

  test('mentions required by law are among the literals, the reverse charge always', () => {
    const exempt = invoiceOf({ lines: [sourceLine(100, { type: 'es_exempt', rate: 0 })] });
    expect(exempt.LegalLiterals.LegalReference).toContain('Operación exenta del IVA (art. 20 LIVA)');
    // The schema wants the reason in this element too.
    expect(exempt.AdditionalData.InvoiceAdditionalInformation).toBe(
      'Operación exenta del IVA (art. 20 LIVA)',
    );
    const reversed = invoiceOf({ lines: [sourceLine(100, { type: 'es_inversion_sujeto_pasivo', rate: 0 })] });
    expect(reversed.LegalLiterals.LegalReference).toContain('Inversión del sujeto pasivo');
    const cash = invoiceOf({ breakdown: [declared('vat', { regimeKey: '07' })] });
    expect(cash.LegalLiterals.LegalReference).toContain('Régimen especial del criterio de caja');
    const long = invoiceOf({ breakdown: [declared('vat', { legalMention: 'x'.repeat(300) })] });
    expect(long.LegalLiterals.LegalReference.slice(0, 2).join('')).toBe('x'.repeat(300));
  });

  test('income tax withheld is taken off the total, as the format has it, and off what is to be paid', () => {
    const withholding = { rate: 1500, base: 10_000, amount: 1_500 };
    const document = documentOf({ withholding });
    const { TaxesWithheld, InvoiceTotals } = document.Invoices.Invoice;
    expect(TaxesWithheld.Tax[0]).toEqual({
      TaxTypeCode: '04',
      TaxRate: '15.00',
      TaxableBase: { TotalAmount: '100.00' },
      TaxAmount: { TotalAmount: '15.00' },
    });
    expect(InvoiceTotals).toMatchObject({
      TotalGrossAmountBeforeTaxes: '100.00',
      TotalTaxOutputs: '21.00',
      TotalTaxesWithheld: '15.00',
      InvoiceTotal: '106.00',
      TotalExecutableAmount: '106.00',
    });
    expect(document.FileHeader.Batch.TotalInvoicesAmount.TotalAmount).toBe('106.00');
  });
});

/** Lines of any tax, of both signs. */
const anyLine: fc.Arbitrary<SourceLine> = fc
  .record({
    price: fc.integer({ min: -9_999_999, max: 9_999_999 }),
    quantity: fc.integer({ min: 1, max: 1_000 }),
    kind: fc.constantFrom(
      { type: 'vat', rate: 2100, surcharge: 520 },
      { type: 'vat', rate: 1000 },
      { type: 'vat', rate: 0 },
      { type: 'igic', rate: 700 },
      { type: 'ipsi', rate: 50 },
      { type: 'es_exempt', rate: 0 },
      { type: 'eu_oss', rate: 2550 },
    ),
  })
  .map(({ price, quantity, kind }) => sourceLine(price, { quantity, ...kind }));

test('every sum of the document is the sum of its parts, and that of the invoice, for any lines', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 30 }), (lines) => {
      const source = facturaeSource({ lines });
      const { InvoiceTotals, TaxesOutputs, Items } = invoiceOf({ lines });
      const total = (list: Tree[], pick: (item: Tree) => string | undefined) =>
        list.reduce((sum, item) => sum + hundredths(pick(item) ?? '0.00'), 0);
      const taxes = (list: Tree[]) =>
        total(list, (tax) => tax.TaxAmount.TotalAmount) +
        total(list, (tax) => tax.EquivalenceSurchargeAmount?.TotalAmount);
      const gross = total(Items.InvoiceLine, (line) => line.GrossAmount);
      expect(gross).toBe(hundredths(InvoiceTotals.TotalGrossAmount));
      expect(total(TaxesOutputs.Tax, (tax) => tax.TaxableBase.TotalAmount)).toBe(gross);
      expect(taxes(TaxesOutputs.Tax)).toBe(hundredths(InvoiceTotals.TotalTaxOutputs));
      expect(taxes(Items.InvoiceLine.flatMap((line: Tree) => line.TaxesOutputs.Tax))).toBe(source.tax);
      expect(hundredths(InvoiceTotals.InvoiceTotal)).toBe(source.total);
      for (const line of Items.InvoiceLine) {
        expect(hundredths(line.TotalCost)).toBe(Number(line.Quantity) * hundredths(line.UnitPriceWithoutTax));
      }
    }),
    { numRuns: 60 },
  );
});

test('days, references, delivery and payment stand where the format has them', () => {
  const { InvoiceIssueData, PaymentDetails } = invoiceOf({
    operationOn: '2026-06-30',
    dueOn: '2026-08-01',
    delivery: { from: '2026-06-01', to: '2026-06-30' },
    references: { purchaseOrder: 'P-1', contract: 'C-2', project: 'EXP-3', buyerReference: null },
    payment: {
      means: 'transfer',
      iban: 'ES9121000418450200051332',
      reference: 'F-2026-17',
      terms: '30 días',
    },
  });
  expect(InvoiceIssueData).toEqual({
    IssueDate: '2026-07-01',
    OperationDate: '2026-06-30',
    InvoicingPeriod: { StartDate: '2026-06-01', EndDate: '2026-06-30' },
    InvoiceCurrencyCode: 'EUR',
    TaxCurrencyCode: 'EUR',
    LanguageName: 'es',
    ReceiverTransactionReference: 'P-1',
    FileReference: 'EXP-3',
    ReceiverContractReference: 'C-2',
  });
  expect(PaymentDetails.Installment).toEqual([
    {
      InstallmentDueDate: '2026-08-01',
      InstallmentAmount: '121.00',
      PaymentMeans: '04',
      AccountToBeCredited: { IBAN: 'ES9121000418450200051332' },
      PaymentReconciliationReference: 'F-2026-17',
      CollectionAdditionalInformation: '30 días',
    },
  ]);
});

test('lines have units, and codes of articles where they fit', () => {
  const long = 'S'.repeat(21);
  const lines = [sourceLine(100, { sku: 'A-1', unit: 'HUR' }), sourceLine(100, { sku: long, unit: 'ZZ' })];
  const [first, second] = invoiceOf({ lines }).Items.InvoiceLine;
  expect(first).toMatchObject({ SequenceNumber: '1', UnitOfMeasure: '02', ArticleCode: 'A-1' });
  expect(second).toMatchObject({ UnitOfMeasure: '05', AdditionalLineItemInformation: `Ref. ${long}` });
  expect(second.ArticleCode).toBeUndefined();
});

test.skipIf(!HAVE_SCHEMAS)('the schema would find what is wrong', () => {
  const text = textOf();
  for (const [right, wrong] of [
    ['<PersonTypeCode>J', '<PersonTypeCode>X'],
    ['<InvoiceCurrencyCode>EUR</InvoiceCurrencyCode>', ''],
    ['<TaxRate>21.00', '<TaxRate>21,00'],
    ['<PostCode>28001', '<PostCode>2800'],
    ['<CountryCode>ESP', '<CountryCode>ES'],
    ['<SchemaVersion>3.2.2', '<SchemaVersion>3.2.1'],
    ['<InvoiceClass>OO', '<InvoiceClass>XX'],
    ['<ResidenceTypeCode>R', '<ResidenceTypeCode>Z'],
    ['<LanguageName>es', '<LanguageName>spanish'],
    ['<IssueDate>2026-07-01', '<IssueDate>2026-02-30'],
    ['<TaxTypeCode>01', '<TaxTypeCode>99'],
    ['<InvoiceTotals>', '<InvoiceTotals><Unknown/>'],
  ] as const) {
    expect(schemaFaults(text.replace(right, wrong)), wrong).not.toBe('');
  }
});
