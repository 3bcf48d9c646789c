import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '1000' });
});
afterAll(() => service.close());

type Answer = [tax_id: string, tax_id_type: string | null, country: string | null];
const valid = ([tax_id, tax_id_type, tax_id_country]: Answer, register: string | null = null) => ({
  ...{ tax_id, tax_id_type, tax_id_country },
  ...{ valid: true, reason: null, register },
});
const invalid = (
  [tax_id, tax_id_type, tax_id_country]: Answer,
  reason: string,
  register: string | null = null,
) => ({
  ...{ tax_id, tax_id_type, tax_id_country },
  ...{ valid: false, reason, register },
});

describe.each(PROTOCOLS)('validating a tax id over %s', (protocol) => {
  test.each<[what: string, request: object, answer: object]>([
    ['a NIF by its format alone', { tax_id: '12345678Z' }, valid(['12345678Z', 'es_nif', 'ES'])],
    [
      'a NIF with its name, of the census',
      { tax_id: '12345678Z', name: 'García Pérez Ana' },
      valid(['12345678Z', 'es_nif', 'ES'], 'aeat_census'),
    ],
    [
      'a NIF that the census does not know under that name',
      { tax_id: '12345678Z', name: 'NO CENSADO SL' },
      invalid(['12345678Z', 'es_nif', 'ES'], 'not_registered', 'aeat_census'),
    ],
    ['a NIF as people write it', { tax_id: ' es-b.72 877-814 ' }, valid(['B72877814', 'es_nif', 'ES'])],
    ['a NIE', { tax_id: 'x1234567l' }, valid(['X1234567L', 'es_nif', 'ES'])],
    [
      'a NIF whose letter is wrong',
      { tax_id: '12345678A', tax_id_type: 'es_nif' },
      invalid(['12345678A', 'es_nif', 'ES'], 'format'),
    ],
    [
      'a NIF whose letter is wrong, with a name: nobody is asked',
      { tax_id: '12345678A', tax_id_type: 'es_nif', name: 'CENSO CAIDO SL' },
      invalid(['12345678A', 'es_nif', 'ES'], 'format'),
    ],
    ['neither a NIF nor a VAT number', { tax_id: 'ABC' }, invalid(['ABC', null, null], 'format')],
    ['a VAT number, of VIES', { tax_id: 'de 123 456 789' }, valid(['DE123456789', 'eu_vat', 'DE'], 'vies')],
    [
      'a VAT number without its prefix',
      { tax_id: '123456789', tax_id_type: 'eu_vat', tax_id_country: 'DE' },
      valid(['DE123456789', 'eu_vat', 'DE'], 'vies'),
    ],
    [
      'a VAT number of Greece',
      { tax_id: 'EL123456789', tax_id_country: 'GR' },
      valid(['EL123456789', 'eu_vat', 'GR'], 'vies'),
    ],
    [
      'a VAT number that is not registered',
      { tax_id: 'DE123456200', tax_id_type: 'eu_vat' },
      invalid(['DE123456200', 'eu_vat', 'DE'], 'not_registered', 'vies'),
    ],
    [
      'a VAT number of a wrong form',
      { tax_id: 'DE12', tax_id_type: 'eu_vat' },
      invalid(['DE12', 'eu_vat', null], 'format'),
    ],
    [
      'a passport',
      { tax_id: 'ab-123456', tax_id_type: 'passport', tax_id_country: 'ma', name: 'CENSO CAIDO SL' },
      valid(['AB123456', 'passport', 'MA']),
    ],
    [
      'a Spanish passport',
      { tax_id: 'AAA123456', tax_id_type: 'passport', tax_id_country: 'ES' },
      valid(['AAA123456', 'passport', 'ES']),
    ],
    [
      'an id of another country',
      { tax_id: '12-3456789', tax_id_country: 'US' },
      valid(['123456789', 'other', 'US']),
    ],
    [
      'an official document of more characters than the agency takes',
      { tax_id: 'X'.repeat(21), tax_id_type: 'official_document', tax_id_country: 'US' },
      invalid(['X'.repeat(21), 'official_document', 'US'], 'format'),
    ],
    [
      'a person outside the census',
      { tax_id: '12345678Z', tax_id_type: 'not_registered', name: 'NO CENSADO SL' },
      valid(['12345678Z', 'not_registered', 'ES']),
    ],
    [
      'fields that are null',
      { tax_id: '12345678Z', tax_id_type: null, tax_id_country: null, name: null },
      valid(['12345678Z', 'es_nif', 'ES']),
    ],
  ])('%s', async (_what, request, answer) => {
    const { status, body } = await operationsOf(service, protocol).validateTaxId(request);
    expect({ status, body }).toEqual({ status: 200, body: answer });
  });

  test.each<[what: string, request: object, refusal: object]>([
    [
      'a census that does not answer',
      { tax_id: '12345678Z', name: 'CENSO CAIDO SL' },
      { status: 503, code: 'tax_id_validation_unavailable', retryAfter: 30 },
    ],
    [
      'a VIES that does not answer',
      { tax_id: 'DE123456300' },
      { status: 503, code: 'tax_id_validation_unavailable', retryAfter: 30 },
    ],
    [
      'a NIF of another country',
      { tax_id: '12345678Z', tax_id_type: 'es_nif', tax_id_country: 'FR' },
      { status: 422, code: 'tax_id_type_country_mismatch' },
    ],
    [
      'a VAT number of another country',
      { tax_id: 'DE123456789', tax_id_type: 'eu_vat', tax_id_country: 'FR' },
      { status: 422, code: 'tax_id_type_country_mismatch' },
    ],
    [
      'a Spanish official document',
      { tax_id: 'AB123456', tax_id_type: 'official_document', tax_id_country: 'ES' },
      { status: 422, code: 'tax_id_type_country_mismatch' },
    ],
    [
      'a passport of nowhere',
      { tax_id: 'AB123456', tax_id_type: 'passport' },
      { status: 400, faults: ['tax_id_country required'] },
    ],
    [
      'a country that there is not',
      { tax_id: 'AB123456', tax_id_type: 'passport', tax_id_country: 'ZZ' },
      {
        status: 422,
        code: 'insufficient_recipient_data',
        faults: ['tax_id_country insufficient_recipient_data'],
      },
    ],
    ['an empty tax id', { tax_id: '' }, { status: 400, faults: ['tax_id too_small'] }],
    ['a tax id of 51', { tax_id: 'x'.repeat(51) }, { status: 400, faults: ['tax_id too_big'] }],
    ['a tax id with NUL', { tax_id: 'a\u0000' }, { status: 400, faults: ['tax_id invalid_characters'] }],
    [
      'a name of 201',
      { tax_id: '12345678Z', name: 'x'.repeat(201) },
      { status: 400, faults: ['name too_big'] },
    ],
    ['a country of three letters', { tax_id: 'x', tax_id_country: 'ESP' }, { status: 400 }],
    ['a kind that there is not', { tax_id: 'x', tax_id_type: 'dni' }, { status: 400 }],
    ['no tax id', {}, { status: 400 }],
    ['a tax id that is no text', { tax_id: 12345678 }, { status: 400 }],
    ['an unknown field', { tax_id: '12345678Z', nif: 'x' }, { status: 400 }],
  ])('%s is refused', async (_what, request, refusal) => {
    const reply = await operationsOf(service, protocol).validateTaxId(request);
    expect(reply).toMatchObject({ ...refusal, status: (refusal as { status: number }).status });
    if (reply.status === 400) expect(reply.code).toBe('invalid_request');
  });

  test('a name that is similar to that of the census is answered in its spelling, there and in the refusal', async () => {
    const operations = operationsOf(service, protocol);
    const asked = { tax_id: '12345678Z', name: 'Similar López Ana' };
    const { body } = await operations.validateTaxId(asked);
    expect(body).toMatchObject(invalid(['12345678Z', 'es_nif', 'ES'], 'name_mismatch', 'aeat_census'));
    const { body: rest } = await service.call('POST', '/v1/tax_ids/validate', { body: asked });
    expect(rest.registered_name).toBe('LÓPEZ ANA');
    const { body: inside } = await service.graphql(
      '{ validateTaxId(input: { taxId: "12345678Z", name: "Similar López Ana" }) { registeredName } }',
    );
    expect(inside.data.validateTaxId.registeredName).toBe('LÓPEZ ANA');
    const recipient = { ...aCompleteInvoice().recipient, name: asked.name };
    const refused = await operations.issue(aCompleteInvoice({ recipient }));
    expect(refused).toMatchObject({ status: 422, code: 'invalid_tax_id' });
    expect(refused.detail).toContain('LÓPEZ ANA');
    const spelt = { ...recipient, name: rest.registered_name };
    expect(await operations.issue(aCompleteInvoice({ recipient: spelt }))).toMatchObject({ status: 201 });
  });

  test('the live environment queries the same registers', async () => {
    const body = { tax_id: '12345678Z', name: 'García Pérez Ana' };
    const reply = await operationsOf(service, protocol).validateTaxId(body, {
      key: service.company.live.key,
    });
    expect(reply.body).toMatchObject({ valid: true, register: 'aeat_census' });
  });
});
