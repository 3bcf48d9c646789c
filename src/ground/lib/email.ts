import { domainToASCII, domainToUnicode } from 'node:url';
import { z } from 'zod';

/** RFC 5321 allows 254 characters on the wire, where an internationalised domain is in its ASCII form. */
const LONGEST = 254;

const ascii = z.email().max(LONGEST);

/** The characters of a domain: digits, hyphens, dots, and letters of any script with their marks. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const BEYOND_ASCII = /[^\p{ASCII}]/u;

/**
 * A schema for an e-mail address whose domain may be internationalised (RFC 5890), in either form. It is stored as it was
 * sent, except that letters beyond ASCII are written in lower case and composed (UTS 46), because the case-insensitive
 * comparison of the database cannot do that; `equivalentAddresses` finds it under the other form. The part before the `@` must be
 * ASCII: other mailboxes require mail systems that almost nobody runs (RFC 6531).
 */
export const emailAddress = addressOf({ mayBeEmpty: false });

/** The same, or the empty text (`optionalText`). */
export const emailAddressOrEmpty = addressOf({ mayBeEmpty: true });

function addressOf({ mayBeEmpty }: { readonly mayBeEmpty: boolean }) {
  const schema = z.string().superRefine((sent, check) => {
    if (mayBeEmpty && sent === '') return;
    const found = ascii.safeParse(inAscii(sent) ?? sent);
    const [issue] = found.error?.issues ?? [];
    if (issue === undefined) return;
    if (issue.code === 'too_big') {
      check.addIssue({
        code: 'custom',
        message: `must have at most ${LONGEST} characters`,
        params: { reason: 'too_big' },
      });
    } else {
      check.addIssue({
        code: 'custom',
        message: 'must be an e-mail address',
        params: { reason: 'invalid_format' },
      });
    }
  });
  return schema
    .meta({ format: 'email', maxLength: LONGEST })
    .transform((sent) => (BEYOND_ASCII.test(sent) ? inLetters(sent) : sent));
}

/** The address with its domain in ASCII; null if the domain cannot be converted. */
function inAscii(address: string): string | null {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (at === -1 || !DOMAIN.test(domain)) return null;
  if (!BEYOND_ASCII.test(domain)) return address;
  const written = domainToASCII(domain);
  return written === '' ? null : `${address.slice(0, at)}@${written}`;
}

/** The address with its domain in Unicode. */
function inLetters(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = domainToUnicode(address.slice(at + 1));
  return domain === '' ? address : `${address.slice(0, at)}@${domain}`;
}

/**
 * The forms in which an address may have been recorded: as it is, with its domain in ASCII (`xn--…`) and in Unicode.
 * All of them are the same mailbox, so a search for one finds the others.
 */
export function equivalentAddresses(address: string): string[] {
  const coded = inAscii(address);
  return coded === null ? [address] : [...new Set([address, coded, inLetters(coded)])];
}
