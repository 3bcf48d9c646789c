import { z } from 'zod';
import type { Queryable } from '../db/queryable.ts';
import { parseRequest } from '../errors/issues.ts';
import { isRefusal, type Outcome } from '../errors/refusal.ts';
import { clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { line } from '../lib/text.ts';
import { entriesJson, noteLast } from './append.ts';
import { sha256 } from './canonical.ts';
import { INSTALLATION } from './entry.ts';
import { AUDIT_ENTRY, rowText } from './forms.ts';
import { insertAuditEntry } from './store/audit-log.ts';

/** Who acted: the id of an operator's key or of a portal session, or the origin of the action (`cli`). */
export type Actor = string;

/** Who acts and why: both are recorded with the action. */
export type ActorAndReason = { readonly actor: Actor; readonly reason: string };

const reasonRequest = z.strictObject({ reason: line(500) });

/** The reason when it is one line of at most 500 characters; else 400 `invalid_request` for the field `reason`. */
export function readReason({ reason }: Pick<ActorAndReason, 'reason'>): Outcome<string> {
  const request = parseRequest(reasonRequest, { reason });
  return isRefusal(request) ? request : request.reason;
}

/**
 * One action of an operator. `details` contains no secrets, and no personal data except what the subject itself contains.
 */
export type OperatorAction = {
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
 * Records an action as the last statement of the transaction that performs it: all actions of the installation have one
 * order in its journal. Entries are sealed.
 */
export async function addAuditEntry(client: Queryable, entry: OperatorAction): Promise<void> {
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
  const contentHash = sha256(rowText(AUDIT_ENTRY, row));
  const added = { type: 'audit_entry.added', subjectId: row.id, at: row.at, contentHash } as const;
  const entries = [{ ...added, environmentId: INSTALLATION }];
  await insertAuditEntry(client, row, entriesJson(entries));
  noteLast(client, entries);
}
