import { LIMITS } from '../src/ground/lib/limits.ts';

/** Where batches of invoices are sent. */
const BATCHES = '/v1/invoice_batches';

/** How large the body of a request may be, and how many objects and lists it may hold. */
export function bodyBounds(
  method: string,
  route: string | undefined,
): { readonly bytes: number; readonly values: number } {
  if (method === 'POST' && route === BATCHES)
    return { bytes: LIMITS.batchBody.value, values: LIMITS.batchBodyValues.value };
  return { bytes: LIMITS.body.value, values: LIMITS.bodyValues.value };
}
