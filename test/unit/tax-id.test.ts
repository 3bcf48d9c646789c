import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEuVat } from '../../src/subjects/tax-ids/eu-vat.ts';
import { normaliseTaxId, readTaxId } from '../../src/subjects/tax-ids/tax-id.ts';
import type { TaxIdType } from '../../src/subjects/tax-ids/types.ts';

type Sent = { type?: TaxIdType; country?: string; address?: string };

function read(taxId: string, { type, country, address }: Sent = {}) {
  return readTaxId({
    taxId,
    taxIdType: type ?? null,
    taxIdCountry: country ?? null,
    addressCountry: address ?? null,
  });
}

/** Kind, id and country in one line; `!` when the country that was sent contradicts them. */
function summary(...args: Parameters<typeof read>): string {
  const reading = read(...args);
  if (reading.kind !== 'identity') return reading.kind;
  const { taxIdType, taxId, taxIdCountry } = reading.identity;
  return `${taxIdType} ${taxId} ${taxIdCountry}${reading.countryAgrees ? '' : ' !'}`;
}

test('ids are compared in upper case, without spaces, dots and hyphens', () => {
  expect(normaliseTaxId(' b-72.877 814\u00a0')).toBe('B72877814');
  expect(normaliseTaxId('12345678\u2011z')).toBe('12345678Z');
});

describe('EU VAT numbers', () => {
  test.each([
    'ATU12345678',
    'BE0123456789',
    'BG123456789',
    'BG1234567890',
    'CY12345678X',
    'CZ12345678',
    'CZ1234567890',
    'DE123456789',
    'DK12345678',
    'EE123456789',
    'EL123456789',
    'FI12345678',
    'FRXX123456789',
    'HR12345678901',
    'HU12345678',
    'IE1234567A',
    'IE1234567AB',
    'IT12345678901',
    'LT123456789',
    'LT123456789012',
    'LU12345678',
    'LV12345678901',
    'MT12345678',
    'NL123456789B01',
    'PL1234567890',
    'PT123456789',
    'RO12',
    'RO1234567890',
    'SE123456789012',
    'SI12345678',
    'SK1234567890',
    'XI123456789',
    'XIGD123',
    'XI123456789012',
  ])('%s has the format that the agency takes', (id) => {
    expect(parseEuVat(id)?.id).toBe(id);
  });

  test.each([
    'GB123456789',
    'ESB72877814',
    'CHE123456789',
    'DE12345678',
    'DE1234567890',
    'DE12345678A',
    'FR1234567890',
    'LT1234567890',
    'RO0123456789',
    'RO1',
    'XI1234',
    'SE1234567890',
    'de123456789',
    'DE',
    '',
  ])('%s has not', (id) => {
    expect(parseEuVat(id)).toBeNull();
  });

  test('Greece is EL in the number and GR as a country', () => {
    expect(parseEuVat('GR123456789')).toEqual({ id: 'EL123456789', country: 'GR' });
    expect(parseEuVat('EL123456789')).toEqual({ id: 'EL123456789', country: 'GR' });
  });
});

describe('a tax id sent with its type', () => {
  test.each<[string, Sent, string]>([
    ['12345678Z', { type: 'es_nif' }, 'es_nif 12345678Z ES'],
    ['ES-B72877814', { type: 'es_nif' }, 'es_nif B72877814 ES'],
    ['12345678Z', { type: 'es_nif', country: 'FR' }, 'es_nif 12345678Z ES !'],
    ['12345678A', { type: 'es_nif' }, 'malformed'],
    ['12345678Z', { type: 'not_registered' }, 'not_registered 12345678Z ES'],
    ['X1234567L', { type: 'not_registered', country: 'PT' }, 'not_registered X1234567L ES !'],
    // Only natural persons can be outside the census (agency code 1131).
    ['B72877814', { type: 'not_registered' }, 'malformed'],
    ['de 123 456 789', { type: 'eu_vat' }, 'eu_vat DE123456789 DE'],
    ['DE123456789', { type: 'eu_vat', country: 'FR' }, 'eu_vat DE123456789 DE !'],
    ['DE123456789', { type: 'eu_vat', country: 'US' }, 'eu_vat DE123456789 DE !'],
    ['GR123456789', { type: 'eu_vat', country: 'GR' }, 'eu_vat EL123456789 GR'],
    ['XI123456789', { type: 'eu_vat', country: 'XI' }, 'eu_vat XI123456789 XI'],
    ['123456789', { type: 'eu_vat', country: 'DE' }, 'eu_vat DE123456789 DE'],
    ['123456789', { type: 'eu_vat' }, 'malformed'],
    ['GB123456789', { type: 'eu_vat' }, 'malformed'],
    ['ESB72877814', { type: 'eu_vat' }, 'eu_vat ESB72877814 ES !'],
    ['ESB72877815', { type: 'eu_vat' }, 'malformed'],
    ['XDA 123-456', { type: 'passport', country: 'ES' }, 'passport XDA123456 ES'],
    ['XDA123456', { type: 'passport', country: 'US' }, 'passport XDA123456 US'],
    ['12.345.678/0001-95', { type: 'other', country: 'BR' }, 'other 12345678/000195 BR'],
    ['A1', { type: 'official_document', country: 'ES' }, 'official_document A1 ES !'],
    ['A1', { type: 'residence_certificate', country: 'FR' }, 'residence_certificate A1 FR'],
    ['A', { type: 'other', country: 'US' }, 'too_short'],
    ['-. -', { type: 'other', country: 'US' }, 'too_short'],
    ['A'.repeat(20), { type: 'other', country: 'US' }, `other ${'A'.repeat(20)} US`],
    ['A'.repeat(21), { type: 'other', country: 'US' }, 'malformed'],
    ['AB😀', { type: 'other', country: 'US' }, 'malformed'],
    ['<b>1', { type: 'other', country: 'US' }, 'malformed'],
  ])('%s %o is %s', (taxId, sent, expected) => {
    expect(summary(taxId, sent)).toBe(expected);
  });
});

describe('a tax id sent without type is', () => {
  test.each<[string, string, Sent, string]>([
    ['a NIF with a Spanish address', '12345678Z', { address: 'ES' }, 'es_nif 12345678Z ES'],
    ['a NIF without address', 'B72877814', {}, 'es_nif B72877814 ES'],
    ['a Spanish VAT number whatever the address', 'ESB72877814', { address: 'FR' }, 'es_nif B72877814 ES'],
    ['an EU VAT number whatever the address', 'DE123456789', { address: 'US' }, 'eu_vat DE123456789 DE'],
    ['an EU VAT number with a Spanish address', 'PT123456789', { address: 'ES' }, 'eu_vat PT123456789 PT'],
    ['a VAT number of Northern Ireland', 'XI123456789', { address: 'GB' }, 'eu_vat XI123456789 XI'],
    ['nothing with a Spanish address', '12345678A', { address: 'ES' }, 'malformed'],
    ['nothing without any country', 'ABC123', {}, 'malformed'],
    ['an EU number that lacks its prefix', '123456789', { address: 'DE' }, 'eu_vat DE123456789 DE'],
    ['a Greek number that lacks its prefix', '123456789', { address: 'GR' }, 'eu_vat EL123456789 GR'],
    ['nothing with an EU address and another format', '12345', { address: 'DE' }, 'malformed'],
    ['a document of any other country', '12-3456789', { address: 'US' }, 'other 123456789 US'],
    ['a British number, which is no EU one', 'GB123456789', { address: 'GB' }, 'other GB123456789 GB'],
    ['a NIF of a person abroad', '12345678Z', { address: 'MX' }, 'other 12345678Z MX'],
    // Thirteen characters that begin with FR, but no French number looks like it.
    ['a Mexican RFC', 'FRAJ800101ABC', { address: 'MX' }, 'other FRAJ800101ABC MX'],
    [
      'of the country that was sent rather than of the address',
      '123456789',
      { country: 'DE', address: 'US' },
      'eu_vat DE123456789 DE',
    ],
    ['contradicted by a country', 'DE123456789', { country: 'FR', address: 'FR' }, 'eu_vat DE123456789 DE !'],
    [
      'a NIF contradicted by a country',
      'ES12345678Z',
      { country: 'US', address: 'ES' },
      'es_nif 12345678Z ES !',
    ],
  ])('%s', (_, taxId, sent, expected) => {
    expect(summary(taxId, sent)).toBe(expected);
  });
});

test('whatever is sent is read, and what is identified fits the agency’s field', () => {
  const country = fc.option(fc.constantFrom('ES', 'DE', 'GR', 'FR', 'US', 'XI', 'ZZ'), { nil: null });
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.stringMatching(/^(ES|DE|FR|GR|EL|XI|NL)?[A-Z0-9 .-]{0,14}$/),
  );
  const type = fc.option(fc.constantFrom<TaxIdType>('es_nif', 'eu_vat', 'not_registered'), { nil: null });
  fc.assert(
    fc.property(text, type, country, country, (taxId, taxIdType, taxIdCountry, addressCountry) => {
      const reading = readTaxId({ taxId, taxIdType, taxIdCountry, addressCountry });
      fc.pre(reading.kind === 'identity');
      expect(reading.identity.taxId.length).toBeLessThanOrEqual(20);
      // What was stored is read again as the same.
      const again = readTaxId({ ...reading.identity, addressCountry });
      if (reading.identity.taxIdCountry !== 'ES' || reading.identity.taxIdType !== 'eu_vat') {
        expect(again).toMatchObject({ kind: 'identity', identity: reading.identity });
      }
    }),
    { numRuns: 2_000 },
  );
});
