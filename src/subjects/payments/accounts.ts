import type { Queryable } from '../../ground/db/queryable.ts';
import { append, type NewEntry } from '../../ground/journal/append.ts';
import { amountPayable } from '../extensions/payable.ts';
import { paymentFactsOfNew } from '../invoices/payment-status.ts';
import { hasPaymentTerms, type InvoiceRow } from '../invoices/rows.ts';
import { paidEntries } from './journal-entries.ts';
import {
  exchangesOf,
  lockAccounts,
  lockUnpaidAccounts,
  type NewAccount,
  openAccounts,
  openForImported,
  refreshAccounts,
  rootsOf,
} from './store/accounts.ts';

/** The effects of issuing and correcting on payment accounts. */

/**
 * Opens the accounts of invoices in the transaction that has written them: of those whose payment needs more than a
 * positive total. A correction uses the account of its family.
 */
export async function openAccountsOf(
  client: Queryable,
  issued: readonly { readonly invoice: InvoiceRow }[],
): Promise<void> {
  const opened: NewAccount[] = [];
  for (const { invoice } of issued) {
    if (invoice.rectifies_id !== null) continue;
    const isPlain = invoice.kind === 'original' && !hasPaymentTerms(invoice);
    if (isPlain && amountPayable(invoice) > 0) continue;
    const { payable, dueOn, owed } = paymentFactsOfNew(invoice);
    opened.push({
      ...{ environment_id: invoice.environment_id, root_id: invoice.id },
      ...{ payable, due_on: dueOn, listed_at: invoice.issued_at, owed },
    });
  }
  if (opened.length > 0) await openAccounts(client, opened);
}

/**
 * Opens the accounts of imported invoices in the transaction that stores them: of those with a due day, unpaid
 * until a payment is recorded. No event is raised for days that are past by then.
 */
export async function openImportedAccounts(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
  now: Date,
): Promise<void> {
  if (invoiceIds.length > 0) await openForImported(client, environmentId, invoiceIds, now);
}

/** Accounts that are locked because their inputs change. */
export type LockedAccounts = { readonly environmentId: number; readonly roots: readonly string[] };

/**
 * Locks the accounts that a correction of these invoices changes: after the chain, and before the journal is
 * appended to. A concurrent payment waits, and then sees the corrected invoice. `withExchanges`: those of all exchange invoices
 * of the families too.
 */
export async function lockAffectedAccounts(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
  withExchanges = false,
): Promise<LockedAccounts> {
  const roots = await rootsOf(client, environmentId, invoiceIds);
  for (const root of withExchanges ? [...roots] : [])
    roots.push(...(await exchangesOf(client, environmentId, root)));
  await lockAccounts(client, environmentId, roots);
  return { environmentId, roots };
}

/**
 * Recomputes accounts after the correction is written; returns the journal entries of those that become paid by it.
 */
export async function updateAccounts(
  client: Queryable,
  { environmentId, roots }: LockedAccounts,
  at: Date,
): Promise<NewEntry[]> {
  return paidEntries(environmentId, await refreshAccounts(client, environmentId, roots), at);
}

/** The same when the journal has the correction already. */
export async function updateAndAppend(client: Queryable, held: LockedAccounts, at: Date): Promise<void> {
  await append(client, await updateAccounts(client, held, at));
}

/**
 * Of the accounts, the holders of those with a remaining amount. The accounts are locked, so that nothing is paid
 * on them before the caller's transaction ends.
 */
export async function lockUnpaid(
  client: Queryable,
  environmentId: number,
  roots: readonly string[],
): Promise<ReadonlySet<string>> {
  const unpaid = await lockUnpaidAccounts(client, environmentId, roots);
  return new Set(unpaid.map(({ holderId }) => holderId));
}
