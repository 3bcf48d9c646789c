import type { Task } from 'graphile-worker';
import { clock } from '../src/ground/lib/clock.ts';
import { FairSemaphore } from '../src/ground/lib/fair-semaphore.ts';
import { enqueueNoLaterThan } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import type { Batching } from '../src/subjects/batches/batching.ts';
import { workBatches } from '../src/subjects/batches/work-batches.ts';

/** Two use what two processors can provide; more would only delay callers who wait for an answer. */
const ENVIRONMENTS_AT_ONCE = 2;

/** How long a job waits for its turn before it lets other jobs have its worker. */
const WAIT_MS = 1_000;

/**
 * The task `work_invoice_batches`: issues the pending invoices of an environment, turn by turn with the other environments
 * of this process. Adds the job of the next turn when it does not come soon, or cannot yet.
 */
export function workInvoiceBatchesTask(services: Batching): Task {
  const turns = new FairSemaphore({
    capacity: ENVIRONMENTS_AT_ONCE,
    ofOne: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
  });
  return async (payload, { abortSignal }) => {
    const { environmentId } = tasks.work_invoice_batches.payload.parse(payload);
    let runAt: Date | null = clock.now();
    const turn = async () => {
      runAt = await workBatches(services, environmentId, abortSignal);
      return runAt !== null && runAt <= clock.now();
    };
    // A job of its own for each turn would only be found by the next poll: until this one has ended its queue is locked.
    while (await turns.withinTime(environmentId, WAIT_MS, turn)) if (abortSignal?.aborted) break;
    if (runAt === null) return;
    // What is issued then belongs to other requests: otherwise the trace of a batch would never end.
    const job = { task: 'work_invoice_batches', payload: { environmentId }, trace: null } as const;
    await enqueueNoLaterThan(services.db.pool, { ...job, runAt });
  };
}
