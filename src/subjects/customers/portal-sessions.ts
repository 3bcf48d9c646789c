import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import { isSecret, newSecret, secretHash } from '../../ground/lib/secret.ts';
import { findCustomer } from './customers.ts';
import type { PortalSessionRequest } from './portal-session-request.ts';

/** One hour (docs/contract.md#customers), of the link and of the visit that it opens. */
const SESSION_MS = 60 * 60 * 1_000;
/** A link that comes late is told so for this long; after that it is unknown. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

/** A session as its maker is told of it; `token` opens the page until `expiresAt` and is not kept. */
export type NewPortalSession = {
  readonly id: string;
  readonly token: string;
  readonly externalCustomerId: string;
  readonly integrationId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** Whose visit it is: one opening of a session's link. Everything that the visitor sees is narrowed to this integration's customer. */
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

/** What became of a link that somebody followed. */
export type Opening = { readonly cookie: string; readonly expiresAt: Date } | 'expired' | 'unknown';

/** Who has a visit beyond the bound ends the oldest of them; which one cannot be told from a browser that was left. */
const OPEN = `
  with opened as (
    insert into portal_visit (cookie_hash, environment_id, session_id, opened_at)
    select $2, environment_id, id, $3 from portal_session where token_hash = $1 and expires_at > $3
    returning environment_id, session_id
  ), ended as (
    delete from portal_visit where cookie_hash in (
      select visit.cookie_hash from portal_visit visit
        join opened on opened.environment_id = visit.environment_id and opened.session_id = visit.session_id
       order by visit.opened_at desc offset $4)
  )
  select expires_at as "expiresAt", expires_at <= $3 as expired from portal_session where token_hash = $1`;

/**
 * Opens a link, as often as it is followed until it expires: each opening is a visit of its own, with a cookie of which
 * only the hash is kept.
 */
export async function openPortalSession(db: Db, token: string): Promise<Opening> {
  if (!isSecret(token)) return 'unknown';
  const cookie = newSecret();
  const { rows } = await db.pool.query<{ expiresAt: Date; expired: boolean }>({
    name: 'open-portal-session',
    text: OPEN,
    values: [secretHash(token), secretHash(cookie), clock.now(), LIMITS.portalVisits.value - 1],
  });
  const session = rows[0];
  if (session === undefined) return 'unknown';
  return session.expired ? 'expired' : { cookie, expiresAt: session.expiresAt };
}

/** Whose visit a cookie is, or null for one that is forged, over or left. */
export async function findPortalVisitor(db: Db, cookie: string): Promise<PortalVisitor | null> {
  if (!isSecret(cookie)) return null;
  const { rows } = await db.pool.query<PortalVisitor>({
    name: 'find-portal-visitor',
    text: `select session.id as "sessionId", session.environment_id as "environmentId",
             session.integration_id as "integrationId", session.external_customer_id as "externalCustomerId",
             customer.name, customer.email, session.return_url as "returnUrl", session.expires_at as "expiresAt"
             from portal_visit visit
             join portal_session session on session.environment_id = visit.environment_id and session.id = visit.session_id
             join customer on customer.integration_id = session.integration_id
              and customer.external_customer_id = session.external_customer_id
            where visit.cookie_hash = $1 and session.expires_at > $2`,
    values: [secretHash(cookie), clock.now()],
  });
  return rows[0] ?? null;
}

/** Ends a visit before its time: its cookie opens nothing any more. The link and its other visits stay. */
export async function endPortalVisit(db: Db, cookie: string): Promise<void> {
  await db.pool.query('delete from portal_visit where cookie_hash = $1', [secretHash(cookie)]);
}

/** Removes the sessions that have been over for a day, with their visits. Answers how many. */
export async function reapPortalSessions(db: Db): Promise<number> {
  const { rowCount } = await db.pool.query('delete from portal_session where expires_at <= $1', [
    new Date(clock.now().getTime() - REMEMBERED_MS),
  ]);
  return rowCount ?? 0;
}
