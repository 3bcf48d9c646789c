import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { madridDay } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import { environmentNow } from '../accounts/entry/environment-time.ts';
import type { InvoiceReader } from '../invoices/reader.ts';
import { holdersOf } from '../payments/accounts.ts';
import { businessStatusesOf, isBetweenBusinesses } from '../payments/business-statuses.ts';
import { readMovementsOf } from '../payments/store/read-payments.ts';
import {
  addMessages,
  advanceJournalPosition,
  lockPosition,
  type NewMessage,
  readEntries,
} from './store/messages.ts';
import { messagesOf } from './store/read-messages.ts';
import { messagesFrom, type ReportedState, statusAfter } from './transitions.ts';
import type { MessageKind } from './types.ts';

type Queueing = { readonly db: Pick<Db, 'pool'>; readonly readInvoice: InvoiceReader };

type RequestedMessage = { readonly kind: MessageKind; readonly on: string | null };

/**
 * Reads the next entries of an environment's journal and queues the resulting messages, in one transaction, so that
 * every entry is processed once even after a crash. Returns whether there may be more.
 */
export async function queueMessages(services: Queueing, environmentId: number): Promise<boolean> {
  const max = LIMITS.exchangeEntries.value;
  return inTransaction(services.db.pool, async (client) => {
    const { told } = await lockPosition(client, environmentId);
    const entries = await readEntries(client, environmentId, told, max);
    const ids = entries.filter(({ type }) => type.startsWith('invoice.')).map(({ subjectId }) => subjectId);
    const changed = [...new Set([...ids, ...(await holdersOf(client, environmentId, [...new Set(ids)]))])];
    for (const invoiceId of changed) {
      const before = await messagesOf(client, environmentId, invoiceId);
      const issued = entries.some(
        ({ type, subjectId }) => type === 'invoice.issued' && subjectId === invoiceId,
      );
      const due = await messagesFor(services, { environmentId, invoiceId }, before, issued);
      const at = clock.now().toISOString();
      const messages = due.map(({ kind, on }, position): NewMessage => {
        const ordinal = before.length + position;
        const id = newId('exm');
        return {
          environment_id: environmentId,
          id,
          invoice_id: invoiceId,
          ordinal,
          kind,
          on_day: on,
          created_at: at,
        };
      });
      await addMessages(client, messages);
    }
    const last = entries.at(-1);
    if (last !== undefined) await advanceJournalPosition(client, environmentId, last.position);
    return entries.length === max;
  });
}

async function messagesFor(
  { db, readInvoice }: Queueing,
  { environmentId, invoiceId }: { readonly environmentId: number; readonly invoiceId: string },
  before: readonly { readonly kind: MessageKind; readonly status: string }[],
  issued: boolean,
): Promise<RequestedMessage[]> {
  if (before.length === 0 && !issued) return [];
  const view = await readInvoice(environmentId, invoiceId);
  if (view === null) throw new Error('an entry of the journal refers to an invoice that does not exist');
  if (!isBetweenBusinesses(view)) return [];
  const own: RequestedMessage[] = before.length === 0 ? [{ kind: 'invoice', on: null }] : [];
  const today = madridDay(environmentNow(view.owner));
  const key = `${environmentId}/${invoiceId}`;
  const place = { key, within: String(environmentId), id: invoiceId };
  const movements = (await readMovementsOf(db.pool, [place])).get(key) ?? [];
  const now = businessStatusesOf(view, movements).at(-1);
  const holds: ReportedState = now?.status === 'settled' || now?.status === 'not_paid' ? now.status : null;
  const lastStatus = before.findLast(({ kind, status }) => kind !== 'invoice' && status !== 'refused');
  const kinds = messagesFrom(lastStatus === undefined ? null : statusAfter(lastStatus.kind), holds);
  return [...own, ...kinds.map((kind) => ({ kind, on: now?.on ?? today }))];
}
