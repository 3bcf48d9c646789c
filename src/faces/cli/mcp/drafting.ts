import type { InvoiceDraft, InvoiceDraftRequest, InvoiceRequest, LacreClient } from '@lacre/client';
import { z } from 'zod';
import { euros, lines, recipient } from './shapes.ts';
import { type Tool, tool } from './tool.ts';

const draftId = z.string().describe('The id of the draft, dft_….');

/** An invoice that may still lack something. */
const content = z
  .looseObject({
    type: z.enum(['complete', 'simplified']).optional(),
    line_items: lines.optional(),
    recipient: recipient.optional(),
    notes: z.string().optional().describe('Printed on the PDF.'),
  })
  .describe('The invoice as far as it is known, as for issue_invoice.');

/** Invoices that are not issued yet. */
export const DRAFTING: readonly Tool[] = [
  tool({
    name: 'create_draft',
    title: 'Keep a draft',
    description:
      'Stores an invoice without issuing it. A draft has no number, may be incomplete (see "errors") and can be deleted. Use it if a person should review the invoice before it is issued.',
    input: {
      invoice: content,
      due_in_days: z.int().min(0).max(365).optional().describe('Number of days from issue to the due date.'),
    },
    writes: true,
    async run({ client, allow }, { invoice, due_in_days: days }) {
      const named = invoice.recipient?.name ?? 'nobody named';
      await allow(
        `create a draft of an invoice to ${named}`,
        'It can be deleted as long as it is not issued.',
      );
      const body = { invoice, ...(days === undefined ? {} : { due_in_days: days }) };
      return client.invoiceDrafts.create(body as InvoiceDraftRequest);
    },
  }),
  tool({
    name: 'validate_draft',
    title: 'Check a draft',
    description:
      'Reads a draft and validates it as of now, without issuing it: returns its totals, or the code and the fields for which it would be refused. Call it before issue_draft.',
    input: { draft_id: draftId },
    async run({ client }, { draft_id: id }) {
      const draft = await client.invoiceDrafts.retrieve(id);
      if (draft.status === 'issued') return { draft };
      return { draft, preview: await client.invoices.validate(draft.invoice as InvoiceRequest) };
    },
  }),
  tool({
    name: 'issue_draft',
    title: 'Issue a draft',
    description:
      'Issues a draft: from then on the invoice exists legally and can only be corrected. Repeating it returns the same invoice. In a live environment a person is asked first.',
    input: { draft_id: draftId },
    writes: true,
    async run({ client, allow }, { draft_id: id }) {
      const draft = await client.invoiceDrafts.retrieve(id);
      if (draft.status !== 'issued') await allow(await effectOf(client, draft));
      return client.invoiceDrafts.issue(id);
    },
  }),
];

/** The question for the user, with the current totals. */
async function effectOf({ invoices }: LacreClient, { id, invoice }: InvoiceDraft): Promise<string> {
  const { total } = await invoices.validate(invoice as InvoiceRequest);
  return `issue the draft ${id}, an invoice of ${euros(total)} to ${invoice.recipient?.name ?? 'nobody named'}`;
}
