import PostalMime from 'postal-mime';
import { LIMITS } from '../../ground/lib/limits.ts';
import { type Mark, marksIn } from './marks.ts';
import { said } from './said.ts';

/** What a report says of one recipient of a message (RFC 3464, section 2.3). */
export type ReportedRecipient = {
  /** As the sender wrote it, and as it was in the end; small letters, null where the report does not say. */
  readonly original: string | null;
  readonly final: string | null;
  /** `failed` is for good, whatever the status; `delayed` may still arrive. Others tell of no failure. */
  readonly action: 'failed' | 'delayed';
  /** RFC 3463: `5.1.1`. */
  readonly statusCode: string | null;
  /** What the last mail server said. */
  readonly diagnostic: string | null;
};

/** A report on deliveries, as far as it tells what did not arrive. */
export type Report = {
  /** Of what message it may be, likeliest first. */
  readonly marks: readonly Mark[];
  readonly recipients: readonly ReportedRecipient[];
};

const STATUS = /^message\/(global-)?delivery-status$/;

/** The message itself, or only its head (RFC 3462, section 2; RFC 6533, section 5). */
const RETURNED = /^(message\/rfc822|message\/global(-headers)?|(text|message)\/rfc822-headers)$/;

/** In these a mail server says to whom it delivers the report: to the return path of the message. */
const ADDRESSED = ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'in-reply-to', 'references'];

/**
 * Reads a message that came back as a report on deliveries (RFC 3464). `not_a_report` is whatever else comes to a return path,
 * such as an answer of somebody who is away; `unreadable` what passes a bound of the parser.
 */
export async function readReport(bytes: Uint8Array): Promise<Report | 'not_a_report' | 'unreadable'> {
  const message = await PostalMime.parse(bytes, {
    ...{ attachmentEncoding: 'utf8', forceRfc822Attachments: true, maxRfc822NestingDepth: 0 },
    maxNestingDepth: LIMITS.bounceDepth.value,
    maxHeadersSize: LIMITS.bounceHead.value,
  }).catch(() => null);
  if (message === null) return 'unreadable';
  const parts = message.attachments.map(({ mimeType, content }) => ({ mimeType, text: String(content) }));
  const status = parts.find(({ mimeType }) => STATUS.test(mimeType));
  if (status === undefined) return 'not_a_report';
  const [ofMessage = new Map(), ...ofRecipients] = groupsOf(status.text);
  const returned = parts
    .filter(({ mimeType }) => RETURNED.test(mimeType))
    .map(({ text }) => groupsOf(text)[0]?.get('message-id') ?? '');
  const addressed = message.headers.filter(({ key }) => ADDRESSED.includes(key)).map(({ value }) => value);
  const where = [ofMessage.get('original-envelope-id') ?? '', ...returned, ...addressed].join('\n');
  const recipients = ofRecipients.flatMap((fields) => recipientOf(fields) ?? []);
  return { marks: marksIn(where).slice(0, LIMITS.bounceMarks.value), recipients };
}

type Fields = ReadonlyMap<string, string>;

/** Groups of fields with an empty line between them, each field on one line; the first of a name counts. */
function groupsOf(text: string): Fields[] {
  const unfolded = text.replace(/\r\n?/g, '\n').replace(/\n[ \t]+(?=\S)/g, ' ');
  const most = LIMITS.emailRecipients.value + 1;
  return unfolded
    .split(/\n(?:[ \t]*\n)+/, most)
    .map((group) => {
      const lines = group.split('\n').filter((line) => line.includes(':'));
      return new Map(
        lines.toReversed().map((line): [string, string] => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
    })
    .filter((fields) => fields.size > 0);
}

function recipientOf(fields: Fields): ReportedRecipient | null {
  const action = fields.get('action')?.toLowerCase();
  if (action !== 'failed' && action !== 'delayed') return null;
  return {
    ...{ action, original: addressOf(fields, 'original'), final: addressOf(fields, 'final') },
    statusCode: /^[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '')?.[0] ?? null,
    diagnostic: said(fields.get('diagnostic-code')?.replace(/^[A-Za-z0-9-]+\s*;\s*/, '')),
  };
}

/** `rfc822; ana@example.com`: what stands behind the type, without brackets. */
function addressOf(fields: Fields, which: 'original' | 'final'): string | null {
  const written = fields.get(`${which}-recipient`)?.replace(/^[A-Za-z0-9-]+\s*;\s*/, '');
  return written === undefined || written === '' ? null : written.replace(/^<|>$/g, '').toLowerCase();
}
