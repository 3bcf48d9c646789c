import type { IncomingHttpHeaders } from 'node:http';
import { invalidField, Refusal } from '../src/ground/errors/refusal.ts';
import { LIMITS } from '../src/ground/lib/limits.ts';
import { bodyBounds } from './body-bounds.ts';
import { jsonRefusal } from './json-body.ts';

/** Why the query is not passed to a parser, or null: `invalid_request` with the limit that it exceeds. */
function queryRefusal(request: {
  readonly query?: unknown;
  readonly operationName?: unknown;
}): Refusal | null {
  return (
    tooLong('query', request.query, LIMITS.queryText.value) ??
    tooLong('operationName', request.operationName, LIMITS.operationName.value)
  );
}

function tooLong(field: string, text: unknown, limit: number): Refusal | null {
  const isTooLong = typeof text === 'string' && text.length * 3 > limit && Buffer.byteLength(text) > limit;
  return isTooLong ? invalidField(field, 'too_big', `must have at most ${limit} bytes`) : null;
}

/** The same for the parameters of a GET, read as Yoga does; two of them are JSON, within the bounds of a body. */
export function parametersRefusal(url: string): Refusal | null {
  const parameters = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const refusal = queryRefusal(
    Object.fromEntries(['query', 'operationName'].map((name) => [name, parameters.get(name)])),
  );
  if (refusal !== null) return refusal;
  for (const name of ['variables', 'extensions']) {
    const text = parameters.get(name);
    if (text === null || text === '') continue;
    if (jsonRefusal(Buffer.from(text), bodyBounds('GET', undefined)) !== null)
      return invalidField(name, 'too_big', 'is nested too deep or has too many fields');
    if (!isJson(text)) return invalidField(name, 'invalid_format', 'must be JSON');
  }
  return null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
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
