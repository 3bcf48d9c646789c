import type { Db } from '../db/client.ts';
import { isRefusal, type Outcome } from '../errors/refusal.ts';
import { clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { isSecret, newSecret, secretHash } from '../lib/secret.ts';
import { findCustomer } from './customers.ts';
import type { PortalSessionRequest } from './portal-session-request.ts';

/** One hour (docs/contract.md#customers), of the link and of the visit that it opens. */
const SESSION_MS = 60 * 60 * 1_000;
/** A link that comes late is told so for this long; after that it is unknown. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

/** A session as its maker is told of it; `token` opens the page once and is not kept. */
export type NewPortalSession = {
  readonly id: string;
  readonly token: string;
  readonly externalCustomerId: string;
  readonly integrationId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** Whose visit it is. Everything that the visitor sees is narrowed to this integration's customer. */
export type PortalVisitor = {
  readonly sessionId: string;
  readonly environmentId: number;
  readonly integrationId: string;
  readonly externalCustomerId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly returnUrl: string | null;
  readonly expiresAt: Date;
};

/** Makes a session for a customer. Codes: `customer_not_found`, `customer_ambiguous`. */
export async function createPortalSession(
  db: Db,
  environmentId: number,
  { externalCustomerId, integrationId, returnUrl }: PortalSessionRequest,
): Promise<Outcome<NewPortalSession>> {
  const wanted = { externalCustomerId, integrationId: integrationId ?? undefined };
  const customer = await findCustomer(db, environmentId, wanted);
  if (isRefusal(customer)) return customer;
  const createdAt = clock.now();
  const session: NewPortalSession = {
    id: newId('cps'),
    token: newSecret(),
    externalCustomerId: customer.externalCustomerId,
    integrationId: customer.integrationId,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + SESSION_MS),
  };
  await db.pool.query({
    name: 'create-portal-session',
    text: `insert into portal_session (id, environment_id, integration_id, external_customer_id, token_hash, return_url,
             created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      session.id,
      environmentId,
      session.integrationId,
      session.externalCustomerId,
      secretHash(session.token),
      // As browsers will read it: what they ignore in an address has no place in a page.
      returnUrl == null ? null : new URL(returnUrl).href,
      session.createdAt,
      session.expiresAt,
    ],
  });
  return session;
}

/** What became of a link that somebody followed. `visiting`: it is this very browser's, and open already. */
export type Opening =
  | { readonly cookie: string; readonly expiresAt: Date }
  | 'visiting'
  | 'used'
  | 'expired'
  | 'unknown';

/** Opens a link: of all who follow it one gets the cookie, the value of which is kept nowhere else. */
export async function openPortalSession(db: Db, token: string, held: string | null): Promise<Opening> {
  if (!isSecret(token)) return 'unknown';
  const cookie = newSecret();
  const now = clock.now();
  const { rows } = await db.pool.query<{ expiresAt: Date }>({
    name: 'open-portal-session',
    text: `update portal_session set used_at = $3, cookie_hash = $2
            where token_hash = $1 and used_at is null and expires_at > $3
           returning expires_at as "expiresAt"`,
    values: [secretHash(token), secretHash(cookie), now],
  });
  if (rows[0] !== undefined) return { cookie, expiresAt: rows[0].expiresAt };
  return whyNot(db, token, held, now);
}

async function whyNot(db: Db, token: string, held: string | null, now: Date): Promise<Opening> {
  const { rows } = await db.pool.query<{ expired: boolean; own: boolean }>({
    name: 'why-not-portal-session',
    text: `select expires_at <= $3 as expired, coalesce(cookie_hash = $2, false) as own
             from portal_session where token_hash = $1`,
    values: [secretHash(token), held === null ? null : secretHash(held), now],
  });
  const session = rows[0];
  if (session === undefined) return 'unknown';
  if (session.expired) return 'expired';
  return session.own ? 'visiting' : 'used';
}

/** Whose visit a cookie is, or null for one that is forged, over or left. */
export async function findPortalVisitor(db: Db, cookie: string): Promise<PortalVisitor | null> {
  if (!isSecret(cookie)) return null;
  const { rows } = await db.pool.query<PortalVisitor>({
    name: 'find-portal-visitor',
    text: `select session.id as "sessionId", session.environment_id as "environmentId",
             session.integration_id as "integrationId", session.external_customer_id as "externalCustomerId",
             customer.name, customer.email, session.return_url as "returnUrl", session.expires_at as "expiresAt"
             from portal_session session
             join customer on customer.integration_id = session.integration_id
              and customer.external_customer_id = session.external_customer_id
            where session.cookie_hash = $1 and session.expires_at > $2`,
    values: [secretHash(cookie), clock.now()],
  });
  return rows[0] ?? null;
}

/** Ends a visit before its time; link and cookie open nothing any more. */
export async function endPortalSession(
  db: Db,
  { environmentId, sessionId }: Pick<PortalVisitor, 'environmentId' | 'sessionId'>,
): Promise<void> {
  await db.pool.query('delete from portal_session where environment_id = $1 and id = $2', [
    environmentId,
    sessionId,
  ]);
}

/** Removes the sessions that have been over for a day. Answers how many. */
export async function reapPortalSessions(db: Db): Promise<number> {
  const { rowCount } = await db.pool.query('delete from portal_session where expires_at <= $1', [
    new Date(clock.now().getTime() - REMEMBERED_MS),
  ]);
  return rowCount ?? 0;
}
