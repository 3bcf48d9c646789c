import { hash } from 'node:crypto';

/** Kinds of changes, as the journal of an environment and its events name them. */
export const EVENT_TYPES = [
  'invoice.issued',
  'invoice.imported',
  'invoice.registered',
  'invoice.registered_with_errors',
  'invoice.rejected',
  'invoice.amendment_rejected',
  'invoice.void_rejected',
  'invoice.skipped',
  'invoice.voided',
  'invoice.amended',
  'invoice.document_ready',
  'invoice.payment_recorded',
  'invoice.payment_removed',
  'invoice.paid',
  'invoice.overdue',
  'invoice.recipient_paid',
  'invoice.recipient_rejected',
  'invoice.recipient_status_withdrawn',
  'invoice.sent',
  'invoice.email_failed',
  'number_series.created',
  'number_series.deleted',
  'certificate.expiring',
  'chain.held',
  'chain.released',
  'invoice_schedule.failed',
  'webhook_endpoint.disabled',
  'ping',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** The journal of the installation has an entry for each row added to these sealed tables. */
export type InstallationType = 'audit_entry.added' | 'counter_jump.added' | 'software_declaration.added';

/** The audit journal of an environment has an entry for each row added to these sealed tables. */
export type AuditType = 'environment_audit_entry.added' | 'branding.added';

export type EntryType = EventType | InstallationType | AuditType;

/** The number of the installation's journal; those of environments begin with 1. */
export const INSTALLATION = 0;

/**
 * The number of an environment's audit journal: of what its keys do and set. It is apart from the journal of its changes,
 * because each entry there is an event, whose `sequence` has no gaps.
 */
export function auditJournalOf(environmentId: number): number {
  return -environmentId;
}

/** The version of the canonical form and of an entry's text. A new form gets a new number; old entries keep theirs. */
export const FORMAT = 1;

/** The fields of an entry that its hash covers. Hashes are in lower-case hexadecimal digits. */
export type Entry = {
  /** The journal's name: `<company>/<test|live>`, with `/audit` for the audit journal, or `installation/<id>`. */
  readonly origin: string;
  readonly position: number;
  readonly type: string;
  readonly subjectId: string;
  readonly recordId: string | null;
  readonly createdAt: Date;
  readonly contentHash: string;
  /** The hash of the previous entry; null for the first. */
  readonly previous: string | null;
};

const FIRST = '0'.repeat(64);

/**
 * The text of an entry: nine lines, each ended by a line feed. The database writes the same text (`append_entries`);
 * docs/journal.md describes both.
 */
export function entryText(entry: Entry): string {
  return `lacre journal entry ${FORMAT}\n${entry.origin}\n${entry.position}\n${entry.type}\n${entry.subjectId}\n${
    entry.recordId ?? ''
  }\n${entry.createdAt.toISOString()}\n${entry.contentHash}\n${entry.previous ?? FIRST}\n`;
}

/**
 * The hash of an entry, by which the next one is linked to it: SHA-256 of a zero byte and the text. It is also the leaf
 * hash of the entry in the Merkle tree of the journal (RFC 6962 section 2.1).
 */
export function entryHash(entry: Entry): string {
  return hash('sha256', `\u0000${entryText(entry)}`, 'hex');
}
