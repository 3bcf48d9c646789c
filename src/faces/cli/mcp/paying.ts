import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { PAYMENT_MEANS } from '../../../subjects/extensions/types.ts';
import { euros, id } from './shapes.ts';
import { type Tool, tool } from './tool.ts';

/** An invoice has 100 payments at most, and a page holds as many. */
export const PAYING: readonly Tool[] = [
  tool({
    name: 'list_payments',
    title: 'Payments of an invoice',
    description:
      'Lists the payments of an invoice that have not been removed, with the amount due (amount_due) and the payment status (payment_status). Whole cents.',
    input: { invoice_id: id },
    async run({ client }, { invoice_id: invoiceId }) {
      const { number, total, payment_status, amount_paid, amount_due, payments } =
        await client.invoices.retrieve(invoiceId, { expand: ['payments'] });
      return { number, total, payment_status, amount_paid, amount_due, payments };
    },
  }),
  tool({
    name: 'record_payment',
    title: 'Record a payment',
    description:
      'Records a payment of an invoice, or a refund if its total is negative. At most the amount due according to list_payments. In a live environment a person is asked first. No money is moved.',
    input: {
      invoice_id: id,
      amount: z.int().min(1).describe('Whole cents.'),
      paid_on: z.string().describe('The day on which it was paid, YYYY-MM-DD; not in the future.'),
      means: z.enum(PAYMENT_MEANS).optional(),
      reference: z.string().optional().describe('Your own text, such as the bank’s reference.'),
      idempotency_key: z
        .string()
        .optional()
        .describe(
          'Repeating the call with the same key and payment records only once. Send one if you may have to retry.',
        ),
    },
    writes: true,
    async run({ client, allow }, { invoice_id: invoiceId, idempotency_key: key, ...input }) {
      const { number } = await client.invoices.retrieve(invoiceId);
      await allow(`record a payment of ${euros(input.amount)} of ${number} on ${input.paid_on}`);
      const { amount, paid_on, means, reference } = input;
      return client.invoices.recordPayment(
        invoiceId,
        {
          ...{ amount, paid_on },
          ...(means === undefined ? {} : { means }),
          ...(reference === undefined ? {} : { reference }),
        },
        { idempotencyKey: key ?? randomUUID() },
      );
    },
  }),
];
