import { z } from 'zod';
import type { Queryable } from '../../ground/db/queryable.ts';
import { execute, OF_ALL, readRow } from '../../ground/db/rows.ts';
import { codes } from '../../ground/errors/catalogue.ts';
import type { Claim, KeyedOperation } from './claim.ts';
import { KEY_HOURS, SILENT_SECONDS } from './lifetime.ts';

const storedRefusal = z.object({
  code: z.enum(codes),
  detail: z.string(),
  errors: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })).readonly(),
});

/** The stored answer for requests with the key; its form depends on the operation. */
const stored = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answer'), answer: z.unknown() }),
  z.object({ kind: z.literal('refusal'), refusal: storedRefusal }),
]);

export type Stored = z.infer<typeof stored>;
export type StoredRefusal = z.infer<typeof storedRefusal>;

const CLAIM = {
  name: 'claim-idempotency-key',
  text: `
  insert into idempotency_key as held
         (environment_id, key, operation, request_hash, state, created_at, expires_at, holder, token)
  values ($1, $2, $3, $4, 'running', $5::timestamptz, $5::timestamptz + interval '${KEY_HOURS} hours', $6, $7)
  on conflict (environment_id, key) do update
     set operation = excluded.operation, request_hash = excluded.request_hash, state = 'running', answer = null,
         created_at = excluded.created_at, expires_at = excluded.expires_at, holder = excluded.holder,
         token = excluded.token
   where held.expires_at <= excluded.created_at
      or (held.state = 'running' and held.holder = $8)`,
};

const HOLDER = {
  name: 'holder-of-idempotency-key',
  text: `select holder from idempotency_key where environment_id = $1 and key = $2 and state = 'running' and holder is not null`,
};
const holderRow = z.object({ holder: z.string() });
const ALIVE = `select 1 from service_process where id = $1 and beat_at > now() - interval '${SILENT_SECONDS} seconds'`;

type KeyedRequest = { readonly operation: KeyedOperation; readonly digest: Buffer };

/**
 * Claims the key unless a live process holds it or its answer is still stored; returns whether it did. `holder` is
 * the process that runs the request, null when it has no heartbeat. A claim of a process presumed dead is taken over; if the
 * process is alive after all, its commit fails because its token is gone.
 */
export async function claimKey(
  db: Queryable,
  { environmentId, key, token }: Claim,
  { operation, digest }: KeyedRequest,
  { holder, now }: { readonly holder: string | null; readonly now: Date },
): Promise<boolean> {
  const values = [environmentId, key, operation, digest, now.toISOString(), holder, token];
  if ((await execute(db, CLAIM, [...values, null])) === 1) return true;
  const held = await readRow(db, holderRow, HOLDER, [environmentId, key]);
  if (held === null || (await execute(db, ALIVE, [held.holder])) === 1) return false;
  return (await execute(db, CLAIM, [...values, held.holder])) === 1;
}

const READ = {
  name: 'read-idempotency-key',
  text: `select operation = $3 and request_hash = $4 as same, answer
           from idempotency_key where environment_id = $1 and key = $2`,
};
const storedKey = z.object({ same: z.boolean(), answer: stored.nullable() });

/**
 * Whether a key belongs to the same request, and its answer: null while it has none. Null when nobody holds the
 * key.
 */
export function readKey(
  db: Queryable,
  { environmentId, key }: Omit<Claim, 'token'>,
  { operation, digest }: KeyedRequest,
): Promise<z.infer<typeof storedKey> | null> {
  return readRow(db, storedKey, READ, [environmentId, key, operation, digest]);
}

/** Stores the answer of a claim's request, unless the claim was taken over; returns whether it did. */
export async function storeAnswer(
  db: Queryable,
  { environmentId, key, token }: Claim,
  answer: Stored,
): Promise<boolean> {
  const kept = await execute(
    db,
    `update idempotency_key set state = 'stored', answer = $3
      where environment_id = $1 and key = $2 and state = 'running' and token = $4`,
    [environmentId, key, JSON.stringify(answer), token],
  );
  return kept === 1;
}

/** Releases a claim's key, unless it was taken over or has its answer. */
export async function releaseKey(db: Queryable, { environmentId, key, token }: Claim): Promise<void> {
  await execute(
    db,
    `delete from idempotency_key where environment_id = $1 and key = $2 and state = 'running' and token = $3`,
    [environmentId, key, token],
  );
}

/** Releases the claims of a process, except those with these tokens. */
export async function releaseAllExcept(db: Queryable, holder: string, tokens: string[]): Promise<void> {
  await execute(
    db,
    `${OF_ALL} delete from idempotency_key where state = 'running' and holder = $1 and not token = any($2)`,
    [holder, tokens],
  );
}

/** Deletes the keys whose retention is over, answered or not. Returns how many. */
export function deleteExpired(db: Queryable, now: Date): Promise<number> {
  return execute(db, `${OF_ALL} delete from idempotency_key where expires_at <= $1`, [now.toISOString()]);
}
