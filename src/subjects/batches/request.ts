import { z } from 'zod';
import { fault } from '../../ground/lib/request-fields.ts';
import { reference } from '../../ground/lib/text.ts';
import { BATCH_LIMITS } from './limits.ts';

/**
 * The request for a batch: a list of invoices, of which only the external_id is checked here. Any other error
 * becomes the result of its invoice.
 */
export const batchRequest = z
  .strictObject({
    invoices: z
      .array(
        z.looseObject({
          externalId: reference(255).describe(
            'Your own reference, which identifies its result: permanently unique in the environment.',
          ),
        }),
      )
      .min(1)
      .max(BATCH_LIMITS.batchInvoices.value)
      .describe(
        'The invoices in the order in which they are to be numbered, each with an `externalId` that is unique among them.',
      ),
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

/** Whether a text has the form of a batch's id; anything else is not worth a query. */
export function isBatchId(text: string): boolean {
  return BATCH_ID.test(text);
}

const RESULT_ID = /^bar_([0-9a-f]{32})_([1-9]\d{0,3})$/;

/** Whether a text has the form of a result's id. */
export function isResultId(text: string): boolean {
  return RESULT_ID.test(text);
}

/** The batch and position that a result's id names; null when it has another form. */
export function placeOfResult(id: string): { readonly batchId: string; readonly position: number } | null {
  const [, batch, position] = RESULT_ID.exec(id) ?? [];
  return batch === undefined ? null : { batchId: `bat_${batch}`, position: Number(position) };
}
