import { truncateText } from '../../ground/lib/text.ts';

/** Answers of mail servers are one or two lines. */
const LONGEST_RESPONSE = 300;

/** The answer of a mail server on one line; null when there is none. */
export function oneLineResponse(response: string | undefined): string | null {
  const line = (response ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]+/gu, ' ')
    .trim();
  return line === '' ? null : truncateText(line, LONGEST_RESPONSE);
}

/**
 * The enhanced status code at the beginning of a server's answer (RFC 2034, section 4): `550 5.1.1 …`; null without
 * one.
 */
export function statusCodeIn(response: string | null): string | null {
  return /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1] ?? null;
}
