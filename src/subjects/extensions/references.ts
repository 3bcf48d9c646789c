import { z } from 'zod';
import { fault, optional } from '../../ground/lib/request-fields.ts';
import { printedLine } from '../../ground/lib/text.ts';
import { type Label, storedAsSent, textFact } from './extension.ts';

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

const value = z
  .object({
    purchase_order: z.string().optional().describe('The number of the order.'),
    buyer_reference: z.string().optional().describe('The buyer’s reference, such as an office or a person.'),
    contract: z.string().optional().describe('The number of the contract.'),
    project: z.string().optional().describe('The name or number of the project.'),
  })
  .meta({
    id: 'InvoiceReferences',
    description: 'The recipient’s references of an invoice, as its request stated them.',
  });

const LABELS: Readonly<Record<keyof z.output<typeof value>, Label>> = {
  purchase_order: {
    es: 'N.º de pedido',
    en: 'Purchase order',
    ca: 'Núm. de comanda',
    gl: 'N.º de pedido',
    eu: 'Eskaera-zenbakia',
  },
  buyer_reference: {
    es: 'Su referencia',
    en: 'Your reference',
    ca: 'La vostra referència',
    gl: 'A súa referencia',
    eu: 'Zure erreferentzia',
  },
  contract: { es: 'Contrato', en: 'Contract', ca: 'Contracte', gl: 'Contrato', eu: 'Kontratua' },
  project: { es: 'Proyecto', en: 'Project', ca: 'Projecte', gl: 'Proxecto', eu: 'Proiektua' },
};

/** The recipient's own references. */
export const references = storedAsSent('references', {
  request: optional(request).describe('The recipient’s references: at least one. Printed above the lines.'),
  value,
  answered: 'The recipient’s references, if the request stated any.',
  parts: 'purchaseOrder buyerReference contract project',
  facts: (stated) =>
    Object.entries(LABELS).flatMap(([name, label]) => textFact(label, stated[name as keyof typeof LABELS])),
  printed: 'above',
});
