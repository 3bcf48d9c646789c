import { describe, expect, test } from 'vitest';
import { type CatalogRow, catalogRowFaults, defaultTaxCatalog } from '../../src/subjects/taxes/catalog.ts';
import { TAX_TYPES, type TaxType } from '../../src/subjects/taxes/types.ts';

function edited(type: TaxType, change: Partial<CatalogRow>): CatalogRow {
  return { ...defaultTaxCatalog.get(type)!, ...change };
}

const classified = (row: CatalogRow) => [row.agencyTax, row.regimeKey, row.operationClass ?? row.exemption];

describe('the tax catalog', () => {
  test('a company starts with a row for each of the thirteen types, all of them valid', () => {
    expect([...defaultTaxCatalog.keys()]).toEqual([...TAX_TYPES]);
    for (const row of defaultTaxCatalog.values()) expect(catalogRowFaults(row)).toEqual([]);
  });

  test('the defaults are the agency’s classification', () => {
    expect(Object.fromEntries([...defaultTaxCatalog].map(([type, row]) => [type, classified(row)]))).toEqual({
      vat: ['01', '01', 'S1'],
      igic: ['03', '01', 'S1'],
      ipsi: ['02', '01', 'S1'],
      es_recargo_equivalencia: ['01', '01', 'S1'],
      es_exempt: ['01', '01', 'E1'],
      es_inversion_sujeto_pasivo: ['01', '01', 'S2'],
      es_non_taxable: ['01', '01', 'N1'],
      es_non_taxable_localization: ['01', '01', 'N2'],
      eu_oss: ['01', '17', 'N2'],
      eu_b2b: ['01', '01', 'E5'],
      eu_b2b_services: ['01', '01', 'N2'],
      export: ['01', '02', 'E2'],
      other: ['05', null, 'S1'],
    });
  });

  const allowed: [string, TaxType, Partial<CatalogRow>][] = [
    ['cash accounting', 'vat', { regimeKey: '07' }],
    ['a lease of premises', 'vat', { regimeKey: '11' }],
    ['an issuer under the surcharge regime', 'vat', { regimeKey: '18' }],
    ['simplified IGIC', 'igic', { regimeKey: '21' }],
    ['an export declared as exempt', 'es_exempt', { regimeKey: '02', exemption: 'E2' }],
    ['investment gold', 'es_inversion_sujeto_pasivo', { regimeKey: '04' }],
    ['a small IGIC trader', 'es_exempt', { agencyTax: '03', regimeKey: '18', exemption: 'E7' }],
    ['IPSI exempt at home', 'es_exempt', { agencyTax: '02', regimeKey: '19', exemption: 'E1' }],
    ['a supply located in the Canaries', 'es_non_taxable_localization', { regimeKey: '08' }],
    ['collections for others', 'es_non_taxable', { regimeKey: '10' }],
    ['other words on paper', 'vat', { label: 'I.V.A.', legalMention: 'Régimen general' }],
  ];
  test.each(allowed)('%s can be saved', (_, type, change) => {
    expect(catalogRowFaults(edited(type, change))).toEqual([]);
  });

  const refused: [string, TaxType, Partial<CatalogRow>, string][] = [
    ['a tax that is not the type’s', 'vat', { agencyTax: '03' }, 'agencyTax'],
    ['vat as exempt', 'vat', { operationClass: null, exemption: 'E1' }, 'exemption'],
    ['neither class nor exemption (1195)', 'vat', { operationClass: null }, 'operationClass'],
    ['class and exemption (1196)', 'vat', { exemption: 'E1' }, 'operationClass'],
    ['a margin scheme', 'vat', { regimeKey: '03' }, 'regimeKey'],
    ['a group at cost (1202)', 'vat', { regimeKey: '06' }, 'regimeKey'],
    ['public works (1147)', 'vat', { regimeKey: '14' }, 'regimeKey'],
    ['no key where one is due', 'ipsi', { regimeKey: null }, 'regimeKey'],
    ['an unknown IPSI key (2009)', 'ipsi', { regimeKey: '07' }, 'regimeKey'],
    ['a key on other taxes (1260)', 'other', { regimeKey: '01' }, 'regimeKey'],
    ['E2 under the general key (1199)', 'es_exempt', { exemption: 'E2' }, 'regimeKey'],
    ['E7 outside IGIC', 'es_exempt', { exemption: 'E7' }, 'exemption'],
    ['a class under the export key (1286)', 'es_non_taxable', { regimeKey: '02' }, 'regimeKey'],
    ['the surcharge under key 18', 'es_recargo_equivalencia', { regimeKey: '18' }, 'regimeKey'],
    ['cash accounting of what is not subject', 'es_non_taxable', { regimeKey: '07' }, 'regimeKey'],
    ['key 08 with another class than N2', 'es_non_taxable', { regimeKey: '08' }, 'regimeKey'],
    ['key 10 with another class than N1', 'es_non_taxable_localization', { regimeKey: '10' }, 'regimeKey'],
    ['key 11 without the rate of 21 % (1206)', 'es_exempt', { regimeKey: '11' }, 'regimeKey'],
    [
      'IGIC key 20 with another class than N2',
      'es_non_taxable',
      { agencyTax: '03', regimeKey: '20' },
      'regimeKey',
    ],
    ['OSS outside its key', 'eu_oss', { regimeKey: '01' }, 'regimeKey'],
    ['EU services as reversed', 'eu_b2b_services', { operationClass: 'S2' }, 'operationClass'],
    ['an empty label', 'vat', { label: ' ' }, 'label'],
    ['a label beyond its column', 'vat', { label: 'x'.repeat(61) }, 'label'],
    ['a label with a line break', 'vat', { label: 'I\nVA' }, 'label'],
    ['an empty mention', 'vat', { legalMention: '' }, 'legalMention'],
  ];
  test.each(refused)('%s is refused', (_, type, change, field) => {
    expect(catalogRowFaults(edited(type, change)).map((fault) => fault.field)).toEqual([field]);
  });
});
