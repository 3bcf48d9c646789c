import type { InvoiceDraft, InvoiceDraftRequest, InvoiceRequest, LacreClient } from '@lacre/client';
import { z } from 'zod';
import { collectUpTo } from '../remote/lists.ts';
import { euros, lines, recipient } from './shapes.ts';
import { type Tool, tool } from './tool.ts';

const draftId = z.string().describe('The id of the draft, dft_….');
const limit = z.int().min(1).max(100).default(20).describe('Maximum number of invoices.');

/** An invoice that may still lack something. */
const content = z
  .looseObject({
    type: z.enum(['complete', 'simplified']).optional(),
    line_items: lines.optional(),
    recipient: recipient.optional(),
    notes: z.string().optional().describe('Printed on the PDF.'),
  })
  .describe('What of the invoice is known, as for issue_invoice.');

/** Invoices that are not issued yet, and those that repeat. */
export const DRAFTING: readonly Tool[] = [
  tool({
    name: 'create_draft',
    title: 'Keep a draft',
    description:
      'Keeps an invoice that is not to be issued yet. It has no number, may lack something ("errors" tells what) and can be deleted. Use it when a person is to look before anything is issued.',
    input: {
      invoice: content,
      due_in_days: z.int().min(0).max(365).optional().describe('Days from its issue until it is to be paid.'),
    },
    writes: true,
    async run({ client, allow }, { invoice, due_in_days: days }) {
      const named = invoice.recipient?.name ?? 'nobody named';
      await allow(`keep a draft of an invoice to ${named}`, 'It can be deleted as long as it is not issued.');
      const body = { invoice, ...(days === undefined ? {} : { due_in_days: days }) };
      return client.invoiceDrafts.create(body as InvoiceDraftRequest);
    },
  }),
  tool({
    name: 'validate_draft',
    title: 'Check a draft',
    description:
      'Reads a draft and checks it as of now, without issuing it: what it would come to, or the code and the fields that it would be refused for. Call it before issue_draft.',
    input: { draft_id: draftId },
    async run({ client }, { draft_id: id }) {
      const draft = await client.invoiceDrafts.retrieve(id);
      if (draft.status === 'issued') return { draft };
      return { draft, would_be: await client.invoices.validate(draft.invoice as InvoiceRequest) };
    },
  }),
  tool({
    name: 'issue_draft',
    title: 'Issue a draft',
    description:
      'Issues a draft: from then on the invoice exists legally and can only be corrected. Issued again it answers the same invoice. In a live environment a person is asked first.',
    input: { draft_id: draftId },
    writes: true,
    async run({ client, allow }, { draft_id: id }) {
      const draft = await client.invoiceDrafts.retrieve(id);
      if (draft.status !== 'issued') await allow(await effectOf(client, draft));
      return client.invoiceDrafts.issue(id);
    },
  }),
  tool({
    name: 'list_drafts',
    title: 'Drafts',
    description: 'The drafts of the environment, the newest first, each with what it lacks.',
    input: {
      status: z.enum(['open', 'issued']).optional().describe('Both without it.'),
      schedule_id: z.string().optional().describe('Only those made by this schedule.'),
      limit,
    },
    async run({ client }, { limit: most, status, schedule_id }) {
      const filter = { ...(status && { status }), ...(schedule_id && { schedule_id }), limit: most };
      const { rows, hasMore } = await collectUpTo(most, client.invoiceDrafts.list(filter));
      return { drafts: rows, has_more: hasMore };
    },
  }),
  tool({
    name: 'list_schedules',
    title: 'Invoices that repeat',
    description:
      'The schedules by which invoices repeat, the newest first, with the days that come next. They are issued by themselves on those days.',
    input: { status: z.enum(['active', 'paused', 'ended']).optional().describe('All without it.'), limit },
    async run({ client }, { limit: most, status }) {
      const filter = { ...(status && { status }), limit: most };
      const { rows, hasMore } = await collectUpTo(most, client.invoiceSchedules.list(filter));
      return { schedules: rows, has_more: hasMore };
    },
  }),
];

/** The question for the user, with the current totals. */
async function effectOf({ invoices }: LacreClient, { id, invoice }: InvoiceDraft): Promise<string> {
  const { total } = await invoices.validate(invoice as InvoiceRequest);
  return `issue the draft ${id}, an invoice of ${euros(total)} to ${invoice.recipient?.name ?? 'nobody named'}`;
}
