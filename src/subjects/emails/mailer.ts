import { domainToASCII } from 'node:url';
import type { MailConfig } from '../../ground/config/config.ts';
import { folderTransport, type MailFolder } from './folder.ts';
import { smtpTransport } from './smtp.ts';
import type { MailTransport } from './transport.ts';

/** The e-mail configuration of this process. */
export type Mailer = {
  /** The sender's address, its domain in ASCII. */
  readonly from: string;
  /** The return path, with an address for each message derived from it; null: bounces go to `from`. */
  readonly bounces: string | null;
  readonly transport: MailTransport;
  /** The messages that were written instead of sent; null when messages are sent. */
  readonly folder: MailFolder | null;
};

/** The mailer of a configuration; null when it sends none. */
export function openMailer(config: MailConfig | null): Mailer | null {
  if (config === null) return null;
  const from = inAscii(config.from);
  if (config.way === 'folder') return { from, bounces: null, ...folderTransport(config.folder) };
  const bounces = config.bounces === null ? null : inAscii(config.bounces);
  return { from, bounces, transport: smtpTransport(config), folder: null };
}

/** An address as mail servers accept it: an internationalised domain in its ASCII form (RFC 5891). */
export function inAscii(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
}
