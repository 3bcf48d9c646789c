import { catalogue } from '../../../ground/errors/catalogue.ts';
import { builder } from '../builder.ts';

const values: Readonly<Record<string, { readonly description: string }>> = Object.fromEntries(
  Object.entries(catalogue).map(([code, { meaning }]) => [code, { description: meaning }]),
);

/** No field has this type: errors stand beside the data. It is printed so that clients have a type for what they branch on. */
builder.enumType('ErrorCode', {
  description:
    'What `extensions.code` of an error is. There may be more: keep a default branch. Every code has its remedy at /docs/errors.',
  values,
});
