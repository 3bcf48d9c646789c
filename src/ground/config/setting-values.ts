import { isIP } from 'node:net';
import type { z } from 'zod';
import { emailAddress } from '../lib/email.ts';
import type { EncryptionKey } from '../lib/encryption.ts';

/** Parse settings that hold several values. Errors are reported to `check`. */

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** Addresses and networks, separated by commas. */
export function readProxies(written: string, check: z.RefinementCtx): string[] {
  const proxies = written.split(',').map((entry) => entry.trim());
  for (const proxy of proxies) {
    const [address = '', bits, ...more] = proxy.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    // A network that includes everybody would trust everybody.
    const isNetwork =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest);
    if (NAMED_NETWORKS.includes(proxy) || (isIP(address) > 0 && isNetwork && more.length === 0)) continue;
    check.addIssue({
      code: 'custom',
      message: `${JSON.stringify(proxy)} is neither an address nor a network`,
    });
  }
  return proxies;
}

/** `name:base64,name:base64`: keys of 32 bytes; the first one encrypts. */
export function readCertificateKeys(written: string, check: z.RefinementCtx): EncryptionKey[] {
  const keys = written.split(',').map((entry) => {
    const [, name = '', encoded = ''] =
      /^\s*([A-Za-z0-9_.-]{1,64}):([A-Za-z0-9+/_-]{43}=?)\s*$/.exec(entry) ?? [];
    return { name, key: Buffer.from(encoded, 'base64') };
  });
  const names = new Set(keys.map(({ name }) => name));
  if (names.has('') || names.size < keys.length) {
    // The value is secret, so the message must not repeat it.
    const message = 'must be name:key,… with different names and keys of 32 bytes in base64';
    check.addIssue({ code: 'custom', message });
  }
  return keys;
}

/** As many characters of hexadecimal digits have 128 bits. */
const SHORTEST_SECRET = 32;

/** `secret,secret`. */
export function readLinkSecrets(written: string, check: z.RefinementCtx): Buffer[] {
  const secrets = written.split(',').map((entry) => entry.trim());
  if (secrets.some((secret) => secret.length < SHORTEST_SECRET) || new Set(secrets).size < secrets.length) {
    // The value is secret, so the message must not repeat it.
    const message = `must be secret,… with different secrets of ${SHORTEST_SECRET} characters or more`;
    check.addIssue({ code: 'custom', message });
  }
  return secrets.map((secret) => Buffer.from(secret));
}

/** A mail server, and our account there. */
export type MailServer = {
  readonly host: string;
  readonly port: number;
  /** Whether the connection uses TLS from the start. */
  readonly secure: boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
};

/** RFC 8314, section 7.3: submission with TLS from the start, and RFC 6409: with STARTTLS. */
const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;

/**
 * `smtp://user:password@host:port`. Anything further in the URL is refused, so that nobody assumes that an option has an
 * effect.
 */
export function readMailServer(written: string, check: z.RefinementCtx): MailServer {
  const nothing = { host: '', port: 0, secure: false, login: null };
  const refuse = (message: string) => {
    // The value is secret, so the message must not repeat it.
    check.addIssue({ code: 'custom', message });
    return nothing;
  };
  const url = URL.canParse(written.trim()) ? new URL(written.trim()) : null;
  if (url === null || !(url.protocol === 'smtp:' || url.protocol === 'smtps:') || url.hostname === '')
    return refuse('must be smtp://user:password@host:port, or smtps://…');
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '')
    return refuse('must end with the host or port');
  if ((url.username === '') !== (url.password === ''))
    return refuse('must have both user and password, or neither');
  try {
    const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? PORTS[url.protocol] : Number(url.port),
      secure: url.protocol === 'smtps:',
      login: user === '' ? null : { user, pass },
    };
  } catch {
    return refuse('must have special characters in user and password percent-encoded');
  }
}

/**
 * With a tag of fifty characters after it, the part before the `@` reaches the maximum of 64 (RFC 5321, section 4.5.3.1.1).
 */
const LONGEST_MAILBOX = 14;

/** An e-mail address that leaves room for the tag of a message. */
export function readBounces(written: string, check: z.RefinementCtx): string {
  const address = readSender(written, check);
  const mailbox = address.slice(0, address.lastIndexOf('@'));
  if (mailbox.length > LONGEST_MAILBOX || mailbox.includes('+')) {
    const message = `must have at most ${LONGEST_MAILBOX} characters before the @, and no plus sign`;
    check.addIssue({ code: 'custom', message });
  }
  return address;
}

/** An e-mail address, with its domain in Unicode or ASCII form. */
export function readSender(written: string, check: z.RefinementCtx): string {
  const read = emailAddress.safeParse(written.trim());
  if (read.success) return read.data;
  check.addIssue({ code: 'custom', message: 'must be an e-mail address' });
  return '';
}
