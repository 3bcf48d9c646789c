import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import { NO_EXTENSION_COLUMNS } from '../../src/subjects/extensions/columns.ts';
import { ublEsOf } from '../../src/subjects/formats/en16931/ubl-es.ts';
import type { FormatSource } from '../../src/subjects/formats/source.ts';
import { contentLine, invoiceContent } from '../support/documents/invoice-content.ts';
import { done, formatSource } from '../support/formats/format-source.ts';

/** The UBL of Orden HAC/1028/2026, Annex I, as secondary sources quote it. */

const documentOf = (given: Partial<InvoiceContent> = {}) => String(done(ublEsOf(formatSource(given))));

const refusalOf = (source: FormatSource) => {
  const outcome = ublEsOf(source);
  return isRefusal(outcome) ? outcome.errors[0]?.field : undefined;
};

const bearing = (type: string, name: string, rate = 0) => ({ taxes: [{ type, name, rate }] });

/** An invoice whose lines were declared under that key. */
const under = (regimeKey: string | null, type = 'vat', rate = 2_100): FormatSource => {
  const { content, taxes } = formatSource({ lines: [contentLine('A', 1_000, bearing(type, type, rate))] });
  return { content, taxes: taxes.map((detail) => ({ ...detail, regimeKey })) };
};

test('names the Order’s specification and its process between businesses', () => {
  expect(documentOf()).toMatch(
    /<cbc:CustomizationID>urn:cen\.eu:en16931:2026#conformant#urn:aeat\.es:spfe:1\.0\.0:extended<\/cbc:CustomizationID>\s*<cbc:ProfileID>urn:aeat:names:specification:ubl:schema:profile:B2B</,
  );
});

test('has the seller’s NIF as a registration of its tax office', () => {
  expect(documentOf()).toMatch(
    /<cbc:CompanyID schemeID="FC">B72877814<\/cbc:CompanyID>\s*<cac:TaxScheme>\s*<cbc:ID>LOC</,
  );
});

test('states the regime key of each line, with the name of its tax', () => {
  const lines = [contentLine('A', 1_000), contentLine('B', 500, bearing('export', 'Exportación'))];
  const key = /<cbc:Name>REGI<\/cbc:Name>\s*<cbc:Value>([^<]*)<\/cbc:Value>\s*<cbc:ValueQualifier>([^<]*)</g;
  const keys = [...documentOf({ lines }).matchAll(key)].map(([, value, tax]) => `${tax} ${value}`);
  expect(keys).toEqual(['IVA 01', 'IVA 02']);
});

test('refers to the check page of the tax agency', () => {
  expect(documentOf()).toMatch(/<cac:AdditionalDocumentReference>\s*<cbc:ID>QR<[\s\S]*?<cbc:URI>https:\/\//);
});

describe('a correction', () => {
  const rectification = {
    references: [{ number: 'F-2026-1', issuedOn: '2026-05-02', operationOn: null }],
    ...{ reason: 'correction' as const, base: null, tax: null, surcharge: null },
  };
  const reference = (id: string, value: string) =>
    new RegExp(`<cbc:ID>${id}</cbc:ID>\\s*<cbc:DocumentDescription>${value}<`);

  test('has its own signs and the type 384, and refers to the record’s type and method', () => {
    const text = documentOf({
      kind: 'rectifying_differences',
      lines: [contentLine('A', -1_000)],
      rectification,
    });
    expect(text).toContain('<cbc:InvoiceTypeCode>384</cbc:InvoiceTypeCode>');
    expect(text).toContain('<cbc:PayableAmount currencyID="EUR">-12.10</cbc:PayableAmount>');
    expect(text).toMatch(reference('RECT:TIPO', 'R1'));
    expect(text).toMatch(reference('RECT:MODALIDAD', 'I'));
  });

  test.each([
    ['insolvency', 'R2'],
    ['uncollectible', 'R3'],
    ['other', 'R4'],
  ] as const)('by substitution because of %s is of type %s and method S', (reason, type) => {
    const text = documentOf({
      kind: 'rectifying_substitution',
      rectification: { ...rectification, reason },
    });
    expect(text).toMatch(reference('RECT:TIPO', type));
    expect(text).toMatch(reference('RECT:MODALIDAD', 'S'));
  });

  test('is what alone has those references', () => {
    expect(documentOf()).not.toContain('RECT:');
  });
});

describe('what the Order does not have', () => {
  const { recipient } = invoiceContent();

  test.each<[what: string, given: Partial<InvoiceContent>, term: string]>([
    ['a ticket', { type: 'simplified' }, 'BT-3'],
    ['a buyer abroad', { recipient: { ...recipient!, country: 'PT' } }, 'BT-55'],
    [
      'a buyer abroad by its tax id alone',
      { recipient: { ...recipient!, country: null, taxIdCountry: 'FR' } },
      'BT-55',
    ],
    [
      'a withheld tax',
      {
        extensions: {
          ...NO_EXTENSION_COLUMNS,
          withholding_rate: 1_500,
          withholding_base: 10_000,
          withholding_amount: 1_500,
        },
      },
      'BT-113',
    ],
    [
      'an intra-Community supply to an address in Spain',
      {
        lines: [contentLine('A', 1_000, bearing('eu_b2b', 'Entrega intracomunitaria'))],
        recipient: { ...recipient!, taxId: 'FR12345678901', taxIdType: 'eu_vat', taxIdCountry: 'FR' },
      },
      'BT-151',
    ],
  ])('is refused with the term that has no value: %s', (_, given, term) => {
    expect(refusalOf(formatSource(given))).toBe(term);
  });

  test.each([...[...'123456789'].map((digit) => `0${digit}`), ...['11', '14', '15']])(
    'the key %s is one of VAT',
    (key) => {
      expect(refusalOf(under(key))).toBe(undefined);
    },
  );

  test.each(['10', '17', '18', '19', '20'])('the key %s is none of VAT', (key) => {
    expect(refusalOf(under(key))).toBe('BT-161');
  });

  test.each([
    ['igic', '17', undefined],
    ['igic', '19', undefined],
    ['igic', '20', 'BT-161'],
    ['igic', '10', 'BT-161'],
    ['ipsi', '08', undefined],
    ['ipsi', '20', undefined],
    ['ipsi', '18', 'BT-161'],
    ['ipsi', null, 'BT-161'],
  ])('of %s the key %s is refused as %s', (type, key, expected) => {
    expect(refusalOf(under(key, type, 400))).toBe(expected);
  });
});
