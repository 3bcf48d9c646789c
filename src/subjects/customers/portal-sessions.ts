import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type Acting, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { environmentOfSecret, newSecret, secretHash, secretWithin } from '../../ground/lib/secret.ts';
import { findCustomer } from './customers.ts';
import { CUSTOMER_LIMITS } from './limits.ts';
import type { PortalSessionRequest } from './portal-session-request.ts';
import type { NewPortalSession, PortalVisitor } from './shapes.ts';
import { deleteSessions, deleteVisit, insertSession, openVisit, readVisitor } from './store/portal.ts';

/** One hour (docs/contract.md#customers), for the link and for the session that it opens. */
const SESSION_MS = 60 * 60 * 1_000;
/** How long an expired link is reported as expired; after that it is unknown. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

/** Creates a session for a customer, which the audit log records. Codes: `customer_not_found`, `customer_ambiguous`. */
export async function createPortalSession(
  db: Pick<Db, 'pool' | 'prisma'>,
  environmentId: number,
  { externalCustomerId, integrationId, returnUrl }: PortalSessionRequest,
  by: Acting,
): Promise<Outcome<NewPortalSession>> {
  const reference = { externalCustomerId, integrationId: integrationId ?? undefined };
  const customer = await findCustomer(db, environmentId, reference);
  if (isRefusal(customer)) return customer;
  const createdAt = clock.now();
  const session: NewPortalSession = {
    id: newId('cps'),
    token: secretWithin(environmentId, newSecret()),
    externalCustomerId: customer.externalCustomerId,
    integrationId: customer.integrationId,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + SESSION_MS),
  };
  await inTransaction(db.pool, async (client) => {
    await insertSession(client, environmentId, {
      ...session,
      tokenHash: secretHash(session.token),
      // As browsers will interpret it: characters that they ignore in a URL must not appear in a page.
      returnUrl: returnUrl == null ? null : new URL(returnUrl).href,
    });
    const entry = { action: 'create_portal_session', subject: session.id, environmentId };
    await addAuditEntry(client, { ...by, ...entry, details: { integrationId: session.integrationId } });
  });
  return session;
}

/**
 * Stores a session for an existing customer, with a link that its creator can compute again. Storing it again
 * changes nothing.
 */
export async function savePortalSession(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  session: Omit<NewPortalSession, 'id'>,
): Promise<void> {
  const { token, ...kept } = session;
  await insertSession(pool, environmentId, {
    ...{ id: newId('cps'), ...kept, tokenHash: secretHash(token), returnUrl: null },
  });
}

/** The result of opening a link. */
export type Opening =
  | { readonly sessionId: string; readonly cookie: string; readonly expiresAt: Date }
  | 'expired'
  | 'unknown';

/**
 * Opens a link, any number of times until it expires: each opening is a visit with its own cookie, of which only
 * the hash is stored.
 */
export async function openPortalSession(db: Pick<Db, 'pool'>, token: string): Promise<Opening> {
  const environmentId = environmentOfSecret(token);
  if (environmentId === null) return 'unknown';
  const cookie = secretWithin(environmentId, newSecret());
  const session = await openVisit(db.pool, environmentId, {
    tokenHash: secretHash(token),
    cookieHash: secretHash(cookie),
    now: clock.now(),
    mostVisits: CUSTOMER_LIMITS.portalVisits.value,
  });
  if (session === null) return 'unknown';
  const { sessionId, expiresAt, expired } = session;
  return expired ? 'expired' : { sessionId, cookie, expiresAt };
}

/** The visit of a cookie; null when the cookie is forged, expired or its visit has ended. */
export async function findPortalVisitor(
  { pool }: Pick<Db, 'pool'>,
  cookie: string,
): Promise<PortalVisitor | null> {
  const environmentId = environmentOfSecret(cookie);
  return environmentId === null ? null : readVisitor(pool, environmentId, secretHash(cookie), clock.now());
}

/** Ends a visit before it expires: its cookie is no longer accepted. The link and its other visits stay valid. */
export async function endPortalVisit({ pool }: Pick<Db, 'pool'>, cookie: string): Promise<void> {
  const environmentId = environmentOfSecret(cookie);
  if (environmentId !== null) await deleteVisit(pool, environmentId, secretHash(cookie));
}

/** Deletes the sessions that expired more than a day ago, with their visits. Returns how many. */
export function reapPortalSessions({ pool }: Pick<Db, 'pool'>): Promise<number> {
  return deleteSessions(pool, new Date(clock.now().getTime() - REMEMBERED_MS));
}
