import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRow } from '../../../ground/db/rows.ts';
import { OPERATOR_ROLES } from '../entry/permissions.ts';

/** Inserts a session with the hash of its cookie and deletes expired sessions. */
export async function insertSession(
  db: Queryable,
  session: {
    readonly id: string;
    readonly keyId: string;
    readonly cookieHash: Buffer;
    readonly now: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  const { id, keyId, cookieHash, now, expiresAt } = session;
  await execute(db, 'delete from console_session where expires_at <= $1', [now]);
  await execute(
    db,
    `insert into console_session (id, operator_key_id, cookie_hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [id, keyId, cookieHash, now, expiresAt],
  );
}

const FIND = {
  name: 'find-console-session',
  text: `select session.id, session.expires_at as "expiresAt", key.id as "keyId", key.prefix, key.name,
                key.role
           from console_session session join operator_key key on key.id = session.operator_key_id
          where session.cookie_hash = $1 and session.expires_at > $2 and key.revoked_at is null
            and (key.expires_at is null or key.expires_at > $2)`,
};
const found = z.object({
  id: z.string(),
  expiresAt: column.instant,
  keyId: z.string(),
  prefix: z.string(),
  name: z.string(),
  role: z.enum(OPERATOR_ROLES),
});

/** The session of a cookie with its operator; null when it or its key is not in force. */
export function readSession(
  db: Queryable,
  cookieHash: Buffer,
  now: Date,
): Promise<z.infer<typeof found> | null> {
  return readRow(db, found, FIND, [cookieHash, now]);
}

/** Ends a session. */
export async function deleteSession(db: Queryable, id: string): Promise<void> {
  await execute(db, 'delete from console_session where id = $1', [id]);
}
