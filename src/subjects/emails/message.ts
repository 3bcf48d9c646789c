import MailComposer from 'nodemailer/lib/mail-composer';
import type { InvoiceContent } from '../documents/content.ts';
import type { AmountDue } from '../payments/store/read-payments.ts';
import { inAscii } from './mailer.ts';
import { envelopeIdOf, messageTokenOf, returnPathOf } from './message-token.ts';
import type { Email, EmailSettings } from './shapes.ts';
import type { Attachment, MessageParts, OutgoingMessage } from './transport.ts';

/** The input of a message. */
export type MailContent = {
  readonly invoice: InvoiceContent;
  readonly kind: Email['kind'];
  /** In the company's own words; null without any. */
  readonly message: string | null;
  /** For a reminder: the unpaid amount of the invoice and its corrections. */
  readonly amountDue: AmountDue | null;
  /** Whether the reader can reply. */
  readonly answered: boolean;
  /** The customer's portal page; null when there is none, or when others than the recipient get the message. */
  readonly portalUrl: string | null;
  /** Replaces a PDF that is too large to be attached; null otherwise. */
  readonly pdfUrl: string | null;
  readonly attachments: readonly string[];
  /** The Content-ID of the company's logo in the message; null without one. */
  readonly logo: { readonly src: string; readonly width: number; readonly height: number } | null;
};

/** Writes a message in the invoice's language: its subject, and its body as plain text and as HTML. */
export type WriteMail = (content: MailContent) => {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** The Content-ID of the logo (RFC 2392). */
const LOGO = 'logo@lacre';

/** The formats that mail clients show; few show SVG. */
const SHOWN: Readonly<Record<string, string>> = { png: 'image/png', jpeg: 'image/jpeg' };

/** The company's logo, in letterhead size, if mail clients can show it. */
export function logoOf({ branding: { logo } }: InvoiceContent): MailContent['logo'] {
  if (logo === null || SHOWN[logo.type] === undefined) return null;
  const scale = Math.min(1, 200 / logo.width, 64 / logo.height);
  return {
    ...{ src: `cid:${LOGO}`, width: Math.round(logo.width * scale), height: Math.round(logo.height * scale) },
  };
}

/**
 * The message as transmitted: the same bytes at each attempt, except the boundaries between its parts. The library
 * writes all addresses and names, and allows no line break in a header.
 */
export async function composeMessage(
  email: Pick<Email, 'id' | 'recipients' | 'messageId' | 'requestedAt' | 'language'>,
  {
    from,
    bounces,
    to,
    settings,
    content,
    written,
    attachments,
  }: {
    /** The sender's address. */
    readonly from: string;
    readonly bounces: string | null;
    /** The recipients of this attempt. */
    readonly to: readonly string[];
    readonly settings: EmailSettings;
    readonly content: MailContent;
    readonly written: ReturnType<WriteMail>;
    readonly attachments: readonly Attachment[];
  },
): Promise<OutgoingMessage> {
  const { logo } = content.invoice.branding;
  const name = settings.senderName ?? content.invoice.issuer.legalName;
  const picture =
    content.logo === null || logo === null
      ? []
      : [
          {
            cid: LOGO,
            filename: `logo.${logo.type}`,
            contentType: SHOWN[logo.type]!,
            content: Buffer.from(logo.bytes),
          },
        ];
  const message = new MailComposer({
    from: { name, address: from },
    ...(settings.replyTo === null ? {} : { replyTo: inAscii(settings.replyTo) }),
    to: email.recipients.map((address) => ({ name: '', address: inAscii(address) })),
    subject: written.subject,
    messageId: email.messageId,
    date: email.requestedAt,
    // RFC 3834: asks automatic responders not to answer.
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': email.language },
    text: written.text,
    html: written.html,
    attachments: [
      ...picture,
      ...attachments.map(({ filename, mediaType, bytes }) => ({
        filename,
        contentType: mediaType,
        content: bytes,
      })),
    ],
    baseBoundary: email.id,
    newline: 'win',
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const bytes = await message.compile().build();
  // For display without sending, the image is embedded in the page itself.
  const inPage = picture.reduce(
    (html, { contentType, content: bytes64 }) =>
      html.replaceAll(`cid:${LOGO}`, `data:${contentType};base64,${bytes64.toString('base64')}`),
    written.html,
  );
  const parts: MessageParts = {
    from: `${name} <${from}>`,
    to: email.recipients,
    ...written,
    html: inPage,
    attachments,
  };
  const mark = messageTokenOf(email.messageId);
  const returnPath = bounces === null || mark === null ? from : returnPathOf(mark, bounces);
  const envelopeId = mark === null ? null : envelopeIdOf(mark);
  return { id: email.id, from: returnPath, to: to.map(inAscii), envelopeId, bytes, parts };
}
