import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '1000' });
});
afterAll(() => service.close());

type Treatment = { regime_key: string; operation_class: string; exemption: string; is_default: boolean };
type Tax = { type: string; rates: number[] | null; surcharges?: object; treatments: Treatment[] };

test('lists what lines may say of each tax type, with one default', async () => {
  const { status, body } = await service.call('GET', '/v1/tax_types');
  expect(status).toBe(200);
  const of = (type: string) => body.data.find((tax: Tax) => tax.type === type) as Tax;
  expect(body.data).toHaveLength(13);
  expect(of('vat')).toMatchObject({ rates: [0, 4, 10, 21], surcharges: { 21: 5.2, 10: 1.4, 4: 0.5 } });
  expect(of('vat').treatments.map(({ regime_key }) => regime_key)).toEqual(
    ...[['01', '07', '11', '15', '18', '19', '20']],
  );
  expect(of('es_recargo_equivalencia').rates).toEqual([0.5, 1.4, 5.2]);
  expect(of('export')).toMatchObject({ rates: [] });
  expect(of('export')).not.toHaveProperty('surcharges');
  expect(of('eu_oss').rates).toBeNull();
  expect(of('other').treatments).toEqual([
    { regime_key: null, operation_class: 'S1', exemption: null, is_default: true },
  ]);
  for (const { type, treatments } of body.data as Tax[])
    expect(
      treatments.filter((one) => one.is_default),
      type,
    ).toHaveLength(1);
});

test('what is listed is taken of a line', async () => {
  const { body } = await service.call('GET', '/v1/tax_types');
  const exempt = body.data.find((tax: Tax) => tax.type === 'es_exempt') as Tax;
  expect(exempt.treatments.length).toBeGreaterThan(5);
  for (const { is_default: _, ...said } of exempt.treatments) {
    const sent = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
    const line = aLine({ tax_items: [{ type: 'es_exempt', ...sent }] });
    const answer = await service.call('POST', '/v1/invoices/validate', {
      body: aCompleteInvoice({ line_items: [line] }),
    });
    expect(answer.status, JSON.stringify([said, answer.body])).toBe(200);
  }
});

test('a merchant’s key reads the catalog of its own company, and no other', async () => {
  const own = await service.graphql('{ taxCatalog { id taxType } }');
  expect(own.body.data.taxCatalog).toHaveLength(13);
  const { id, taxType } = own.body.data.taxCatalog[0];
  const found = await service.graphql(
    'query ($id: ID!) { node(id: $id) { ... on TaxCatalogRow { taxType } } }',
    {
      id,
    },
  );
  expect(found.body.data.node).toEqual({ taxType });
  const foreign = await service.graphql('{ taxCatalog(companyId: "co_00") { id } }');
  expect(foreign.body.errors[0].extensions.code).toBe('forbidden');
});

test('the branding of the key’s environment is read and changed', async () => {
  const before = await service.call('GET', '/v1/branding');
  expect(before).toMatchObject({ status: 200, body: { language: 'es', accent_colour: null, logo: null } });
  const changed = await service.call('PATCH', '/v1/branding', {
    body: { accent_colour: '#ff0000', language: 'ca' },
  });
  expect(changed).toMatchObject({ status: 200, body: { language: 'ca', accent_colour: '#FF0000' } });
  const live = await service.call('GET', '/v1/branding', { key: service.company.live.key });
  expect(live.body).toMatchObject({ language: 'es', accent_colour: null });
  const wrong = await service.call('PATCH', '/v1/branding', { body: { accent_colour: 'red' } });
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ field: 'accent_colour' }] } });
});

test('a register book is a link that needs no key', async () => {
  const body = { from: '2026-10-01', to: '2026-10-31', format: 'csv' };
  const { status, headers, body: link } = await service.call('POST', '/v1/register_books', { body });
  expect([status, headers.get('location')]).toEqual([201, link.url]);
  expect(Object.keys(link).sort()).toEqual(['expires_at', 'url']);
  const { pathname, search } = new URL(link.url);
  expect((await service.server.inject({ method: 'GET', url: pathname + search })).statusCode).toBe(200);
  const late = await service.call('POST', '/v1/register_books', { body: { ...body, to: '2026-09-01' } });
  expect(late).toMatchObject({ status: 400, body: { errors: [{ field: 'to' }] } });
  const odd = await service.call('POST', '/v1/register_books', { body: { ...body, format: 'pdf' } });
  expect(odd).toMatchObject({ status: 400, body: { errors: [{ field: 'format' }] } });
});
