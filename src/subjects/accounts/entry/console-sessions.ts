import { createHmac } from 'node:crypto';
import type { Db } from '../../../ground/db/client.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { inTransaction } from '../../../ground/db/transaction.ts';
import { addAuditEntry } from '../../../ground/journal/audit-log.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { decrypt, encrypt, encryptionKeys } from '../../../ground/lib/encryption.ts';
import { newId } from '../../../ground/lib/ids.ts';
import { isSecret, newSecret, secretHash } from '../../../ground/lib/secret.ts';
import {
  beginCheck,
  deleteSession,
  endCheck,
  insertSession,
  keepIdentity,
  noteCheck,
  readSession,
  type SessionRow,
} from '../store/console-sessions.ts';
import type { Operator } from './caller.ts';
import type { IdentityProvider, Vouched } from './identity-provider.ts';

/** A working day, so that a session started in the morning does not expire in the middle of a task. */
const SESSION_MS = 8 * 60 * 60 * 1_000;

/**
 * Whom the identity provider does not vouch for any more is out within a minute: after 30 seconds it is asked again, and without
 * its answer nothing is shown from the 60th on.
 */
const CHECKED_AGAIN_MS = 30_000;
const LONGEST_UNCHECKED_MS = 60_000;
/** Longer than the provider is waited for: only then has the process that asked ended. */
const CHECK_LASTS_MS = 35_000;

export type NewConsoleSession = { readonly cookie: string; readonly expiresAt: Date };

/** An operator with a session of the console. */
export type ConsoleSession = {
  readonly id: string;
  readonly operator: Operator;
  readonly expiresAt: Date;
};

/**
 * Starts a session for an operator with a key. The cookie itself is not stored. The audit log records the login. Expired
 * sessions are deleted.
 */
export function openConsoleSession(db: Pick<Db, 'pool'>, { keyId }: Operator): Promise<NewConsoleSession> {
  return openSession(db, async () => ({ actor: keyId, keyId, identityId: null, token: null }));
}

/** The same for whom an identity provider vouches for, with what it says of the person from now on. */
export function openIdentitySession(
  db: Pick<Db, 'pool'>,
  { person, refreshToken }: Vouched,
): Promise<NewConsoleSession> {
  return openSession(db, async (client) => {
    const identityId = await keepIdentity(client, newId('opi'), person, clock.now());
    return { actor: identityId, keyId: null, identityId, token: refreshToken };
  });
}

type Opener = {
  readonly actor: string;
  readonly keyId: string | null;
  readonly identityId: string | null;
  readonly token: string | null;
};

async function openSession(
  db: Pick<Db, 'pool'>,
  openerOf: (client: Queryable) => Promise<Opener>,
): Promise<NewConsoleSession> {
  const cookie = newSecret();
  const id = newId('cos');
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + SESSION_MS);
  await inTransaction(db.pool, async (client) => {
    const { actor, keyId, identityId, token } = await openerOf(client);
    const sealedToken = token === null ? null : sealToken(cookie, id, token);
    await insertSession(client, {
      ...{ id, keyId, identityId, sealedToken, cookieHash: secretHash(cookie), now, expiresAt },
    });
    const entry = { actor, action: 'enter_console', subject: actor };
    await addAuditEntry(client, { ...entry, environmentId: null, reason: null });
  });
  return { cookie, expiresAt };
}

/**
 * The session of a cookie; null when the cookie is forged, the session expired or ended, its key was revoked or expired, or the
 * identity provider vouches for its operator no longer; `unchecked` if the provider has said nothing for a minute.
 */
export async function findConsoleSession(
  {
    db,
    identityProvider,
  }: { readonly db: Pick<Db, 'pool'>; readonly identityProvider: IdentityProvider | null },
  cookie: string,
): Promise<ConsoleSession | null | 'unchecked'> {
  if (!isSecret(cookie)) return null;
  const row = await readSession(db.pool, secretHash(cookie), clock.now());
  if (row === null || row.checkedAt === null) return row && sessionOf(row);
  if (identityProvider === null) return null;
  return checkedSession(db, identityProvider, cookie, { ...row, checkedAt: row.checkedAt });
}

function sessionOf({ id, expiresAt, keyId, prefix, name, role }: SessionRow): ConsoleSession {
  return { id, expiresAt, operator: { kind: 'operator', keyId, keyPrefix: prefix, name, role } };
}

/** One process at a time asks the provider, whose tokens may be used once; others go by its last answer. */
async function checkedSession(
  db: Pick<Db, 'pool'>,
  provider: IdentityProvider,
  cookie: string,
  row: SessionRow & { readonly checkedAt: Date },
): Promise<ConsoleSession | null | 'unchecked'> {
  const now = clock.now();
  const uncheckedMs = now.getTime() - row.checkedAt.getTime();
  const known = uncheckedMs < LONGEST_UNCHECKED_MS ? sessionOf(row) : 'unchecked';
  if (uncheckedMs < CHECKED_AGAIN_MS) return known;
  const isFirst = await beginCheck(db.pool, row.id, now, new Date(now.getTime() - CHECK_LASTS_MS));
  if (!isFirst) return known;
  const token = openToken(cookie, row.id, row.sealedToken);
  const answer = token === null ? 'refused' : await provider.vouchedAgain(row.subject ?? '', token);
  if (answer === 'unreachable') {
    await endCheck(db.pool, row.id);
    return known;
  }
  if (typeof answer === 'string') {
    await deleteSession(db.pool, row.id);
    return null;
  }
  const { person, refreshToken } = answer;
  await keepIdentity(db.pool, row.keyId, person, now);
  await noteCheck(db.pool, row.id, now, sealToken(cookie, row.id, refreshToken));
  return sessionOf({ ...row, name: person.name, role: person.role });
}

const keysOf = (cookie: string) => {
  const key = createHmac('sha256', cookie).update('token of the identity provider').digest();
  return encryptionKeys([{ name: 'cookie', key }]);
};

/** Of the cookie only a hash is stored, so the database alone does not give the token away. */
function sealToken(cookie: string, session: string, token: string): Buffer {
  return encrypt(keysOf(cookie), token, [session]).sealed;
}

function openToken(cookie: string, session: string, sealed: Buffer | null): string | null {
  if (sealed === null) return null;
  const opened = decrypt(keysOf(cookie), { keyName: 'cookie', sealed }, [session]);
  return typeof opened === 'string' ? null : opened.text;
}

/** Ends a session before it expires; its cookie is no longer accepted. */
export async function endConsoleSession(
  db: Pick<Db, 'pool'>,
  { id }: Pick<ConsoleSession, 'id'>,
): Promise<void> {
  await deleteSession(db.pool, id);
}
