import { codes } from '../../../ground/errors/catalogue.ts';
import { builder } from '../builder.ts';

/** Of errors, which are not part of the data, and of fields that report a refusal of earlier. */
export const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description:
    'The values of an error’s `extensions.code`. More may be added: keep a default branch. /docs/errors has a remedy for every code.',
  values: codes,
});
