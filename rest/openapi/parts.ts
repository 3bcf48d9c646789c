import type { Json } from './schemas.ts';

// Without examples: the viewer would send them with a test request.
export const query = (name: string, schema: Json, description: string): Json => ({
  ...{ name, in: 'query', schema, description },
});
export const idOf = (what: string, example: string): Json => ({
  ...{ name: 'id', in: 'path', required: true, schema: { type: 'string' } },
  ...{ description: `The id of the ${what}, as returned in an answer.`, example },
});
export const paging = [
  query(
    'limit',
    { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    'The maximum number of results.',
  ),
  query('starting_after', { type: 'string' }, 'Only results after this one; take it from `next_cursor`.'),
  query(
    'ending_before',
    { type: 'string' },
    'Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`.',
  ),
];

type Tag =
  | 'Invoices'
  | 'E-mail'
  | 'Drafts'
  | 'Test clock'
  | 'Payments'
  | 'Number series'
  | 'Customer portal'
  | 'Access tokens'
  | 'Tax ids'
  | 'Events'
  | 'Invoice batches'
  | 'Webhooks';

/** An operation of the document. `id` is its name in generated clients: a verb and a noun. */
export function operation(id: string, tag: Tag, summary: string, description: string, parts: Json): Json {
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
export const issued = { ...located, ...replayed };
/** The remainder of a key's quota. */
export const allowance = {
  'RateLimit-Policy': text('The limit: `"minute";q=60;w=60`.'),
  RateLimit: text('The remaining quota: `"minute";r=59;t=60`.'),
};
/** The name of a file. */
export const disposition = { 'Content-Disposition': text('With the name of the file.') };
