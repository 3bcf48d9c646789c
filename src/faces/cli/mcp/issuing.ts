import { randomUUID } from 'node:crypto';
import { type InvoiceRequest, type LacreClient, LacreError } from '@lacre/client';
import { z } from 'zod';
import { euros, id, invoice, lines, recipient } from './shapes.ts';
import { type Tool, tool } from './tool.ts';

const idempotencyKey = z
  .string()
  .optional()
  .describe(
    'Repeating the call with the same key and content issues only once. Send one if you may have to retry.',
  );

/** Codes by which validation refuses what was done before: a repeated call finds its own invoice there. */
const ALREADY_DONE: ReadonlySet<string> = new Set([
  'external_id_already_used',
  'invoice_not_family_tip',
  'invoice_already_replaced',
]);

const AGAIN = 'repeat an earlier call, which issues nothing twice';

/** The total of an invoice; null if the call may be a repeated one, which the service answers from its key. */
async function totalOf(client: LacreClient, body: InvoiceRequest, key?: string): Promise<number | null> {
  try {
    return (await client.invoices.validate(body)).total;
  } catch (error) {
    if (key !== undefined && error instanceof LacreError && ALREADY_DONE.has(error.code)) return null;
    throw error;
  }
}

export const ISSUING: readonly Tool[] = [
  tool({
    name: 'validate_invoice',
    title: 'Check an invoice',
    description:
      'Validates an invoice without issuing it, and returns its totals. Call it before issue_invoice. Nothing is stored and no number is used.',
    input: { invoice },
    run: ({ client }, input) => client.invoices.validate(input.invoice as InvoiceRequest),
  }),
  tool({
    name: 'issue_invoice',
    title: 'Issue an invoice',
    description:
      'Issues an invoice: from then on it exists legally and can only be corrected, never edited or deleted. In a live environment it is registered at the tax agency, so a person is asked first. Show the totals from validate_invoice before.',
    input: {
      invoice,
      idempotency_key: idempotencyKey,
    },
    writes: true,
    async run({ client, allow }, input) {
      const body = input.invoice as InvoiceRequest;
      const total = await totalOf(client, body, input.idempotency_key);
      const to = input.invoice.recipient?.name ?? 'nobody named';
      await allow(total === null ? AGAIN : `issue an invoice of ${euros(total)} to ${to}`);
      return client.invoices.create(body, { idempotencyKey: input.idempotency_key ?? randomUUID() });
    },
  }),
  tool({
    name: 'rectify_invoice',
    title: 'Correct an invoice',
    description:
      'Corrects an issued invoice by issuing a rectificativa. With "differences" the lines state the change (negative for a credit); with "substitution" they state the whole correct invoice, and the recipient may be restated. Several invoices of one recipient are corrected together by their invoice_ids, with "differences": each line then names the one that it changes in rectifies_invoice_id.',
    input: {
      invoice_id: id.optional(),
      invoice_ids: z.array(id).min(2).optional().describe('Two or more, in place of invoice_id.'),
      method: z.enum(['differences', 'substitution']),
      reason: z
        .enum(['correction', 'insolvency', 'uncollectible', 'other'])
        .default('correction')
        .describe('The reason: the legal grounds R1 to R4.'),
      line_items: lines,
      recipient: recipient.optional(),
      idempotency_key: idempotencyKey,
    },
    writes: true,
    async run({ client, allow }, input) {
      const { invoice_id, invoice_ids } = input;
      const named = invoice_ids ?? (invoice_id === undefined ? [] : [invoice_id]);
      const corrected = await Promise.all(named.map((one) => client.invoices.retrieve(one)));
      const type = corrected[0]?.type ?? 'complete';
      const body = {
        ...{ type, line_items: input.line_items },
        ...(input.recipient === undefined ? {} : { recipient: input.recipient }),
        rectifies: { invoice_id, invoice_ids, method: input.method, reason: input.reason },
      } as InvoiceRequest;
      const total = await totalOf(client, body, input.idempotency_key);
      await allow(
        total === null
          ? AGAIN
          : `correct ${corrected.map(({ number }) => number).join(', ')} by ${input.method} with ${euros(total)}`,
      );
      return client.invoices.create(body, { idempotencyKey: input.idempotency_key ?? randomUUID() });
    },
  }),
];
