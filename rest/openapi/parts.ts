export type Json = Record<string, unknown>;

// Without examples: the viewer would send them with a test request.
export const query = (name: string, schema: Json, description: string): Json => ({
  ...{ name, in: 'query', schema, description },
});
export const idOf = (what: string, example: string): Json => ({
  ...{ name: 'id', in: 'path', required: true, schema: { type: 'string' } },
  ...{ description: `The id of the ${what}, as returned in an answer.`, example },
});
/** An operation of the document. `id` is its name in generated clients: a verb and a noun. */
export function operation(id: string, tag: string, summary: string, description: string, parts: Json): Json {
  return { operationId: id, tags: [tag], summary, description, ...parts };
}

/** The key that identifies a repeated request. */
export const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Use a new key for each operation: repeating the request with the same key returns the stored answer. Keys are kept for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

export const ifMatchHeader = {
  name: 'If-Match',
  in: 'header',
  description: 'The `ETag` of the object as it was read: 409 `conflict` if it was changed since.',
  schema: { type: 'string', maxLength: 255 },
};

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
/** The header that refers to a new object. */
export const located = { Location: text('Path of the created object.') };
/** The header of an answer that may be that of an earlier request. */
export const replayed = {
  'Idempotent-Replayed': {
    description: 'Present if the answer is that of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
};
/** The remainder of a key's quota. */
export const allowance = {
  'RateLimit-Policy': text('The limit: `"minute";q=60;w=60`.'),
  RateLimit: text('The remaining quota: `"minute";r=59;t=60`.'),
};
/** The name of a file. */
export const disposition = { 'Content-Disposition': text('With the name of the file.') };
