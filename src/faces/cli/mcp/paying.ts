import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { PAYMENT_MEANS } from '../../../subjects/invoices/types.ts';
import { euros, id } from './shapes.ts';
import { type Tool, tool } from './tool.ts';

/** An invoice has 100 payments at most, and a page holds as many. */
export const PAYING: readonly Tool[] = [
  tool({
    name: 'list_payments',
    title: 'Payments of an invoice',
    description:
      'The payments of an invoice that count, with what is left to be paid (amount_due) and whether it is overdue (payment_status). Whole cents.',
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
      'Records what was paid of an invoice; of one with a negative total, what was given back. No more than list_payments says is left. In a live environment a person is asked first. It moves no money.',
    input: {
      invoice_id: id,
      amount: z.int().min(1).describe('Whole cents.'),
      paid_on: z.string().describe('The day in Madrid on which it was paid, YYYY-MM-DD; not in the future.'),
      means: z.enum(PAYMENT_MEANS).optional(),
      reference: z.string().optional().describe('A text of your own, such as the bank’s reference.'),
      idempotency_key: z
        .string()
        .optional()
        .describe('The same key with the same payment records once. Give one when you may have to repeat.'),
    },
    writes: true,
    async run({ client, allow }, { invoice_id: invoiceId, idempotency_key: key, ...given }) {
      const { number } = await client.invoices.retrieve(invoiceId);
      await allow(`record a payment of ${euros(given.amount)} of ${number} on ${given.paid_on}`);
      const { amount, paid_on, means, reference } = given;
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
