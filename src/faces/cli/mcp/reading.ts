import type { EventType, InvoiceFilter } from '@lacre/client';
import { z } from 'zod';
import { EVENT_TYPES } from '../../../ground/journal/entry.ts';
import { PAPERS } from '../../../subjects/documents/types.ts';
import { askGraphql } from '../remote/graphql.ts';
import { searchInvoices } from '../remote/invoices.ts';
import { id } from './shapes.ts';
import { type Tool, tool } from './tool.ts';

const day = z.string().describe('A day of Madrid, YYYY-MM-DD, inclusive.');
const limit = z.int().min(1).max(100).default(20).describe('Maximum number of invoices.');

const TOTALS = `query ($filter: InvoiceFilter, $groupBy: [InvoiceTotalGroup!]) {
  invoiceTotals(filter: $filter, groupBy: $groupBy) {
    month quarter kind recipientTaxId count subtotal tax total byRate { type rate base tax }
  }
}`;

export const READING: readonly Tool[] = [
  tool({
    name: 'whoami',
    title: 'Which company and environment',
    description:
      'Says for which company and environment the tools work, and what the key may do. In "test" nothing reaches the tax agency; "live" is for real.',
    input: {},
    run: ({ profile }) =>
      askGraphql(profile, '{ viewer { kind environment scopes company { legalName nif } } }'),
  }),
  tool({
    name: 'find_invoices',
    title: 'Find invoices',
    description: 'Finds invoices, the newest first. All that is given must fit. Amounts are whole cents.',
    input: {
      number: z.string().optional().describe('Exact.'),
      external_id: z.string().optional(),
      email: z.string().optional().describe('Of the recipient, exact.'),
      recipient_tax_id: z.string().optional(),
      status: z.enum(['issued', 'voided']).optional(),
      registration: z
        .enum(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped'])
        .optional()
        .describe('How the tax agency has it.'),
      issued_from: day.optional(),
      issued_to: day.optional(),
      limit,
    },
    async run({ client }, { external_id, recipient_tax_id, status, registration, limit: most, ...given }) {
      const filter = {
        ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
        ...(external_id === undefined ? {} : { external_id: [external_id] }),
        ...(recipient_tax_id === undefined ? {} : { recipient_tax_id: [recipient_tax_id] }),
        ...(status === undefined ? {} : { status: [status] }),
        ...(registration === undefined ? {} : { verifactu_status: [registration] }),
      } as InvoiceFilter;
      return searchInvoices(client, most, filter);
    },
  }),
  tool({
    name: 'read_invoice',
    title: 'Read an invoice',
    description: 'Everything of one invoice: lines, taxes, recipient, registration, what it corrects.',
    input: { id },
    run: ({ client }, given) => client.invoices.retrieve(given.id),
  }),
  tool({
    name: 'invoice_pdf',
    title: 'Link to the PDF',
    description: 'A link to the PDF of an invoice, which needs no key and is good for 15 minutes.',
    input: {
      id,
      paper: z.enum(PAPERS).default('a4').describe('`roll` for a ticket printer, 80 mm wide.'),
    },
    run: ({ client }, { id: invoice, paper }) => client.invoices.createDownload(invoice, { paper }),
  }),
  tool({
    name: 'invoice_totals',
    title: 'Totals of a period',
    description:
      'What was invoiced in a period, by month, quarter, rate, kind or recipient, added as a VAT book adds: replaced and voided invoices do not count twice. Whole cents.',
    input: {
      from: day,
      to: day,
      group_by: z.array(z.enum(['MONTH', 'QUARTER', 'TAX_RATE', 'KIND', 'RECIPIENT'])).default([]),
    },
    run: ({ profile }, { from, to, group_by: groupBy }) =>
      askGraphql(profile, TOTALS, { filter: { issuedOn: { from, to } }, groupBy }),
  }),
  tool({
    name: 'list_number_series',
    title: 'Number series',
    description: 'Where numbers come from: standard series for invoices, rectifying ones for rectificativas.',
    input: {},
    async run({ client }) {
      const series: object[] = [];
      for await (const one of client.numberSeries.list()) series.push(one);
      return { series };
    },
  }),
  tool({
    name: 'list_events',
    title: 'What has happened',
    description:
      'Events of the environment: the newest first, or with after_sequence in the order in which they happened.',
    input: {
      types: z.array(z.enum(EVENT_TYPES)).default([]),
      after_sequence: z.int().min(0).optional(),
      limit,
    },
    async run({ client }, { types, after_sequence: after, limit: most }) {
      const filter = { type: types as EventType[], limit: most };
      const list = client.events.list(after === undefined ? filter : { ...filter, after_sequence: after });
      const { data, has_more } = await list.first();
      return { events: data, has_more };
    },
  }),
];
