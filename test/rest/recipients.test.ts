import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '10000' });
});
afterAll(() => service.close());

const { recipient: ANA } = aCompleteInvoice();
const abroad = (country: string) => ({ line1: 'Main St 1', postal_code: '1', city: 'X', country });
const to = (parts: object) => aCompleteInvoice({ recipient: { ...ANA, ...parts } });

const READ = `query ($id: ID!) { answer: invoice(id: $id) { recipientName recipientTaxId email
  recipient { name companyName taxId taxIdType taxIdCountry email address { line1 line2 postalCode city country } }
  records { xml } } }`;

describe.each(PROTOCOLS)('a recipient over %s', (protocol) => {
  let operations: Operations;
  beforeAll(() => {
    operations = operationsOf(service, protocol);
  });
  const read = async (body: object) => {
    const reply = await operations.issue(body);
    expect(reply).toMatchObject({ status: 201 });
    return (await service.graphql(READ, { id: reply.body.id })).body.data.answer;
  };

  test.each<[what: string, sent: object, id: string, type: string, country: string]>([
    ['a NIF', { tax_id: '12345678Z' }, '12345678Z', 'es_nif', 'ES'],
    [
      'a NIF with blanks, dots, hyphens and the prefix',
      { tax_id: ' es 12.345.678-z ' },
      '12345678Z',
      'es_nif',
      'ES',
    ],
    ['a NIE', { tax_id: 'X1234567L' }, 'X1234567L', 'es_nif', 'ES'],
    ['a CIF with a letter', { tax_id: 'P2807900B' }, 'P2807900B', 'es_nif', 'ES'],
    ['a NIF with its type said', { tax_id: '12345678Z', tax_id_type: 'es_nif' }, '12345678Z', 'es_nif', 'ES'],
    [
      'a NIF with an address abroad and its type said',
      { tax_id: '12345678Z', tax_id_type: 'es_nif', address: abroad('FR') },
      '12345678Z',
      'es_nif',
      'ES',
    ],
    [
      'a person outside the census, under a name that it does not know',
      { tax_id: '12345678Z', tax_id_type: 'not_registered', name: 'NO CENSADO SL' },
      '12345678Z',
      'not_registered',
      'ES',
    ],
    ['a VAT number', { tax_id: 'de 123-456.789', address: abroad('DE') }, 'DE123456789', 'eu_vat', 'DE'],
    ['a VAT number with an address in Spain', { tax_id: 'DE123456789' }, 'DE123456789', 'eu_vat', 'DE'],
    [
      'a VAT number without prefix, by its address',
      { tax_id: '123456789', address: abroad('DE') },
      'DE123456789',
      'eu_vat',
      'DE',
    ],
    [
      'a VAT number of Greece',
      { tax_id: '123456789', tax_id_type: 'eu_vat', tax_id_country: 'GR', address: abroad('GR') },
      'EL123456789',
      'eu_vat',
      'GR',
    ],
    [
      'a VAT number of Northern Ireland',
      { tax_id: 'XI123456789', address: abroad('GB') },
      'XI123456789',
      'eu_vat',
      'XI',
    ],
    ['an id of another country', { tax_id: '12-3456789', address: abroad('US') }, '123456789', 'other', 'US'],
    [
      'a passport of a member state',
      { tax_id: 'C01X00T47', tax_id_type: 'passport', tax_id_country: 'de' },
      'C01X00T47',
      'passport',
      'DE',
    ],
    [
      'a Spanish passport',
      { tax_id: 'AAA123456', tax_id_type: 'passport', tax_id_country: 'ES' },
      'AAA123456',
      'passport',
      'ES',
    ],
    [
      'an official document',
      { tax_id: 'AB 12', tax_id_type: 'official_document', tax_id_country: 'MA' },
      'AB12',
      'official_document',
      'MA',
    ],
    [
      'a certificate of residence',
      { tax_id: 'R-1', tax_id_type: 'residence_certificate', tax_id_country: 'CH' },
      'R1',
      'residence_certificate',
      'CH',
    ],
    [
      'another id of a member state',
      { tax_id: 'X1', tax_id_type: 'other', tax_id_country: 'FR', address: abroad('FR') },
      'X1',
      'other',
      'FR',
    ],
  ])('%s is recorded in its one form', async (_what, sent, taxId, taxIdType, taxIdCountry) => {
    const invoice = await read(to(sent));
    expect(invoice.recipientTaxId).toBe(taxId);
    expect(invoice.recipient).toMatchObject({ taxId, taxIdType, taxIdCountry });
  });

  const INVALID = { status: 422, code: 'invalid_tax_id' };
  const MISMATCH = { status: 422, code: 'tax_id_type_country_mismatch' };
  const INSUFFICIENT = { status: 422, code: 'insufficient_recipient_data' };
  const UNAVAILABLE = { status: 503, code: 'tax_id_validation_unavailable', retryAfter: 30 };
  test.each<[what: string, sent: object, refusal: object]>([
    ['a NIF with the wrong letter', { tax_id: '12345678A' }, INVALID],
    ['a NIF of eight', { tax_id: '1234567Z' }, INVALID],
    ['a NIF with a letter too many', { tax_id: '12345678ZZ' }, INVALID],
    ['a CIF with the wrong digit', { tax_id: 'B72877815' }, INVALID],
    ['nonsense with an address in Spain', { tax_id: 'ABC' }, INVALID],
    ['a VAT number of a wrong form', { tax_id: 'DE12345678', tax_id_type: 'eu_vat' }, INVALID],
    ['no VAT number with an address in a member state', { tax_id: '12', address: abroad('DE') }, INVALID],
    ['a company as not registered', { tax_id: 'B72877814', tax_id_type: 'not_registered' }, INVALID],
    [
      'an id of more than twenty characters',
      { tax_id: 'X'.repeat(21), tax_id_type: 'passport', tax_id_country: 'US' },
      INVALID,
    ],
    ['an id with signs', { tax_id: 'X!1', tax_id_type: 'passport', tax_id_country: 'US' }, INVALID],
    ['a NIF that the census does not know', { name: 'NO CENSADO SL' }, INVALID],
    ['a NIF of another name in the census', { name: 'SIMILAR SL' }, INVALID],
    ['a NIF that was revoked', { name: 'REVOCADO SL', tax_id: 'B72877814' }, INVALID],
    ['a VAT number that is not registered', { tax_id: 'DE123456200', address: abroad('DE') }, INVALID],
    ['a census that does not answer', { name: 'CENSO CAIDO SL' }, UNAVAILABLE],
    ['a VIES that does not answer', { tax_id: 'DE123456300', address: abroad('DE') }, UNAVAILABLE],
    ['a NIF of another country', { tax_id_type: 'es_nif', tax_id_country: 'FR' }, MISMATCH],
    ['someone not registered elsewhere', { tax_id_type: 'not_registered', tax_id_country: 'FR' }, MISMATCH],
    ['a Spanish VAT number', { tax_id: 'ESB72877814', tax_id_type: 'eu_vat' }, MISMATCH],
    [
      'a VAT number of another member state',
      { tax_id: 'DE123456789', tax_id_type: 'eu_vat', tax_id_country: 'FR' },
      MISMATCH,
    ],
    [
      'a Spanish official document',
      { tax_id: 'X123', tax_id_type: 'official_document', tax_id_country: 'ES' },
      MISMATCH,
    ],
    ['another Spanish id', { tax_id: 'X123', tax_id_type: 'other', tax_id_country: 'ES' }, MISMATCH],
    [
      'a certificate of residence in Spain',
      { tax_id: 'X123', tax_id_type: 'residence_certificate', tax_id_country: 'ES' },
      MISMATCH,
    ],
    ['a name of one letter', { name: 'X' }, INSUFFICIENT],
    ['a name of 101', { name: 'x'.repeat(101) }, INSUFFICIENT],
    ['a company name of one letter', { company_name: 'X' }, INSUFFICIENT],
    ['a company name of 101', { company_name: 'x'.repeat(101) }, INSUFFICIENT],
    ['an id of one letter', { tax_id: 'X', tax_id_type: 'passport', tax_id_country: 'US' }, INSUFFICIENT],
    ['a country that the agency does not know', { address: abroad('AX') }, INSUFFICIENT],
    [
      'an id of a country that there is not',
      { tax_id: 'X123', tax_id_type: 'passport', tax_id_country: 'QQ' },
      INSUFFICIENT,
    ],
  ])('%s is refused, and nothing is persisted', async (_what, sent, refusal) => {
    const before = (await operations.invoices({ limit: 1 })).body.data[0]?.id;
    expect(await operations.issue(to(sent))).toMatchObject(refusal);
    expect(await operations.validate(to(sent))).toMatchObject(refusal);
    expect((await operations.invoices({ limit: 1 })).body.data[0]?.id).toBe(before);
  });

  test('is invoiced under the company name if there is one; the person is stored too', async () => {
    const invoice = await read(
      to({ name: ' Ana García ', company_name: ' Andante SL ', tax_id: 'B72877814' }),
    );
    expect(invoice.recipientName).toBe('Andante SL');
    expect(invoice.recipient).toMatchObject({ name: 'Ana García', companyName: 'Andante SL' });
    expect(invoice.records[0].xml).toContain(
      '<sf:NombreRazon>Andante SL</sf:NombreRazon><sf:NIF>B72877814</sf:NIF>',
    );
    // The census is asked under the name that the invoice carries.
    const unknown = to({ name: 'Ana García', company_name: 'NO CENSADO SL', tax_id: 'B72877814' });
    expect(await operations.issue(unknown)).toMatchObject(INVALID);
  });

  test('has a name of exactly 2 and of exactly 100 characters', async () => {
    for (const name of ['Li', 'Ñ'.repeat(100), '李明'])
      expect((await read(to({ name }))).recipientName).toBe(name);
  });

  test('is optional on a ticket, and no register is queried for it', async () => {
    expect((await read(aSimplifiedInvoice())).recipient).toBeNull();
    expect((await read(aSimplifiedInvoice({ recipient: {} }))).recipient).toBeNull();
    const nameless = await read(aSimplifiedInvoice({ recipient: { email: 'a@example.com' } }));
    expect(nameless).toMatchObject({
      recipientName: null,
      email: 'a@example.com',
      recipient: { address: null },
    });
    const silent = await read(
      aSimplifiedInvoice({ recipient: { name: 'CENSO CAIDO SL', address: { city: 'Vigo' } } }),
    );
    expect(silent.recipient).toEqual({
      ...{
        name: 'CENSO CAIDO SL',
        companyName: null,
        taxId: null,
        taxIdType: null,
        taxIdCountry: null,
        email: null,
      },
      address: { line1: null, line2: null, postalCode: null, city: 'Vigo', country: null },
    });
    expect(silent.records[0].xml).not.toContain('Destinatarios');
  });

  test('of the live environment is held to the same', async () => {
    const { key } = service.company.live;
    expect(await operations.issue(to({ name: 'NO CENSADO SL' }), { key })).toMatchObject(INVALID);
    expect(await operations.issue(to({}), { key })).toMatchObject({ status: 201 });
  });
});

test('the answer of the register is kept with the invoice', async () => {
  const { body } = await service.call('POST', '/v1/invoices', { body: to({}) });
  const { rows } = await service.db.pool.query('select recipient_evidence from invoice where id = $1', [
    body.id,
  ]);
  expect(rows[0].recipient_evidence).toMatchObject({
    register: 'aeat_census',
    result: 'IDENTIFICADO',
    registeredName: 'GARCÍA PÉREZ ANA',
    askedAt: expect.stringMatching(/Z$/),
  });
});
