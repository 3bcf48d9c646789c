import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import { isSecret, newSecret, secretHash } from '../../ground/lib/secret.ts';
import { findCustomer } from './customers.ts';
import type { PortalSessionRequest } from './portal-session-request.ts';
import type { NewPortalSession, PortalVisitor } from './shapes.ts';
import { deleteSessions, deleteVisit, insertSession, openVisit, readVisitor } from './store/portal.ts';

/** One hour (docs/contract.md#customers), of the link and of the visit that it opens. */
const SESSION_MS = 60 * 60 * 1_000;
/** A link that comes late is told so for this long; after that it is unknown. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

/** Makes a session for a customer. Codes: `customer_not_found`, `customer_ambiguous`. */
export async function createPortalSession(
  db: Pick<Db, 'pool'>,
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
  await insertSession(db.pool, environmentId, {
    ...session,
    tokenHash: secretHash(session.token),
    // As browsers will read it: what they ignore in an address has no place in a page.
    returnUrl: returnUrl == null ? null : new URL(returnUrl).href,
  });
  return session;
}

/**
 * Keeps a session under a link that its maker can make again, for a customer that is there. Kept a second time it stays as it
 * is.
 */
export async function keepPortalSession(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  session: Omit<NewPortalSession, 'id'>,
): Promise<void> {
  const { token, ...kept } = session;
  await insertSession(pool, environmentId, {
    ...{ id: newId('cps'), ...kept, tokenHash: secretHash(token), returnUrl: null },
  });
}

/** What became of a link that somebody followed. */
export type Opening = { readonly cookie: string; readonly expiresAt: Date } | 'expired' | 'unknown';

/**
 * Opens a link, as often as it is followed until it expires: each opening is a visit of its own, with a cookie of which
 * only the hash is kept.
 */
export async function openPortalSession(db: Pick<Db, 'pool'>, token: string): Promise<Opening> {
  if (!isSecret(token)) return 'unknown';
  const cookie = newSecret();
  const session = await openVisit(db.pool, {
    tokenHash: secretHash(token),
    cookieHash: secretHash(cookie),
    now: clock.now(),
    mostVisits: LIMITS.portalVisits.value,
  });
  if (session === null) return 'unknown';
  return session.expired ? 'expired' : { cookie, expiresAt: session.expiresAt };
}

/** Whose visit a cookie is, or null for one that is forged, over or left. */
export async function findPortalVisitor(
  { pool }: Pick<Db, 'pool'>,
  cookie: string,
): Promise<PortalVisitor | null> {
  return isSecret(cookie) ? readVisitor(pool, secretHash(cookie), clock.now()) : null;
}

/** Ends a visit before its time: its cookie opens nothing any more. The link and its other visits stay. */
export async function endPortalVisit({ pool }: Pick<Db, 'pool'>, cookie: string): Promise<void> {
  await deleteVisit(pool, secretHash(cookie));
}

/** Removes the sessions that have been over for a day, with their visits. Answers how many. */
export function reapPortalSessions({ pool }: Pick<Db, 'pool'>): Promise<number> {
  return deleteSessions(pool, new Date(clock.now().getTime() - REMEMBERED_MS));
}
