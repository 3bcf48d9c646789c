import { randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Identifies an e-mail in reports about it: its id, and a secret that is only in the message, its return path and
 * its envelope. Only those who received or transported the message can report on it.
 */
export type MessageToken = { readonly emailId: string; readonly secret: string };

const MARK = /(?<![0-9a-z])(?:eml_)?([0-9a-f]{32})\.([0-9a-f]{16})(?![0-9a-z])/gi;

/** The secret of a new e-mail: 64 bits, which cannot be guessed by sending reports. */
export const newSecret = (): string => randomBytes(8).toString('hex');

/**
 * The Message-ID of an e-mail (RFC 5322, section 3.6.4): derived from its mark and the sender's domain, and
 * therefore constant.
 */
export function messageIdOf({ emailId, secret }: MessageToken, from: string): string {
  return `<${emailId}.${secret}@${from.slice(from.lastIndexOf('@') + 1)}>`;
}

/** The marks in a text, without duplicates. */
export function messageTokensIn(text: string): MessageToken[] {
  const found = Array.from(text.matchAll(MARK), ([, id = '', secret = '']) => [id, secret].join('.'));
  return [...new Set(found.map((mark) => mark.toLowerCase()))].map((mark) => {
    const [id = '', secret = ''] = mark.split('.');
    return { emailId: `eml_${id}`, secret };
  });
}

/** The mark of a message by its Message-ID; null for one that was sent before marks existed. */
export function messageTokenOf(messageId: string): MessageToken | null {
  return messageTokensIn(messageId)[0] ?? null;
}

/** The mark in envelopes (RFC 3461, section 4.4) and return paths. */
export function envelopeIdOf({ emailId, secret }: MessageToken): string {
  return `${emailId.slice('eml_'.length)}.${secret}`;
}

/** The return path of one e-mail: the mark follows a plus sign (RFC 5233). */
export function returnPathOf(mark: MessageToken, bounces: string): string {
  const at = bounces.lastIndexOf('@');
  return `${bounces.slice(0, at)}+${envelopeIdOf(mark)}${bounces.slice(at)}`;
}

/** Whether the mark is that of the message with this Message-ID. */
export function isTokenOf({ emailId, secret }: MessageToken, messageId: string): boolean {
  const token = messageTokenOf(messageId);
  return token?.emailId === emailId && timingSafeEqual(Buffer.from(token.secret), Buffer.from(secret));
}
