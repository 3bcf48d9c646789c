import type { IncomingHttpHeaders } from 'node:http';
import { GRAPHQL_LIMITS } from '../src/faces/graphql/limits.ts';
import { invalidField, Refusal } from '../src/ground/errors/refusal.ts';
import { bodyBounds } from './body-bounds.ts';
import { jsonRefusal } from './json-body.ts';
import { REQUEST_LIMITS } from './limits.ts';

/** The parameters of a request (GraphQL over HTTP, 5.1) and of documents by hash; null counts as absent. */
const TYPES = {
  query: 'string',
  operationName: 'string',
  documentId: 'string',
  doc_id: 'string',
  variables: 'object',
  extensions: 'object',
} as const;
type Parameters = { readonly [name in keyof typeof TYPES]?: unknown };

/** Why the query is not passed to a parser, or null: `invalid_request` with the parameter of a wrong type or length. */
function queryRefusal(request: Parameters): Refusal | null {
  for (const [name, type] of Object.entries(TYPES)) {
    const value = request[name as keyof Parameters] ?? null;
    if (value !== null && (typeof value !== type || Array.isArray(value)))
      return invalidField(name, 'invalid_type', `must be ${type === 'string' ? 'a string' : 'an object'}`);
  }
  return (
    tooLong('query', request.query, GRAPHQL_LIMITS.queryText.value) ??
    tooLong('operationName', request.operationName, REQUEST_LIMITS.operationName.value)
  );
}

function tooLong(field: string, text: unknown, limit: number): Refusal | null {
  const isTooLong = typeof text === 'string' && text.length * 3 > limit && Buffer.byteLength(text) > limit;
  return isTooLong ? invalidField(field, 'too_big', `must have at most ${limit} bytes`) : null;
}

/** The same for the parameters of a GET, read as Yoga does; two of them are JSON, within the bounds of a body. */
export function parametersRefusal(url: string): Refusal | null {
  const parameters = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const values: Record<string, unknown> = Object.fromEntries(
    Object.keys(TYPES).map((name) => [name, parameters.get(name)]),
  );
  for (const name of ['variables', 'extensions']) {
    const text = parameters.get(name) || null;
    if (text !== null && jsonRefusal(Buffer.from(text), bodyBounds('GET', undefined)) !== null)
      return invalidField(name, 'too_big', 'is nested too deep or has too many fields');
    try {
      values[name] = text === null ? null : JSON.parse(text);
    } catch {
      return invalidField(name, 'invalid_format', 'must be JSON');
    }
  }
  return queryRefusal(values);
}

/**
 * Has a caller answered in JSON who accepts nothing that an answer can be: Yoga would execute the query, and answer nothing.
 * GraphQL over HTTP (6.1) permits either.
 */
export function settleAccept(headers: IncomingHttpHeaders): void {
  if (headers.accept !== undefined && !headers.accept.split(',').some(isReadable)) {
    headers.accept = 'application/json';
  }
}

const READABLE = new Set([
  ...['application/json', 'application/graphql-response+json', 'application/*', '*/*'],
  ...['text/event-stream', 'text/*'],
]);

function isReadable(accepted: string): boolean {
  const [type = '', ...parameters] = accepted.replace(/\s/g, '').toLowerCase().split(';');
  const charset = parameters.find((parameter) => parameter.includes('charset='));
  return READABLE.has(type) && (charset === undefined || charset === 'charset=utf-8');
}

/** The same for a whole body, which is JSON of any shape: Yoga handles one only if it has content. */
export function bodyRefusal(body: unknown): Refusal | null {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject || Object.keys(body).length === 0) {
    return new Refusal('invalid_request', 'The body must be one object with a query.');
  }
  return queryRefusal(body);
}
