import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { portalSessionRequest } from '../src/customers/portal-session-request.ts';
import { type Code, catalogue, codes } from '../src/errors/catalogue.ts';
import { invoiceRequest } from '../src/issuing/request.ts';
import { snakeCase } from '../src/lib/case.ts';
import { seriesRequest } from '../src/number-series/manage-series.ts';
import { taxIdRequest } from '../src/recipients/tax-id-request.ts';
import type { Services } from '../src/services.ts';
import { sendJson } from './operation.ts';
import * as answers from './response-schemas.ts';

type Json = Record<string, unknown>;

/** A request schema as JSON Schema with the names that REST gives its fields. */
function inSnakeCase(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inSnakeCase);
  if (node === null || typeof node !== 'object') return node;
  const result: Json = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties') {
      const properties = Object.entries(value as Json);
      result[key] = Object.fromEntries(
        properties.map(([name, schema]) => [snakeCase(name), inSnakeCase(schema)]),
      );
    } else if (key === 'required') result[key] = (value as string[]).map(snakeCase);
    else result[key] = inSnakeCase(value);
  }
  return result;
}

/** The schemas of a registry as components, their mutual references pointing there. */
function components(schemas: readonly z.ZodType[], io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>();
  const add = (schema: z.ZodType): void => {
    const id = z.globalRegistry.get(schema)?.id;
    if (id !== undefined) registry.add(schema, { id });
  };
  schemas.forEach(add);
  const { schemas: all } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
  });
  return Object.fromEntries(
    Object.entries(all).map(([id, schema]) => [id, without(schema as Json, '$schema', '$id', 'id')]),
  );
}

function without(object: Json, ...names: string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

const ref = (id: string): Json => ({ $ref: `#/components/schemas/${id}` });
const json = (id: string): Json => ({ content: { 'application/json': { schema: ref(id) } } });

/** The refusals of an operation: a response for each status, naming its codes. */
function refusals(...own: Code[]): Json {
  const byStatus = new Map<number, Code[]>();
  const always: Code[] = ['invalid_request', 'unauthorized', 'internal_error', 'service_unavailable'];
  for (const code of [...always, ...own]) {
    const { status } = catalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const sorted = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(
    sorted.map(([status, list]) => [
      String(status),
      { description: list.map((code) => `\`${code}\``).join(', '), ...json('Error') },
    ]),
  );
}

const query = (name: string, schema: Json, description = ''): Json => ({
  name,
  in: 'query',
  schema,
  description,
});
const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};
const paging = [
  query('limit', { type: 'integer', minimum: 1, maximum: 100, default: 25 }),
  query('starting_after', { type: 'string' }, 'Take it from `next_cursor`.'),
];

function operation(summary: string, parts: Json): Json {
  return { summary, ...parts };
}

/** What points at something new. */
const located = { headers: { Location: { schema: { type: 'string' } } } };

const unprocessable = codes.filter((code) => catalogue[code].status === 422);
const gates: Code[] = ['no_active_subscription', 'aeat_mandate_not_approved'];
const issuing: Code[] = [
  ...gates,
  'external_id_already_used',
  ...unprocessable,
  'tax_id_validation_unavailable',
];
const correcting: Code[] = ['invoice_pending_at_aeat', 'recipient_changed_during_validation'];

function paths(): Json {
  return {
    '/v1/invoices': {
      get: operation('List invoices, newest first', {
        parameters: [
          ...paging,
          query('external_customer_id', { type: 'string' }),
          query('email', { type: 'string' }, 'Exact, in any case.'),
          query('number', { type: 'string' }, 'Exact, in any case.'),
        ],
        responses: { 200: { description: 'A page', ...json('InvoicePage') }, ...refusals() },
      }),
      post: operation('Issue an invoice', {
        parameters: [keyHeader],
        requestBody: { required: true, ...json('InvoiceRequest') },
        responses: {
          201: {
            description: 'Issued',
            headers: {
              Location: { schema: { type: 'string' } },
              'Idempotent-Replayed': { schema: { type: 'string', enum: ['true'] } },
            },
            ...json('Invoice'),
          },
          ...refusals(...issuing, ...correcting, 'idempotency_conflict'),
        },
      }),
    },
    '/v1/invoices/validate': {
      post: operation('Check an invoice without issuing it', {
        requestBody: { required: true, ...json('InvoiceRequest') },
        responses: {
          200: { description: 'What it would be', ...json('ValidatedInvoice') },
          ...refusals(...issuing, ...correcting, 'rate_limited'),
        },
      }),
    },
    '/v1/invoices/{id}': {
      get: operation('Read an invoice', {
        parameters: [idParameter],
        responses: {
          200: { description: 'The invoice', ...json('Invoice') },
          ...refusals('invoice_not_found'),
        },
      }),
    },
    '/v1/invoices/{id}/download': {
      get: operation('Get a short-lived link to the PDF', {
        parameters: [idParameter],
        responses: {
          200: { description: 'The link', ...json('Download') },
          ...refusals('invoice_not_found'),
        },
      }),
    },
    '/v1/invoices/{id}/file': {
      get: operation('The PDF behind a signed link', {
        security: [],
        parameters: [idParameter, { ...query('token', { type: 'string' }), required: true }],
        responses: {
          200: { description: 'The PDF', content: { 'application/pdf': {} } },
          ...refusals('invoice_not_found', 'download_link_expired'),
        },
      }),
    },
    ...seriesPaths(),
    '/v1/customer_portal/sessions': {
      post: operation('Open the page of a customer', {
        requestBody: { required: true, ...json('CustomerPortalSessionRequest') },
        responses: {
          201: { description: 'The link to it', ...located, ...json('CustomerPortalSession') },
          ...refusals('customer_not_found', 'customer_ambiguous'),
        },
      }),
    },
    '/v1/tax_ids/validate': {
      post: operation('Check a tax id', {
        requestBody: { required: true, ...json('TaxIdRequest') },
        responses: {
          200: { description: 'What is known of it', ...json('TaxIdValidation') },
          ...refusals('tax_id_type_country_mismatch', 'rate_limited', 'tax_id_validation_unavailable'),
        },
      }),
    },
  };
}

function seriesPaths(): Json {
  return {
    '/v1/number_series': {
      get: operation('List number series, newest first', {
        parameters: [...paging, query('type', { type: 'string', enum: ['standard', 'rectifying'] })],
        responses: { 200: { description: 'A page', ...json('NumberSeriesPage') }, ...refusals() },
      }),
      post: operation('Create a number series', {
        parameters: [keyHeader],
        requestBody: { required: true, ...json('NumberSeriesRequest') },
        responses: {
          201: { description: 'Created', ...json('NumberSeries') },
          ...refusals(
            'number_series_prefix_taken',
            'number_series_numbering_collision',
            'idempotency_conflict',
          ),
        },
      }),
    },
    '/v1/number_series/{id}': {
      get: operation('Read a number series', {
        parameters: [idParameter],
        responses: {
          200: { description: 'The series', ...json('NumberSeries') },
          ...refusals('number_series_not_found'),
        },
      }),
      delete: operation('Delete a number series that was never used', {
        parameters: [idParameter],
        responses: {
          204: { description: 'Deleted' },
          ...refusals('number_series_not_found', 'number_series_in_use'),
        },
      }),
    },
  };
}

/** The OpenAPI document, from the schemas that validate requests and hold answers. */
export function openApiDocument(baseUrl: string): Json {
  const requests = components([invoiceRequest, seriesRequest, portalSessionRequest, taxIdRequest], 'input');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lacre',
      version: '1.0.0',
      description: 'Issues, corrects and reads invoices under Spain’s VERI*FACTU regime.',
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    paths: paths(),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: { ...(inSnakeCase(requests) as Json), ...components(Object.values(answers), 'output') },
    },
  };
}

/** GET /v1/openapi.json. */
export function openApiHandler(services: Services) {
  const document = openApiDocument(services.config.baseUrl);
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendJson(reply, 200, document);
}
