import type { Db } from '../../ground/db/client.ts';
import { isDatabaseFailure } from '../../ground/db/condition/failures.ts';
import { isRefusedWrite } from '../../ground/db/condition/write-state.ts';
import type { EncryptionKey } from '../../ground/lib/encryption.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import type { AttemptsUnderWay } from './attempts-under-way.ts';
import { type Batch, dueBatch, newBatch } from './batch.ts';
import { DatabaseTime } from './database-time.ts';
import type { EventSource } from './event-source.ts';
import { isTaken } from './post.ts';
import { openSecrets } from './secrets.ts';
import { sendBatch } from './send-batch.ts';
import { settle } from './settle.ts';
import type { Deliverable } from './shapes.ts';
import { hold, nextDue, readDeliverable } from './store/lanes.ts';

/** What delivering needs. */
export type Deliverer = {
  readonly db: Pick<Db, 'pool'>;
  readonly keys: readonly EncryptionKey[];
  readonly events: EventSource;
  readonly allowPrivate: boolean;
  readonly log: Logger;
  readonly underWay: AttemptsUnderWay;
};

/** Events that are read and noted together; what a death in between undoes is delivered again. */
const BATCH = 128;
const BATCH_ELSEWHERE = 64;
const BATCH_WHILE_FAILING = 2;
/** After so long other environments get the worker. */
const TURN_MS = 2_000;
/** When attempts could not begin because too many are under way. */
const FULL_MS = 1_000;
/** When an endpoint failed for our own sake, such as a key that is missing. */
const TROUBLE_MS = 60_000;
/** Whoever died with attempts under way is not waited for any longer: the batch itself ends well within that. */
const HOLD_MS = 2 * LIMITS.webhookAttempt.value + 15_000;

/** When the lanes of an environment are to be looked at again; null: when something happens. */
export type Next = { readonly quick: Date | null; readonly others: Date | null };

/** What came of an endpoint's turn. */
type Turn = 'done' | 'more' | 'full' | 'moved' | 'held' | 'trouble';

type Job = {
  readonly deliverer: Deliverer;
  readonly environmentId: number;
  readonly quick: boolean;
  readonly time: DatabaseTime;
  readonly end: number;
  readonly signal: AbortSignal;
  /** Set when something is to be tried again. */
  seen: { failed: boolean };
};

/**
 * Delivers to the endpoints of an environment what is new and what is due again: to those that are quick until nothing is
 * left or it is the turn of others, to the rest one batch each. Of two processes only one does so at a time in a
 * lane (the queue sees to that). No attempt is waited for longer than a moment: its endpoint is then held, the
 * attempts go on by themselves, and their end is noted and wakes the other lane. An event is noted after it was sent:
 * whatever dies in between, it is sent again under the same id, and never lost.
 */
export async function deliver(
  deliverer: Deliverer,
  environmentId: number,
  lane: 'quick' | 'others',
  signal?: AbortSignal,
): Promise<Next> {
  const { db, underWay } = deliverer;
  const quick = lane === 'quick';
  const found = await readDeliverable(db.pool, environmentId);
  if (found[0] === undefined) return { quick: null, others: null };
  const job: Job = {
    ...{
      deliverer,
      environmentId,
      quick,
      time: new DatabaseTime(found[0].lookedAt),
      seen: { failed: false },
    },
    end: performance.now() + TURN_MS,
    signal: signal === undefined ? underWay.signal : AbortSignal.any([underWay.signal, signal]),
  };
  const waiting = found.filter(({ waits, held }) => waits && !held);
  const mine = waiting.filter((endpoint) => endpoint.quick === quick);
  const turns = await Promise.all(mine.map((endpoint) => takeTurnOrSay(job, endpoint)));
  const now = job.time.now();
  const inLane = found.filter((endpoint) => endpoint.quick === quick);
  const own = await ownLaneNext(job, inLane, turns, now);
  // Who appends wakes the lane in which the endpoint stood then; it may have moved since.
  const moved = mine.length < waiting.length || turns.includes('moved');
  const held = turns.includes('held') ? new Date(now.getTime() + HOLD_MS) : null;
  if (!quick) return { quick: moved ? now : null, others: earliest(own, held) };
  return { quick: own, others: moved ? now : held };
}

function earliest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** When its own lane is looked at again. What could not begin now is due still, and would else be asked for at once. */
async function ownLaneNext(
  { deliverer: { db }, environmentId, quick, seen }: Job,
  inLane: readonly Deliverable[],
  turns: readonly Turn[],
  now: Date,
): Promise<Date | null> {
  if (turns.includes('more')) return now;
  if (turns.includes('full')) return new Date(now.getTime() + FULL_MS);
  if (turns.includes('trouble')) return new Date(now.getTime() + TROUBLE_MS);
  // Nothing waited for a time before, and nothing does since.
  const isKnown =
    !seen.failed && !turns.includes('held') && inLane.every(({ nextAt, held }) => nextAt === null && !held);
  return isKnown ? null : nextDue(db.pool, environmentId, { quick });
}

/** What is wrong with one endpoint must not hold up the others of its environment. */
async function takeTurnOrSay(job: Job, endpoint: Deliverable): Promise<Turn> {
  try {
    return await takeTurn(job, endpoint);
  } catch (err) {
    if (isDatabaseFailure(err) || isRefusedWrite(err)) throw err;
    job.deliverer.log.error({ err, endpoint: endpoint.id }, 'events could not be delivered');
    return 'trouble';
  }
}

async function takeTurn(job: Job, first: Deliverable): Promise<Turn> {
  const { deliverer, environmentId, quick, time, end, signal } = job;
  const [keys, begun] = await Promise.all([
    openSecrets(deliverer, environmentId, first.id),
    nextBatch(job, first, null),
  ]);
  let batch: Batch = begun;
  for (let endpoint: Deliverable | undefined = first; ; ) {
    if (batch.work.length === 0 && batch.reached === endpoint.reachedSequence) return 'done';
    const sending = sendBatch(
      {
        ...{ environmentId, url: endpoint.url, keys, quick, time, signal },
        ...{ allowPrivate: deliverer.allowPrivate, underWay: deliverer.underWay },
      },
      batch.work,
    );
    // Made while those before are sent.
    const ahead = quick && batch.more ? readAhead(job, endpoint, batch) : null;
    const sent = await Promise.race([sending.whole, sending.slow]);
    const place = { environmentId, endpoint, batch, quick };
    if (sent === 'slow') {
      await hold(deliverer.db.pool, environmentId, endpoint.id, new Date(time.now().getTime() + HOLD_MS));
      deliverer.underWay.leave(
        sending.whole
          .then((late) => settle(deliverer, place, late, { wakes: true }))
          .then(
            () => {},
            (err: unknown) => deliverer.log.warn({ err }, 'what became of webhooks could not be noted'),
          ),
      );
      return 'held';
    }
    if (sent.done.length === 0 && batch.work.length > 0) return signal.aborted ? 'more' : 'full';
    const isQuick = await settle(deliverer, place, sent, { wakes: false });
    if (sent.done.some(({ attempt }) => !isTaken(attempt))) job.seen.failed = true;
    if (isQuick !== quick) return 'moved';
    const left = batch.more || sent.undone.length > 0;
    if (!quick) return left ? 'more' : 'done';
    // Much may have been appended meanwhile, and a job of its own would cost more than to look.
    [endpoint] = await readDeliverable(deliverer.db.pool, environmentId, endpoint.id);
    if (!endpoint?.waits) return 'done';
    if (signal.aborted || performance.now() >= end) return 'more';
    batch = await nextBatch(job, endpoint, ahead);
  }
}

/** What was put off comes before what is new, so that nothing waits for a stream of events to end. */
async function nextBatch(
  { deliverer, environmentId, quick }: Job,
  endpoint: Deliverable,
  ahead: Promise<Batch | null> | null,
): Promise<Batch> {
  const most = quick ? BATCH : endpoint.failingSince === null ? BATCH_ELSEWHERE : BATCH_WHILE_FAILING;
  const due = endpoint.due ? await dueBatch(deliverer, environmentId, endpoint, most) : null;
  if (due !== null && due.work.length > 0) return due;
  const from = endpoint.reachedSequence;
  const made = await ahead;
  return made?.from === from ? made : newBatch(deliverer, environmentId, endpoint, { from, most });
}

/** The batch that comes after one; a failure is met again when it is asked for in its turn. */
function readAhead(
  { deliverer, environmentId }: Job,
  endpoint: Deliverable,
  { reached: from }: Batch,
): Promise<Batch | null> {
  return newBatch(deliverer, environmentId, endpoint, { from, most: BATCH }).catch(() => null);
}
