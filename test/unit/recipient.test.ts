import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { ACCEPTED_COUNTRIES } from '../../src/subjects/recipients/countries.ts';
import {
  fiscalName,
  type RecipientInput,
  recipientTaxIdType,
  resolveRecipient,
} from '../../src/subjects/recipients/recipient.ts';

const whole = {
  name: 'Ana García',
  taxId: '12345678Z',
  address: { line1: 'Calle Mayor 1', postalCode: '28013', city: 'Madrid', country: 'ES' },
} satisfies RecipientInput;

function refused(input: RecipientInput) {
  const outcome = resolveRecipient(input, { complete: true });
  if (!isRefusal(outcome)) throw new Error('it was accepted');
  return [outcome.code, ...outcome.errors.map((issue) => issue.field)];
}

describe('the recipient of a complete invoice', () => {
  test('is normalised', () => {
    const input = {
      ...whole,
      name: '  Ana García ',
      companyName: ' ',
      taxId: ' es 12.345.678-z ',
      email: 'ana@example.es',
    };
    expect(resolveRecipient(input, { complete: true })).toEqual({
      name: 'Ana García',
      companyName: null,
      givenName: null,
      surnames: null,
      taxId: '12345678Z',
      taxIdType: 'es_nif',
      taxIdCountry: 'ES',
      email: 'ana@example.es',
      line1: 'Calle Mayor 1',
      line2: null,
      postalCode: '28013',
      city: 'Madrid',
      country: 'ES',
    });
  });

  test.each(['name', 'taxId'] as const)('has a %s', (field) => {
    expect(refused({ ...whole, [field]: undefined })).toEqual(['invalid_request', `recipient.${field}`]);
    expect(refused({ ...whole, [field]: '  ' })).toEqual(['invalid_request', `recipient.${field}`]);
  });

  test.each(['line1', 'postalCode', 'city', 'country'] as const)('has an address with %s', (field) => {
    const address = { ...whole.address, [field]: null };
    expect(refused({ ...whole, address })).toEqual(['invalid_request', `recipient.address.${field}`]);
  });

  test.each(['passport', 'official_document', 'residence_certificate', 'other'] as const)(
    'with a %s says of which country it is',
    (taxIdType) => {
      const input = { ...whole, taxId: 'AB1234', taxIdType };
      expect(refused(input)).toEqual(['invalid_request', 'recipient.taxIdCountry']);
      expect(resolveRecipient({ ...input, taxIdCountry: 'us' }, { complete: true })).toMatchObject({
        taxIdType,
        taxIdCountry: 'US',
      });
    },
  );

  test('has a fiscal name of 2 to 100 characters: the company’s when it has one', () => {
    const named = (name: string, companyName?: string) => ({ ...whole, name, companyName });
    for (const [input, field] of [
      [named('A'), 'name'],
      [named('Á'.repeat(101)), 'name'],
      [named('Ana', 'X'), 'companyName'],
      [named('Ana', 'X'.repeat(101)), 'companyName'],
    ] as const) {
      expect(refused(input)).toEqual(['insufficient_recipient_data', `recipient.${field}`]);
    }
    for (const input of [
      named('Al'),
      named('😀'.repeat(100)),
      named('A', 'Al'),
      named('A'.repeat(200), 'Al'),
    ]) {
      expect(isRefusal(resolveRecipient(input, { complete: true }))).toBe(false);
    }
    expect(fiscalName({ name: 'Ana', companyName: 'Ana SL' })).toBe('Ana SL');
    expect(fiscalName({ name: 'Ana', companyName: null })).toBe('Ana');
  });

  test('is of a country that the agency knows, as is its tax id', () => {
    for (const country of ['AX', 'BL', 'EH', 'GF', 'GP', 'MF', 'MQ', 'SJ', 'XK', 'ZZ', 'EL', 'UK', 'XI']) {
      const abroad = { ...whole, taxId: 'AB1234', address: { ...whole.address, country } };
      expect(refused({ ...abroad, taxIdType: 'passport', taxIdCountry: 'US' })).toEqual([
        'insufficient_recipient_data',
        'recipient.address.country',
      ]);
      expect(refused({ ...whole, taxId: 'AB1234', taxIdType: 'passport', taxIdCountry: country })).toEqual([
        'insufficient_recipient_data',
        'recipient.taxIdCountry',
      ]);
    }
  });

  test('may have a VAT number of Northern Ireland', () => {
    const input = { ...whole, taxId: 'XI123456789', address: { ...whole.address, country: 'GB' } };
    expect(resolveRecipient(input, { complete: true })).toMatchObject({
      taxIdType: 'eu_vat',
      taxIdCountry: 'XI',
    });
  });

  test('has a type and a country that agree', () => {
    expect(refused({ ...whole, taxIdType: 'es_nif', taxIdCountry: 'FR' })).toEqual([
      'tax_id_type_country_mismatch',
    ]);
    expect(refused({ ...whole, taxId: 'AB1', taxIdType: 'other', taxIdCountry: 'ES' })).toEqual([
      'tax_id_type_country_mismatch',
    ]);
  });

  test('is checked by type and country, then format, then name and country, then the country of the id', () => {
    const all = { ...whole, name: 'A', taxId: 'DE12345678', taxIdType: 'eu_vat' } as const;
    expect(refused({ ...all, taxIdCountry: 'US' })).toEqual(['tax_id_type_country_mismatch']);
    expect(refused({ ...all, taxIdCountry: 'FR' })).toEqual(['invalid_tax_id']);
    const german = { ...all, taxId: 'DE123456789', taxIdCountry: 'FR' };
    expect(refused(german)).toEqual(['insufficient_recipient_data', 'recipient.name']);
    expect(refused({ ...german, name: 'Ana' })).toEqual(['tax_id_type_country_mismatch']);
  });
});

test('the recipient of a simplified invoice passes without a tax id', () => {
  expect(resolveRecipient({ name: 'A', address: { country: 'es' } }, { complete: false })).toMatchObject({
    name: 'A',
    taxId: null,
    taxIdType: null,
    taxIdCountry: null,
    country: 'ES',
  });
  expect(Object.values(resolveRecipient({}, { complete: false })).every((value) => value === null)).toBe(
    true,
  );
});

test('the kind of tax id is known before the recipient is judged', () => {
  expect(recipientTaxIdType({ ...whole, name: 'A' })).toBe('es_nif');
  expect(recipientTaxIdType({ taxId: 'DE123456789' })).toBe('eu_vat');
  expect(recipientTaxIdType({ taxId: 'x', taxIdType: 'passport' })).toBe('passport');
  expect(recipientTaxIdType({ taxId: '12345678A', address: { country: 'ES' } })).toBeNull();
  expect(recipientTaxIdType({})).toBeNull();
});

describe('countries', () => {
  const all = Array.from({ length: 26 * 26 }, (_, n) =>
    String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26)),
  );

  test('are the 241 ISO codes that the agency’s schema has', () => {
    expect(all.filter((code) => ACCEPTED_COUNTRIES.has(code))).toHaveLength(241);
    expect(['QU', 'XB', 'XG', 'XN', 'XU'].some((code) => ACCEPTED_COUNTRIES.has(code))).toBe(false);
  });

  const schemas = process.env['AEAT_SCHEMAS'];
  test.skipIf(schemas === undefined)('agree with the agency’s schema', () => {
    const schema = readFileSync(join(schemas!, 'SuministroInformacion.xsd'), 'utf8');
    const type = /name="CountryType2"[\s\S]*?<\/simpleType>/.exec(schema)![0];
    const codes = [...type.matchAll(/value="([A-Z]{2})"/g)].map(([, code]) => code!);
    const ownOnly = ['QU', 'XB', 'XG', 'XN', 'XU'];
    expect(all.filter((code) => ACCEPTED_COUNTRIES.has(code))).toEqual(
      codes.filter((code) => !ownOnly.includes(code)).sort(),
    );
  });
});
