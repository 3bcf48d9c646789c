import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readRow } from '../../../ground/db/rows.ts';
import type { NewPortalSession, PortalVisitor } from '../shapes.ts';

const CREATE = {
  name: 'create-portal-session',
  text: `insert into portal_session (id, environment_id, integration_id, external_customer_id, token_hash, return_url,
           created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
};

/** Inserts a session with the hash of its token; an existing one with that token stays unchanged. */
export async function insertSession(
  db: Queryable,
  environmentId: number,
  session: Omit<NewPortalSession, 'token'> & {
    readonly tokenHash: Buffer;
    readonly returnUrl: string | null;
  },
): Promise<void> {
  const { id, integrationId, externalCustomerId, tokenHash, returnUrl, createdAt, expiresAt } = session;
  const owner = [id, environmentId, integrationId, externalCustomerId];
  await execute(db, CREATE, [...owner, tokenHash, returnUrl, createdAt, expiresAt]);
}

/** Beyond the limit the oldest visit of a session ends; an abandoned browser cannot be distinguished from an active one. */
const OPEN = {
  name: 'open-portal-session',
  text: `
  with session as (
    select id, expires_at from portal_session where environment_id = $5 and token_hash = $1
  ), opened as (
    insert into portal_visit (cookie_hash, environment_id, session_id, opened_at)
    select $2, $5, id, $3 from session where expires_at > $3
    returning session_id
  ), ended as (
    delete from portal_visit where environment_id = $5 and cookie_hash in (
      select visit.cookie_hash from portal_visit visit join opened on opened.session_id = visit.session_id
       where visit.environment_id = $5
       order by visit.opened_at desc offset $4)
  )
  select id as "sessionId", expires_at as "expiresAt", expires_at <= $3 as expired from session`,
};
const opened = z.object({ sessionId: z.string(), expiresAt: column.instant, expired: z.boolean() });

/**
 * Adds a visit to the session of a token, unless the session has expired, and ends the oldest beyond `mostVisits`.
 * Returns the session; null when there is none.
 */
export async function openVisit(
  db: Queryable,
  environmentId: number,
  visit: {
    readonly tokenHash: Buffer;
    readonly cookieHash: Buffer;
    readonly now: Date;
    readonly mostVisits: number;
  },
): Promise<z.infer<typeof opened> | null> {
  const { tokenHash, cookieHash, now, mostVisits } = visit;
  // The statement that inserts the new visit does not see it.
  return readRow(db, opened, OPEN, [tokenHash, cookieHash, now, mostVisits - 1, environmentId]);
}

const VISITOR = {
  name: 'find-portal-visitor',
  text: `select session.id as "sessionId", session.environment_id as "environmentId",
           session.integration_id as "integrationId", session.external_customer_id as "externalCustomerId",
           customer.name, customer.email, session.return_url as "returnUrl", session.expires_at as "expiresAt"
           from portal_visit visit
           join portal_session session on session.environment_id = $3 and session.id = visit.session_id
           join customer on customer.environment_id = $3
            and customer.integration_id = session.integration_id
            and customer.external_customer_id = session.external_customer_id
          where visit.environment_id = $3 and visit.cookie_hash = $1 and session.expires_at > $2`,
};
const visitor = z.object({
  sessionId: z.string(),
  environmentId: column.whole,
  integrationId: z.string(),
  externalCustomerId: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  returnUrl: z.string().nullable(),
  expiresAt: column.instant,
});

/** The visit that the cookie with that hash opened; null when it has expired or ended, or does not exist. */
export function readVisitor(
  db: Queryable,
  environmentId: number,
  cookieHash: Buffer,
  now: Date,
): Promise<PortalVisitor | null> {
  return readRow(db, visitor, VISITOR, [cookieHash, now, environmentId]);
}

/** Ends the visit of a cookie. */
export async function deleteVisit(db: Queryable, environmentId: number, cookieHash: Buffer): Promise<void> {
  const text = 'delete from portal_visit where environment_id = $1 and cookie_hash = $2';
  await execute(db, text, [environmentId, cookieHash]);
}

/** Deletes the sessions that had expired by then, with their visits. Returns how many. */
export function deleteSessions(db: Queryable, expiredBy: Date): Promise<number> {
  return execute(db, `${OF_ALL} delete from portal_session where expires_at <= $1`, [expiredBy]);
}
