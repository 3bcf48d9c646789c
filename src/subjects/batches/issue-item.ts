import { fieldsOfInvoice, withFieldsOf } from '../../ground/errors/fields.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { atEnvironmentTime } from '../accounts/entry/environment-time.ts';
import { requestDigest } from '../idempotency/keys.ts';
import { externalIdUsed } from '../issuing/external-id.ts';
import { GROUP_INVOICES } from '../issuing/group-commit.ts';
import { commitReady, type ReadyInvoice, readyInvoice } from '../issuing/issue-invoice.ts';
import { invoiceRequest, MAX_LINES } from '../issuing/request.ts';
import { rulesOf } from '../rectifying/rules-of.ts';
import type { Batching } from './batching.ts';
import type { PendingItem } from './shapes.ts';
import type { Holder } from './store/read-batches.ts';

/** An item with its request, parsed. */
export type ReadItem = Omit<PendingItem, 'request'> & { readonly sent: Readonly<Record<string, unknown>> };

export function readItem({ request, ...item }: PendingItem): ReadItem {
  return { ...item, sent: JSON.parse(request) as ReadItem['sent'] };
}

/**
 * Prepares an item's invoice up to its number, with the rules and error codes of issuing it alone. Whether its
 * external_id is used must have been checked before.
 */
export async function prepareItem(
  services: Batching,
  scope: Scope,
  { sent, reservedId: id }: ReadItem,
): Promise<Outcome<ReadyInvoice>> {
  // Yields between items, so that requests with a waiting client go first.
  await services.eventLoop.waitTurn(scope.environmentId);
  const request = atEnvironmentTime(scope, () => parseRequest(invoiceRequest, bounded(sent)));
  if (isRefusal(request)) return request;
  const { rectifies } = request;
  const sources = { ...services, externalIdsChecked: true };
  const ready = await readyInvoice(sources, scope, request, { sent, check: rulesOf(request), id });
  return withFieldsOf(fieldsOfInvoice(rectifies), ready);
}

/** Counting stops at one line more than an invoice may have. */
function bounded(sent: ReadItem['sent']): unknown {
  const { lineItems } = sent;
  if (!Array.isArray(lineItems) || lineItems.length <= MAX_LINES) return sent;
  return { ...sent, lineItems: lineItems.slice(0, MAX_LINES + 1) };
}

/** Issues an item's invoice and returns its id. Items are numbered in the order of the calls. */
export async function issueReady(services: Batching, ready: ReadyInvoice): Promise<Outcome<string>> {
  const stored = await commitReady(services, ready);
  if (!isRefusal(stored)) return stored.invoice.id;
  return withFieldsOf(fieldsOfInvoice(ready.checked.request.rectifies), stored);
}

/**
 * How the invoice that has an item's external_id relates to the item: it is the item's own, issued before that
 * could be recorded; it was issued earlier for the same request; or it is another one's,
 * `external_id_already_used`.
 */
export function outcomeForHolder({ reservedId, sent }: ReadItem, holder: Holder): Outcome<string> {
  if (holder.id === reservedId || holder.digest === requestDigest(sent).toString('hex')) return holder.id;
  return externalIdUsed(holder.id).about('externalId');
}

/**
 * Items that are read, checked and committed together: a quarter of what one transaction accepts. Sealing and writing
 * them is one long step of the event loop during which other requests wait, and a larger group saves almost
 * nothing.
 */
export const PENDING_PAGE = GROUP_INVOICES / 4;

/**
 * Splits the items into groups that are checked together: ordinary ones in one, each rectificativa in one of its
 * own, because what it may correct depends on those before it.
 */
export function chunksToIssue(items: readonly ReadItem[]): ReadItem[][] {
  const found: ReadItem[][] = [];
  for (const item of items) {
    const last = found.at(-1);
    if (last === undefined || isCorrection(item) || isCorrection(last[0]!)) found.push([item]);
    else last.push(item);
  }
  return found;
}

/** Whether the request is, or could be, a rectificativa. */
export function isCorrection({ sent }: ReadItem): boolean {
  return sent['rectifies'] != null;
}
