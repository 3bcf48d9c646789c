import type { Task } from 'graphile-worker';
import { enqueueNoLaterThan } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import type { Batching } from '../src/subjects/batches/batching.ts';
import { workBatches } from '../src/subjects/batches/work-batches.ts';

/**
 * The task `work_invoice_batches`: issues the pending invoices of an environment for a turn, and adds the job of the next
 * one.
 */
export function workInvoiceBatchesTask(services: Batching): Task {
  return async (payload, { abortSignal }) => {
    const { environmentId } = tasks.work_invoice_batches.payload.parse(payload);
    const runAt = await workBatches(services, environmentId, abortSignal);
    if (runAt === null) return;
    // What is issued then belongs to other requests: otherwise the trace of a batch would never end.
    const job = { task: 'work_invoice_batches', payload: { environmentId }, trace: null } as const;
    await enqueueNoLaterThan(services.db.pool, { ...job, runAt });
  };
}
