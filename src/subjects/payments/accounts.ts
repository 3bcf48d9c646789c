import type { Queryable } from '../../ground/db/queryable.ts';
import { append, type NewEntry } from '../../ground/journal/append.ts';
import { amountPayable } from '../invoices/payable.ts';
import { dueOnOf, type InvoiceRow } from '../invoices/rows.ts';
import { reachedEntries } from './journal-entries.ts';
import {
  lockAccounts,
  lockUnpaidAccounts,
  openAccounts,
  openForImported,
  readHolders,
  refreshAccounts,
  rootsOf,
} from './store/accounts.ts';

/** What issuing and correcting do to the accounts of payments. */

/**
 * Opens the accounts of invoices in the transaction that has written them: of those that say more of their payment than a
 * total above nothing. One that corrects another has its account there.
 */
export async function openAccountsOf(client: Queryable, invoices: readonly InvoiceRow[]): Promise<void> {
  const opened = invoices.filter((invoice) => {
    if (invoice.rectifies_id !== null) return false;
    return (
      invoice.kind !== 'original' ||
      dueOnOf(invoice) !== null ||
      invoice.payment !== null ||
      amountPayable(invoice) <= 0
    );
  });
  await openAccounts(
    client,
    opened.map((invoice) => ({
      ...{ environment_id: invoice.environment_id, root_id: invoice.id },
      ...{ payable: amountPayable(invoice), due_on: dueOnOf(invoice), listed_at: invoice.issued_at },
    })),
  );
}

/**
 * Opens the accounts of imported invoices in the transaction that stores them: of those with a due date, and unpaid until a
 * payment is recorded. Nobody is told of days that are past by then.
 */
export async function openImportedAccounts(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
  now: Date,
): Promise<void> {
  if (invoiceIds.length > 0) await openForImported(client, environmentId, invoiceIds, now);
}

/** Accounts that are locked because what they are made of changes. */
export type HeldAccounts = { readonly environmentId: number; readonly roots: readonly string[] };

/**
 * Locks the accounts that a correction of these invoices changes: behind the chain, and before anything is appended to a
 * journal. A payment that comes meanwhile waits, and meets the invoice as it is then.
 */
export async function holdAccounts(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<HeldAccounts> {
  const roots = await rootsOf(client, environmentId, invoiceIds);
  await lockAccounts(client, environmentId, roots);
  return { environmentId, roots };
}

/** The invoices that hold the accounts of these invoices' families now. Reads without a lock. */
export async function holdersOf(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<string[]> {
  return readHolders(client, environmentId, await rootsOf(client, environmentId, invoiceIds));
}

/** Makes accounts anew once the correction is written; answers what the journal says of those that are paid by it. */
export async function settleAccounts(
  client: Queryable,
  { environmentId, roots }: HeldAccounts,
  at: Date,
): Promise<NewEntry[]> {
  return reachedEntries(environmentId, await refreshAccounts(client, environmentId, roots), at);
}

/** The same where the journal has the correction already. */
export async function settleAndAppend(client: Queryable, held: HeldAccounts, at: Date): Promise<void> {
  await append(client, await settleAccounts(client, held, at));
}

/**
 * The invoices that hold those of the accounts on which something is still to be paid. The accounts are locked, so that
 * nothing is paid on them before the caller's transaction ends.
 */
export async function lockUnpaid(
  client: Queryable,
  environmentId: number,
  roots: readonly string[],
): Promise<ReadonlySet<string>> {
  const unpaid = await lockUnpaidAccounts(client, environmentId, roots);
  return new Set(unpaid.map(({ holderId }) => holderId));
}
