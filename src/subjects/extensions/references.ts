import { z } from 'zod';
import { fault, optional } from '../../ground/lib/request-fields.ts';
import { printedLine } from '../../ground/lib/text.ts';
import { storedAsSent } from './extension.ts';

const request = z
  .strictObject({
    purchaseOrder: optional(printedLine(100)).describe('The number of the order.'),
    buyerReference: optional(printedLine(100)).describe(
      'The buyer’s reference, such as an office or a person.',
    ),
    contract: optional(printedLine(100)).describe('The number of the contract.'),
    project: optional(printedLine(100)).describe('The name or number of the project.'),
  })
  .superRefine((sent, check) => {
    if (Object.values(sent).some((value) => value !== undefined)) return;
    fault(check, [], 'too_small', 'must name at least one reference');
  })
  .meta({ id: 'InvoiceReferencesInput', description: 'The recipient’s references.' });

const value = z.object({
  purchase_order: z.string().optional(),
  buyer_reference: z.string().optional(),
  contract: z.string().optional(),
  project: z.string().optional(),
});

/** The recipient's own references. */
export const references = storedAsSent('references', {
  request: optional(request).describe('The recipient’s references: at least one. Printed above the lines.'),
  value,
});
