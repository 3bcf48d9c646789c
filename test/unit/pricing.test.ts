import { describe, expect, test } from 'vitest';
import { type CatalogRow, defaultTaxCatalog, type TaxCatalog } from '../../src/subjects/taxes/catalog.ts';
import type { LineInput } from '../../src/subjects/taxes/line-tax.ts';
import { isOversized, type PricingRequest } from '../../src/subjects/taxes/pricing.ts';
import { taxSummary } from '../../src/subjects/taxes/summary.ts';
import type { TaxType } from '../../src/subjects/taxes/types.ts';
import { line, priced, refused, type SentLine } from '../support/invoices/pricing.ts';

function withRow(type: TaxType, change: Partial<CatalogRow> | null): TaxCatalog {
  const catalog = new Map(defaultTaxCatalog);
  if (change === null) catalog.delete(type);
  else catalog.set(type, { ...catalog.get(type)!, ...change });
  return catalog;
}

describe('amounts', () => {
  test('a line carries its quantity times its price, its tax and their sum', () => {
    expect(priced([line([3, 1050, 'vat', 21])])).toMatchObject({
      lines: [
        {
          subtotal: 3150,
          tax: 662,
          total: 3812,
          sku: null,
          taxItems: [{ type: 'vat', name: 'IVA 21%', rate: 2100, amount: 662 }],
        },
      ],
      subtotal: 3150,
      tax: 662,
      total: 3812,
    });
  });

  test('half cents are rounded away from zero, on credits as on charges', () => {
    const lines = [
      line([1, 250, 'vat', 10]),
      line([1, -250, 'vat', 10]),
      line([1, 245, 'vat', 10]),
      line([1, 5, 'vat', 10]),
    ];
    expect(priced(lines).lines.map(({ tax }) => tax)).toEqual([25, -25, 25, 1]);
  });

  test('tax is rounded by line and then added up', () => {
    const lines = Array.from({ length: 3 }, () => line([1, 33, 'vat', 10]));
    expect(priced(lines)).toMatchObject({ subtotal: 99, tax: 9, total: 108 });
    expect(priced(lines).breakdown).toMatchObject([{ base: 99, tax: 9, declaredTax: 9 }]);
  });

  test('names are printed in Spanish', () => {
    const names = (lines: LineInput[], more = {}) =>
      priced(lines, more).lines.flatMap(({ taxItems }) => taxItems.map(({ name }) => name));
    const sent: SentLine[] = [
      [1, 100, 'igic', 9.5],
      [1, 100, 'ipsi', 4],
      [1, 100, 'es_exempt'],
      [1, 100, 'es_inversion_sujeto_pasivo'],
      [1, 100, 'es_non_taxable'],
      [1, 100, 'export'],
    ];
    expect(names(sent.map(line))).toEqual([
      'IGIC 9,5%',
      'IPSI 4%',
      'Exento',
      'Inversión del sujeto pasivo',
      'No sujeto',
      'Exportación',
    ]);
    expect(names([line([1, 10_000, 'vat', 21])], { recargoEquivalencia: true })).toEqual([
      'IVA 21%',
      'R.E. 5,2%',
    ]);
  });

  test('a zero amount is written without a sign', () => {
    const { lines } = priced([line([1, -0, 'vat', 21]), line([2, 50, 'vat', 21])]);
    expect(Object.is(lines[0]!.subtotal, 0)).toBe(true);
    expect(Object.is(lines[0]!.tax, 0)).toBe(true);
  });
});

describe('the breakdown', () => {
  test('joins what the agency cannot distinguish, in the order of appearance', () => {
    const sent: SentLine[] = [
      [1, 1000, 'vat', 10],
      [1, 2000, 'vat', 21],
      [1, 3000, 'vat', 10],
      [1, -500, 'vat', 21],
    ];
    expect(priced(sent.map(line)).breakdown).toMatchObject([
      {
        name: 'IVA 10%',
        declaredRate: 1000,
        declaredBase: 4000,
        declaredTax: 400,
        agencyTax: '01',
        regimeKey: '01',
        operationClass: 'S1',
        exemption: null,
      },
      { name: 'IVA 21%', declaredRate: 2100, declaredBase: 1500, declaredTax: 315 },
    ]);
  });

  test('the surcharge joins the vat of its line', () => {
    const { breakdown, tax, total } = priced([line([1, 10_000, 'vat', 21]), line([1, 1000, 'vat', 4])], {
      recargoEquivalencia: true,
    });
    expect(breakdown).toMatchObject([
      { type: 'vat', tax: 2100, surchargeRate: 520, surcharge: 520 },
      { type: 'vat', tax: 40, surchargeRate: 50, surcharge: 5 },
    ]);
    expect([tax, total]).toEqual([2665, 13_665]);
  });

  test('a line of ninety cents has a surcharge that rounds to zero', () => {
    const { lines, breakdown } = priced([line([1, 90, 'vat', 4])], { recargoEquivalencia: true });
    expect(lines[0]!.taxItems.map(({ amount }) => amount)).toEqual([4, 0]);
    expect(breakdown).toMatchObject([{ surchargeRate: 50, surcharge: 0 }]);
  });

  test('what is exempt or not subject has neither rate nor tax; reverse charge has both as zero', () => {
    const types: TaxType[] = ['es_exempt', 'es_non_taxable', 'export', 'es_inversion_sujeto_pasivo'];
    const { breakdown } = priced(types.map((type) => line([1, 100, type])));
    expect(breakdown.map(({ declaredRate, declaredTax }) => [declaredRate, declaredTax])).toEqual([
      [null, null],
      [null, null],
      [null, null],
      [0, 0],
    ]);
  });

  test('foreign VAT is part of the amount not subject, so that record and invoice have the same total', () => {
    const { breakdown, tax, total, lines } = priced([
      line([1, 10_000, 'eu_oss', 19]),
      line([1, 5000, 'eu_oss', 7]),
    ]);
    expect([tax, total]).toEqual([2250, 17_250]);
    expect(breakdown).toMatchObject([
      {
        base: 15_000,
        tax: 2250,
        declaredBase: 17_250,
        declaredRate: null,
        declaredTax: null,
        regimeKey: '17',
        operationClass: 'N2',
      },
    ]);
    expect(taxSummary(lines)).toEqual([
      { type: 'eu_oss', name: 'IVA OSS 19%', rate: 1900, base: 10_000, amount: 1900 },
      { type: 'eu_oss', name: 'IVA OSS 7%', rate: 700, base: 5000, amount: 350 },
    ]);
  });

  test('types that share a detail keep their own printed text', () => {
    const { breakdown } = priced([
      line([1, 100, 'es_non_taxable_localization']),
      line([1, 100, 'eu_b2b_services']),
      line([1, 100, 'es_non_taxable_localization']),
    ]);
    const mentions = ['es_non_taxable_localization', 'eu_b2b_services'] as const;
    expect(breakdown).toMatchObject([
      {
        base: 300,
        legalMention: mentions.map((type) => defaultTaxCatalog.get(type)!.legalMention).join('; '),
      },
    ]);
  });

  test('people read the surcharge in rows of its own', () => {
    const { lines } = priced([line([1, 10_000, 'vat', 21]), line([1, 10_000, 'vat', 21])], {
      recargoEquivalencia: true,
    });
    expect(taxSummary(lines)).toEqual([
      { type: 'vat', name: 'IVA 21%', rate: 2100, base: 20_000, amount: 4200 },
      { type: 'es_recargo_equivalencia', name: 'R.E. 5,2%', rate: 520, base: 20_000, amount: 1040 },
    ]);
  });

  test('a group of nothing is declared all the same', () => {
    expect(priced([line([1, 100, 'vat', 21]), line([1, -100, 'vat', 21])]).breakdown).toMatchObject([
      { declaredBase: 0, declaredTax: 0 },
    ]);
  });
});

describe('refusals of lines', () => {
  const fine = line([1, 1000, 'vat', 21]);
  const two: LineInput = {
    ...fine,
    taxItems: [
      { type: 'vat', rate: 21 },
      { type: 'ipsi', rate: 4 },
    ],
  };
  const bare: LineInput = { ...fine, taxItems: [] };

  test('a rate that is not in force, is missing, or stands where none is taken', () => {
    for (const bad of [line([1, 1000, 'vat', 5]), line([1, 1000, 'vat']), line([1, 1000, 'export', 21])]) {
      expect(refused([fine, bad])).toMatchObject({
        code: 'invalid_tax_rate',
        fields: ['lineItems[1].taxItems[0].rate'],
      });
      expect(refused([fine, bad]).detail).toMatch(/^Line 2: /);
    }
  });

  test('two taxes on a line', () => {
    expect(refused([two]).code).toBe('invalid_tax_data');
    expect(refused([{ ...two, taxItems: [...two.taxItems!, { type: 'vat', rate: 1 }] }]).code).toBe(
      'invalid_tax_rate',
    );
  });

  test('a line without taxes: malformed on an ordinary invoice, a code of its own on a rectificativa', () => {
    expect(refused([fine, bare])).toMatchObject({
      code: 'invalid_request',
      fields: ['lineItems[1].taxItems'],
    });
    const rectifying = { method: 'substitution', reason: 'correction' } as const;
    expect(refused([fine, { ...fine, taxItems: undefined }], { rectifying }).code).toBe(
      'line_item_without_tax_items',
    );
  });

  test('a positive rate that gives no tax on a line with an amount', () => {
    expect(refused([line([1, 2, 'vat', 21])]).code).toBe('invalid_tax_data');
    expect(refused([line([1, -4, 'vat', 10])]).code).toBe('invalid_tax_data');
    expect(priced([line([1, 0, 'vat', 21]), line([1, 2, 'vat', 0])]).total).toBe(2);
  });

  test('a type without a row in the catalog', () => {
    expect(refused([fine], {}, withRow('vat', null))).toMatchObject({ code: 'invalid_tax_data' });
    expect(
      refused([fine], { recargoEquivalencia: true }, withRow('es_recargo_equivalencia', null)).code,
    ).toBe('invalid_tax_data');
  });

  test('the surcharge is never sent', () => {
    const sent: LineInput = {
      ...fine,
      taxItems: [
        { type: 'vat', rate: 21 },
        { type: 'es_recargo_equivalencia', rate: 5.2 },
      ],
    };
    expect(refused([sent]).code).toBe('invalid_recargo_equivalencia');
    expect(refused([sent], { recargoEquivalencia: true }).code).toBe('invalid_recargo_equivalencia');
  });

  test('under the surcharge every line bears one vat with a pair', () => {
    const flag = { recargoEquivalencia: true };
    for (const bad of [
      line([1, 1000, 'vat', 0]),
      line([1, 1000, 'igic', 7]),
      line([1, 1000, 'es_exempt']),
      two,
    ]) {
      expect(refused([fine, bad], flag).code).toBe('invalid_recargo_equivalencia');
    }
    expect(refused([line([1, 1000, 'vat', 5])], flag).code).toBe('invalid_tax_rate');
  });

  test('a lease of business premises (key 11) has 21 %', () => {
    const catalog = withRow('vat', { regimeKey: '11' });
    expect(priced([fine], {}, catalog).breakdown[0]!.regimeKey).toBe('11');
    expect(refused([line([1, 1000, 'vat', 10])], {}, catalog).code).toBe('invalid_tax_data');
  });

  test('amounts beyond the agency’s twelve digits name the line, or the lines together', () => {
    const widest = 99_999_999_999;
    expect(refused([fine, line([1_000_000, widest, 'vat', 21])])).toMatchObject({
      code: 'invalid_request',
      fields: ['lineItems[1]'],
    });
    expect(isOversized(line([1_000_000, -widest]))).toBe(true);
    expect(isOversized(line([1000, widest]))).toBe(false);
    // The net amount fits; with its tax it does not.
    expect(refused([line([1000, widest, 'vat', 21])]).fields).toEqual(['lineItems[0]']);
    expect(priced([line([1000, widest, 'vat', 0])]).total).toBe(99_999_999_999_000);
    const heaped = Array.from({ length: 2 }, () => line([1000, widest, 'vat', 0]));
    expect(refused(heaped).fields).toEqual(['lineItems']);
    expect(refused(Array.from({ length: 500 }, () => line([1000, widest, 'vat', 0]))).fields).toEqual([
      'lineItems',
    ]);
    // Two groups may each be too big although they cancel out.
    const cancelling = [...heaped, line([1000, -widest, 'es_exempt']), line([1000, -widest, 'es_exempt'])];
    expect(refused(cancelling).fields).toEqual(['lineItems']);
  });
});

describe('refusals of simplified invoices', () => {
  const simplified = { type: 'simplified' } as const;

  test('accepts at most 3,000 EUR with tax', () => {
    expect(priced([line([1, 300_000, 'es_exempt'])], simplified).total).toBe(300_000);
    expect(refused([line([1, 300_001, 'es_exempt'])], simplified).code).toBe('simplified_amount_exceeded');
    expect(refused([line([1, 250_000, 'vat', 21])], simplified).code).toBe('simplified_amount_exceeded');
    expect(refused([line([1, 240_000, 'vat', 21])], { ...simplified, recargoEquivalencia: true }).code).toBe(
      'simplified_amount_exceeded',
    );
  });

  test.each(['es_inversion_sujeto_pasivo', 'eu_b2b', 'eu_b2b_services'] as const)(
    '%s needs a recipient',
    (type) => {
      expect(refused([line([1, 100, 'vat', 21]), line([1, 100, type])], simplified)).toMatchObject({
        code: 'simplified_incompatible_tax_type',
        detail: expect.stringMatching(/^Line 2: /),
      });
    },
  );

  test.each(['export', 'es_non_taxable_localization', 'es_exempt', 'es_non_taxable'] as const)(
    '%s does not',
    (type) => {
      expect(priced([line([1, 100, type])], simplified).total).toBe(100);
    },
  );
});

describe('refusals of the breakdown', () => {
  test('more than twelve details', () => {
    const rates = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.11, 0.12];
    const twelve = rates.map((rate) => line([1, 1_000_000, 'other', rate]));
    expect(priced(twelve).breakdown).toHaveLength(12);
    expect(refused([...twelve, line([1, 100, 'vat', 21])]).code).toBe('invalid_tax_data');
  });

  /** 0.07 + 0.07 - 0.12 at 21 %: a base of 0.02 with a tax of -0.01. */
  const contrary = [line([1, 7, 'vat', 21]), line([1, 7, 'vat', 21]), line([1, -12, 'vat', 21])];
  /** A base of nothing with a tax of one cent. */
  const baseless = [line([1, 7, 'vat', 21]), line([1, 7, 'vat', 21]), line([2, -7, 'vat', 21])];

  test('a base and a tax of different sign', () => {
    expect(priced([line([1, 7, 'vat', 21]), line([1, 7, 'vat', 21])]).tax).toBe(2);
    expect(refused(contrary).code).toBe('invalid_tax_data');
    expect(refused(baseless).code).toBe('invalid_tax_data');
  });

  test('does not apply to differences, nor to R2 and R3, but to the other rectificativas', () => {
    const over = (
      method: 'differences' | 'substitution',
      reason: 'correction' | 'insolvency' | 'uncollectible' | 'other',
    ) => ({
      rectifying: { method, reason },
    });
    for (const more of [
      over('differences', 'correction'),
      over('substitution', 'insolvency'),
      over('substitution', 'uncollectible'),
    ]) {
      expect(priced(contrary, more).subtotal).toBe(2);
    }
    expect(refused(contrary, over('substitution', 'correction')).code).toBe('invalid_tax_data');
    // Simplified rectificativas are R5 whatever the reason.
    expect(refused(contrary, { ...over('substitution', 'insolvency'), type: 'simplified' }).code).toBe(
      'invalid_tax_data',
    );
  });

  test('an intra-EU supply goes to a VAT number of another member state', () => {
    const supply = [line([1, 1000, 'eu_b2b'])];
    for (const recipientTaxIdType of ['es_nif', 'passport', 'other', 'not_registered'] as const) {
      expect(refused(supply, { recipientTaxIdType }).code).toBe('invalid_tax_data');
    }
    const second = refused([line([1, 1000, 'vat', 21]), ...supply], { recipientTaxIdType: 'es_nif' });
    expect(second).toMatchObject({ fields: ['lineItems[1].taxItems'] });
    expect(second.detail).toMatch(/^Line 2: /);
    for (const recipientTaxIdType of ['eu_vat', null] as const) {
      expect(priced(supply, { recipientTaxIdType }).total).toBe(1000);
    }
    expect(priced([line([1, 1000, 'eu_b2b_services'])], { recipientTaxIdType: 'es_nif' }).total).toBe(1000);
  });

  test('collections for others (key 10) go on complete originals to a NIF', () => {
    const catalog = withRow('es_non_taxable', { regimeKey: '10' });
    const lines = [line([1, 1000, 'es_non_taxable'])];
    expect(priced(lines, { recipientTaxIdType: 'es_nif' }, catalog).total).toBe(1000);
    const wrong: Partial<PricingRequest>[] = [
      { recipientTaxIdType: 'eu_vat' },
      { type: 'simplified' },
      { recipientTaxIdType: 'es_nif', rectifying: { method: 'differences', reason: 'other' } },
    ];
    for (const more of wrong) expect(refused(lines, more, catalog).code).toBe('invalid_tax_data');
  });
});

test('the first fault of the first line is the answer, then those of the whole invoice', () => {
  const simplified = { type: 'simplified' } as const;
  const badRate = line([1, 1000, 'vat', 5]);
  const forbidden = line([1, 1_000_000, 'eu_b2b']);
  expect(refused([forbidden, badRate], simplified).code).toBe('invalid_tax_rate');
  expect(refused([line([1, 1_000_000, 'es_exempt']), forbidden], simplified).code).toBe(
    'simplified_incompatible_tax_type',
  );
});
