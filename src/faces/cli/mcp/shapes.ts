import { z } from 'zod';

/** What tools take, in the words of REST. The service itself checks it: further fields of the API pass through. */

/** An amount as people are shown it. */
export const euros = (cents: number): string => `${(cents / 100).toFixed(2)} EUR`;

export const id = z.string().describe('The id of the invoice, inv_….');

export const lines = z
  .array(
    z.looseObject({
      description: z.string(),
      quantity: z.int().describe('Units, 1 or more.'),
      unit_amount: z.int().describe('Net price of one unit in whole cents; negative for a discount.'),
      tax_items: z
        .array(z.object({ type: z.string(), rate: z.number().optional() }))
        .describe('Usually one, such as { "type": "vat", "rate": 21 }.'),
      rectifies_invoice_id: z
        .string()
        .optional()
        .describe('Only where several invoices are corrected together: the one that the line changes.'),
    }),
  )
  .min(1);

export const recipient = z
  .looseObject({
    name: z.string(),
    tax_id: z.string().optional(),
    address: z
      .looseObject({
        line1: z.string(),
        postal_code: z.string(),
        city: z.string(),
        country: z.string().describe('ISO 3166-1 alpha-2.'),
      })
      .optional(),
  })
  .describe('For a complete invoice: name, tax_id and the full address.');

export const invoice = z
  .looseObject({
    type: z
      .enum(['complete', 'simplified'])
      .describe(
        '"complete" names its recipient; "simplified" is a ticket: with tax at most 400 EUR, or 3,000 EUR for the activities of RD 1619/2012 art. 4.2, such as retail and hospitality.',
      ),
    line_items: lines,
    recipient: recipient.optional(),
    external_id: z.string().optional().describe('The caller’s own reference, permanently unique: use one.'),
    operation_date: z.string().optional().describe('YYYY-MM-DD, if it is not today.'),
    notes: z.string().optional().describe('Printed on the PDF.'),
  })
  .describe('The request of POST /v1/invoices. Amounts are whole cents.');
