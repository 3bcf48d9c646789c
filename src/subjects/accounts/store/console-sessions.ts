import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRow } from '../../../ground/db/rows.ts';
import { OPERATOR_ROLES } from '../entry/permissions.ts';

type NewSession = {
  readonly id: string;
  readonly keyId: string | null;
  readonly identityId: string | null;
  readonly sealedToken: Buffer | null;
  readonly cookieHash: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
};

/** Inserts a session with the hash of its cookie and deletes expired sessions. */
export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  const { id, keyId, identityId, sealedToken, cookieHash, now, expiresAt } = session;
  await execute(db, 'delete from console_session where expires_at <= $1', [now]);
  await execute(
    db,
    `insert into console_session (id, operator_key_id, identity_id, sealed_token, checked_at, cookie_hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, keyId, identityId, sealedToken, identityId === null ? null : now, cookieHash, now, expiresAt],
  );
}

const FIND = {
  name: 'find-console-session',
  text: `select session.id, session.expires_at as "expiresAt", session.sealed_token as "sealedToken", session.checked_at as "checkedAt",
                coalesce(key.id, identity.id) as "keyId", key.prefix, coalesce(key.name, identity.name) as name,
                coalesce(key.role, identity.role) as role, identity.subject, identity.issuer
           from console_session session
           left join operator_key key on key.id = session.operator_key_id
           left join operator_identity identity on identity.id = session.identity_id
          where session.cookie_hash = $1 and session.expires_at > $2
            and (key.id is null or key.revoked_at is null and (key.expires_at is null or key.expires_at > $2))`,
};
const found = z.object({
  id: z.string(),
  expiresAt: column.instant,
  sealedToken: z.instanceof(Buffer).nullable(),
  checkedAt: column.instant.nullable(),
  keyId: z.string(),
  prefix: z.string().nullable(),
  name: z.string(),
  role: z.enum(OPERATOR_ROLES),
  subject: z.string().nullable(),
  issuer: z.string().nullable(),
});

/** A session as it is stored, with its operator. */
export type SessionRow = Readonly<z.output<typeof found>>;

/** The session of a cookie with its operator; null when it or its key is not in force. */
export function readSession(db: Queryable, cookieHash: Buffer, now: Date): Promise<SessionRow | null> {
  return readRow(db, found, FIND, [cookieHash, now]);
}

/** Whether this process is to ask the identity provider: no other has begun since `before`. */
export async function beginCheck(db: Queryable, id: string, now: Date, before: Date): Promise<boolean> {
  const text = `update console_session set check_begun_at = $2
    where id = $1 and (check_begun_at is null or check_begun_at < $3)`;
  return (await execute(db, text, [id, now, before])) === 1;
}

/** Notes that the provider vouches for the identity of a session, and with which token it can be asked again. */
export async function noteCheck(db: Queryable, id: string, now: Date, sealedToken: Buffer): Promise<void> {
  const text = `update console_session set sealed_token = $3, checked_at = $2, check_begun_at = null where id = $1`;
  await execute(db, text, [id, now, sealedToken]);
}

/** Lets another process ask: this one has had no answer. */
export async function endCheck(db: Queryable, id: string): Promise<void> {
  await execute(db, 'update console_session set check_begun_at = null where id = $1', [id]);
}

type Identity = Pick<SessionRow, 'name' | 'role'> & { readonly issuer: string; readonly subject: string };
const idRow = z.object({ id: z.string() });

/** Keeps what a provider says of a person. Returns the id, which is `id` for a new one. */
export async function keepIdentity(
  db: Queryable,
  id: string,
  { issuer, subject, name, role }: Identity,
  now: Date,
): Promise<string> {
  const text = `insert into operator_identity (id, issuer, subject, name, role, created_at, last_seen_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (issuer, subject) do update set name = excluded.name, role = excluded.role, last_seen_at = excluded.last_seen_at
     returning id`;
  return (await readOneRow(db, idRow, text, [id, issuer, subject, name, role, now])).id;
}

/** Ends a session. */
export async function deleteSession(db: Queryable, id: string): Promise<void> {
  await execute(db, 'delete from console_session where id = $1', [id]);
}
