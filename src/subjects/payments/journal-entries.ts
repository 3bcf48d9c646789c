import type { NewEntry } from '../../ground/journal/append.ts';
import { canonicalJson, sha256 } from '../../ground/journal/canonical.ts';
import { INVOICE_PAYMENT, INVOICE_PAYMENT_REMOVAL, rowText } from '../../ground/journal/forms.ts';
import type { PaymentRow, RemovalRow } from './shapes.ts';
import type { Account } from './store/accounts.ts';

/** What the journal says of a payment that was recorded: the hash of its row, which is sealed with it. */
export function recordedEntry(row: PaymentRow): NewEntry {
  return {
    ...{ environmentId: row.environment_id, type: 'invoice.payment_recorded', subjectId: row.invoice_id },
    ...{ recordId: row.id, at: row.recorded_at, contentHash: sha256(rowText(INVOICE_PAYMENT, row)) },
  };
}

/** The same of a payment that was removed. */
export function removedEntry(row: RemovalRow): NewEntry {
  return {
    ...{ environmentId: row.environment_id, type: 'invoice.payment_removed', subjectId: row.invoice_id },
    ...{ recordId: row.payment_id, at: row.removed_at },
    contentHash: sha256(rowText(INVOICE_PAYMENT_REMOVAL, row)),
  };
}

/** What the journal says beside a change that has brought what was paid of accounts to what is to be. */
export function reachedEntries(environmentId: number, accounts: readonly Account[], at: Date): NewEntry[] {
  return accounts.flatMap(({ reached, holderId, payable, paid }) =>
    reached && holderId !== null
      ? [accountEntry('invoice.paid', environmentId, { holderId, payable, paid }, at)]
      : [],
  );
}

/** What no row tells: that what was paid has come to what is to be, or that the day has passed. Kept with the entry. */
export function accountEntry(
  type: 'invoice.paid' | 'invoice.overdue',
  environmentId: number,
  { holderId, payable, paid }: { readonly holderId: string; readonly payable: number; readonly paid: number },
  at: Date,
): NewEntry {
  const content = canonicalJson({ account_paid: paid, account_payable: payable });
  return { environmentId, type, subjectId: holderId, at, content };
}
