import type { InvoiceFilter } from '@lacre/client';
import { z } from 'zod';
import { queryGraphql } from '../remote/graphql.ts';
import { searchInvoices } from '../remote/invoices.ts';
import { type Tool, tool } from './tool.ts';

const day = z.string().describe('A day, YYYY-MM-DD, inclusive.');
const limit = z.int().min(1).max(100).default(20).describe('The maximum number of results.');

const TOTALS = `query ($filter: InvoiceFilter, $groupBy: [InvoiceTotalGroup!], $first: Int, $after: String) {
  invoiceTotals(filter: $filter, groupBy: $groupBy, first: $first, after: $after) {
    cursor day month quarter kind recipientTaxId recipientName count subtotal tax total byRate { type rate base tax }
  }
}`;

export const READING: readonly Tool[] = [
  tool({
    name: 'whoami',
    title: 'Company and environment',
    description:
      'Reports the company and environment of the tools, and the permissions of the key. In "test" nothing reaches the tax agency; "live" is real.',
    input: {},
    run: ({ profile }) =>
      queryGraphql(profile, '{ viewer { kind environment scopes company { legalName nif } } }'),
  }),
  tool({
    name: 'find_invoices',
    title: 'Find invoices',
    description: 'Finds invoices, newest first. All given filters must match. Amounts are whole cents.',
    input: {
      number: z.string().optional().describe('Exact.'),
      external_id: z.string().optional(),
      email: z.string().optional().describe('Of the recipient, exact.'),
      recipient_tax_id: z.string().optional(),
      status: z.enum(['issued', 'voided']).optional(),
      registration: z
        .enum(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped'])
        .optional()
        .describe('The registration status.'),
      issued_from: day.optional(),
      issued_to: day.optional(),
      limit,
    },
    async run({ client }, { external_id, recipient_tax_id, status, registration, limit: max, ...input }) {
      const filter = {
        ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
        ...(external_id === undefined ? {} : { external_id: [external_id] }),
        ...(recipient_tax_id === undefined ? {} : { recipient_tax_id: [recipient_tax_id] }),
        ...(status === undefined ? {} : { status: [status] }),
        ...(registration === undefined ? {} : { verifactu_status: [registration] }),
      } as InvoiceFilter;
      return searchInvoices(client, max, filter);
    },
  }),
  tool({
    name: 'invoice_totals',
    title: 'Totals of a period',
    description:
      'Returns the totals of a period, by day, month, quarter, rate, kind or recipient, by the rules of a VAT register: replaced and voided invoices do not count. Whole cents. To page through many recipients, put RECIPIENT first.',
    input: {
      from: day,
      to: day,
      group_by: z.array(z.enum(['DAY', 'MONTH', 'QUARTER', 'TAX_RATE', 'KIND', 'RECIPIENT'])).default([]),
      first: z
        .int()
        .min(1)
        .max(1_000)
        .optional()
        .describe(
          'At most so many groups: a page with fewer is the last one. Needed where there are more than 1,000.',
        ),
      after: z.string().optional().describe('Only groups after the one with this cursor.'),
    },
    run: ({ profile }, { from, to, group_by: groupBy, first, after }) =>
      queryGraphql(profile, TOTALS, { filter: { issuedOn: { from, to } }, groupBy, first, after }),
  }),
];
