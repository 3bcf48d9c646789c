import { createHash } from 'node:crypto';
import stringify from 'safe-stable-stringify';
import type { Db } from '../db/client.ts';
import { UnknownCommit } from '../db/commit-outcome.ts';
import { entryOf } from '../errors/catalogue.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../errors/refusal.ts';
import { clock } from '../lib/clock.ts';

/** The operations that take a key. A key is scoped to its environment, whatever the operation (docs/contract.md#idempotency). */
export type KeyedOperation = 'issue_invoice' | 'create_number_series';

/** A key that one request has taken and nobody else can use until it is settled. */
export type Claim = { readonly environmentId: number; readonly key: string };

/** How long an answer is kept, and how long a request of unknown outcome blocks its key. */
const WINDOW_HOURS = 24;

const PRINTABLE_ASCII = /^[\x20-\x7e]{1,255}$/;

/** The key as sent, or 400 `invalid_request` unless it is 1 to 255 printable ASCII characters. */
export function parseKey(sent: string, field: string): Outcome<string> {
  if (PRINTABLE_ASCII.test(sent)) return sent;
  return invalidField(field, 'invalid_format', 'must be 1 to 255 printable ASCII characters');
}

/** The digest by which two requests are the same: equal JSON values, whatever the order of their fields. */
export function requestDigest(request: unknown): Buffer {
  return createHash('sha256')
    .update(stringify(request) ?? '')
    .digest();
}

type Stored = { kind: 'answer'; answer: unknown } | { kind: 'refusal'; refusal: StoredRefusal };
type StoredRefusal = Pick<Refusal, 'code' | 'detail' | 'errors'>;

/**
 * Runs `work` once for a key. The first request runs it; while it runs, and when its outcome is unknown, others get
 * 409 `idempotency_conflict`; so does a request with the same key and another digest. Later ones get the stored
 * answer, `replayed`. `work` stores its own answer with `storedAnswer` in the transaction that makes it true; its
 * refusals are stored or release the key as the catalogue says. Without a key, `work` simply runs.
 */
export async function once<T>(
  db: Db,
  request: { environmentId: number; key: string | null; operation: KeyedOperation; digest: () => Buffer },
  work: (claim: Claim | null) => Promise<Outcome<T>>,
  revive: (answer: unknown) => T,
): Promise<{ readonly outcome: Outcome<T>; readonly replayed: boolean }> {
  const { environmentId, key, operation } = request;
  if (key === null) return { outcome: await work(null), replayed: false };
  const claim = { environmentId, key };
  const found = await take(db, claim, operation, request.digest());
  if (isRefusal(found)) return { outcome: found, replayed: false };
  if (found !== 'claimed') {
    const outcome = found.kind === 'answer' ? revive(found.answer) : revivedRefusal(found.refusal);
    return { outcome, replayed: true };
  }
  try {
    const outcome = await work(claim);
    if (isRefusal(outcome)) await settleRefusal(db, claim, outcome);
    return { outcome, replayed: false };
  } catch (error) {
    // A failure that left nothing behind frees the key. After a commit of unknown outcome it stays blocked.
    if (!(error instanceof UnknownCommit)) await release(db, claim).catch(() => {});
    throw error;
  }
}

/** What `work` stores as the `answer` of its claim. */
export function storedAnswer(answer: object): object {
  return { kind: 'answer', answer };
}

const TAKE = `
  insert into idempotency_key as held (environment_id, key, operation, request_hash, state, created_at, expires_at)
  values ($1, $2, $3, $4, 'running', $5::timestamptz, $5::timestamptz + interval '${WINDOW_HOURS} hours')
  on conflict (environment_id, key) do update
     set operation = excluded.operation, request_hash = excluded.request_hash, state = 'running', answer = null,
         created_at = excluded.created_at, expires_at = excluded.expires_at
   where held.expires_at <= excluded.created_at
  returning 1`;

async function take(
  db: Db,
  { environmentId, key }: Claim,
  operation: KeyedOperation,
  digest: Buffer,
): Promise<Outcome<'claimed' | Stored>> {
  const values = [environmentId, key, operation, digest, clock.now().toISOString()];
  const taken = await db.pool.query({ name: 'take-idempotency-key', text: TAKE, values });
  if (taken.rowCount === 1) return 'claimed';
  const { rows } = await db.pool.query<{ same: boolean; state: string; answer: Stored | null }>({
    name: 'read-idempotency-key',
    text: `select operation = $3 and request_hash = $4 as same, state, answer
             from idempotency_key where environment_id = $1 and key = $2`,
    values: [environmentId, key, operation, digest],
  });
  const held = rows[0];
  if (held?.same && held.answer !== null) return held.answer;
  // Also when it was released a moment ago: that request was running while this one asked.
  return new Refusal(
    'idempotency_conflict',
    'The idempotency key belongs to another request, or to one that has not ended.',
  );
}

function revivedRefusal({ code, detail, errors }: StoredRefusal): Refusal {
  return new Refusal(code, detail, { errors });
}

async function settleRefusal(db: Db, claim: Claim, refusal: Refusal): Promise<void> {
  if (entryOf(refusal.code).key !== 'stored') return release(db, claim);
  const { code, detail, errors } = refusal;
  const stored: Stored = { kind: 'refusal', refusal: { code, detail, errors } };
  await db.pool.query(
    `update idempotency_key set state = 'stored', answer = $3
      where environment_id = $1 and key = $2 and state = 'running'`,
    [claim.environmentId, claim.key, JSON.stringify(stored)],
  );
}

async function release(db: Db, { environmentId, key }: Claim): Promise<void> {
  await db.pool.query(
    `delete from idempotency_key where environment_id = $1 and key = $2 and state = 'running'`,
    [environmentId, key],
  );
}

/** Removes the keys whose window is over, answered or not. Answers how many. */
export async function reapKeys(db: Db): Promise<number> {
  const { rowCount } = await db.pool.query('delete from idempotency_key where expires_at <= $1', [
    clock.now().toISOString(),
  ]);
  return rowCount ?? 0;
}
