import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import {
  column,
  OF_ALL,
  type RowKey,
  readRow,
  readRowOfEach,
  readRows,
  readWithin,
} from '../../../ground/db/rows.ts';
import type { Movement } from '../business-statuses.ts';
import { type Payment, payment } from '../shapes.ts';

const PAYMENT = `payment.environment_id as "environmentId", payment.id, payment.invoice_id as "invoiceId", payment.amount,
  payment.paid_on::text as "paidOn", payment.means::text, payment.reference, payment.recorded_at as "recordedAt",
  removal.removed_at as "removedAt"`;

const REMOVED = `left join invoice_payment_removal removal
    on removal.environment_id = payment.environment_id and removal.payment_id = payment.id`;

const OF_INVOICES = {
  name: 'payments-of-invoices',
  text: `select ${PAYMENT} from invoice_payment payment ${REMOVED}
          where payment.environment_id = $1 and payment.invoice_id = any($2) and removal.payment_id is null
          order by payment.recorded_at, payment.id`,
};

/**
 * The payments of invoices without removed ones, in the order in which they were recorded, by the keys of the
 * invoices.
 */
export function readPaymentsOf(
  client: Queryable,
  keys: readonly RowKey[],
): Promise<Map<string, readonly Payment[]>> {
  return readWithin(keys, async (environmentId, own) => {
    const rows = await readRows(client, payment, OF_INVOICES, [environmentId, own.map(({ id }) => id)]);
    const found = Map.groupBy(rows, ({ invoiceId }) => invoiceId);
    return new Map(own.map(({ key, id }) => [key, found.get(id) ?? []]));
  });
}

const MOVEMENTS = {
  name: 'payment-movements-of-invoices',
  text: `select moved.invoice_id as "invoiceId", moved.at, moved.paid_on::text as "paidOn",
           moved.account_payable as payable, moved.account_paid as paid
      from (
        select invoice_id, id, recorded_at as at, paid_on, account_payable, account_paid from invoice_payment
         where environment_id = $1 and invoice_id = any($2)
        union all
        select payment.invoice_id, payment.id, removal.removed_at, null, removal.account_payable, removal.account_paid
          from invoice_payment payment join invoice_payment_removal removal
            on removal.environment_id = payment.environment_id and removal.payment_id = payment.id
         where payment.environment_id = $1 and payment.invoice_id = any($2)
      ) moved
     order by moved.at, moved.id`,
};

const movement = z.object({
  invoiceId: z.string(),
  at: column.instant,
  paidOn: column.day.nullable(),
  payable: column.whole,
  paid: column.whole,
});

/**
 * The accounts after each payment and removal of invoices, in order, by the keys of the invoices. Takes no lock.
 */
export function readMovementsOf(
  client: Queryable,
  keys: readonly RowKey[],
): Promise<Map<string, readonly Movement[]>> {
  return readWithin(keys, async (environmentId, own) => {
    const rows = await readRows(client, movement, MOVEMENTS, [environmentId, own.map(({ id }) => id)]);
    const found = Map.groupBy(rows, ({ invoiceId }) => invoiceId);
    return new Map(own.map(({ key, id }) => [key, found.get(id) ?? []]));
  });
}

/** Payments by their environments and ids, removed or not. */
export function readPaymentsById(client: Queryable, keys: readonly RowKey[]): Promise<Map<string, Payment>> {
  const text = `select ${PAYMENT} from invoice_payment payment ${REMOVED}
     where payment.environment_id = wanted.environment_id and payment.id = wanted.id`;
  return readRowOfEach(client, payment, text, keys);
}

/** A payment by its id, removed or not, in an environment or for null in any; null when there is none. */
export function readPayment(
  client: Queryable,
  environmentId: number | null,
  id: string,
): Promise<Payment | null> {
  const found = `select ${PAYMENT} from invoice_payment payment ${REMOVED} where payment.id = $1`;
  return environmentId === null
    ? readRow(client, payment, `${OF_ALL} ${found}`, [id])
    : readRow(client, payment, `${found} and payment.environment_id = $2`, [id, environmentId]);
}

const amountDueRow = z.object({ payable: column.whole, paid: column.whole, dueOn: column.day.nullable() });

/** The payable and paid amounts and the due day of an invoice together with its corrections. */
export type AmountDue = Readonly<z.output<typeof amountDueRow>>;

/** The same for an invoice with a remaining amount; null when there is none, or another invoice has replaced it. */
export function readAmountDue(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<AmountDue | null> {
  return readRow(
    client,
    amountDueRow,
    `select payable, paid, due_on::text as "dueOn" from payment_account
      where environment_id = $1 and holder_id = $2 and payable > 0 and settlement <> 'paid'`,
    [environmentId, invoiceId],
  );
}
