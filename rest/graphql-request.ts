import { invalidField, Refusal } from '../src/errors/refusal.ts';
import { LIMITS } from '../src/lib/limits.ts';

/** Why the question is not given to anybody who would parse it, or null: `invalid_request` with the bound that it exceeds. */
export function faultOfQuestion(asked: {
  readonly query?: unknown;
  readonly operationName?: unknown;
}): Refusal | null {
  return (
    tooLong('query', asked.query, LIMITS.queryText.value) ??
    tooLong('operationName', asked.operationName, LIMITS.operationName.value)
  );
}

function tooLong(field: string, text: unknown, limit: number): Refusal | null {
  // What has been sent more than once is a list, and of no interest here.
  const isTooLong = typeof text === 'string' && text.length * 3 > limit && Buffer.byteLength(text) > limit;
  return isTooLong ? invalidField(field, 'too_big', `must have at most ${limit} bytes`) : null;
}

/** The same of a whole body, which is JSON of any shape: Yoga takes one over only when there is something in it. */
export function faultOfBody(body: unknown): Refusal | null {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject || Object.keys(body).length === 0) {
    return new Refusal('invalid_request', 'The body must be one object with a query.');
  }
  const detail = faultOfValues(body);
  return detail === null ? faultOfQuestion(body) : new Refusal('invalid_request', detail);
}

/** Level by level and not by recursion: a body can be nested more deeply than the stack. */
function faultOfValues(body: object): string | null {
  let seen = 0;
  let level: object[] = [body];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > LIMITS.variablesDepth.value) {
      return `The body is nested more than ${LIMITS.variablesDepth.value} levels deep.`;
    }
    seen += level.length;
    if (seen > LIMITS.variablesValues.value) {
      return `The body holds more than ${LIMITS.variablesValues.value} objects and lists.`;
    }
    const next: object[] = [];
    for (const value of level) {
      const inside: unknown[] = Array.isArray(value) ? value : Object.values(value);
      if (inside.length > LIMITS.objectFields.value && !Array.isArray(value)) {
        return `An object in the body has more than ${LIMITS.objectFields.value} fields.`;
      }
      for (const item of inside) if (typeof item === 'object' && item !== null) next.push(item);
    }
    level = next;
  }
  return null;
}
