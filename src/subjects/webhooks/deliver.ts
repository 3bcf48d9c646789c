import type { Db } from '../../ground/db/client.ts';
import { isDatabaseFailure } from '../../ground/db/condition/failures.ts';
import { isRefusedWrite } from '../../ground/db/condition/write-state.ts';
import { DatabaseTime } from '../../ground/db/database-time.ts';
import { batchLoader } from '../../ground/lib/batch-loader.ts';
import type { Encrypted, EncryptionKeys } from '../../ground/lib/encryption.ts';
import type { EventLoopScheduler } from '../../ground/lib/event-loop-scheduler.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import type { AttemptsUnderWay } from './attempts-under-way.ts';
import { type Batch, dueBatch, newBatch } from './batch.ts';
import { coalesceItems } from './coalesce-items.ts';
import type { EventSource } from './event-source.ts';
import { WEBHOOK_LIMITS } from './limits.ts';
import { type BatchResult, type Destination, recordResults, resultOf } from './record-results.ts';
import { openSecrets, readSecrets } from './secrets.ts';
import { type Sent, sendBatch } from './send-batch.ts';
import type { Deliverable, StoredDelivery } from './shapes.ts';
import { readDue } from './store/deliveries.ts';
import {
  hold as holdEndpoints,
  readDeliverable,
  releaseLane,
  takeLane,
  waitingInLane,
  wakeLane,
} from './store/lanes.ts';

/** The dependencies of delivering. */
export type Deliverer = {
  readonly db: Pick<Db, 'pool'>;
  readonly keys: EncryptionKeys;
  readonly events: EventSource;
  readonly allowPrivate: boolean;
  readonly log: Logger;
  readonly underWay: AttemptsUnderWay;
  readonly eventLoop: Pick<EventLoopScheduler, 'waitTurn'>;
};

/** Events that are read and recorded together; after a crash they are delivered again. */
const BATCH = 128;
const SLOW_BATCH = 64;
const FAILING_BATCH = 2;
/** After this time other environments get the worker. */
const TURN_MS = 2_000;
/** When to retry if attempts could not begin because too many are running. */
const FULL_RETRY_MS = 1_000;
/** When to retry an endpoint that failed for a reason of our own, such as a missing key. */
const ERROR_RETRY_MS = 60_000;
/** How long an endpoint stays held for a worker that died with running attempts: a batch ends well within that time. */
const HOLD_MS = 2 * WEBHOOK_LIMITS.webhookAttempt.value + 15_000;

/** When a lane of an environment is to be processed again; null: on the next event. */
export type NextRun = Date | 'at once' | null;
export type LaneSchedule = { readonly quick: NextRun; readonly others: NextRun };

/** The result of an endpoint's turn. */
type Turn = 'done' | 'more' | 'full' | 'moved' | 'held' | 'error';

type Job = {
  readonly deliverer: Deliverer;
  readonly environmentId: number;
  readonly quick: boolean;
  readonly time: DatabaseTime;
  readonly end: number;
  readonly signal: AbortSignal;
  /** What endpoints need; one statement reads it for all that request it at the same time. */
  readonly secretsOf: (endpointId: string) => Promise<readonly Encrypted[] | null>;
  readonly dueOf: (endpointId: string) => Promise<readonly StoredDelivery[] | null>;
  /** The results of endpoints that are not quick; one statement writes those of the same moment. */
  readonly hold: (endpointId: string) => Promise<void>;
  readonly record: (result: BatchResult) => Promise<void>;
  readonly wakeOthers: (endpointId: string) => Promise<void>;
  /** Waits for the turn in which the endpoints of an environment that are not quick begin their attempts. */
  readonly begin: () => Promise<void>;
};

/**
 * Delivers new events and due retries to the endpoints of an environment: to the quick ones until nothing is left or
 * other environments have their turn, to the others one batch each. A process claims a lane for that time, so only one
 * delivers in it. An attempt that takes longer than 250 ms does not block the turn: its endpoint is held, the attempt
 * continues by itself, and its end is recorded and wakes the other lane. An event is recorded after it was sent: after
 * a crash it is sent again with the same id, and never lost.
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
    // The process that has the lane checks again after it has released it. If it has died, its claim expires.
    if (!lease.isOwn) return quick ? { quick: lease.until, others } : { quick: null, others: lease.until };
    let result: LaneResult;
    try {
      result = await takeTurns(deliverer, environmentId, { quick, end, signal: stops });
    } finally {
      await releaseLane(db.pool, environmentId, quick, lease);
    }
    // Events committed while the lane was claimed have woken nobody.
    const remaining = await waitingInLane(db.pool, environmentId, { quick, except: result.postponed });
    if (!quick)
      return {
        quick: result.others,
        others: soonest(remaining.waits ? 'at once' : remaining.at, result.retryAt),
      };
    others = soonest(others, result.others);
    if (remaining.waits && performance.now() < end && !stops.aborted) continue;
    return { quick: soonest(remaining.waits ? 'at once' : remaining.at, result.retryAt), others };
  }
}

/** Makes a lane of an environment be processed again at once: by a new job, or by the process that has claimed it. */
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

/** What the turns of a lane's endpoints resulted in. */
type LaneResult = {
  /** Endpoints that still wait, but not for new events; and when to process the lane again for them. */
  readonly postponed: readonly string[];
  readonly retryAt: Date | null;
  /** When to process the other lane. */
  readonly others: NextRun;
};

async function takeTurns(
  deliverer: Deliverer,
  environmentId: number,
  { quick, end, signal }: { readonly quick: boolean; readonly end: number; readonly signal: AbortSignal },
): Promise<LaneResult> {
  const { pool } = deliverer.db;
  const found = await readDeliverable(pool, environmentId);
  if (found[0] === undefined) return { postponed: [], retryAt: null, others: null };
  const time = new DatabaseTime(found[0].readAt);
  const waiting = found.filter(({ waits, held }) => waits && !held);
  const own = waiting.filter((endpoint) => endpoint.quick === quick);
  const shared = sharedWork(deliverer, environmentId, { endpoints: own, time, quick });
  const job: Job = { deliverer, environmentId, quick, time, end, signal, ...shared };
  const turns = await Promise.all(own.map((endpoint) => takeTurnOrLog(job, endpoint)));
  const now = time.now().getTime();
  const pauses = [
    ...(turns.includes('full') ? [FULL_RETRY_MS] : []),
    ...(turns.includes('error') ? [ERROR_RETRY_MS] : []),
  ];
  // An append wakes the lane that the endpoint was in then; it may have moved since.
  const moved = own.length < waiting.length || turns.includes('moved');
  const held = quick && turns.includes('held') ? new Date(now + HOLD_MS) : null;
  return {
    postponed: own.filter((_, index) => ['full', 'error'].includes(turns[index]!)).map(({ id }) => id),
    retryAt: pauses.length === 0 ? null : new Date(now + Math.min(...pauses)),
    others: moved ? 'at once' : held,
  };
}

type Shared = Pick<Job, 'secretsOf' | 'dueOf' | 'hold' | 'record' | 'wakeOthers' | 'begin'>;

/** The statements that the endpoints of a turn share, so that twenty that hang cost little more than one. */
function sharedWork(
  deliverer: Deliverer,
  environmentId: number,
  {
    endpoints,
    time,
    quick,
  }: { readonly endpoints: readonly Deliverable[]; readonly time: DatabaseTime; readonly quick: boolean },
): Shared {
  const { pool } = deliverer.db;
  const batchSizes = new Map(endpoints.map((endpoint) => [endpoint.id, batchSize(endpoint, quick)]));
  return {
    secretsOf: batchLoader((ids) => readSecrets(deliverer, environmentId, ids)),
    dueOf: batchLoader(async (ids) => {
      const requests = ids.map((id) => ({ id, max: batchSizes.get(id)! }));
      return Map.groupBy(await readDue(pool, environmentId, requests), ({ endpointId }) => endpointId);
    }),
    hold: coalesceItems((ids) =>
      holdEndpoints(pool, environmentId, ids, new Date(time.now().getTime() + HOLD_MS)),
    ),
    record: coalesceItems((results) =>
      deliverer.underWay.inTurn(environmentId, () => recordResults(deliverer, environmentId, results)),
    ),
    wakeOthers: coalesceItems(() => wakeLane(pool, environmentId, false)),
    begin: sharedTurn(() => deliverer.eventLoop.waitTurn(environmentId)),
  };
}

/** One turn of the event loop for all callers that wait for it at the same time. */
function sharedTurn(turnOfAll: () => Promise<void>): () => Promise<void> {
  let turn: Promise<void> | null = null;
  return () => {
    turn ??= turnOfAll().finally(() => {
      turn = null;
    });
    return turn;
  };
}

function batchSize({ failingSince }: Deliverable, quick: boolean): number {
  if (quick) return BATCH;
  return failingSince === null ? SLOW_BATCH : FAILING_BATCH;
}

/** A failure of one endpoint must not delay the others of its environment. */
async function takeTurnOrLog(job: Job, endpoint: Deliverable): Promise<Turn> {
  try {
    return await takeTurn(job, endpoint);
  } catch (err) {
    if (isDatabaseFailure(err) || isRefusedWrite(err)) throw err;
    job.deliverer.log.error({ err, endpoint: endpoint.id }, 'events could not be delivered');
    return 'error';
  }
}

async function takeTurn(job: Job, first: Deliverable): Promise<Turn> {
  const { deliverer, environmentId, quick, time, end, signal } = job;
  const [secrets, begun] = await Promise.all([job.secretsOf(first.id), nextBatch(job, first, null)]);
  const keys = openSecrets(deliverer.keys, environmentId, first.id, secrets ?? []);
  let batch: Batch = begun;
  for (let endpoint: Deliverable | undefined = first; ; ) {
    if (batch.work.length === 0 && batch.reached === endpoint.reachedSequence) return 'done';
    // For a few endpoints, signing, connecting and giving up take as long as a short request. If a thousand hang, they
    // begin, and therefore end, environment by environment, and other work gets the event loop in between.
    if (!quick && batch.work.length > 0) await job.begin();
    const sending = sendBatch(
      {
        ...{ environmentId, url: endpoint.url, keys, quick, time, signal },
        ...{ allowPrivate: deliverer.allowPrivate, underWay: deliverer.underWay },
        eventLoop: deliverer.eventLoop,
      },
      batch.work,
    );
    // Built while the previous batch is being sent.
    const ahead = quick && batch.more ? readAhead(job, endpoint, batch) : null;
    const sent = await Promise.race([sending.whole, sending.slow]);
    const destination = { endpoint, batch, quick };
    if (sent === 'slow') {
      await job.hold(endpoint.id);
      deliverer.underWay.track(recordLate(job, destination, sending.whole));
      return 'held';
    }
    if (sent.done.length === 0 && batch.work.length > 0) return signal.aborted ? 'more' : 'full';
    const result = resultOf(destination, sent, { late: false });
    await (quick ? recordResults(deliverer, environmentId, [result]) : job.record(result));
    if (result.outcome.quick !== quick) return 'moved';
    const remaining = batch.more || sent.undone.length > 0;
    if (!quick) return remaining ? 'more' : 'done';
    // Much may have been appended meanwhile, and another job would cost more than a check.
    [endpoint] = await readDeliverable(deliverer.db.pool, environmentId, endpoint.id);
    if (!endpoint?.waits) return 'done';
    if (signal.aborted || performance.now() >= end) return 'more';
    batch = await nextBatch(job, endpoint, ahead);
  }
}

/**
 * Records the results of a batch whose job has ended, and has its endpoint processed again. If the process dies
 * before, the hold expires.
 */
async function recordLate(job: Job, destination: Destination, whole: Promise<Sent>): Promise<void> {
  try {
    await job.record(resultOf(destination, await whole, { late: true }));
    await job.wakeOthers(destination.endpoint.id);
  } catch (err) {
    job.deliverer.log.warn({ err }, 'the results of webhooks could not be recorded');
  }
}

/** Retries come before new events, so that they need not wait for a stream of events to end. */
async function nextBatch(
  { deliverer, environmentId, quick, dueOf }: Job,
  endpoint: Deliverable,
  ahead: Promise<Batch | null> | null,
): Promise<Batch> {
  const due = endpoint.due
    ? await dueBatch(deliverer, environmentId, endpoint, (await dueOf(endpoint.id)) ?? [])
    : null;
  if (due !== null && due.work.length > 0) return due;
  const from = endpoint.reachedSequence;
  const next = await ahead;
  return next?.from === from
    ? next
    : newBatch(deliverer, environmentId, endpoint, { from, max: batchSize(endpoint, quick) });
}

/** The batch after another one; a failure is reported when it is used in its turn. */
function readAhead(
  { deliverer, environmentId }: Job,
  endpoint: Deliverable,
  { reached: from }: Batch,
): Promise<Batch | null> {
  return newBatch(deliverer, environmentId, endpoint, { from, max: BATCH }).catch(() => null);
}
