import { catalogue } from '../../../ground/errors/catalogue.ts';
import { builder } from '../builder.ts';

const values: Readonly<Record<string, { readonly description: string }>> = Object.fromEntries(
  Object.entries(catalogue).map(([code, { meaning }]) => [code, { description: meaning }]),
);

/** No field has this type, because errors are not part of the data. It gives clients a type for the codes that they handle. */
builder.enumType('ErrorCode', {
  description:
    'The values of an error’s `extensions.code`. More may be added: keep a default branch. /docs/errors has a remedy for every code.',
  values,
});
