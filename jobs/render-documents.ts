import type { Task } from 'graphile-worker';
import { clock } from '../src/ground/lib/clock.ts';
import { FairSemaphore } from '../src/ground/lib/fair-semaphore.ts';
import { enqueueNoLaterThan } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import type { Documents } from '../src/subjects/documents/document.ts';
import { renderWaiting } from '../src/subjects/documents/render-waiting.ts';

/**
 * Environments of which one process renders at once. Every issue adds a job, even while another one renders for its environment: those
 * of long invoices would occupy all workers, and webhooks would wait for the next poll.
 */
const ENVIRONMENTS_AT_ONCE = 4;

/** When a job that found no place tries again. */
const LATER_MS = 1_000;

/** The task `render_documents`: renders the documents that wait in an environment, and adds the job of the next turn. */
export function renderDocumentsTask(documents: Documents): Task {
  const turns = new FairSemaphore({ capacity: ENVIRONMENTS_AT_ONCE, ofOne: 1, maxWaiting: 0 });
  return async (payload, { abortSignal }) => {
    const { environmentId } = tasks.render_documents.payload.parse(payload);
    const isMore = await turns.within(environmentId, () =>
      renderWaiting(documents, environmentId, abortSignal),
    );
    if (isMore === false) return;
    const runAt = new Date(clock.now().getTime() + (isMore === null ? LATER_MS : 0));
    // Further documents belong to other requests: otherwise the trace of this one would never end.
    const job = { task: 'render_documents', payload: { environmentId }, trace: null } as const;
    await enqueueNoLaterThan(documents.db.pool, { ...job, runAt });
  };
}
