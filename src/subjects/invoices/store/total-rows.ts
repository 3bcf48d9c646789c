import { payableOf } from '../../extensions/payable.ts';

/** The rows that totals are the sums of: of invoices, and of the sums of days. */

/** Each line, and with its tax: the first of its items, because a second one is a surcharge. */
const LINES = 'join invoice_line line on line.environment_id = $1 and line.invoice_id = meant.id';
const LINES_WITH_RATE = `${LINES}
  left join tax_item main on main.environment_id = $1 and main.invoice_id = meant.id
   and main.line_position = line.position and main.position = 0`;

/** Columns to group by, and columns to add: of invoices (`meant`), and of rows of `day_total` (`known`). */
export type Kind = {
  readonly ofInvoices: (meant: string) => string;
  readonly ofDays: (known: string) => string;
  /** What is paid and due: each account is looked up. */
  readonly isOfPayments: boolean;
};

const GROUPED = 'issued_on, series_id, kind, recipient_tax_id';
const DAY = `day as issued_on, series_id, kind, nullif(recipient_tax_id, '') as recipient_tax_id`;
const NO_RATE = 'null::int as rate_basis_points';

export const INVOICES: Kind = {
  ofInvoices: (meant) => `select ${GROUPED}, ${NO_RATE}, 1 as count, subtotal, tax, total from ${meant}`,
  ofDays: (known) => `select ${DAY}, ${NO_RATE}, count, subtotal, tax, total from ${known}`,
  isOfPayments: false,
};

/** By the rate of their lines' tax; an invoice counts once for each rate. */
export const INVOICES_BY_RATE: Kind = {
  ofInvoices: (meant) => `select ${GROUPED}, main.rate_basis_points, 1 as count,
    sum(line.subtotal) as subtotal, sum(line.tax) as tax, sum(line.total) as total
    from ${meant} ${LINES_WITH_RATE} group by meant.id, ${GROUPED}, main.rate_basis_points`,
  ofDays: (
    known,
  ) => `select ${DAY}, added.main as rate_basis_points, added.count, added.subtotal, added.tax, added.total
    from ${known}, jsonb_to_recordset(lines) as added (main int, count int, subtotal bigint, tax bigint, total bigint)`,
  isOfPayments: false,
};

/** With the rate of the line's tax only if it is grouped by that: it takes a lookup for each line. */
export const ratesOf = (isByRate: boolean): Kind => ({
  ofInvoices: (meant) => `select ${GROUPED}, ${isByRate ? 'main.rate_basis_points' : NO_RATE}, item.type,
    item.rate_basis_points as rate, 1 as count, line.subtotal as base, item.amount
    from ${meant} ${isByRate ? LINES_WITH_RATE : LINES}
    join tax_item item on item.environment_id = $1 and item.invoice_id = meant.id
     and item.line_position = line.position`,
  ofDays: (known) => `select ${DAY}, added.main as rate_basis_points, added.type, added.rate, added.count,
    added.base, added.amount
    from ${known}, jsonb_to_recordset(rates) as added (main int, type text, rate int, count int, base bigint, amount bigint)`,
  isOfPayments: false,
});

/** The account that an invoice holds. Each is looked up: with a join Postgres may read those of all invoices. */
export const ACCOUNT = `left join lateral (
  select root_id, payable, paid from payment_account
   where environment_id = $1 and holder_id = meant.id offset 0) as account on true`;
/**
 * What is due of an invoice in force: an original without an account has no payment. Every exchange invoice has one, which nobody holds
 * where another one owes what is left of the sale.
 */
export const DUE = `case when account.root_id is not null then account.payable - account.paid
  when meant.rectifies_id is null and meant.kind <> 'exchange' then ${payableOf('meant')} end`;

export const PAYMENTS: Kind = {
  ofInvoices: (meant) =>
    `select ${GROUPED}, ${NO_RATE}, account.paid, ${DUE} as due from ${meant} ${ACCOUNT}`,
  ofDays: (known) => `select ${DAY}, ${NO_RATE}, paid, due from ${known}`,
  isOfPayments: true,
};
