import { createHmac } from 'node:crypto';
import type { Db } from '../../ground/db/client.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import type { LinkSecrets } from '../../ground/lib/keyring.ts';
import { secretWithin } from '../../ground/lib/secret.ts';
import { savePortalSession } from '../customers/portal-sessions.ts';
import { loadInvoiceContent } from '../documents/content.ts';
import { type Documents, documentFor } from '../documents/document.ts';
import { downloadUrl, signDownload } from '../documents/links.ts';
import type { FormatServices } from '../formats/format.ts';
import { structuredDocument } from '../formats/registry.ts';
import { EMAIL_LIMITS } from './limits.ts';
import { logoOf, type MailContent } from './message.ts';
import type { Email } from './shapes.ts';
import { readInvoiceToSend } from './store/emails.ts';
import type { Attachment } from './transport.ts';

/** The dependencies of attachments, and of links in a message. */
type AttachmentServices = Documents &
  FormatServices & {
    readonly db: Pick<Db, 'pool'>;
    readonly config: { readonly baseUrl: string };
    readonly linkSecrets: LinkSecrets;
    /** Another limit than the service's own, for tests. */
    readonly mostBytes?: number;
  };

/** The content of a message, and its attachments. */
export type Attached = { readonly content: MailContent; readonly attachments: readonly Attachment[] };

/**
 * How long the links of a message work. Between businesses 60 days is the longest term of payment that the law
 * allows (Ley 3/2004 art. 4), plus a month for late payers.
 */
const LINK_MS = 90 * 24 * 60 * 60 * 1_000;

/**
 * Prepares the attachments of an e-mail: the PDF, or a link to it if it is too large, and the requested structured
 * documents. Returns why the e-mail cannot be sent when one of them is too large or no longer available. Throws
 * while the PDF is unavailable: the job is retried.
 */
export async function attach(
  services: AttachmentServices,
  environmentId: number,
  email: Email,
  { answered, amountDue }: Pick<MailContent, 'answered' | 'amountDue'>,
): Promise<Attached | 'too_large' | 'format_not_applicable'> {
  const { invoiceId } = email;
  const pdf = await documentFor(services, environmentId, invoiceId, { urgent: false });
  if (isRefusal(pdf)) throw new Error(`the PDF of an e-mail: ${pdf.detail}`);
  const structured: Attachment[] = [];
  for (const format of email.formats) {
    const document = await structuredDocument(
      services,
      { environmentId, invoiceId, actor: email.requestedBy },
      format,
    );
    if (!isRefusal(document)) structured.push(document);
    else if (document.code === 'format_not_applicable') return 'format_not_applicable';
    else throw new Error(`a structured document of an e-mail: ${document.detail}`);
  }
  const room = (services.mostBytes ?? EMAIL_LIMITS.emailAttachments.value) - sizeOf(structured);
  if (room < 0) return 'too_large';
  const isLinked = pdf.bytes.length > room;
  const filename = `${pdf.number.replace(/[^A-Za-z0-9._-]/g, '_')}.pdf`;
  const attachments = [
    ...(isLinked ? [] : [{ filename, mediaType: 'application/pdf', bytes: pdf.bytes }]),
    ...structured,
  ];
  const invoice = await loadInvoiceContent(services.db, services.qrBases, environmentId, invoiceId);
  if (invoice === null) throw new Error('an e-mail is of an invoice that is not there');
  const content: MailContent = {
    invoice: { ...invoice, branding: { ...invoice.branding, language: email.language } },
    ...{ kind: email.kind, message: email.message, answered, amountDue },
    portalUrl: await portalLink(services, environmentId, email),
    pdfUrl: isLinked ? pdfLink(services, environmentId, email) : null,
    attachments: attachments.map((file) => file.filename),
    logo: logoOf(invoice),
  };
  return { content, attachments };
}

const sizeOf = (files: readonly Attachment[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes.length, 0);

const expiryOf = ({ requestedAt }: Email): Date => new Date(requestedAt.getTime() + LINK_MS);

function pdfLink({ config, linkSecrets }: AttachmentServices, environmentId: number, email: Email): string {
  const { invoiceId } = email;
  const link = { secret: linkSecrets.current, environmentId, invoiceId, expiresAt: expiryOf(email) };
  return downloadUrl(config.baseUrl, invoiceId, signDownload(link));
}

/**
 * A link to the portal page of the invoice's customer, which shows all of the customer's invoices: therefore only a
 * message to the invoice's own address and nobody else contains it. It is derived from the e-mail's id and the same
 * at each attempt.
 */
async function portalLink(
  services: AttachmentServices,
  environmentId: number,
  email: Email,
): Promise<string | null> {
  const invoice = await readInvoiceToSend(services.db.pool, environmentId, email.invoiceId);
  const { integrationId, externalCustomerId, recipientEmail } = invoice ?? {};
  const isOwn = email.recipients.every((address) => address.toLowerCase() === recipientEmail?.toLowerCase());
  if (!integrationId || !externalCustomerId || !isOwn) return null;
  const { config, linkSecrets } = services;
  const secret = createHmac('sha256', linkSecrets.current).update(`portal:${email.id}`).digest('base64url');
  const token = secretWithin(environmentId, secret);
  await savePortalSession(services.db, environmentId, {
    ...{ token, integrationId, externalCustomerId },
    ...{ createdAt: email.requestedAt, expiresAt: expiryOf(email) },
  });
  return `${config.baseUrl}/portal/${token}`;
}
