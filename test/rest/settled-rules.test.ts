import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '10000' });
});
afterAll(() => service.close());

const { recipient: ANA } = aCompleteInvoice();
const to = (parts: object) => aCompleteInvoice({ recipient: { ...ANA, ...parts } });
const credit = (unit_amount: number) => [aLine({ quantity: 1, unit_amount })];

describe.each(PROTOCOLS)('over %s', (protocol) => {
  let operations: Operations;
  beforeAll(() => {
    operations = operationsOf(service, protocol);
  });

  describe('tax_id_type_country_mismatch is decided from type and country only, before the id is checked', () => {
    test.each([
      ['not_registered', 'FR'],
      ['es_nif', 'FR'],
      ['eu_vat', 'ES'],
      ['eu_vat', 'US'],
      ['official_document', 'ES'],
      ['residence_certificate', 'ES'],
      ['other', 'ES'],
    ])('%s with %s', async (tax_id_type, tax_id_country) => {
      for (const tax_id of ['12345678Z', 'B72877814', 'FR12345678901', 'nonsense!', 'X']) {
        const sent = { tax_id, tax_id_type, tax_id_country };
        const mismatch = { status: 422, code: 'tax_id_type_country_mismatch' };
        expect(await operations.issue(to(sent))).toMatchObject(mismatch);
        expect(await operations.validate(to({ ...sent, name: 'X' }))).toMatchObject(mismatch);
        expect(await operations.validateTaxId(sent)).toMatchObject(mismatch);
      }
    });

    test('where they agree, the id is looked at', async () => {
      const sent = { tax_id: 'nonsense!', tax_id_type: 'es_nif', tax_id_country: 'ES' };
      expect(await operations.issue(to(sent))).toMatchObject({ status: 422, code: 'invalid_tax_id' });
      const vat = { tax_id: '123456789', tax_id_type: 'eu_vat', tax_id_country: 'XI' };
      expect(await operations.issue(to(vat))).toMatchObject({ status: 201 });
    });
  });

  describe('rectifies with both or neither reference is refused before the recipient is checked', () => {
    const both = { invoice_id: 'inv_x', external: { number: 'A', issued_on: '2026-01-02' } };
    test.each<[string, object, object]>([
      ['both, and no recipient', both, { recipient: null }],
      ['neither, and no recipient', {}, { recipient: null }],
      ['both, and half a recipient', both, { recipient: { name: 'Ana' } }],
      [
        'both, and a kind of id without its country',
        both,
        { recipient: { ...ANA, tax_id_type: 'passport' } },
      ],
      [
        'neither, and a kind of id without its country',
        {},
        { recipient: { ...ANA, tax_id_type: 'passport' } },
      ],
      ['both, and a ticket with a tax id', both, { type: 'simplified' }],
      ['neither, and an id that is none', {}, { recipient: { ...ANA, tax_id: 'nonsense!' } }],
    ])('%s', async (_what, reference, parts) => {
      const body = aCompleteInvoice({
        line_items: credit(-100),
        rectifies: { ...reference, method: 'differences' },
        ...parts,
      });
      const refusal = { status: 422, code: 'invalid_rectifies_reference' };
      expect(await operations.issue(body)).toMatchObject(refusal);
      expect(await operations.validate(body)).toMatchObject(refusal);
    });
  });

  describe('an external number may hold any printable character but the five that the contract bans', () => {
    const day = protocol === 'REST' ? '2025-03-04' : '2025-03-05';
    const naming = (number: string, issued_on = day) =>
      aCompleteInvoice({
        line_items: credit(100),
        rectifies: { external: { number, issued_on }, method: 'differences' },
      });
    test.each(['Ñ-7', 'año/2025·1', '№ 7', '請求書-1', '\u{10780}'.repeat(60), 'A&B', 'A\u00a0B', '`~'])(
      '%s names an invoice',
      async (number) => {
        const { status, body } = await operations.issue(naming(number));
        expect(status).toBe(201);
        const read = await service.call('GET', `/v1/invoices/${body.id}`);
        expect(read.body.rectifies).toEqual([{ external: { number, issued_on: day } }]);
      },
    );
    test.each([
      '"',
      "'",
      '<',
      '>',
      '=',
      '\t',
      '\n',
      '\u0085',
      '\u200b',
      '\u2028',
      '\ufffe',
      '\ud800',
      '𝔏',
      '\ufffd',
    ])('A%sB is refused', async (character) => {
      expect(await operations.validate(naming(`A${character}B`))).toMatchObject({
        status: 422,
        code: 'external_reference_invalid',
        faults: ['rectifies.external.number external_reference_invalid'],
      });
    });
    test.each(['2025-02-30', '2025-2-1', '2999-01-01', ''])('nor is %j a day of issue', async (issued_on) => {
      const reply = await operations.validate(naming('A', issued_on));
      expect(reply).toMatchObject({
        status: 422,
        faults: ['rectifies.external.issued_on external_reference_invalid'],
      });
    });
    test('so are none, more than sixty, and blanks around it', async () => {
      for (const number of ['', ' A', 'A\u00a0', '\u{10780}'.repeat(61)]) {
        expect(await operations.validate(naming(number))).toMatchObject({
          code: 'external_reference_invalid',
        });
      }
    });
  });

  describe('a country of two letters that the agency does not know is insufficient_recipient_data everywhere', () => {
    const living = (country: string) => ({ ...ANA, address: { ...ANA.address, country } });
    const refusal = {
      status: 422,
      code: 'insufficient_recipient_data',
      faults: ['recipient.address.country insufficient_recipient_data'],
    };
    test.each(['ZZ', 'UK', 'EL', 'XI', 'XK', 'EU', 'QU', 'gp'])('%s', async (country) => {
      const complete = aCompleteInvoice({ recipient: living(country) });
      const ticket = aSimplifiedInvoice({ recipient: { name: 'Ana', address: { country } } });
      for (const body of [complete, ticket]) {
        expect(await operations.issue(body)).toMatchObject(refusal);
        expect(await operations.validate(body)).toMatchObject(refusal);
      }
    });
    test.each(['E', 'ESP', '34', 'É1'])('%s is not two letters: 400', async (country) => {
      const ticket = aSimplifiedInvoice({ recipient: { address: { country } } });
      expect(await operations.issue(ticket)).toMatchObject({
        ...{ status: 400, faults: ['recipient.address.country invalid_format'] },
      });
    });
    test('also of a restated address, whose identity is inherited', async () => {
      for (const original of [aCompleteInvoice(), aSimplifiedInvoice()]) {
        const { body } = await operations.issue(original);
        const rectifies = { invoice_id: body.id, method: 'substitution' };
        const moved = { ...original, rectifies, recipient: { address: { country: 'ZZ' } } };
        expect(await operations.issue(moved)).toMatchObject(refusal);
      }
    });
    test('the country of a tax id too, and the refusal names the one that is meant', async () => {
      const tax_id = { tax_id: 'AB123456', tax_id_type: 'passport', tax_id_country: 'UK' };
      const refused = await operations.issue(aCompleteInvoice({ recipient: { ...ANA, ...tax_id } }));
      expect(refused).toMatchObject({
        ...refusal,
        faults: ['recipient.tax_id_country insufficient_recipient_data'],
      });
      expect(refused.detail).toContain('send GB');
      expect(await operations.validateTaxId(tax_id)).toMatchObject({
        ...{ ...refusal, faults: ['tax_id_country insufficient_recipient_data'] },
      });
    });
    test('a draft may have it, and says so', async () => {
      const invoice = aSimplifiedInvoice({ recipient: { address: { country: 'ZZ' } } });
      const { status, body } = await operations.createDraft({ invoice });
      expect([status, body.errors]).toMatchObject([201, [{ code: 'insufficient_recipient_data' }]]);
    });
  });

  describe('text that no embedded font can draw is refused at issuing with the field’s name', () => {
    const address = { line1: 'Calle Mayor 1', postal_code: '28013', city: 'Madrid', country: 'ES' };
    test.each<[string, (text: string) => Record<string, unknown>]>([
      ['line_items[0].description', (text) => ({ line_items: [aLine({ description: text })] })],
      ['line_items[0].sku', (text) => ({ line_items: [aLine({ sku: text })] })],
      ['recipient.name', (name) => ({ recipient: { ...ANA, name } })],
      ['recipient.company_name', (company_name) => ({ recipient: { ...ANA, company_name } })],
      ['recipient.address.city', (city) => ({ recipient: { ...ANA, address: { ...address, city } } })],
      ['notes', (notes) => ({ notes })],
    ])('%s', async (field, holding) => {
      for (const text of ['Café 𝔏', 'ᚠᚢᚦ', 'a\ue000b', 'a\ufffdb', '𒀀']) {
        const refusal = { status: 400, code: 'invalid_request', faults: [`${field} unprintable_characters`] };
        expect(await operations.issue(aCompleteInvoice(holding(text))), text).toMatchObject(refusal);
        expect(await operations.validate(aCompleteInvoice(holding(text))), text).toMatchObject(refusal);
      }
    });

    test.each([
      'Łódź Ωμέγα Київ',
      'רחוב הרצל (תל אביב)',
      'شركة النور',
      'वेबसाइट डिज़ाइन',
      'บริการ',
      '请求书',
      'ご請求書',
      '청구서',
      'e\u0301n\u0303 ½ № €',
      '🍷 Vino ❤️ 👨‍👩‍👧',
    ])('%s is drawn', async (text) => {
      const lines = { line_items: [aLine({ description: text })], notes: text };
      expect(await operations.validate(aCompleteInvoice(lines))).toMatchObject({ status: 200 });
    });
  });

  test.each(['ñ', 'ı', 'ß', 'ſ', 'Ｆ', '\u212a', 'A\u0301'])(
    'the non-ASCII letters of the prefix %s are refused, not rewritten',
    async (prefix) => {
      expect(await operations.createSeries({ prefix: `W${prefix}`, type: 'standard' })).toMatchObject({
        status: 400,
        code: 'invalid_request',
        faults: ['prefix invalid_characters'],
      });
    },
  );

  describe('email takes internationalised domains', () => {
    const mailed = (email: string) => aSimplifiedInvoice({ recipient: { email } });
    test('as it was sent, found in both spellings of the domain and in any case', async () => {
      const name = `ana-${protocol}`.toLowerCase();
      const spellings = [`${name}@niño.example`, `${name}@xn--nio-8ma.example`];
      for (const email of spellings) {
        const { status, body } = await operations.issue(mailed(email));
        expect(status).toBe(201);
        expect((await service.call('GET', `/v1/invoices/${body.id}`)).body.email).toBe(email);
      }
      const addresses = [...spellings, `${name}@NIÑO.example`, `${name.toUpperCase()}@XN--NIO-8MA.EXAMPLE`];
      for (const email of addresses) {
        expect((await operations.invoices({ email })).body.data, email).toHaveLength(2);
      }
    });
    test.each(['ana@日本.jp', 'ana@correo.españa.es', 'ana@ÑANDÚ.es', 'ana@faß.de'])('%s', async (email) => {
      expect(await operations.validate(mailed(email))).toMatchObject({ status: 200 });
    });
    test.each([
      'ana@ñ',
      'ana@ñ..es',
      'ana@-ñ .es',
      'ana@ñ%2e.es',
      'josé@example.es',
      'ana@ñ/.es',
      '@ñ.es',
      'ñ.es',
    ])('but not %s', async (email) => {
      expect(await operations.validate(mailed(email))).toMatchObject({
        status: 400,
        faults: ['recipient.email invalid_format'],
      });
    });
    test(`of at most 254 characters as mail carries it`, async () => {
      const email = `${'a'.repeat(60)}@${'ñ'.repeat(50)}.${'ñ'.repeat(50)}.${'b'.repeat(63)}.${'c'.repeat(63)}.es`;
      expect(await operations.validate(mailed(email))).toMatchObject({
        status: 400,
        faults: ['recipient.email too_big'],
      });
    });
  });
});
