import type { Db } from '../../../ground/db/client.ts';
import { inTransaction } from '../../../ground/db/transaction.ts';
import { addAuditEntry } from '../../../ground/journal/audit-log.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { newId } from '../../../ground/lib/ids.ts';
import { isSecret, newSecret, secretHash } from '../../../ground/lib/secret.ts';
import { deleteSession, insertSession, readSession } from '../store/console-sessions.ts';
import type { Operator } from './caller.ts';

/** A working day, so that a session started in the morning does not expire in the middle of a task. */
const SESSION_MS = 8 * 60 * 60 * 1_000;

export type NewConsoleSession = { readonly cookie: string; readonly expiresAt: Date };

/** An operator with a session of the console. */
export type ConsoleSession = {
  readonly id: string;
  readonly operator: Operator;
  readonly expiresAt: Date;
};

/**
 * Starts a session for an operator. The cookie itself is not stored. The audit log records the login. Expired
 * sessions are deleted.
 */
export async function openConsoleSession(
  db: Pick<Db, 'pool'>,
  operator: Operator,
): Promise<NewConsoleSession> {
  const cookie = newSecret();
  const id = newId('cos');
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + SESSION_MS);
  await inTransaction(db.pool, async (client) => {
    const session = { id, keyId: operator.keyId, cookieHash: secretHash(cookie), now, expiresAt };
    await insertSession(client, session);
    const entry = { actor: operator.keyId, action: 'enter_console', subject: operator.keyId };
    await addAuditEntry(client, { ...entry, environmentId: null, reason: null });
  });
  return { cookie, expiresAt };
}

/**
 * The session of a cookie; null when the cookie is forged, the session expired or ended, or its key was revoked or
 * expired.
 */
export async function findConsoleSession(
  db: Pick<Db, 'pool'>,
  cookie: string,
): Promise<ConsoleSession | null> {
  if (!isSecret(cookie)) return null;
  const row = await readSession(db.pool, secretHash(cookie), clock.now());
  if (row === null) return null;
  const { id, expiresAt, keyId, prefix, name, role } = row;
  return { id, expiresAt, operator: { kind: 'operator', keyId, keyPrefix: prefix, name, role } };
}

/** Ends a session before it expires; its cookie is no longer accepted. */
export async function endConsoleSession(
  db: Pick<Db, 'pool'>,
  { id }: Pick<ConsoleSession, 'id'>,
): Promise<void> {
  await deleteSession(db.pool, id);
}
