import type { Db } from '../../ground/db/client.ts';
import { isDatabaseFailure } from '../../ground/db/condition/failures.ts';
import { isRefusedWrite } from '../../ground/db/condition/write-state.ts';
import { DatabaseTime } from '../../ground/db/database-time.ts';
import type { EncryptionKey } from '../../ground/lib/encryption.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import type { AttemptsUnderWay } from './attempts-under-way.ts';
import { type Batch, dueBatch, newBatch } from './batch.ts';
import type { EventSource } from './event-source.ts';
import { openSecrets } from './secrets.ts';
import { type Sent, sendBatch } from './send-batch.ts';
import { type Place, settle } from './settle.ts';
import type { Deliverable } from './shapes.ts';
import {
  hold as holdEndpoints,
  leaveLane,
  readDeliverable,
  takeLane,
  waitingInLane,
  wakeLane,
} from './store/lanes.ts';
import { together } from './together.ts';

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

/** When a lane of an environment is to be looked at again; null: when something happens. */
export type NextRun = Date | 'at once' | null;
export type LaneSchedule = { readonly quick: NextRun; readonly others: NextRun };

/** What came of an endpoint's turn. */
type Turn = 'done' | 'more' | 'full' | 'moved' | 'held' | 'trouble';

type Job = {
  readonly deliverer: Deliverer;
  readonly environmentId: number;
  readonly quick: boolean;
  readonly time: DatabaseTime;
  readonly end: number;
  readonly signal: AbortSignal;
  readonly hold: (endpointId: string) => Promise<void>;
  readonly wakeOthers: (endpointId: string) => Promise<void>;
};

/**
 * Delivers to the endpoints of an environment what is new and what is due again: to those that are quick until nothing is
 * left or it is the turn of others, to the rest one batch each. Of two processes only one does so at a time in a
 * lane, which it has taken for that time. No attempt is waited for longer than a moment: its endpoint is then held, the
 * attempts go on by themselves, and their end is noted and wakes the other lane. An event is noted after it was sent:
 * whatever dies in between, it is sent again under the same id, and never lost.
 */
export async function deliver(
  deliverer: Deliverer,
  environmentId: number,
  lane: 'quick' | 'others',
  signal?: AbortSignal,
): Promise<LaneSchedule> {
  const { db, underWay } = deliverer;
  const quick = lane === 'quick';
  const end = performance.now() + TURN_MS;
  const stops = signal === undefined ? underWay.signal : AbortSignal.any([underWay.signal, signal]);
  for (let others: NextRun = null; ; ) {
    const lease = await takeLane(db.pool, environmentId, quick);
    // Whoever has it looks again once it has left it. If it has died, its time ends.
    if (!lease.mine) return quick ? { quick: lease.until, others } : { quick: null, others: lease.until };
    let came: Came;
    try {
      came = await takeTurns(deliverer, environmentId, { quick, end, signal: stops });
    } finally {
      await leaveLane(db.pool, environmentId, quick, lease);
    }
    // What was committed while the lane was taken has woken nobody.
    const left = await waitingInLane(db.pool, environmentId, { quick, except: came.putOff });
    if (!quick) return { quick: came.others, others: soonest(left.waits ? 'at once' : left.at, came.again) };
    others = soonest(others, came.others);
    if (left.waits && performance.now() < end && !stops.aborted) continue;
    return { quick: soonest(left.waits ? 'at once' : left.at, came.again), others };
  }
}

/** Has a lane of an environment looked at again at once: by a job of its own, or by whoever is at it. */
export function wake(
  { db }: Pick<Deliverer, 'db'>,
  environmentId: number,
  lane: 'quick' | 'others',
): Promise<void> {
  return wakeLane(db.pool, environmentId, lane === 'quick');
}

function soonest(one: NextRun, other: NextRun): NextRun {
  if (one === 'at once' || other === 'at once') return 'at once';
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** What came of the turns of a lane's endpoints. */
type Came = {
  /** Those that wait still, and not for what is new; and when the lane is looked at again for them. */
  readonly putOff: readonly string[];
  readonly again: Date | null;
  /** When the other lane is to be looked at. */
  readonly others: NextRun;
};

async function takeTurns(
  deliverer: Deliverer,
  environmentId: number,
  { quick, end, signal }: { readonly quick: boolean; readonly end: number; readonly signal: AbortSignal },
): Promise<Came> {
  const { pool } = deliverer.db;
  const found = await readDeliverable(pool, environmentId);
  if (found[0] === undefined) return { putOff: [], again: null, others: null };
  const time = new DatabaseTime(found[0].lookedAt);
  const hold = together((ids) =>
    holdEndpoints(pool, environmentId, ids, new Date(time.now().getTime() + HOLD_MS)),
  );
  const wakeOthers = together(() => wakeLane(pool, environmentId, false));
  const job: Job = { deliverer, environmentId, quick, time, end, signal, hold, wakeOthers };
  const waiting = found.filter(({ waits, held }) => waits && !held);
  const mine = waiting.filter((endpoint) => endpoint.quick === quick);
  const turns = await Promise.all(mine.map((endpoint) => takeTurnOrSay(job, endpoint)));
  const now = time.now().getTime();
  const pauses = [
    ...(turns.includes('full') ? [FULL_MS] : []),
    ...(turns.includes('trouble') ? [TROUBLE_MS] : []),
  ];
  // Who appends wakes the lane in which the endpoint stood then; it may have moved since.
  const moved = mine.length < waiting.length || turns.includes('moved');
  const held = quick && turns.includes('held') ? new Date(now + HOLD_MS) : null;
  return {
    putOff: mine.filter((_, index) => ['full', 'trouble'].includes(turns[index]!)).map(({ id }) => id),
    again: pauses.length === 0 ? null : new Date(now + Math.min(...pauses)),
    others: moved ? 'at once' : held,
  };
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
      await job.hold(endpoint.id);
      deliverer.underWay.leave(noteLate(job, place, sending.whole));
      return 'held';
    }
    if (sent.done.length === 0 && batch.work.length > 0) return signal.aborted ? 'more' : 'full';
    const isQuick = await settle(deliverer, place, sent, { late: false });
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

/** Notes what became of a batch whose job has ended, and has it looked at again. Dies the process in between, the hold ends. */
async function noteLate(job: Job, place: Place, whole: Promise<Sent>): Promise<void> {
  try {
    await settle(job.deliverer, place, await whole, { late: true });
    await job.wakeOthers(place.endpoint.id);
  } catch (err) {
    job.deliverer.log.warn({ err }, 'what became of webhooks could not be noted');
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
