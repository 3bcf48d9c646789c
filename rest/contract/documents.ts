import { z } from 'zod';
import { isExistingDay } from '../../src/ground/lib/calendar.ts';
import { PAPERS } from '../../src/subjects/documents/types.ts';
import { EXPORTED, FORMAT_NAMES, formatKind } from '../../src/subjects/formats/types.ts';
import { companyArchive, exportFile, formatFile, invoiceFile, registerBookFile } from '../files.ts';
import { CORRECTED } from '../openapi/examples.ts';
import { disposition } from '../openapi/parts.ts';
import { instant } from '../schema-parts.ts';
import { operations } from './operation.ts';

const download = z
  .strictObject({
    download_url: z.url().describe('Signed link to the PDF; it needs no key.'),
    expires_at: instant.describe('Fifteen minutes after the answer.'),
  })
  .meta({ id: 'Download' });

const invoiceExport = z
  .strictObject({
    invoices: z.int().describe('The current number of invoices in the period.'),
    download_url: z
      .url()
      .describe(
        'Signed link to the ZIP file; it needs no key and can be opened repeatedly until it expires.',
      ),
    expires_at: instant.describe('Fifteen minutes after the answer.'),
  })
  .meta({ id: 'InvoiceExport' });

const day = z.string().refine(isExistingDay, 'must be an existing day, YYYY-MM-DD').meta({ format: 'date' });

const BASE = 'https://invoices.example.com/v1/invoices';
const BINARY = { schema: { type: 'string', format: 'binary' } };

const ids = { id: ['invoice', CORRECTED] } as const;
const paper = {
  paper: z
    .enum(PAPERS)
    .describe('The paper: `a4` (the default), or `roll` for a receipt printer, 80 mm wide.'),
};
const token = { token: z.string().describe('Part of the link.').nonoptional() };

/** A file behind a signed link, which is checked in place of a key. */
const linked = {
  isOpen: true,
  codes: ['download_link_expired', 'rate_limited'],
} as const;

export const documentOperations = operations('Invoices', [
  {
    id: 'createInvoiceDownload',
    method: 'GET',
    path: '/v1/invoices/{id}/download',
    field: 'invoiceDownload',
    summary: 'Get a short-lived link to the PDF',
    description:
      'A short-lived link, valid for 15 minutes (`pdf_url` is valid for 48 hours). Needs the scope `read`.',
    ids,
    query: paper,
    answer: {
      status: 200,
      description: 'The link',
      schema: download,
      example: {
        download_url: `${BASE}/${CORRECTED}/file?token=AQBrAmH1AAAAANQ2nB7v1cQpQ0qv1m5pJ4bq9zV6XQ`,
        expires_at: '2026-11-20T13:17:43Z',
      },
    },
    codes: ['invoice_not_found'],
    tool: { name: 'invoice_pdf' },
  },
  {
    id: 'downloadInvoiceFormat',
    method: 'GET',
    path: '/v1/invoices/{id}/formats/{format}',
    field: 'invoice',
    summary: 'The invoice in a structured format',
    description:
      'Generated from the sealed invoice: the same invoice gives the same bytes. An invoice that the format cannot express is refused, naming the term. Needs the scope `read`.',
    ids: {
      ...ids,
      format: {
        example: FORMAT_NAMES[0]!,
        value: z
          .enum(FORMAT_NAMES)
          .describe('Which format. `ubl_es` is provisional: its specification is not published.'),
      },
    },
    answer: {
      status: 200,
      description: 'The document',
      headers: {
        ...disposition,
        'Document-Warning': {
          schema: { type: 'string' },
          description:
            'Why its receiver will refuse the document although it is valid: a Facturae to a public body that names no DIR3 offices. Absent if nothing is known.',
        },
      },
      files: Object.fromEntries(FORMAT_NAMES.map((name) => [formatKind(name).mediaType, BINARY])),
    },
    codes: ['invoice_not_found', 'format_not_applicable'],
    handler: formatFile,
  },
  {
    id: 'exportInvoices',
    method: 'GET',
    path: '/v1/invoices/export',
    field: 'documentExport',
    summary: 'Get a link to the documents of a period',
    description:
      'The documents of the invoices that were issued in a period, as one ZIP file. The link is valid for 15 minutes. Needs the scope `read`.',
    query: {
      from: day.describe('The first day.').nonoptional(),
      to: day.describe('The last day.').nonoptional(),
      format: z
        .array(z.enum(EXPORTED))
        .describe('The formats to export; default `pdf`. May be given several times.'),
    },
    renamed: { format: 'formats' },
    answer: {
      status: 200,
      description: 'The link',
      schema: invoiceExport,
      example: {
        invoices: 214,
        download_url: `${BASE}/export/file?token=eyJleHBpcmVzIjoxfQ.wR0oUqC1GzqOZBTkDSUfI2lvb0yqYp1cZ6S5V3cWk9M`,
        expires_at: '2026-11-20T13:17:43Z',
      },
    },
  },
  {
    id: 'downloadInvoiceExport',
    method: 'GET',
    path: '/v1/invoices/export/file',
    field: 'documentExport',
    summary: 'The ZIP file behind a signed link',
    description:
      'Streamed while it is generated. Its `index.csv` has a row for every invoice and format; if an invoice has no such format, the row says `format_not_applicable` with the term and the reason. An interrupted download is not a valid ZIP file: open the link again.',
    ...linked,
    query: token,
    answer: {
      status: 200,
      description: 'The file',
      headers: disposition,
      files: { 'application/zip': BINARY },
    },
    handler: exportFile,
  },
  {
    id: 'downloadInvoiceFile',
    method: 'GET',
    path: '/v1/invoices/{id}/file',
    field: 'invoice',
    summary: 'The PDF behind a signed link',
    description:
      'The target of `pdf_url` and `download_url`. The link needs no key. Pages of the environment’s allowed origins may show the PDF in a frame and read it.',
    ...linked,
    ids,
    query: { ...token, ...paper },
    answer: { status: 200, description: 'The PDF', files: { 'application/pdf': BINARY } },
    codes: ['invoice_not_found', ...linked.codes],
    handler: invoiceFile,
  },
  {
    id: 'downloadCompanyExport',
    method: 'GET',
    path: '/v1/companies/export/file',
    field: 'exportCompany',
    summary: 'The archive of a company behind a signed link',
    description:
      'The target of `downloadUrl` of GraphQL’s `exportCompany`. The link needs no key. The file is streamed while it is generated; an interrupted download is not a valid ZIP file.',
    ...linked,
    query: token,
    answer: {
      status: 200,
      description: 'The archive',
      headers: disposition,
      files: { 'application/zip': BINARY },
    },
    handler: companyArchive,
  },
  {
    id: 'downloadRegisterBook',
    method: 'GET',
    path: '/v1/register_books/file',
    field: 'registerBook',
    summary: 'The register book behind a signed link',
    description:
      'The target of `url`, and of `downloadUrl` of GraphQL’s `registerBook`. The link needs no key. The file is streamed while it is generated; an interrupted download is incomplete.',
    ...linked,
    query: token,
    answer: {
      status: 200,
      description: 'The book',
      headers: disposition,
      files: {
        'text/csv': { schema: { type: 'string' } },
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': BINARY,
      },
    },
    handler: registerBookFile,
  },
]);
