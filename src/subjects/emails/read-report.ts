import PostalMime from 'postal-mime';
import { EMAIL_LIMITS } from './limits.ts';
import { type MessageToken, messageTokensIn } from './message-token.ts';
import { oneLineResponse } from './smtp-response.ts';

/**
 * E-mails with which one report is compared. A report names one, in several places; guesses of secrets must not be
 * looked up by the list.
 */
export const BOUNCE_MARKS = 5;

/** A report's information about one recipient of a message (RFC 3464, section 2.3). */
export type ReportedRecipient = {
  /** The original and the final address; in lower case, null when not in the report. */
  readonly original: string | null;
  readonly final: string | null;
  /** `failed` is final, whatever the status; `delayed` may still arrive. Other actions report no failure. */
  readonly action: 'failed' | 'delayed';
  /** RFC 3463: `5.1.1`. */
  readonly statusCode: string | null;
  /** The answer of the last mail server. */
  readonly diagnostic: string | null;
};

/** A report on deliveries, limited to failures and delays. */
export type Report = {
  /** The messages that it may be about, the most likely first. */
  readonly marks: readonly MessageToken[];
  readonly recipients: readonly ReportedRecipient[];
};

const STATUS = /^message\/(global-)?delivery-status$/;

/** The message itself, or only its header (RFC 3462, section 2; RFC 6533, section 5). */
const RETURNED = /^(message\/rfc822|message\/global(-headers)?|(text|message)\/rfc822-headers)$/;

/** Headers in which a mail server names the recipient of the report: the return path of the message. */
const ADDRESSED = ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'in-reply-to', 'references'];

/**
 * Reads a bounce message as a report on deliveries (RFC 3464). `not_a_report` is any other mail to a return path,
 * such as an out-of-office reply; `unreadable` one that exceeds a limit of the parser.
 */
export async function readReport(bytes: Uint8Array): Promise<Report | 'not_a_report' | 'unreadable'> {
  const message = await PostalMime.parse(bytes, {
    ...{ attachmentEncoding: 'utf8', forceRfc822Attachments: true, maxRfc822NestingDepth: 0 },
    maxNestingDepth: EMAIL_LIMITS.bounceDepth.value,
    maxHeadersSize: EMAIL_LIMITS.bounceHead.value,
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
  return { marks: messageTokensIn(where).slice(0, BOUNCE_MARKS), recipients };
}

type Fields = ReadonlyMap<string, string>;

/** Groups of fields separated by an empty line, each field on one line; of repeated names the first counts. */
function groupsOf(text: string): Fields[] {
  const unfolded = text.replace(/\r\n?/g, '\n').replace(/\n[ \t]+(?=\S)/g, ' ');
  const max = EMAIL_LIMITS.emailRecipients.value + 1;
  return unfolded
    .split(/\n(?:[ \t]*\n)+/, max)
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
    diagnostic: oneLineResponse(fields.get('diagnostic-code')?.replace(/^[A-Za-z0-9-]+\s*;\s*/, '')),
  };
}

/** `rfc822; ana@example.com`: the part after the type, without brackets. */
function addressOf(fields: Fields, which: 'original' | 'final'): string | null {
  const written = fields.get(`${which}-recipient`)?.replace(/^[A-Za-z0-9-]+\s*;\s*/, '');
  return written === undefined || written === '' ? null : written.replace(/^<|>$/g, '').toLowerCase();
}
