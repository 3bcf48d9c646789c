import type { Task } from 'graphile-worker';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import { type Documents, documentFor } from '../src/subjects/documents/document.ts';

/** The task `render_pdf`: makes and keeps an invoice's document. What is kept already is left as it is. */
export function renderPdfTask(documents: Documents): Task {
  return async (payload) => {
    const { environmentId, invoiceId } = tasks.render_pdf.payload.parse(payload);
    const document = await documentFor(documents, environmentId, invoiceId, { urgent: false });
    // The job is added in the transaction that issues: an invoice that is not there is a bug.
    if (isRefusal(document)) throw new Error(`${invoiceId}: ${document.detail}`);
  };
}
