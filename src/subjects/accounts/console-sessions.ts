import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { noteAct } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { isSecret, newSecret, secretHash } from '../../ground/lib/secret.ts';
import type { Operator } from './authenticate.ts';
import type { OperatorRole } from './permissions.ts';

/** A working day: whoever comes in the morning is not thrown out of the middle of something. */
const SESSION_MS = 8 * 60 * 60 * 1_000;

export type NewConsoleSession = { readonly cookie: string; readonly expiresAt: Date };

/** An operator whose browser is in. */
export type ConsoleSession = {
  readonly id: string;
  readonly operator: Operator;
  readonly expiresAt: Date;
};

/** Lets an operator in; the cookie is kept nowhere else. That somebody came in is noted. Sessions that are over go. */
export async function openConsoleSession(db: Db, operator: Operator): Promise<NewConsoleSession> {
  const cookie = newSecret();
  const id = newId('cos');
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + SESSION_MS);
  await inTransaction(db.pool, async (client) => {
    await client.query('delete from console_session where expires_at <= $1', [now]);
    await client.query(
      `insert into console_session (id, operator_key_id, cookie_hash, created_at, expires_at)
       values ($1, $2, $3, $4, $5)`,
      [id, operator.keyId, secretHash(cookie), now, expiresAt],
    );
    const act = { actor: operator.keyId, action: 'enter_console', subject: operator.keyId };
    await noteAct(client, { ...act, environmentId: null, reason: null });
  });
  return { cookie, expiresAt };
}

type Row = {
  readonly id: string;
  readonly expiresAt: Date;
  readonly keyId: string;
  readonly prefix: string;
  readonly name: string;
  readonly role: OperatorRole;
};

/** Whose session a cookie is, or null for one that is forged, over or left, or whose key was revoked or has expired. */
export async function findConsoleSession(db: Db, cookie: string): Promise<ConsoleSession | null> {
  if (!isSecret(cookie)) return null;
  const { rows } = await db.pool.query<Row>({
    name: 'find-console-session',
    text: `select session.id, session.expires_at as "expiresAt", key.id as "keyId", key.prefix, key.name,
                  key.role
             from console_session session join operator_key key on key.id = session.operator_key_id
            where session.cookie_hash = $1 and session.expires_at > $2 and key.revoked_at is null
              and (key.expires_at is null or key.expires_at > $2)`,
    values: [secretHash(cookie), clock.now()],
  });
  const row = rows[0];
  if (row === undefined) return null;
  const { id, expiresAt, keyId, prefix, name, role } = row;
  return { id, expiresAt, operator: { kind: 'operator', keyId, keyPrefix: prefix, name, role } };
}

/** Ends a session before its time; its cookie opens nothing any more. */
export async function endConsoleSession(db: Db, { id }: Pick<ConsoleSession, 'id'>): Promise<void> {
  await db.pool.query('delete from console_session where id = $1', [id]);
}
