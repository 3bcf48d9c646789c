import { LIMITS } from '../src/ground/lib/limits.ts';
import type { JsonBounds } from './json-body.ts';

/** The path to which batches of invoices are sent. */
const BATCHES = '/v1/invoice_batches';

const ORDINARY = {
  bytes: LIMITS.body.value,
  values: LIMITS.bodyValues.value,
  fields: LIMITS.bodyFields.value,
};

/** The maximum size of a request's body, and how much JSON it may hold. */
export function bodyBounds(
  method: string,
  route: string | undefined,
): { readonly bytes: number } & JsonBounds {
  if (method !== 'POST' || route !== BATCHES) return ORDINARY;
  return {
    bytes: LIMITS.batchBody.value,
    values: LIMITS.batchBodyValues.value,
    fields: LIMITS.batchBodyFields.value,
  };
}
