import { isDatabaseFailure } from '../../ground/db/condition/failures.ts';
import { isRefusedWrite } from '../../ground/db/condition/write-state.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { beginTurn, forEachConcurrent } from '../../ground/lib/turn.ts';
import { enqueue } from '../../ground/queue/enqueue.ts';
import { type Documents, documentFor } from './document.ts';
import { DOCUMENT_LIMITS } from './limits.ts';
import { waitingDocuments } from './store/documents.ts';

/** The next ones are read while those before them are drawn. */
const AT_ONCE = 2 * DOCUMENT_LIMITS.rendersAtOnce.value;

/** Read at once: enough for a turn, so that a queue of any length costs a turn the same. */
const PAGE = 64;

/**
 * Renders and stores the documents that wait in an environment, oldest first, for a turn. A document whose rendering fails
 * gets a job of its own, which the queue retries, and the others continue. Answers whether more documents may be waiting.
 * Throws when none can be stored: the database or the object store is unavailable.
 */
export async function renderWaiting(
  documents: Documents,
  environmentId: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const isOver = beginTurn(signal);
  // Last, those that somebody is rendering: nobody else would continue when that process dies.
  for (const leased of [false, true]) {
    for (let after = ''; ; ) {
      const range = { environmentId, after, leased, limit: PAGE };
      const { invoiceIds, last } = await waitingDocuments(documents.db.pool, range);
      if (last === null) break;
      after = last;
      await forEachConcurrent(invoiceIds, AT_ONCE, async (invoiceId) => {
        if (!isOver()) await renderOrPostpone(documents, environmentId, invoiceId);
      });
      if (isOver()) return true;
    }
  }
  return false;
}

async function renderOrPostpone(
  documents: Documents,
  environmentId: number,
  invoiceId: string,
): Promise<void> {
  const payload = { environmentId, invoiceId };
  try {
    const document = await documentFor(documents, environmentId, invoiceId, { urgent: false });
    if (!isRefusal(document)) return;
    // Without the object store no document can be kept.
    if (document.code === 'service_unavailable') throw new StoreUnavailable(document.detail);
    documents.log.error({ ...payload, code: document.code }, 'a document cannot be rendered');
  } catch (error) {
    if (error instanceof StoreUnavailable || isDatabaseFailure(error) || isRefusedWrite(error)) throw error;
    documents.log.error({ ...payload, err: error }, 'rendering a document failed; it gets a job of its own');
  }
  await enqueue(documents.db.pool, [{ task: 'render_pdf', payload }]);
}

class StoreUnavailable extends Error {}
