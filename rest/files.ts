import type { FastifyRequest } from 'fastify';
import { type OpeningServices, openArchive, openExport } from '../src/faces/graphql/document-export.ts';
import { invoiceOperations } from '../src/faces/graphql/invoice-operations.ts';
import { type BookServices, openRegisterBook } from '../src/faces/graphql/register-book.ts';
import { invalidField, isRefusal, type Outcome } from '../src/ground/errors/refusal.ts';
import type { PAPERS } from '../src/subjects/documents/types.ts';
import { FORMAT_NAMES, type FormatName } from '../src/subjects/formats/types.ts';
import { sendRefusal } from './answer.ts';
import { fileRules } from './browsers.ts';
import { idOf } from './invoices.ts';
import type { HandlerServices } from './operation.ts';
import type { Handler } from './route.ts';

/** The parameters of a signed link. */
const linkOf = ({ variables }: FastifyRequest) =>
  variables as { readonly token?: string; readonly paper?: (typeof PAPERS)[number] };

/** GET /v1/invoices/{id}/formats/{format}. */
export function formatFile({ baseUrl, contextOf }: HandlerServices): Handler {
  return async (request, reply) => {
    const format = formatOf(request);
    if (isRefusal(format)) return sendRefusal(reply, format, baseUrl);
    const found = await invoiceOperations.format(contextOf(request), { id: idOf(request), format });
    // The fields of such a refusal are terms of the format.
    if (isRefusal(found)) return sendRefusal(reply, found, baseUrl, 'of REST');
    const { filename, mediaType, warning, bytes } = found;
    if (warning !== null) reply.header('document-warning', warning);
    return reply
      .type(mediaType)
      .header('content-disposition', `attachment; filename="${filename}"`)
      .header('cache-control', 'private, no-store')
      .send(bytes);
  };
}

/** The format in the path; `invalid_request` if there is no such format. */
function formatOf(request: FastifyRequest): Outcome<FormatName> {
  const { format } = request.params as { format: string };
  const known = FORMAT_NAMES.find((name) => name === format);
  return known ?? invalidField('format', 'invalid_value', `must be one of ${FORMAT_NAMES.join(', ')}`);
}

/** GET /v1/invoices/{id}/file. */
export function invoiceFile(
  { baseUrl, contextOf }: HandlerServices,
  services: Parameters<typeof fileRules>[0],
): Handler {
  const letPages = fileRules(services);
  return async (request, reply) => {
    const { token = '', paper = 'a4' } = linkOf(request);
    const found = await invoiceOperations.file(contextOf(request), { id: idOf(request), token, paper });
    await letPages(request, reply, isRefusal(found) ? null : found.environmentId);
    if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="${found.filename}"`)
      .header('cache-control', 'private, no-store')
      .send(found.bytes);
  };
}

/** GET /v1/invoices/export/file, sent while it is generated. */
export function exportFile(services: HandlerServices, exporting: OpeningServices): Handler {
  return sentZip(services, (token) => openExport(exporting, token));
}

/** GET /v1/companies/export/file, sent while it is generated. */
export function companyArchive(services: HandlerServices, exporting: OpeningServices): Handler {
  return sentZip(services, (token) => openArchive(exporting, token));
}

function sentZip(
  { baseUrl }: HandlerServices,
  open: (token: string) => ReturnType<typeof openExport>,
): Handler {
  return async (request, reply) => {
    const opened = await open(linkOf(request).token ?? '');
    if (isRefusal(opened)) return sendRefusal(reply, opened, baseUrl);
    const { filename, zip } = opened;
    reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="${filename}"`)
      .header('cache-control', 'private, no-store');
    if (request.method === 'HEAD') {
      zip.destroy();
      return reply.send('');
    }
    request.server.becomesStream(request);
    return reply.send(zip);
  };
}

/** GET /v1/register_books/file, sent while it is generated. */
export function registerBookFile({ baseUrl }: HandlerServices, services: BookServices): Handler {
  return async (request, reply) => {
    const { token = '' } = linkOf(request);
    const opened = await openRegisterBook(services, token);
    if (isRefusal(opened)) return sendRefusal(reply, opened, baseUrl);
    const { filename, mediaType, bytes } = opened;
    reply
      .type(mediaType)
      .header('content-disposition', `attachment; filename="${filename}"`)
      .header('cache-control', 'private, no-store');
    if (request.method === 'HEAD' || request.raw.socket.destroyed) {
      bytes.destroy();
      return reply.send('');
    }
    request.server.becomesStream(request);
    return reply.send(bytes);
  };
}
