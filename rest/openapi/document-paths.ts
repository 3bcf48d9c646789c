import { FORMAT_NAMES, formatKind } from '../../src/subjects/formats/types.ts';
import * as examples from './examples.ts';
import { disposition, idOf, operation, query } from './parts.ts';
import { answered, type refusalsAt } from './responses.ts';
import { enumeration, type Json } from './schemas.ts';

const day: Json = { type: 'string', format: 'date' };
const paper = query(
  'paper',
  enumeration('DocumentPaper', 'sent'),
  'The paper: `a4` (the default), or `roll` for a receipt printer, 80 mm wide.',
);
const invoiceId = idOf('invoice', examples.CORRECTED);

/** The operations on the documents of an invoice, by path and method. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of endpoints
export function documentPaths({ refusals, openRefusals }: ReturnType<typeof refusalsAt>): Json {
  return {
    '/v1/invoices/{id}/download': {
      get: operation(
        'createInvoiceDownload',
        'Invoices',
        'Get a short-lived link to the PDF',
        'A short-lived link, valid for 15 minutes (`pdf_url` is valid for 48 hours). Needs the scope `read`.',
        {
          parameters: [invoiceId, paper],
          responses: {
            200: { description: 'The link', ...answered('Download', examples.download) },
            ...refusals('invoice_not_found'),
          },
        },
      ),
    },
    '/v1/invoices/{id}/formats/{format}': {
      get: operation(
        'downloadInvoiceFormat',
        'Invoices',
        'The invoice in a structured format',
        'Generated from the sealed invoice: the same invoice gives the same bytes. An invoice that the format cannot express is refused, naming the term. Needs the scope `read`.',
        {
          parameters: [
            invoiceId,
            {
              ...{ name: 'format', in: 'path', required: true, example: FORMAT_NAMES[0] },
              schema: enumeration('InvoiceFormat', 'sent'),
              description: 'Which format. `ubl_es` is provisional: its specification is not published.',
            },
          ],
          responses: {
            200: {
              description: 'The document',
              headers: {
                ...disposition,
                'Document-Warning': {
                  schema: { type: 'string' },
                  description:
                    'Why its receiver will refuse the document although it is valid: a Facturae to a public body that names no DIR3 offices. Absent if nothing is known.',
                },
              },
              content: Object.fromEntries(
                FORMAT_NAMES.map((name) => [
                  formatKind(name).mediaType,
                  { schema: { type: 'string', format: 'binary' } },
                ]),
              ),
            },
            ...refusals('invoice_not_found', 'format_not_applicable'),
          },
        },
      ),
    },
    '/v1/invoices/export': {
      get: operation(
        'exportInvoices',
        'Invoices',
        'Get a link to the documents of a period',
        'The documents of the invoices that were issued in a period, as one ZIP file. The link is valid for 15 minutes. Needs the scope `read`.',
        {
          parameters: [
            { ...query('from', day, 'The first day, in Madrid.'), required: true },
            { ...query('to', day, 'The last day, in Madrid.'), required: true },
            query(
              'format',
              { type: 'array', items: enumeration('ExportedForm', 'sent') },
              'The formats to export; default `pdf`. May be given several times.',
            ),
          ],
          responses: {
            200: { description: 'The link', ...answered('InvoiceExport', examples.invoiceExport) },
            ...refusals(),
          },
        },
      ),
    },
    '/v1/invoices/export/file': {
      get: operation(
        'downloadInvoiceExport',
        'Invoices',
        'The ZIP file behind a signed link',
        'Streamed while it is generated. Its `index.csv` has a row for every invoice and format; if an invoice has no such format, the row says `format_not_applicable` with the term and the reason. An interrupted download is not a valid ZIP file: open the link again.',
        {
          security: [],
          parameters: [{ ...query('token', { type: 'string' }, 'Part of the link.'), required: true }],
          responses: {
            200: {
              description: 'The file',
              headers: disposition,
              content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
            },
            ...openRefusals('download_link_expired', 'rate_limited'),
          },
        },
      ),
    },
    '/v1/invoices/{id}/file': {
      get: operation(
        'downloadInvoiceFile',
        'Invoices',
        'The PDF behind a signed link',
        'The target of `pdf_url` and `download_url`. The link needs no key.',
        {
          security: [],
          parameters: [
            invoiceId,
            { ...query('token', { type: 'string' }, 'Part of the link.'), required: true },
            paper,
          ],
          responses: {
            200: {
              description: 'The PDF',
              content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
            },
            ...openRefusals('invoice_not_found', 'download_link_expired', 'rate_limited'),
          },
        },
      ),
    },
    '/v1/register_books/file': {
      get: operation(
        'downloadRegisterBook',
        'Invoices',
        'The register book behind a signed link',
        'The target of `downloadUrl` of GraphQL’s `registerBook`. The link needs no key. The file is streamed while it is generated; an interrupted download is incomplete.',
        {
          security: [],
          parameters: [{ ...query('token', { type: 'string' }, 'Part of the link.'), required: true }],
          responses: {
            200: {
              description: 'The book',
              headers: disposition,
              content: {
                'text/csv': { schema: { type: 'string' } },
                'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
                  schema: { type: 'string', format: 'binary' },
                },
              },
            },
            ...openRefusals('download_link_expired', 'rate_limited'),
          },
        },
      ),
    },
  };
}
