import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, type RowKey, readRow, readRowOfEach, readRows } from '../../../ground/db/rows.ts';
import type { Movement } from '../business-statuses.ts';
import { type Payment, payment } from '../shapes.ts';

const PAYMENT = `payment.environment_id as "environmentId", payment.id, payment.invoice_id as "invoiceId", payment.amount,
  payment.paid_on::text as "paidOn", payment.means::text, payment.reference, payment.recorded_at as "recordedAt",
  removal.removed_at as "removedAt"`;

const REMOVED = `left join invoice_payment_removal removal
    on removal.environment_id = payment.environment_id and removal.payment_id = payment.id`;

const OF_INVOICES = {
  name: 'payments-of-invoices',
  text: `select ${PAYMENT} from unnest($1::int[], $2::text[]) as wanted (environment_id, invoice_id)
           join invoice_payment payment
             on payment.environment_id = wanted.environment_id and payment.invoice_id = wanted.invoice_id
           ${REMOVED}
          where removal.payment_id is null
          order by payment.recorded_at, payment.id`,
};

/** An invoice whose payments are read; `within` is its environment, `key` its key in the answer. */
type RequestedKey = { readonly key: string; readonly within: string; readonly id: string };

/**
 * The payments of invoices without removed ones, in the order in which they were recorded, by the keys of the
 * invoices.
 */
export async function readPaymentsOf(
  client: Queryable,
  keys: readonly RequestedKey[],
): Promise<Map<string, readonly Payment[]>> {
  const rows = await readRows(client, payment, OF_INVOICES, [
    keys.map(({ within }) => Number(within)),
    keys.map(({ id }) => id),
  ]);
  const found = Map.groupBy(rows, ({ environmentId, invoiceId }) => `${environmentId}/${invoiceId}`);
  return new Map(keys.map(({ key, within, id }) => [key, found.get(`${within}/${id}`) ?? []]));
}

const MOVEMENTS = {
  name: 'payment-movements-of-invoices',
  text: `select moved.environment_id || '/' || moved.invoice_id as key, moved.at, moved.paid_on::text as "paidOn",
           moved.account_payable as payable, moved.account_paid as paid
      from unnest($1::int[], $2::text[]) as wanted (environment_id, invoice_id)
      join lateral (
        select environment_id, invoice_id, id, recorded_at as at, paid_on, account_payable, account_paid from invoice_payment
         where environment_id = wanted.environment_id and invoice_id = wanted.invoice_id
        union all
        select payment.environment_id, payment.invoice_id, payment.id, removal.removed_at, null, removal.account_payable, removal.account_paid
          from invoice_payment payment join invoice_payment_removal removal
            on removal.environment_id = payment.environment_id and removal.payment_id = payment.id
         where payment.environment_id = wanted.environment_id and payment.invoice_id = wanted.invoice_id
      ) moved on true
     order by moved.at, moved.id`,
};

const movement = z.object({
  key: z.string(),
  at: column.instant,
  paidOn: column.day.nullable(),
  payable: column.whole,
  paid: column.whole,
});

/**
 * The accounts after each payment and removal of invoices, in order, by the keys of the invoices. Takes no lock.
 */
export async function readMovementsOf(
  client: Queryable,
  keys: readonly RequestedKey[],
): Promise<Map<string, readonly Movement[]>> {
  const rows = await readRows(client, movement, MOVEMENTS, [
    keys.map(({ within }) => Number(within)),
    keys.map(({ id }) => id),
  ]);
  const found = Map.groupBy(rows, ({ key }) => key);
  return new Map(keys.map(({ key, within, id }) => [key, found.get(`${within}/${id}`) ?? []]));
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
  return readRow(
    client,
    payment,
    `select ${PAYMENT} from invoice_payment payment ${REMOVED}
      where payment.id = $1 and ($2::int is null or payment.environment_id = $2)`,
    [id, environmentId],
  );
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
