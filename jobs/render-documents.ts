import type { Task } from 'graphile-worker';
import { clock } from '../src/ground/lib/clock.ts';
import { enqueueNoLaterThan } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import type { Documents } from '../src/subjects/documents/document.ts';
import { renderWaiting } from '../src/subjects/documents/render-waiting.ts';

/** The task `render_documents`: renders the documents that wait in an environment, and adds the job of the next turn. */
export function renderDocumentsTask(documents: Documents): Task {
  return async (payload, { abortSignal }) => {
    const { environmentId } = tasks.render_documents.payload.parse(payload);
    if (!(await renderWaiting(documents, environmentId, abortSignal))) return;
    // Further documents belong to other requests: otherwise the trace of this one would never end.
    const job = { task: 'render_documents', payload: { environmentId }, trace: null } as const;
    await enqueueNoLaterThan(documents.db.pool, { ...job, runAt: clock.now() });
  };
}
