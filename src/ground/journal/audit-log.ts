import { z } from 'zod';
import type { Queryable } from '../db/queryable.ts';
import { parseRequest } from '../errors/issues.ts';
import { isRefusal, type Outcome } from '../errors/refusal.ts';
import { clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { line } from '../lib/text.ts';
import { entriesJson, noteLast } from './append.ts';
import { sha256 } from './canonical.ts';
import { auditJournalOf, INSTALLATION } from './entry.ts';
import { AUDIT_ENTRY, ENVIRONMENT_AUDIT_ENTRY, rowText } from './forms.ts';
import { insertAuditEntry } from './store/audit-log.ts';

/** Who acted: the id of a key or of a portal session, or the origin of the action (`cli`). */
export type Actor = string;

/** Who acts and why: both are recorded with the action. */
export type ActorAndReason = { readonly actor: Actor; readonly reason: string };

/** The same of somebody who need not say why, such as a merchant. */
export type Acting = { readonly actor: Actor; readonly reason: string | null };

const reasonRequest = z.strictObject({ reason: line(500) });

/** The reason when it is one line of at most 500 characters; else 400 `invalid_request` for the field `reason`. */
export function readReason({ reason }: Pick<ActorAndReason, 'reason'>): Outcome<string> {
  const request = parseRequest(reasonRequest, { reason });
  return isRefusal(request) ? request : request.reason;
}

/**
 * One action that is recorded. `details` contains no secrets, and no personal data except what the subject itself contains.
 */
export type RecordedAction = {
  readonly actor: Actor;
  /** The action, in one or two words: `void_invoice`. */
  readonly action: string;
  /** The id of its subject. */
  readonly subject: string;
  readonly environmentId: number | null;
  readonly reason: string | null;
  readonly details?: object;
};

/**
 * Whether who acted is one of the environment itself: a merchant's key, with which an access token acts too, or a portal
 * session. Ids of operators' keys begin otherwise.
 */
export function isOfEnvironment(actor: Actor): boolean {
  return /^(key|cps)_/.test(actor);
}

/**
 * Records an action as the last statement of the transaction that performs it. What is done with an environment's own keys
 * is recorded there, in its audit journal; what operators do, in the installation's. Entries are sealed.
 */
export async function addAuditEntry(client: Queryable, entry: RecordedAction): Promise<void> {
  const row = {
    id: newId('aud'),
    environment_id: entry.environmentId,
    actor: entry.actor,
    action: entry.action,
    subject: entry.subject,
    reason: entry.reason,
    details: entry.details ?? null,
    at: clock.now().toISOString(),
  };
  const { environmentId } = entry;
  const isOwn = environmentId !== null && isOfEnvironment(entry.actor);
  const form = isOwn ? ENVIRONMENT_AUDIT_ENTRY : AUDIT_ENTRY;
  const journal = isOwn ? auditJournalOf(environmentId) : INSTALLATION;
  const type = isOwn ? 'environment_audit_entry.added' : 'audit_entry.added';
  const contentHash = sha256(rowText(form, row));
  const entries = [{ environmentId: journal, type, subjectId: row.id, at: row.at, contentHash } as const];
  await insertAuditEntry(client, row, { isOwn, entries: entriesJson(entries) });
  noteLast(client, entries);
}
