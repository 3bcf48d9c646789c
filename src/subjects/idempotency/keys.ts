import { createHash, randomUUID } from 'node:crypto';
import stringify from 'safe-stable-stringify';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { UnknownCommit } from '../../ground/db/transaction.ts';
import { entryOf } from '../../ground/errors/catalogue.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Claim, KeyedOperation } from './claim.ts';
import { SILENT_SECONDS } from './lifetime.ts';
import {
  claimKey,
  deleteExpired,
  readKey,
  releaseAllExcept,
  releaseKey,
  type Stored,
  type StoredRefusal,
  storeAnswer,
} from './store.ts';

/** A database, and the identity of this process in it: its claims are held while its heartbeat continues. */
type LeaseServices = Pick<Db, 'pool' | 'lineage'>;

const PRINTABLE_ASCII = /^[\x20-\x7e]{1,255}$/;

/** The key as sent; refuses with 400 `invalid_request` unless it is 1 to 255 printable ASCII characters. */
export function parseKey(sent: string, field: string): Outcome<string> {
  if (PRINTABLE_ASCII.test(sent)) return sent;
  return invalidField(field, 'invalid_format', 'must be 1 to 255 printable ASCII characters');
}

/** The digest that identifies equal requests: equal JSON values, whatever the order of their fields. */
export function requestDigest(request: unknown): Buffer {
  return createHash('sha256')
    .update(stringify(request) ?? '')
    .digest();
}

/**
 * Runs `work` once for a key. The first request runs it; meanwhile others get 409 `idempotency_conflict`, and so
 * does a request with the same key and another digest. Later ones get the stored answer, `replayed`. A failure
 * releases the key: at once, or when the database is available again, or, if this process has died by then, seconds
 * after its last heartbeat. `work` stores its own answer with `saveAnswer`, or as `storedAnswer`, in the
 * transaction that commits its effects; its refusals are stored or release the key as the catalogue defines. Without a
 * key, `work` simply runs.
 */
export async function once<T>(
  db: LeaseServices,
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
  db: LeaseServices,
  claim: Claim,
  { operation, digest }: { operation: KeyedOperation; digest: Buffer },
  work: (claim: Claim) => Promise<Outcome<T>>,
  revive: (answer: unknown) => T,
): Promise<{ readonly outcome: Outcome<T>; readonly replayed: boolean }> {
  const found = await take(db, claim, operation, digest).catch((error: unknown) => {
    // The key may have been claimed although the answer was lost.
    db.lineage.whenAvailable(claim.environmentId, () => releaseKey(db.pool, claim));
    throw error;
  });
  if (isRefusal(found)) return { outcome: found, replayed: false };
  if (found !== 'claimed') {
    const outcome = found.kind === 'answer' ? revive(found.answer) : revivedRefusal(found.refusal);
    return { outcome, replayed: true };
  }
  try {
    const outcome = await work(claim);
    if (isRefusal(outcome)) await storeRefusal(db, claim, outcome);
    return { outcome, replayed: false };
  } catch (error) {
    // A commit of unknown outcome locks the key's row until the outcome is known: releasing waits for it and
    // respects it.
    const released =
      error instanceof UnknownCommit ? false : await releaseKey(db.pool, claim).catch(() => false);
    if (released === false) db.lineage.whenAvailable(claim.environmentId, () => releaseKey(db.pool, claim));
    if (!(error instanceof ClaimLost)) throw error;
    const refusal = new Refusal('service_unavailable', error.message, { retryAfter: SILENT_SECONDS });
    return { outcome: refusal, replayed: false };
  }
}

/** The claim was taken over while its request ran: the request must not commit. */
export class ClaimLost extends Error {
  constructor() {
    super('The request took so long that its idempotency key was given to another one.');
    this.name = 'ClaimLost';
  }
}

/** The columns with which `work` stores the answer of its claim. */
export function storedAnswer(answer: object): Stored {
  return { kind: 'answer', answer };
}

/** Stores the answer of a claim in the transaction that commits its effects; throws `ClaimLost`. */
export async function saveAnswer(client: Queryable, claim: Claim, answer: object): Promise<void> {
  if (!(await storeAnswer(client, claim, storedAnswer(answer)))) throw new ClaimLost();
}

async function take(
  db: LeaseServices,
  claim: Claim,
  operation: KeyedOperation,
  digest: Buffer,
): Promise<Outcome<'claimed' | Stored>> {
  const request = { operation, digest };
  // A process without a heartbeat cannot be distinguished from a dead one: its claims cannot be taken over.
  const holder = db.lineage.alive ? db.lineage.processId : null;
  if (await claimKey(db.pool, claim, request, { holder, now: clock.now() })) return 'claimed';
  const stored = await readKey(db.pool, claim, request);
  if (stored?.same && stored.answer !== null) return stored.answer;
  // Also when it was released a moment ago: the other request was running when this one arrived.
  return new Refusal(
    'idempotency_conflict',
    'The idempotency key belongs to another request, or to one that has not ended.',
  );
}

/** Whether a request of the operation has used the key, or is using it. */
export async function isKeyUsed(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  key: string,
  operation: KeyedOperation,
): Promise<boolean> {
  return (await readKey(pool, { environmentId, key }, { operation, digest: Buffer.alloc(0) })) !== null;
}

function revivedRefusal({ code, detail, errors }: StoredRefusal): Refusal {
  return new Refusal(code, detail, { errors });
}

async function storeRefusal({ pool }: Pick<Db, 'pool'>, claim: Claim, refusal: Refusal): Promise<void> {
  if (entryOf(refusal.code).key !== 'stored') return releaseKey(pool, claim);
  const { code, detail, errors } = refusal;
  await storeAnswer(pool, claim, { kind: 'refusal', refusal: { code, detail, errors } });
}

/**
 * Releases the claims that this process holds in the database but none of its requests does: a server that took
 * over may have lost the release.
 */
export async function releaseAbandoned({ pool, lineage }: LeaseServices): Promise<void> {
  await releaseAllExcept(pool, lineage.processId, [...lineage.claims]);
}

/** Deletes the keys whose retention is over, answered or not. Returns how many. */
export function reapKeys({ pool }: Pick<Db, 'pool'>): Promise<number> {
  return deleteExpired(pool, clock.now());
}
