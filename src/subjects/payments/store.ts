import { z } from 'zod';
import type { Queryable } from '../../ground/db/queryable.ts';
import { column, insertWithin, readOneRow } from '../../ground/db/rows.ts';
import { payableOf } from '../extensions/payable.ts';
import type { PaymentRow, RemovalRow } from './shapes.ts';

const stateRow = z.object({
  number: z.string(),
  operationOn: column.day,
  /** Whether it is a complete invoice for a recipient with a Spanish tax id. */
  isBetweenBusinesses: z.boolean(),
  /** The amount payable for it alone: negative for a refund. */
  payable: column.whole,
  voided: z.boolean(),
  exchanged: z.boolean(),
  /** Whether it is an exchange invoice but not the one in force of its sale. */
  settledElsewhere: z.boolean(),
  /** Whether it corrects several invoices, each of which has an account of its own. */
  ofSeveral: z.boolean(),
  /** Whether it is part of what is in force of its family. */
  inForce: z.boolean(),
  /** Payments recorded for it, removed or not. */
  recorded: column.whole,
});

/** The facts that decide whether a payment, or a recipient's status, can be recorded for an invoice. */
export type PaymentState = Readonly<z.output<typeof stateRow>>;

const LIVE = (invoice: string) =>
  `not exists (select 1 from invoice_void gone where gone.environment_id = $1 and gone.invoice_id = ${invoice})`;

/**
 * From the invoice down its successors in force: it is no longer part of what is in force when a substitution
 * follows. It is exchanged when any invoice of its family is.
 */
const READ_STATE = {
  name: 'payment-standing',
  text: `
    with recursive later as (
      select invoice.id, invoice.kind, 0 as step from invoice where environment_id = $1 and id = $2
      union all
      select next.id, next.kind, later.step + 1 from later
        join invoice next on next.environment_id = $1 and next.rectifies_id = later.id and ${LIVE('next.id')}
    ), earlier as (
      select id, rectifies_id from invoice where environment_id = $1 and id = $2
      union all
      select before.id, before.rectifies_id from earlier
        join invoice before on before.environment_id = $1 and before.id = earlier.rectifies_id
    )
    select invoice.number, coalesce(invoice.operation_on, invoice.issued_on)::text as "operationOn",
           invoice.type = 'complete' and invoice.recipient_tax_id_type is not distinct from 'es_nif' as "isBetweenBusinesses",
           ${payableOf('invoice')} as payable,
           not ${LIVE('invoice.id')} as voided,
           exists (select 1 from invoice_exchange x
                    where x.environment_id = $1 and ${LIVE('x.exchange_id')}
                      and x.ticket_id in (select id from later union select id from earlier)) as exchanged,
           invoice.kind = 'exchange' and (invoice.reverses_id is not null
             or exists (select 1 from invoice reversal where reversal.environment_id = $1 and reversal.reverses_id = invoice.id
                           and ${LIVE('reversal.id')})
             or exists (select 1 from invoice_exchange x
                          join invoice given on given.environment_id = $1 and given.id = x.ticket_id
                         where x.environment_id = $1 and x.exchange_id = invoice.id
                           and given.issued_with is not null)) as "settledElsewhere",
           exists (select 1 from invoice_line line where line.environment_id = $1 and line.invoice_id = $2
                      and line.rectifies_invoice_id is not null) as "ofSeveral",
           not exists (select 1 from later where step > 0 and kind = 'rectifying_substitution') as "inForce",
           (select count(*) from invoice_payment paid
             where paid.environment_id = $1 and paid.invoice_id = invoice.id)::int as recorded
      from invoice where invoice.environment_id = $1 and invoice.id = $2`,
};

/** The state of an invoice of the environment; unless its account is locked, it may change a moment later. */
export function paymentStateOf(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<PaymentState> {
  return readOneRow(client, stateRow, READ_STATE, [environmentId, invoiceId]);
}

/** Inserts a payment; its account must be locked. */
export function storePayment(client: Queryable, row: PaymentRow): Promise<void> {
  return insertWithin(client, 'invoice_payment', row);
}

/** Inserts the removal of a payment; its account must be locked. */
export function storeRemoval(client: Queryable, row: RemovalRow): Promise<void> {
  return insertWithin(client, 'invoice_payment_removal', row);
}
