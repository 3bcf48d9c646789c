import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CONTRACT } from '../../rest/contract/all.ts';
import { eventsByType } from '../../rest/event-schemas.ts';
import { ENUMERATIONS } from '../../rest/openapi/enumerations.ts';
import { ALSO_CORRECTED, CORRECTED } from '../../rest/openapi/examples.ts';
import { TICKET } from '../../rest/openapi/exchange-examples.ts';
import { FIELDS } from '../../rest/openapi/fields.ts';
import * as answers from '../../rest/response-schemas.ts';
import { allowedMethods } from '../../rest/router.ts';
import { catalogue, codes } from '../../src/ground/errors/catalogue.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { document, operations } from '../support/http/openapi.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { aSale, aShop, type Shop } from '../support/pages/portal.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

test('is what /v1/openapi.json serves, without a key', async () => {
  const { status, body } = await service.call('GET', '/v1/openapi.json', { key: null });
  expect(status).toBe(200);
  expect(body).toEqual(JSON.parse(JSON.stringify(document)));
  expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Lacre', version: '1.0.0' } });
});

test('describes every endpoint under /v1, and no other', () => {
  const paths = [...operations.keys()].map((name) => name.replace(/\{(\w+)\}/g, ':$1'));
  const router = readFileSync(new URL('../../rest/router.ts', import.meta.url), 'utf8');
  const beside = [...router.matchAll(/\['\w+', '(\/v1\/[^']+)'/g)].map(([, path]) => path);
  expect(beside).toEqual(['/v1/openapi.json']);
  expect(paths.length).toBeGreaterThan(40);
  for (const path of paths) expect(allowedMethods(path.split(' ')[1]!), path).toContain(path.split(' ')[0]);
});

test('every reference in it resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to!);
  expect(references.length).toBeGreaterThan(20);
  for (const reference of new Set(references)) {
    expect(reference).toMatch(/^#\/components\/(schemas|headers|parameters|responses)\/\w+$/);
    const found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], document);
    expect(found, reference).toBeTypeOf('object');
  }
});

/** What JSON Schema and OpenAPI 3.1 know; anything else in a schema would be a slip of ours. */
const KEYWORDS =
  /^(type|properties|required|additionalProperties|items|enum|const|anyOf|oneOf|allOf|\$ref|description|format|pattern|minimum|maximum|exclusiveMinimum|exclusiveMaximum|minLength|maxLength|minItems|maxItems|default|propertyNames|minProperties|maxProperties)$/;

test('its schemas are not empty, and use keywords of JSON Schema', () => {
  const { schemas } = document['components'] as { schemas: Record<string, Record<string, unknown>> };
  const inspect = (schema: Record<string, unknown>, where: string): void => {
    expect(Object.keys(schema).length, where).toBeGreaterThan(0);
    for (const [keyword, value] of Object.entries(schema)) {
      expect(keyword, where).toMatch(KEYWORDS);
      if (keyword === 'properties') {
        for (const [name, property] of Object.entries(value as object)) inspect(property, `${where}.${name}`);
      } else if (keyword === 'items') inspect(value as Record<string, unknown>, `${where}[]`);
      else if (/^(any|one|all)Of$/.test(keyword)) {
        for (const choice of value as Record<string, unknown>[]) inspect(choice, `${where}|`);
      }
    }
    const { required = [], properties = {} } = schema as { required?: string[]; properties?: object };
    expect(Object.keys(properties), where).toEqual(expect.arrayContaining(required));
  };
  for (const [name, schema] of Object.entries(schemas)) inspect(schema, name);
  expect(schemas['InvoiceRequest']).toMatchObject({
    properties: { line_items: { maxItems: 500, items: { $ref: '#/components/schemas/LineItemInput' } } },
    additionalProperties: false,
  });
  expect(schemas['LineItemInput']).toMatchObject({
    properties: {
      unit_amount: { anyOf: [{ minimum: -99_999_999_999, maximum: 99_999_999_999 }, { type: 'null' }] },
    },
    required: ['description', 'tax_items'],
  });
});

/** What changes or makes something, but for what is said whole by its path. */
const takesBody = (name: string): boolean =>
  /^(POST|PUT|PATCH)/.test(name) && !/\/(ping|redeliver|issue|pause|resume|end)$/.test(name);

describe.each([...operations])('%s', (name, operation) => {
  test('declares its parameters, its body and the answers of its kind', () => {
    const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(declared.map((parameter) => parameter.name)).toEqual(inPath);
    for (const parameter of declared) expect(parameter.required).toBe(true);
    expect(operation.requestBody !== undefined).toBe(takesBody(name));
    const statuses = Object.keys(operation.responses).map(Number);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    // Files of many invoices are made while they are sent, so they have no tag to compare.
    const isStreamed = name.endsWith('/file') && !name.includes('{');
    expect(statuses.includes(304)).toBe(name.startsWith('GET') && !isStreamed);
    expect(statuses).toEqual(expect.arrayContaining([400, 500, 503]));
    expect(statuses.includes(401)).toBe(operation.security === undefined);
    // A body that is not wanted is looked at all the same.
    expect(statuses.includes(413)).toBe(!name.startsWith('GET'));
  });

  test('names under each status the codes of that status', () => {
    for (const [status, { description, headers = {} }] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const named = description.split(', ').map((code) => code.replaceAll('`', ''));
      for (const code of named) {
        expect(codes).toContain(code);
        expect(catalogue[code as keyof typeof catalogue].status).toBe(Number(status));
      }
      expect('Retry-After' in headers).toBe(['429', '503'].includes(status));
    }
  });
});

const OPERATIONS = [
  'advanceTestClock: POST /v1/test_clock',
  'createAccessToken: POST /v1/access_tokens',
  'createApiKey: POST /v1/api_keys',
  'createCustomerPortalSession: POST /v1/customer_portal/sessions',
  'createInvoice: POST /v1/invoices',
  'createInvoiceBatch: POST /v1/invoice_batches',
  'createInvoiceDownload: GET /v1/invoices/{id}/download',
  'createInvoiceDraft: POST /v1/invoice_drafts',
  'createInvoiceSchedule: POST /v1/invoice_schedules',
  'createNumberSeries: POST /v1/number_series',
  'createRegisterBook: POST /v1/register_books',
  'createWebhookEndpoint: POST /v1/webhook_endpoints',
  'deleteCustomer: DELETE /v1/customers/{external_customer_id}',
  'deleteInvoiceDraft: DELETE /v1/invoice_drafts/{id}',
  'deleteNumberSeries: DELETE /v1/number_series/{id}',
  'deleteWebhookEndpoint: DELETE /v1/webhook_endpoints/{id}',
  'downloadCompanyExport: GET /v1/companies/export/file',
  'downloadInvoiceExport: GET /v1/invoices/export/file',
  'downloadInvoiceFile: GET /v1/invoices/{id}/file',
  'downloadInvoiceFormat: GET /v1/invoices/{id}/formats/{format}',
  'downloadRegisterBook: GET /v1/register_books/file',
  'endInvoiceSchedule: POST /v1/invoice_schedules/{id}/end',
  'exchangeInvoices: POST /v1/exchanges',
  'exportInvoices: GET /v1/invoices/export',
  'issueInvoiceDraft: POST /v1/invoice_drafts/{id}/issue',
  'listApiKeys: GET /v1/api_keys',
  'listBusinessStatuses: GET /v1/invoices/{id}/business_statuses',
  'listCustomers: GET /v1/customers',
  'listEvents: GET /v1/events',
  'listInvoiceBatchResults: GET /v1/invoice_batches/{id}/results',
  'listInvoiceBatches: GET /v1/invoice_batches',
  'listInvoiceDrafts: GET /v1/invoice_drafts',
  'listInvoiceEmails: GET /v1/invoices/{id}/emails',
  'listInvoiceSchedules: GET /v1/invoice_schedules',
  'listInvoices: GET /v1/invoices',
  'listNumberSeries: GET /v1/number_series',
  'listPayments: GET /v1/invoices/{id}/payments',
  'listRecipientStatuses: GET /v1/invoices/{id}/recipient_statuses',
  'listTaxTypes: GET /v1/tax_types',
  'listWebhookDeliveries: GET /v1/webhook_endpoints/{id}/deliveries',
  'listWebhookEndpoints: GET /v1/webhook_endpoints',
  'pauseInvoiceSchedule: POST /v1/invoice_schedules/{id}/pause',
  'pingWebhookEndpoint: POST /v1/webhook_endpoints/{id}/ping',
  'recordPayment: POST /v1/invoices/{id}/payments',
  'recordRecipientStatus: POST /v1/invoices/{id}/recipient_statuses',
  'redeliverWebhook: POST /v1/webhook_deliveries/{id}/redeliver',
  'removePayment: DELETE /v1/invoices/{id}/payments/{payment_id}',
  'removeTestClock: DELETE /v1/test_clock',
  'replaceExchange: POST /v1/exchanges/{id}/replacement',
  'replayWebhookEvents: POST /v1/webhook_endpoints/{id}/replay',
  'resumeInvoiceSchedule: POST /v1/invoice_schedules/{id}/resume',
  'retrieveBranding: GET /v1/branding',
  'retrieveCustomer: GET /v1/customers/{external_customer_id}',
  'retrieveEmailSettings: GET /v1/email_settings',
  'retrieveEvent: GET /v1/events/{id}',
  'retrieveInvoice: GET /v1/invoices/{id}',
  'retrieveInvoiceBatch: GET /v1/invoice_batches/{id}',
  'retrieveInvoiceDraft: GET /v1/invoice_drafts/{id}',
  'retrieveInvoiceSchedule: GET /v1/invoice_schedules/{id}',
  'retrieveNumberSeries: GET /v1/number_series/{id}',
  'retrievePayment: GET /v1/invoices/{id}/payments/{payment_id}',
  'retrieveTestClock: GET /v1/test_clock',
  'retrieveWebhookEndpoint: GET /v1/webhook_endpoints/{id}',
  'returnOnExchange: POST /v1/exchanges/{id}/returns',
  'revokeApiKey: DELETE /v1/api_keys/{id}',
  'rotateWebhookSecret: POST /v1/webhook_endpoints/{id}/rotate_secret',
  'saveCustomer: PUT /v1/customers/{external_customer_id}',
  'sendInvoice: POST /v1/invoices/{id}/send',
  'updateBranding: PATCH /v1/branding',
  'updateEmailSettings: PATCH /v1/email_settings',
  'updateInvoice: PATCH /v1/invoices/{id}',
  'updateInvoiceDraft: PATCH /v1/invoice_drafts/{id}',
  'updateInvoiceSchedule: PATCH /v1/invoice_schedules/{id}',
  'updateWebhookEndpoint: PATCH /v1/webhook_endpoints/{id}',
  'validateInvoice: POST /v1/invoices/validate',
  'validateTaxId: POST /v1/tax_ids/validate',
  'voidInvoice: POST /v1/invoices/{id}/void',
];

test('operations are named by a verb and a noun', () => {
  const names = [...operations].map(([name, { operationId }]) => `${operationId}: ${name}`);
  expect(names.sort()).toEqual(OPERATIONS);
});

test('an enumeration is listed once, under a name of its own', () => {
  const { schemas } = document['components'] as { schemas: Record<string, object> };
  for (const [name, { isOpen, isSent, values }] of Object.entries(ENUMERATIONS)) {
    const known = isOpen && isSent ? { $ref: `#/components/schemas/${name}Input` } : { enum: values };
    const list = isSent && isOpen ? schemas[`${name}Input`] : schemas[name];
    if (isSent) expect(list, name).toMatchObject({ type: 'string', enum: values });
    if (isOpen) expect(schemas[name], name).toMatchObject({ anyOf: [known, { type: 'string' }] });
  }
  const listed = JSON.stringify(document).match(/"enum":/g);
  expect(listed).toHaveLength(Object.keys(ENUMERATIONS).length);
});

test('the codes of errors are one enumeration, which may grow', () => {
  const { schemas } = document['components'] as { schemas: Record<string, Record<string, unknown>> };
  expect(schemas['ErrorCode']).toMatchObject({ anyOf: [{ enum: codes }, { type: 'string' }] });
  expect(schemas['Error']).toMatchObject({
    properties: { code: { $ref: '#/components/schemas/ErrorCode' } },
  });
});

test('answers may get further fields, and requests may not', () => {
  const { schemas } = document['components'] as { schemas: Record<string, object> };
  expect(schemas['Invoice']).not.toHaveProperty('additionalProperties');
  expect(schemas['Error']).not.toHaveProperty('additionalProperties');
  expect(schemas['InvoiceRequest']).toMatchObject({ additionalProperties: false });
});

test('no example carries an Idempotency-Key', () => {
  const parameters = [...operations.values()].flatMap(({ parameters = [] }) => parameters);
  const keys = parameters.filter(({ name }) => name === 'Idempotency-Key');
  expect(keys.length).toBeGreaterThan(5);
  for (const parameter of keys) {
    expect(Object.keys(parameter)).not.toContain('example');
    expect(Object.keys(parameter.schema ?? {})).not.toContain('default');
  }
});

/** Of requests that reach no operation, and of what only GraphQL offers. */
const ELSEWHERE = ['approval_required', 'method_not_allowed', 'nif_already_used', 'token_expired'];

test('every other code stands in it', () => {
  const text = JSON.stringify(document);
  const missing = codes.filter((code) => !text.includes(`\`${code}\``));
  expect(missing.sort()).toEqual([...ELSEWHERE].sort());
});

type Schema = {
  properties?: Record<string, Schema & { description?: string }>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
};

type Field = { readonly place: string; readonly description: string | undefined };

/** The fields in a schema, with the paths by which the tables of descriptions name them. */
function fieldsOf({ properties = {}, items, anyOf = [], allOf = [] }: Schema, path: string): Field[] {
  const several = anyOf.filter((choice) => choice.properties !== undefined).length > 1;
  return [
    ...(items === undefined ? [] : fieldsOf(items, path)),
    ...allOf.flatMap((part) => fieldsOf(part, path)),
    ...anyOf.flatMap((choice, index) => fieldsOf(choice, several ? `${path}.${index}` : path)),
    ...Object.entries(properties).flatMap(([name, field]) => [
      { place: `${path} ${name}`, description: field.description },
      ...fieldsOf(field, `${path}.${name}`),
    ]),
  ];
}

test('every field is described, and every description of the tables belongs to a field', () => {
  const { schemas } = document['components'] as { schemas: Record<string, Schema> };
  const fields = Object.entries(schemas).flatMap(([name, schema]) => fieldsOf(schema, name));
  const documented = Object.entries(FIELDS).flatMap(([path, names]) =>
    Object.keys(names).map((name) => `${path} ${name}`),
  );
  expect(fields.length).toBeGreaterThan(100);
  expect(fields.filter(({ description }) => !description).map(({ place }) => place)).toEqual([]);
  expect(fields.map(({ place }) => place)).toEqual(expect.arrayContaining(documented));
});

test('every operation is described, in a group, and its parameters too', () => {
  const tags = (document['tags'] as { name: string }[]).map(({ name }) => name);
  for (const [name, { description, tags: [tag] = [], parameters = [] }] of operations) {
    expect(description, name).toMatch(/\.$/);
    expect(tags, name).toContain(tag);
    for (const parameter of parameters)
      expect(parameter.description, `${name} ${parameter.name}`).not.toBe('');
  }
});

test('every request and response body has an example', () => {
  for (const [name, { requestBody, responses }] of operations) {
    const bodies = [requestBody, ...Object.values(responses)].flatMap((part) =>
      part?.content === undefined ? [] : Object.entries(part.content),
    );
    for (const [type, { example, examples }] of bodies) {
      if (type !== 'application/json') continue;
      expect(example !== undefined || Object.keys(examples ?? {}).length > 0, name).toBe(true);
    }
  }
});

/** The one status of success that the operation names. */
const successOf = (name: string): number =>
  Number(Object.keys(operations.get(name)!.responses).find((status) => Number(status) < 300));

/** The id of something that the path may be about. */
async function anotherOf(path: string, ticketId: string): Promise<string> {
  if (path.startsWith('/v1/exchanges/')) {
    const body = { ticket_ids: [ticketId], recipient: aCompleteInvoice().recipient };
    return (await service.call('POST', '/v1/exchanges', { body })).body.id;
  }
  if (path.startsWith('/v1/invoice_schedules/')) {
    const body = { invoice: aSimplifiedInvoice(), frequency: 'monthly', starts_on: '2199-01-31' };
    return (await service.call('POST', '/v1/invoice_schedules', { body })).body.id;
  }
  if (!path.startsWith('/v1/invoice_drafts/')) return anEndpoint();
  return (await service.call('POST', '/v1/invoice_drafts', { body: { invoice: {} } })).body.id;
}

async function anEndpoint(): Promise<string> {
  const [own] = (await service.call('GET', '/v1/webhook_endpoints')).body.data;
  if (own !== undefined) return own.id;
  const body = { url: 'http://localhost:9/', event_types: ['ping'] };
  return (await service.call('POST', '/v1/webhook_endpoints', { body })).body.id;
}

describe('what is shown as sent', () => {
  const bodies = [...operations].flatMap(([name, { requestBody }]) => {
    const shown = requestBody?.content?.['application/json']?.examples ?? {};
    return Object.entries(shown).map(([example, { value }]) => [name, example, value] as const);
  });

  let shop: Shop;
  beforeAll(async () => {
    shop = await aShop(service);
    await aSale(service, shop, 'customer-1');
  });

  test.each(bodies)('%s, %s: is taken', async (name, _example, value) => {
    const [method = '', path = ''] = name.split(' ');
    // On a day that is not after those of the examples.
    const sold = aCompleteInvoice({ operation_date: '2026-11-20' });
    const { body: original } = await service.call('POST', '/v1/invoices', { body: sold });
    // What the examples name has other ids here.
    const { body: ticket } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    const { body: second } = await service.call('POST', '/v1/invoices', { body: sold });
    const named = { [CORRECTED]: original.id, [ALSO_CORRECTED]: second.id, [TICKET]: ticket.id };
    const text = Object.entries(named).reduce(
      (now, [id, own]) => now.replaceAll(id, own),
      JSON.stringify(value),
    );
    const body = JSON.parse(text);
    if (path.includes('portal')) body.integration_id = shop.id;
    // One that was issued elsewhere is replaced once only.
    if (body.rectifies?.external) body.rectifies.external.number += path;
    const id = path.startsWith('/v1/invoices/') ? original.id : await anotherOf(path, ticket.id);
    const at = path.replace('{id}', id);
    const { status, body: answer } = await service.call(method, at, { body });
    expect({ status, answer }).toMatchObject({ status: successOf(name) });
  });
});

describe('what is shown as answered', () => {
  const shown = [...operations].flatMap(([name, { responses }]) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) => {
      const { example, examples = {} } = content['application/json'] ?? {};
      const values = example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
      const schema = content['application/json']?.schema?.$ref?.split('/').at(-1);
      return values.map((value) => ({ what: `${name} ${status}`, schema, value }));
    }),
  );

  test('is what the schemas declare', () => {
    const byId = new Map(
      [
        ...Object.values(answers),
        ...eventsByType.values(),
        ...CONTRACT.flatMap(({ answer }) => answer.schema ?? []),
      ].map((schema) => [z.globalRegistry.get(schema)?.id, schema]),
    );
    expect(shown.length).toBeGreaterThan(100);
    for (const { what, schema, value } of shown) {
      expect(byId.get(schema)?.safeParse(value).error?.issues ?? [], what).toEqual([]);
    }
  });
});
