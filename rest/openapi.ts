import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { portalSessionRequest } from '../src/customers/portal-session-request.ts';
import { type Code, catalogue, codes, entryOf } from '../src/errors/catalogue.ts';
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

/** The schemas, with all that they refer to, as components. */
function components(schemas: readonly z.ZodType[], io: 'input' | 'output'): Json {
  const { schemas: all } = z.toJSONSchema(z.globalRegistry, { io, uri: place, unrepresentable: 'any' });
  const wanted: Json = {};
  const add = (id: string): void => {
    if (id in wanted) return;
    wanted[id] = without(all[id] as Json, '$schema', '$id', 'id');
    for (const [, other = ''] of JSON.stringify(all[id]).matchAll(REFERENCE)) add(other);
  };
  for (const schema of schemas) {
    const id = z.globalRegistry.get(schema)?.id;
    if (id !== undefined) add(id);
  }
  return wanted;
}

const place = (id: string): string => `#/components/schemas/${id}`;
const REFERENCE = /"\$ref":"#\/components\/schemas\/(\w+)"/g;

function without(object: Json, ...names: string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

const json = (id: string): Json => ({ content: { 'application/json': { schema: { $ref: place(id) } } } });

const anywhere: Code[] = ['invalid_request', 'internal_error', 'service_unavailable'];
const withBody: Code[] = ['payload_too_large', 'unsupported_media_type'];

/** The refusals of an operation: a response for each status, naming its codes. */
function responses(list: readonly Code[]): Json {
  const byStatus = new Map<number, Code[]>();
  for (const code of list) {
    const { status } = catalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const sorted = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(
    sorted.map(([status, ofStatus]) => {
      const waits = ofStatus.some((code) => entryOf(code).retryAfter !== undefined);
      const headers = waits ? { headers: { 'Retry-After': { schema: { type: 'integer' } } } } : {};
      const description = ofStatus.map((code) => `\`${code}\``).join(', ');
      return [String(status), { description, ...headers, ...json('Error') }];
    }),
  );
}

/** Those of an operation that needs a key. */
const refusals = (...own: Code[]): Json => responses([...anywhere, 'unauthorized', ...own]);

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
  // For generated clients: `Issue an invoice` is called `issueAnInvoice`.
  const operationId = summary
    .replace(/,.*/, '')
    .toLowerCase()
    .replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { operationId, summary, ...parts };
}

const text = { schema: { type: 'string' } };
/** What points at something new. */
const located = { headers: { Location: text } };
/** The same when it may be the answer to an earlier request. */
const issued = {
  headers: { Location: text, 'Idempotent-Replayed': { schema: { type: 'string', enum: ['true'] } } },
};
/** What is left of a key's requests. */
const allowance = { headers: { 'RateLimit-Policy': text, RateLimit: text } };

const unprocessable = codes.filter((code) => catalogue[code].status === 422);
const gates: Code[] = ['no_active_subscription', 'aeat_mandate_not_approved'];
const issuing: Code[] = [
  ...withBody,
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
          201: { description: 'Issued', ...issued, ...json('Invoice') },
          ...refusals(...issuing, ...correcting, 'idempotency_conflict'),
        },
      }),
    },
    '/v1/invoices/validate': {
      post: operation('Check an invoice without issuing it', {
        requestBody: { required: true, ...json('InvoiceRequest') },
        responses: {
          200: { description: 'What it would be', ...allowance, ...json('ValidatedInvoice') },
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
          ...responses([...anywhere, 'invoice_not_found', 'download_link_expired']),
        },
      }),
    },
    ...seriesPaths(),
    '/v1/customer_portal/sessions': {
      post: operation('Open the page of a customer', {
        requestBody: { required: true, ...json('CustomerPortalSessionRequest') },
        responses: {
          201: { description: 'The link to it', ...located, ...json('CustomerPortalSession') },
          ...refusals(...withBody, 'customer_not_found', 'customer_ambiguous'),
        },
      }),
    },
    '/v1/tax_ids/validate': {
      post: operation('Check a tax id', {
        requestBody: { required: true, ...json('TaxIdRequest') },
        responses: {
          200: { description: 'What is known of it', ...allowance, ...json('TaxIdValidation') },
          ...refusals(
            ...withBody,
            'tax_id_type_country_mismatch',
            'rate_limited',
            'tax_id_validation_unavailable',
          ),
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
          201: { description: 'Created', ...issued, ...json('NumberSeries') },
          ...refusals(
            ...withBody,
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
