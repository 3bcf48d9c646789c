import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tooManyGroups } from '../../src/faces/graphql/schema/invoice-totals.ts';
import { inSpanish } from '../../src/ground/errors/in-spanish.ts';
import { Refusal } from '../../src/ground/errors/refusal.ts';
import { OTHER_ORDER, TOO_MANY } from '../../src/subjects/invoices/totals.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

const SPANISH = { 'accept-language': 'es-ES,es;q=0.9,en;q=0.5' };

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const issue = (body: object, headers: Record<string, string> = {}) =>
  service.call('POST', '/v1/invoices', { body, headers });
const withoutTexts = ({ body }: { body: { errors: { field: string; code: string }[]; code: string } }) => ({
  code: body.code,
  errors: body.errors.map(({ field, code }) => ({ field, code })),
});

describe('a refusal', () => {
  test('is English unless the request prefers Spanish, and has the same code and fields in both', async () => {
    const body = { ...aCompleteInvoice(), line_items: [aLine({ description: '' })], iban: 'x' };
    const english = await issue(body, { 'accept-language': 'fr, en;q=0.5, es;q=0.4' });
    const spanish = await issue(body, SPANISH);
    expect(withoutTexts(spanish)).toEqual(withoutTexts(english));
    expect((await issue(body)).body).toEqual(english.body);
    expect(english.headers.get('content-language')).toBeNull();
    expect(spanish.headers.get('content-language')).toBe('es');
    expect(english.body.errors[0].message).toBe('must not be empty');
    expect(spanish.body.errors[0].message).toBe('no puede estar vacío');
    expect(spanish.body.detail).toBe('line_items[0].description no puede estar vacío.');
  });

  test('of a rule is said in Spanish with what it is about, or by what its code means', async () => {
    const nif = aCompleteInvoice();
    const malformed = await issue({ ...nif, recipient: { ...nif.recipient, tax_id: '12345678A' } }, SPANISH);
    expect(malformed.body).toMatchObject({
      code: 'invalid_tax_id',
      detail: expect.stringMatching(/^La identificación fiscal 12345678A del destinatario/),
      errors: [{ field: 'recipient.tax_id', message: expect.stringMatching(/letra de control/) }],
    });
    const odd = aSimplifiedInvoice({ line_items: [aLine({ tax_items: [{ type: 'vat', rate: 22 }] })] });
    expect((await issue(odd, SPANISH)).body.detail).toMatch(/^Línea 1: vat admite .+ el 20\d\d-/);
    const { body } = await service.call('GET', '/v1/invoices/inv_none', { headers: SPANISH });
    expect(body.detail).toBe('En el entorno de la clave no hay ninguna factura con ese identificador.');
    const anonymous = await service.call('GET', '/v1/invoices', { key: 'sk_test_x', headers: SPANISH });
    expect(anonymous.body.detail).toMatch(/^La clave de la API/);
  });

  test('and a warning are Spanish over GraphQL too, of a document, of a field and of what is likely wrong', async () => {
    const ask = async (query: string, variables: object) => {
      const { body } = await service.call('POST', '/graphql', {
        body: { query, variables },
        headers: SPANISH,
      });
      return body;
    };
    const unknown = await ask('query ($id: ID!) { invoice(id: $id) { id } event(id: $id) { id } }', {
      id: 'evt_0',
    });
    expect(unknown.errors?.[0]).toMatchObject({ extensions: { status: 404 } });
    expect(unknown.errors?.[0].message).toMatch(/^En el entorno de la clave/);
    const issueOf = 'mutation ($input: IssueInvoiceInput!) { issueInvoice(input: $input) { id } }';
    const refused = await ask(issueOf, { input: { type: 'complete', lineItems: [] } });
    expect(refused.errors[0].extensions.errors).toContainEqual({
      ...{ field: 'input.recipient', code: 'required' },
      message: 'es obligatorio en una factura completa',
    });
    const validate =
      'query ($input: IssueInvoiceInput!) { validateInvoice(input: $input) { warnings { message } } }';
    const ticket = {
      description: 'Mesa',
      quantity: 1,
      unitAmount: 50_000,
      taxItems: [{ type: 'vat', rate: 21 }],
    };
    const { data } = await ask(validate, { input: { type: 'simplified', lineItems: [ticket] } });
    expect(data.validateInvoice.warnings[0].message).toMatch(/^una factura simplificada de 605\.00 EUR/);
  });

  test.each([
    ['first: 1', 'sin groupBy no los hay'],
    ['groupBy: [KIND], after: "x"', 'otra agrupación'],
  ])('and of totals (%s)', async (fieldArguments, said) => {
    const query = `{ invoiceTotals(${fieldArguments}) { count } }`;
    const { body } = await service.call('POST', '/graphql', { body: { query }, headers: SPANISH });
    expect(body.errors[0].message).toContain(said);
  });

  test('and of too many groups, and of totals that take too long', () => {
    const refused = (detail: string) => inSpanish(new Refusal('invalid_request', detail)).detail;
    expect(refused(tooManyGroups().detail)).toMatch(/^Hay más de 1000 grupos\. Pídalos por páginas/);
    expect(refused(OTHER_ORDER)).toMatch(/Ponga `RECIPIENT` en primer lugar/);
    expect(refused(TOO_MANY)).toMatch(/se suman factura a factura/);
  });
});
