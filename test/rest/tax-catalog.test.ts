import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

let service: TestService;
let operator: string;
beforeAll(async () => {
  service = await testService();
  operator = (await createOperatorKey(service.db.pool, 'test')).key;
});
afterAll(() => service.close());

const SET = `mutation ($input: TaxCatalogRowInput!) { setTaxCatalogRow(input: $input) { regimeKey legalMention } }`;
const REMOVE = `mutation ($company: ID!) {
  removeTaxCatalogRow(companyId: $company, taxType: es_exempt, reason: "no longer sold") { taxType } }`;

const vat = (parts: object = {}) => ({
  companyId: service.company.companyId,
  taxType: 'vat',
  agencyTax: 'vat',
  regimeKey: '07',
  operationClass: 'S1',
  label: 'IVA',
  legalMention: 'Régimen especial del criterio de caja',
  reason: 'cash accounting from today',
  ...parts,
});

test('an operator’s classification counts from the next invoice on', async () => {
  const set = await service.graphql(SET, { input: vat() }, { key: operator });
  expect(set.body.data).toEqual({
    setTaxCatalogRow: { regimeKey: '07', legalMention: 'Régimen especial del criterio de caja' },
  });
  const { body } = await service.call('POST', '/v1/invoices', { body: aCompleteInvoice() });
  const read = await service.graphql('query ($id: ID!) { invoice(id: $id) { records { xml } } }', {
    id: body.id,
  });
  expect(read.body.data.invoice.records[0].xml).toContain('<sf:ClaveRegimen>07</sf:ClaveRegimen>');
});

test('what the agency would reject is refused, field by field', async () => {
  const { body } = await service.graphql(SET, { input: vat({ regimeKey: '02' }) }, { key: operator });
  expect(body.errors[0].extensions.code).toBe('invalid_request');
  expect(body.errors[0].extensions.errors.length).toBeGreaterThan(0);
});

test('a type without a row cannot be invoiced', async () => {
  await service.graphql(REMOVE, { company: service.company.companyId }, { key: operator });
  const line_items = [aLine({ tax_items: [{ type: 'es_exempt' }] })];
  const { body } = await service.call('POST', '/v1/invoices', { body: aCompleteInvoice({ line_items }) });
  expect(body.code).toBe('invalid_tax_data');
});

test('a merchant’s key cannot edit', async () => {
  const { body } = await service.graphql(SET, { input: vat() });
  expect(body.errors[0].extensions.code).toBe('forbidden');
});

test('who changed what, and why, is in the log', async () => {
  const { body } = await service.graphql(
    '{ auditLog(first: 10) { edges { node { action reason } } } }',
    {},
    { key: operator },
  );
  const acts = body.data.auditLog.edges.map(({ node }: { node: object }) => node);
  expect(acts).toContainEqual({ action: 'set_tax_catalog_row', reason: 'cash accounting from today' });
});
