import { invalidField, Refusal } from '../src/ground/errors/refusal.ts';
import { LIMITS } from '../src/ground/lib/limits.ts';

/** Why the query is not passed to a parser, or null: `invalid_request` with the limit that it exceeds. */
export function queryRefusal(request: {
  readonly query?: unknown;
  readonly operationName?: unknown;
}): Refusal | null {
  return (
    tooLong('query', request.query, LIMITS.queryText.value) ??
    tooLong('operationName', request.operationName, LIMITS.operationName.value)
  );
}

function tooLong(field: string, text: unknown, limit: number): Refusal | null {
  // A repeated parameter is a list, which Yoga handles.
  const isTooLong = typeof text === 'string' && text.length * 3 > limit && Buffer.byteLength(text) > limit;
  return isTooLong ? invalidField(field, 'too_big', `must have at most ${limit} bytes`) : null;
}

/** The same for a whole body, which is JSON of any shape: Yoga handles one only if it has content. */
export function bodyRefusal(body: unknown): Refusal | null {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject || Object.keys(body).length === 0) {
    return new Refusal('invalid_request', 'The body must be one object with a query.');
  }
  return queryRefusal(body);
}
