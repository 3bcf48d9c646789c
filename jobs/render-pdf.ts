import type { Task } from 'graphile-worker';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import { type Documents, documentFor } from '../src/subjects/documents/document.ts';

/** The task `render_pdf`: renders and stores a document whose rendering has failed before, unless it is stored already. */
export function renderPdfTask(documents: Documents): Task {
  return async (payload) => {
    const { environmentId, invoiceId } = tasks.render_pdf.payload.parse(payload);
    const document = await documentFor(documents, environmentId, invoiceId, { urgent: false });
    // The job is added for an invoice that exists, so a missing one is a bug.
    if (isRefusal(document)) throw new Error(`${invoiceId}: ${document.detail}`);
  };
}
