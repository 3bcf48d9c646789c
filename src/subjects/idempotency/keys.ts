import { createHash, randomUUID } from 'node:crypto';
import stringify from 'safe-stable-stringify';
import type { Db } from '../../ground/db/client.ts';
import { UnknownCommit } from '../../ground/db/commit-outcome.ts';
import { entryOf } from '../../ground/errors/catalogue.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';

/** The operations that take a key. A key is scoped to its environment, whatever the operation (docs/contract.md#idempotency). */
export type KeyedOperation = 'issue_invoice' | 'create_number_series';

/**
 * A key that one request has taken and nobody else can use until it is settled. `token` tells this claim from any other
 * on the same key: a request whose process was taken for dead, and whose claim was therefore taken over, cannot commit.
 */
export type Claim = { readonly environmentId: number; readonly key: string; readonly token: string };

/** How long an answer is kept. */
const WINDOW_HOURS = 24;

/** Processes beat every second (startup/lineage.ts); one that is silent for so long no longer holds its claims. */
const SILENT_SECONDS = 3;

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
 * Runs `work` once for a key. The first request runs it; while it runs others get 409 `idempotency_conflict`; so does a
 * request with the same key and another digest. Later ones get the stored answer, `replayed`. A failure frees the key: at
 * once, or when the database answers again, or, when this process is gone by then, seconds after its last sign of life.
 * `work` stores its own answer with `storedAnswer` in the transaction that makes it true; its
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
  const claim = { environmentId, key, token: randomUUID() };
  db.lineage.claims.add(claim.token);
  try {
    return await run(db, claim, { operation, digest: request.digest() }, work, revive);
  } finally {
    db.lineage.claims.delete(claim.token);
  }
}

async function run<T>(
  db: Db,
  claim: Claim,
  { operation, digest }: { operation: KeyedOperation; digest: Buffer },
  work: (claim: Claim) => Promise<Outcome<T>>,
  revive: (answer: unknown) => T,
): Promise<{ readonly outcome: Outcome<T>; readonly replayed: boolean }> {
  const found = await take(db, claim, operation, digest).catch((error: unknown) => {
    // It may have been taken all the same.
    db.lineage.owe(() => release(db, claim));
    throw error;
  });
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
    // A commit of unknown outcome holds the key's row until it is known: releasing waits for it and respects it.
    const released = error instanceof UnknownCommit ? false : await release(db, claim).catch(() => false);
    if (released === false) db.lineage.owe(() => release(db, claim));
    if (!(error instanceof ClaimLost)) throw error;
    const refusal = new Refusal('service_unavailable', error.message, { retryAfter: SILENT_SECONDS });
    return { outcome: refusal, replayed: false };
  }
}

/** The claim was taken over while its request ran: what it was about to commit must not be. */
export class ClaimLost extends Error {
  constructor() {
    super('The request took so long that its idempotency key was given to another one.');
    this.name = 'ClaimLost';
  }
}

/** What `work` stores as the `answer` of its claim. */
export function storedAnswer(answer: object): object {
  return { kind: 'answer', answer };
}

/** One whose process counts as dead is taken over; if it is alive after all, it finds its token gone at its commit. */
const TAKE = `
  insert into idempotency_key as held
         (environment_id, key, operation, request_hash, state, created_at, expires_at, holder, token)
  values ($1, $2, $3, $4, 'running', $5::timestamptz, $5::timestamptz + interval '${WINDOW_HOURS} hours', $6, $7)
  on conflict (environment_id, key) do update
     set operation = excluded.operation, request_hash = excluded.request_hash, state = 'running', answer = null,
         created_at = excluded.created_at, expires_at = excluded.expires_at, holder = excluded.holder,
         token = excluded.token
   where held.expires_at <= excluded.created_at
      or (held.state = 'running' and held.holder is not null and not exists (
            select from service_process
             where id = held.holder and beat_at > now() - interval '${SILENT_SECONDS} seconds'))
  returning 1`;

async function take(
  db: Db,
  { environmentId, key, token }: Claim,
  operation: KeyedOperation,
  digest: Buffer,
): Promise<Outcome<'claimed' | Stored>> {
  // A process that does not beat could not be told from a dead one: its claims are nobody's to take over.
  const holder = db.lineage.beating ? db.lineage.processId : null;
  const values = [environmentId, key, operation, digest, clock.now().toISOString(), holder, token];
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
      where environment_id = $1 and key = $2 and state = 'running' and token = $4`,
    [claim.environmentId, claim.key, JSON.stringify(stored), claim.token],
  );
}

async function release(db: Db, { environmentId, key, token }: Claim): Promise<void> {
  await db.pool.query(
    `delete from idempotency_key where environment_id = $1 and key = $2 and state = 'running' and token = $3`,
    [environmentId, key, token],
  );
}

/**
 * Frees the claims that this process holds on paper but no request of it does: a server that took over may have lost
 * that they were released.
 */
export async function releaseForgotten({ pool, lineage }: Db): Promise<void> {
  await pool.query(
    `delete from idempotency_key where state = 'running' and holder = $1 and not token = any($2)`,
    [lineage.processId, [...lineage.claims]],
  );
}

/** Removes the keys whose window is over, answered or not. Answers how many. */
export async function reapKeys(db: Db): Promise<number> {
  const { rowCount } = await db.pool.query('delete from idempotency_key where expires_at <= $1', [
    clock.now().toISOString(),
  ]);
  return rowCount ?? 0;
}
