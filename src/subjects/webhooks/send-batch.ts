import type { KeyObject } from 'node:crypto';
import type { DatabaseTime } from '../../ground/db/database-time.ts';
import { type EventLoopScheduler, LARGE_BODY } from '../../ground/lib/event-loop-scheduler.ts';
import type { AttemptsUnderWay } from './attempts-under-way.ts';
import type { Task } from './batch.ts';
import { countAttempt } from './metrics.ts';
import { type Attempt, isAccepted, post } from './post.ts';
import { signedHeaders } from './signature.ts';

/** Concurrent attempts at one endpoint: enough for 1,000 a second when an answer takes 10 ms. */
const AT_ONCE = 16;
/** The job does not wait for an attempt that takes longer. */
const A_MOMENT_MS = 250;
/** After this time a batch begins no further attempts, so that its maximum duration is known. */
const BEGINS_FOR_MS = 10_000;

/** The result of a batch. */
export type Sent = {
  readonly done: readonly { readonly task: Task; readonly attempt: Attempt }[];
  /** Events that were not attempted: the endpoint accepts nothing, the limit was reached, or the process stops. */
  readonly undone: readonly Task[];
  /** Whether each attempt ended quickly. */
  readonly quick: boolean;
};

export type Sending = {
  /** Resolves with the whole result. */
  readonly whole: Promise<Sent>;
  /** Resolves when an attempt takes longer than a moment; else never. */
  readonly slow: Promise<'slow'>;
};

export type Target = {
  readonly environmentId: number;
  readonly url: string;
  readonly keys: readonly KeyObject[];
  readonly quick: boolean;
  readonly allowPrivate: boolean;
  readonly underWay: AttemptsUnderWay;
  readonly time: DatabaseTime;
  readonly eventLoop: Pick<EventLoopScheduler, 'waitTurn'>;
  readonly signal: AbortSignal;
};

/**
 * Sends a batch to one endpoint. A fast one gets 16 attempts at once; any other one, and twice as many after each
 * accepted one, so that a hanging endpoint costs one connection. When the first attempts fail, the others are left
 * for later.
 */
export function sendBatch(target: Target, work: readonly Task[]): Sending {
  const slow = Promise.withResolvers<'slow'>();
  const whole = Promise.withResolvers<Sent>();
  const { environmentId, underWay, eventLoop, signal } = target;
  const queue = [...work];
  const done: { task: Task; attempt: Attempt }[] = [];
  const broken: Task[] = [];
  const begun = performance.now();
  const state = { atOnce: target.quick ? AT_ONCE : 1, open: 0, accepted: 0, quick: true };

  const mayBegin = () =>
    queue.length > 0 &&
    state.open < state.atOnce &&
    !signal.aborted &&
    (state.accepted > 0 || done.length === 0) &&
    (state.quick || performance.now() - begun < BEGINS_FOR_MS) &&
    (target.quick || underWay.hasRoom(environmentId));
  const one = async (task: Task) => {
    const attempt = await underWay.count(environmentId, async () => {
      // Signing and sending a long one takes as long as a short request.
      if (task.event.body.length > LARGE_BODY) await eventLoop.waitTurn(environmentId);
      const timer = setTimeout(() => {
        state.quick = false;
        slow.resolve('slow');
      }, A_MOMENT_MS);
      return send(target, task).finally(() => clearTimeout(timer));
    });
    state.open -= 1;
    // Aborted because the process stops: this does not count as an attempt, and is repeated by the next process.
    if (attempt.status === null && signal.aborted) broken.push(task);
    else done.push({ task, attempt });
    if (isAccepted(attempt)) {
      state.accepted += 1;
      state.atOnce = Math.min(AT_ONCE, state.atOnce * 2);
    }
    next();
  };
  const next = () => {
    while (mayBegin()) {
      state.open += 1;
      void one(queue.shift()!);
    }
    if (state.open === 0) whole.resolve({ done, undone: [...broken, ...queue], quick: state.quick });
  };
  next();
  return { whole: whole.promise, slow: slow.promise };
}

async function send({ url, keys, allowPrivate, time, signal }: Target, { event }: Task): Promise<Attempt> {
  const at = time.now();
  const headers = signedHeaders(keys, { id: event.id, at, body: event.body });
  const attempt = await post({ at, url, headers, body: event.body, allowPrivate, signal });
  countAttempt(attempt);
  return attempt;
}
