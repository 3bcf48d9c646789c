import { LIMITS } from '../src/ground/lib/limits.ts';

/** The path to which batches of invoices are sent. */
const BATCHES = '/v1/invoice_batches';

/** The maximum size of a request's body, and of its number of objects and lists. */
export function bodyBounds(
  method: string,
  route: string | undefined,
): { readonly bytes: number; readonly values: number } {
  if (method === 'POST' && route === BATCHES)
    return { bytes: LIMITS.batchBody.value, values: LIMITS.batchBodyValues.value };
  return { bytes: LIMITS.body.value, values: LIMITS.bodyValues.value };
}
