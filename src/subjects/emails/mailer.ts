import { domainToASCII } from 'node:url';
import type { MailConfig } from '../../ground/config/config.ts';
import { RecentJobs } from '../../ground/queue/recent-jobs.ts';
import { folderTransport, type MailFolder } from './folder.ts';
import { smtpTransport } from './smtp.ts';
import type { MailTransport } from './transport.ts';

/** How this process sends e-mail. */
export type Mailer = {
  /** The address that messages come from, its domain in ASCII. */
  readonly from: string;
  /** Where what comes back goes, an address for each message made of it; null: to `from`. */
  readonly bounces: string | null;
  readonly transport: MailTransport;
  /** What was written instead of being sent; null where it is sent. */
  readonly folder: MailFolder | null;
  /** Whose messages this process has added lately: they come behind those of others. */
  readonly recent: RecentJobs;
};

/** The mailer of a configuration; null when it sends none. */
export function openMailer(config: MailConfig | null): Mailer | null {
  if (config === null) return null;
  const from = inAscii(config.from);
  const recent = new RecentJobs();
  if (config.way === 'folder') return { from, bounces: null, recent, ...folderTransport(config.folder) };
  const bounces = config.bounces === null ? null : inAscii(config.bounces);
  return { from, bounces, recent, transport: smtpTransport(config), folder: null };
}

/** An address as mail servers take it: an internationalised domain in its ASCII form (RFC 5891). */
export function inAscii(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
}
