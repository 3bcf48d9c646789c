import MailComposer from 'nodemailer/lib/mail-composer';
import type { InvoiceContent } from '../documents/content.ts';
import type { Owed } from '../payments/store/read-payments.ts';
import { inAscii } from './mailer.ts';
import { envelopeIdOf, markOf, returnPathOf } from './marks.ts';
import type { Email, EmailSettings } from './shapes.ts';
import type { Attachment, MessageParts, Outgoing } from './transport.ts';

/** What a message is written from. */
export type MailContent = {
  readonly invoice: InvoiceContent;
  readonly kind: Email['kind'];
  /** In the company's own words; null without any. */
  readonly message: string | null;
  /** Of a reminder, what is still to be paid: of the invoice and of what corrects it. */
  readonly owed: Owed | null;
  /** Whether the reader can write back. */
  readonly answered: boolean;
  /** The customer's own page; null where there is none, or where others than the recipient get the message. */
  readonly portalUrl: string | null;
  /** In place of a PDF that is too large to be attached; null when it is. */
  readonly pdfUrl: string | null;
  readonly attachments: readonly string[];
  /** Under what the picture of the company is found in the message; null without one. */
  readonly logo: { readonly src: string; readonly width: number; readonly height: number } | null;
};

/** Writes a message in the invoice's language: its subject, and its text plain and as HTML. */
export type WriteMail = (content: MailContent) => {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** The picture is found in the message by this name (RFC 2392). */
const LOGO = 'logo@lacre';

/** Readers of mail show these; drawings (SVG) hardly any does. */
const SHOWN: Readonly<Record<string, string>> = { png: 'image/png', jpeg: 'image/jpeg' };

/** The company's picture, as large as a letterhead, where readers of mail can show it. */
export function logoOf({ branding: { logo } }: InvoiceContent): MailContent['logo'] {
  if (logo === null || SHOWN[logo.type] === undefined) return null;
  const scale = Math.min(1, 200 / logo.width, 64 / logo.height);
  return {
    ...{ src: `cid:${LOGO}`, width: Math.round(logo.width * scale), height: Math.round(logo.height * scale) },
  };
}

/**
 * The message as it goes over the wire: the same bytes at each attempt, but for the marks between its parts. Every address
 * and name is written by the library, which lets no line end into a header.
 */
export async function composed(
  email: Pick<Email, 'id' | 'recipients' | 'messageId' | 'requestedAt' | 'language'>,
  {
    from,
    bounces,
    to,
    settings,
    content,
    said,
    attachments,
  }: {
    /** The address that it comes from. */
    readonly from: string;
    readonly bounces: string | null;
    /** Those it is handed over for now. */
    readonly to: readonly string[];
    readonly settings: EmailSettings;
    readonly content: MailContent;
    readonly said: ReturnType<WriteMail>;
    readonly attachments: readonly Attachment[];
  },
): Promise<Outgoing> {
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
    subject: said.subject,
    messageId: email.messageId,
    date: email.requestedAt,
    // RFC 3834: who answers by itself is not to answer to this.
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': email.language },
    text: said.text,
    html: said.html,
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
  // Whoever shows the message without reading it finds the picture in the page itself.
  const inPage = picture.reduce(
    (html, { contentType, content: bytes64 }) =>
      html.replaceAll(`cid:${LOGO}`, `data:${contentType};base64,${bytes64.toString('base64')}`),
    said.html,
  );
  const parts: MessageParts = {
    from: `${name} <${from}>`,
    to: email.recipients,
    ...said,
    html: inPage,
    attachments,
  };
  const mark = markOf(email.messageId);
  const returnPath = bounces === null || mark === null ? from : returnPathOf(mark, bounces);
  const envelopeId = mark === null ? null : envelopeIdOf(mark);
  return { id: email.id, from: returnPath, to: to.map(inAscii), envelopeId, bytes, parts };
}
