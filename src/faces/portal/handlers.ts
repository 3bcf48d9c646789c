import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import { SHARED_LIMITS } from '../../ground/lib/limits.ts';
import { lookUpSecret } from '../../subjects/accounts/entry/failed-attempts.ts';
import {
  endPortalVisit,
  findPortalVisitor,
  openPortalSession,
} from '../../subjects/customers/portal-sessions.ts';
import { brandingOf } from '../../subjects/documents/branding/set-branding.ts';
import { documentOnPaper, fileName } from '../../subjects/documents/document-on-paper.ts';
import type { Paper } from '../../subjects/documents/types.ts';
import { formatsOffered, structuredDocument } from '../../subjects/formats/registry.ts';
import { FORMAT_NAMES, type FormatName, formatKind } from '../../subjects/formats/types.ts';
import type { StoredInvoice } from '../../subjects/invoices/rows.ts';
import { exchangeInvoices } from '../../subjects/rectifying/exchange.ts';
import { exchangeRequest } from '../../subjects/rectifying/exchange-request.ts';
import { refusalOfLarge } from '../graphql/charged-rows.ts';
import { html } from '../web/html.ts';
import { allowLive, serveChanges } from '../web/live.ts';
import { type Form, isSecure, queryOf, rootOf } from '../web/request.ts';
import { chargeByNetwork, chargeForPage, sendPage } from '../web/serve.ts';
import { brandStyle } from './brand.ts';
import { type Entries, entriesOf, fieldErrors, recipientOf } from './exchange-form.ts';
import { exchangePage, refusalPage } from './exchange-page.ts';
import { readFilter } from './filters.ts';
import { invoicePage } from './invoice-page.ts';
import { notice } from './layout.ts';
import { listPage } from './list-page.ts';
import {
  customerInvoice,
  customerInvoices,
  type PortalInvoice,
  type PortalServices,
  references,
} from './reading.ts';
import { clearVisitCookie, setVisitCookie, visitCookie } from './request.ts';
import { exchangeability } from './states.ts';
import { PREFIX, type Visit, viewFor } from './visit.ts';

/** What a request of an open visit does, and answers. */
export type VisitHandler = (
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;

/** Follows a link, which makes a visit each time; a page gives the reason where it does not. */
async function open(
  services: PortalServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // A prefetch is not an opening of the link: the browser requests it again when the user does.
  if (request.headers['sec-purpose']?.includes('prefetch')) return reply.code(503).send();
  const secure = isSecure(services);
  const root = rootOf(services, PREFIX);
  const { texts, ...view } = viewFor(services, request, reply);
  const { token } = request.params as { token: string };
  const opening = await lookUpSecret(services, request.ip, async () => {
    const found = await openPortalSession(services.db, token);
    return found === 'unknown' ? null : found;
  });
  if (isRefusal(opening)) {
    reply.header('retry-after', String(opening.retryAfter));
    return sendPage(reply, 429, notice({ texts, ...view }, texts.notices.unknown));
  }
  // Charged to the link itself if it opens: others of its network cannot keep it closed.
  const isWithin =
    opening !== null && typeof opening === 'object'
      ? chargeForPage(services, opening.sessionId, reply)
      : chargeByNetwork(services, request, reply);
  if (!isWithin) return sendPage(reply, 429, notice({ texts, ...view }, texts.notices.tooMany));
  if (opening === null) return sendPage(reply, 404, notice({ texts, ...view }, texts.notices.unknown));
  if (typeof opening === 'string') {
    return sendPage(reply, 410, notice({ texts, ...view }, texts.notices[opening]));
  }
  const maxAge = Math.floor((opening.expiresAt.getTime() - clock.now().getTime()) / 1_000);
  setVisitCookie(reply, opening.cookie, { maxAge, secure });
  return reply.redirect(root, 303);
}

const list: VisitHandler = async ({ reader, view }, request, reply) => {
  const query = queryOf(request);
  const { query: entered, filter, faults } = readFilter(query);
  const isFirst = query('after') === '';
  allowLive(reply);
  if (faults !== null) return sendPage(reply, 400, listPage(view, entered, { faults, found: null, isFirst }));
  const found = await customerInvoices(reader, filter, isFirst ? null : query('after'));
  if (isRefusal(found)) return refused(view, reply, found, view.texts.list.lost);
  return sendPage(reply, 200, listPage(view, entered, { faults, found, isFirst }));
};

/** A refusal of reading: what is not there, or trouble of ours. */
function refused(view: Visit['view'], reply: FastifyReply, refusal: Refusal, missing?: string): FastifyReply {
  const { notices } = view.texts;
  const isMissing = refusal.code === 'invoice_not_found';
  const text = isMissing ? { ...notices.missing, text: missing ?? notices.missing.text } : notices.failed;
  const more = html`<p class="actions"><a class="button primary" href="${view.root}">${notices.toList}</a></p>`;
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
  return sendPage(reply, refusal.status, notice(view, text, more));
}

const show: VisitHandler = async ({ reader, view }, request, reply) => {
  const invoice = await customerInvoice(reader, idOf(request));
  if (isRefusal(invoice)) return refused(view, reply, invoice);
  const corrected = invoice.rectifies.flatMap(({ invoiceId }) =>
    invoiceId === null ? [] : [{ id: invoiceId }],
  );
  const [corrects, correctedBy, replaces, replacedBy] = await Promise.all([
    references(reader, corrected),
    references(reader, invoice.rectifiedBy),
    references(reader, invoice.exchanges),
    references(reader, invoice.exchangedBy === null ? [] : [invoice.exchangedBy]),
  ]);
  const justIssued = invoice.kind === 'exchange' && queryOf(request)('issued') !== '';
  const related = { corrects, correctedBy, replaces, replacedBy };
  const formats = await formatsOf(reader, invoice);
  allowLive(reply);
  return sendPage(reply, 200, invoicePage(view, invoice, related, { formats, justIssued }));
};

/** The formats that the customer can have now. One that may still change is nothing for a customer's own program. */
async function formatsOf(
  { services, visitor }: Visit['reader'],
  { id, type, lineItems }: PortalInvoice,
): Promise<FormatName[]> {
  // No ticket names the buyer that all of them demand.
  if (type === 'simplified') return [];
  const { environmentId } = visitor;
  await services.eventLoop.waitIfLarge(environmentId, lineItems.length);
  const offered = await formatsOffered(services, { environmentId, invoiceId: id });
  if (isRefusal(offered)) return [];
  const available = offered.filter(
    ({ format, refusal }) => refusal === null && !formatKind(format).isProvisional,
  );
  return available.map(({ format }) => format);
}

const download =
  (paper: Paper): VisitHandler =>
  async ({ reader, view }, request, reply) => {
    const { services, visitor } = reader;
    const invoice = await customerInvoice(reader, idOf(request));
    if (isRefusal(invoice)) return refused(view, reply, invoice);
    const file = await documentOnPaper(services, visitor.environmentId, invoice.id, paper, {
      beforeReading: () => refusalOfLarge(services.unread),
    });
    if (isRefusal(file)) return refused(view, reply, file);
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="${fileName(file.number, paper)}"`)
      .send(file.bytes);
  };

const structured: VisitHandler = async ({ reader, view }, request, reply) => {
  const { services, visitor } = reader;
  const { format } = request.params as { format: string };
  const name = FORMAT_NAMES.find((known) => known === format);
  const invoice = await customerInvoice(reader, idOf(request));
  if (isRefusal(invoice)) return refused(view, reply, invoice);
  if (name === undefined) return sendPage(reply, 404, notice(view, view.texts.notices.missing));
  const { environmentId, sessionId: actor } = visitor;
  const target = { environmentId, invoiceId: invoice.id, actor };
  const document = await structuredDocument(services, target, name);
  if (isRefusal(document)) {
    const isKnown = document.code === 'format_not_applicable';
    if (!isKnown) return refused(view, reply, document);
    return sendPage(reply, document.status, notice(view, view.texts.notices.notApplicable));
  }
  return reply
    .type(document.mediaType)
    .header('content-disposition', `attachment; filename="${document.filename}"`)
    .send(document.bytes);
};

const showExchange: VisitHandler = async ({ reader, view }, request, reply) => {
  const ticket = await customerInvoice(reader, idOf(request));
  if (isRefusal(ticket)) return refused(view, reply, ticket);
  if (exchangeability(ticket) !== 'now') return reply.redirect(`${view.root}/invoices/${ticket.id}`, 303);
  return sendPage(reply, 200, exchangePage(view, ticket, firstEntries(ticket, reader.visitor)));
};

/** What is known already. */
function firstEntries(
  { recipient, email }: PortalInvoice,
  customer: { readonly name: string | null; readonly email: string | null },
): Entries {
  const address = recipient?.address;
  return {
    name: recipient?.companyName ?? recipient?.name ?? customer.name ?? '',
    taxId: '',
    taxIdType: '',
    taxIdCountry: '',
    line1: address?.line1 ?? '',
    line2: address?.line2 ?? '',
    postalCode: address?.postalCode ?? '',
    city: address?.city ?? '',
    country: address?.country ?? 'ES',
    email: email ?? customer.email ?? '',
  };
}

const exchange: VisitHandler = async ({ reader, view }, request, reply) => {
  const ticket = await customerInvoice(reader, idOf(request));
  if (isRefusal(ticket)) return refused(view, reply, ticket);
  const entries = entriesOf(request.body as Form);
  const issued = await issueExchange(reader, ticket, entries);
  if (!isRefusal(issued)) {
    return reply.redirect(`${view.root}/invoices/${issued.invoice.id}?issued=1`, 303);
  }
  if (issued.retryAfter !== undefined) reply.header('retry-after', String(issued.retryAfter));
  const { registerDown, tooMany } = view.texts.exchange;
  const faults = fieldErrors(issued, entries) ?? undefined;
  const alert = { tax_id_validation_unavailable: registerDown, rate_limited: tooMany }[issued.code as string];
  if (faults !== undefined || alert !== undefined) {
    return sendPage(reply, issued.status, exchangePage(view, ticket, entries, { faults, alert }));
  }
  // It may have changed meanwhile: the current state is shown.
  const now = await customerInvoice(reader, ticket.id);
  const replacedBy = isRefusal(now) || now.exchangedBy === null ? [] : [now.exchangedBy];
  return sendPage(
    reply,
    issued.status,
    refusalPage(view, ticket, issued, await references(reader, replacedBy)),
  );
};

async function issueExchange(
  { services, visitor }: Visit['reader'],
  ticket: PortalInvoice,
  entries: Entries,
): Promise<Outcome<StoredInvoice>> {
  const { outcome } = await services.rateLimits.take({ keyId: visitor.sessionId }, 'portal_exchange');
  if (isRefusal(outcome)) return outcome;
  const sent = { ticketIds: [ticket.id], recipient: recipientOf(entries) };
  const valid = parseRequest(exchangeRequest, sent);
  if (isRefusal(valid)) return valid;
  return exchangeInvoices(services, visitor.sessionId, visitor.environmentId, valid);
}

const signOut: VisitHandler = async ({ reader, view }, request, reply) => {
  const { services, visitor } = reader;
  const secure = isSecure(services);
  const cookie = visitCookie(request, secure);
  if (cookie !== null) await endPortalVisit(services.db, cookie);
  clearVisitCookie(reply, secure);
  const { language, texts, root, here } = view;
  const back = visitor.returnUrl;
  const more =
    back === null
      ? null
      : html`<p class="actions"><a class="button primary" href="${back}" rel="noreferrer">${texts.back(new URL(back).host)}</a></p>`;
  return sendPage(reply, 200, notice({ language, texts, root, here }, texts.notices.signedOut, more));
};

/** What a page listens to: whether something has happened to the customer's own invoices. */
const follow: VisitHandler = ({ reader }, request, reply) => {
  const { services, visitor } = reader;
  const { environmentId, integrationId, externalCustomerId } = visitor;
  const cookie = visitCookie(request, isSecure(services)) ?? '';
  return serveChanges(services, request, reply, {
    ...{ owner: `link ${visitor.sessionId}`, environmentId, cookie },
    max: SHARED_LIMITS.streamsOfPages.value,
    isMeant: async ({ type, subjectId }) => {
      if (!type.startsWith('invoice.')) return false;
      const found = await services.readInvoice(environmentId, subjectId);
      if (found === null) return false;
      const { integration_id: integration, external_customer_id: customer } = found.invoice;
      return integration === integrationId && customer === externalCustomerId;
    },
    stillMay: async () => (await findPortalVisitor(services.db, cookie)) !== null,
  });
};

/** A branding never changes under its number, which the address has; only this browser keeps it. */
const KEPT = 'private, max-age=31536000, immutable';

const brand: VisitHandler = async ({ view }, _request, reply) => {
  const { accentColour } = view.look;
  const text = accentColour === null ? '' : brandStyle(accentColour);
  return reply.header('cache-control', KEPT).type('text/css; charset=utf-8').send(text);
};

/** A drawing has styles of its own; opened by itself it runs nothing either. */
const LOGO_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const LOGO_TYPES = { png: 'image/png', jpeg: 'image/jpeg', svg: 'image/svg+xml' } as const;

const logo: VisitHandler = async ({ reader, view }, _request, reply) => {
  const branding = await brandingOf(reader.services.db, reader.visitor.environmentId);
  if (!branding?.logo) return sendPage(reply, 404, notice(view, view.texts.notices.missing));
  const { type, bytes } = branding.logo;
  reply.header('cache-control', KEPT).header('content-security-policy', LOGO_POLICY);
  return reply.type(LOGO_TYPES[type]).send(Buffer.from(bytes));
};

export const handlers = {
  open,
  brand,
  logo,
  list,
  show,
  follow,
  download: download('a4'),
  ticket: download('roll'),
  structured,
  showExchange,
  exchange,
  signOut,
};
