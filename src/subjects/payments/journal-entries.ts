import type { NewEntry } from '../../ground/journal/append.ts';
import { canonicalJson, sha256 } from '../../ground/journal/canonical.ts';
import { INVOICE_PAYMENT, INVOICE_PAYMENT_REMOVAL, rowText } from '../../ground/journal/forms.ts';
import type { PaymentRow, RemovalRow } from './shapes.ts';
import type { Account } from './store/accounts.ts';

/** The journal entry of a recorded payment: the hash of its row, which is sealed with it. */
export function recordedEntry(row: PaymentRow): NewEntry {
  return {
    ...{ environmentId: row.environment_id, type: 'invoice.payment_recorded', subjectId: row.invoice_id },
    ...{ recordId: row.id, at: row.recorded_at, contentHash: sha256(rowText(INVOICE_PAYMENT, row)) },
  };
}

/** The same for a removed payment. */
export function removedEntry(row: RemovalRow): NewEntry {
  return {
    ...{ environmentId: row.environment_id, type: 'invoice.payment_removed', subjectId: row.invoice_id },
    ...{ recordId: row.payment_id, at: row.removed_at },
    contentHash: sha256(rowText(INVOICE_PAYMENT_REMOVAL, row)),
  };
}

/** Journal entries in addition to that of a change which made accounts fully paid. */
export function paidEntries(environmentId: number, accounts: readonly Account[], at: Date): NewEntry[] {
  return accounts.flatMap(({ reached, holderId, payable, paid }) =>
    reached && holderId !== null
      ? [accountEntry('invoice.paid', environmentId, { holderId, payable, paid }, at)]
      : [],
  );
}

/** Facts without a row: an account became fully paid, or its due day has passed. They are stored in the entry. */
export function accountEntry(
  type: 'invoice.paid' | 'invoice.overdue',
  environmentId: number,
  { holderId, payable, paid }: { readonly holderId: string; readonly payable: number; readonly paid: number },
  at: Date,
): NewEntry {
  const content = canonicalJson({ account_paid: paid, account_payable: payable });
  return { environmentId, type, subjectId: holderId, at, content };
}
