import { z } from 'zod';
import { LIMITS } from '../../ground/lib/limits.ts';
import { fault } from '../../ground/lib/request-fields.ts';
import { reference } from '../../ground/lib/text.ts';

/**
 * What a batch takes: invoices, of each of which only its external_id is looked at here. Whatever else is wrong with one is
 * its own result.
 */
export const batchRequest = z
  .strictObject({
    invoices: z
      .array(z.looseObject({ externalId: reference(255) }))
      .min(1)
      .max(LIMITS.batchInvoices.value),
  })
  .superRefine(({ invoices }, check) => {
    const first = new Map<string, number>();
    for (const [index, { externalId }] of invoices.entries()) {
      const earlier = first.get(externalId);
      if (earlier === undefined) first.set(externalId, index);
      else
        fault(
          check,
          ['invoices', index, 'externalId'],
          'duplicate',
          `is that of invoices[${earlier}] as well`,
        );
    }
  })
  .meta({ id: 'InvoiceBatchRequest' });

export type BatchRequest = z.output<typeof batchRequest>;

const BATCH_ID = /^bat_[0-9a-f]{32}$/;

/** Whether a text could be the id of a batch; anything else is not worth a query. */
export function isBatchId(text: string): boolean {
  return BATCH_ID.test(text);
}

const RESULT_ID = /^bar_([0-9a-f]{32})_([1-9]\d{0,3})$/;

/** Whether a text could be the id of a result. */
export function isResultId(text: string): boolean {
  return RESULT_ID.test(text);
}

/** Which batch a result is of, and its place there; null for what is no id of one. */
export function placeOfResult(id: string): { readonly batchId: string; readonly position: number } | null {
  const [, batch, position] = RESULT_ID.exec(id) ?? [];
  return batch === undefined ? null : { batchId: `bat_${batch}`, position: Number(position) };
}
