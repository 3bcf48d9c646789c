import type { DeductedMark } from './force.ts';

/** The rows that totals are the sums of: of invoices, and of the sums of days. */

export const MEANT = (texts: readonly string[]) =>
  `(select * from invoice where ${texts.join(' and ')}) as meant`;

/** Each line, and with its tax: the first of its items, because a second one is a surcharge. */
const LINES =
  'join invoice_line line on line.environment_id = meant.environment_id and line.invoice_id = meant.id';
const LINES_WITH_RATE = `${LINES}
  left join tax_item main on main.environment_id = meant.environment_id and main.invoice_id = meant.id
   and main.line_position = line.position and main.position = 0`;

/** The rows to sum: columns to group by, and columns to add. Negative rows are subtracted. */
export type Kind = {
  readonly ofInvoices: (meant: string, sign: string) => string;
  readonly ofDays: (rows: DayRows, sign: string) => string;
  /** What is paid and due: its sums of days change, and are of what is in force alone. */
  readonly isOfPayments: boolean;
};

/** A table of sums of days, and what its rows come to in each month, where days have many rows. */
export type DaysAndMonths = { readonly days: string; readonly months: string | null };

/** Sums of days, what of them no longer counts, and the mark of the invoices that are deducted there. */
export type SumsOfDays = {
  readonly amounts: DaysAndMonths;
  readonly deducted: DaysAndMonths;
  readonly mark: DeductedMark;
  /** The expression for the recipient's tax id. */
  readonly recipient: string;
  /** What is paid and due, and its changes since. */
  readonly payments: DaysAndMonths;
  readonly changes: string;
};

/** The rows of a table that fulfil conditions. */
type DayRows = Pick<SumsOfDays, 'recipient'> & { readonly table: string; readonly where: string };

export const OF_DAYS_ALONE: SumsOfDays = {
  amounts: { days: 'day_total', months: 'month_total' },
  deducted: { days: 'deducted_total', months: 'deducted_month_total' },
  mark: 'deducted',
  recipient: 'null::text',
  payments: { days: 'payment_total', months: null },
  changes: 'payment_change',
};
export const OF_TYPES: SumsOfDays = {
  amounts: { days: 'type_total', months: null },
  deducted: { days: 'deducted_recipient_total', months: 'deducted_recipient_month_total' },
  mark: 'deducted_by_recipient',
  recipient: 'null::text',
  payments: { days: 'recipient_payment_total', months: 'recipient_payment_month_total' },
  changes: 'recipient_payment_change',
};
export const OF_RECIPIENTS: SumsOfDays = {
  ...OF_TYPES,
  amounts: { days: 'recipient_total', months: 'recipient_month_total' },
  recipient: "nullif(recipient_tax_id, '')",
};

const GROUPED = 'issued_on, series_id, kind';
const DAY = 'day as issued_on, series_id, kind';

export const INVOICES: Kind = {
  ofInvoices: (
    meant,
    sign,
  ) => `select ${GROUPED}, recipient_tax_id, null::int as rate_basis_points, ${sign}1 as count,
    ${sign}subtotal as subtotal, ${sign}tax as tax, ${sign}total as total from ${meant}`,
  ofDays: (
    { table, where, recipient },
    sign,
  ) => `select ${DAY}, ${recipient} as recipient_tax_id, null::int as rate_basis_points, ${sign}count as count,
    ${sign}subtotal as subtotal, ${sign}tax as tax, ${sign}total as total from ${table} ${where}`,
  isOfPayments: false,
};

/** By the rate of their lines' tax; an invoice counts once for each rate. */
export const INVOICES_BY_RATE: Kind = {
  ofInvoices: (
    meant,
    sign,
  ) => `select ${GROUPED}, recipient_tax_id, main.rate_basis_points, ${sign}1 as count,
    ${sign}sum(line.subtotal) as subtotal, ${sign}sum(line.tax) as tax, ${sign}sum(line.total) as total
    from ${meant} ${LINES_WITH_RATE} group by meant.id, ${GROUPED}, recipient_tax_id, main.rate_basis_points`,
  ofDays: (
    { table, where, recipient },
    sign,
  ) => `select ${DAY}, ${recipient} as recipient_tax_id, added.main as rate_basis_points, ${sign}added.count as count,
    ${sign}added.subtotal as subtotal, ${sign}added.tax as tax, ${sign}added.total as total
    from (select * from ${table} ${where}) as known,
      jsonb_to_recordset(lines) as added (main int, count int, subtotal bigint, tax bigint, total bigint)`,
  isOfPayments: false,
};

/** With the rate of the line's tax only if it is grouped by that: it takes a lookup for each line. */
export const ratesOf = (isByRate: boolean): Kind => ({
  ofInvoices: (meant, sign) => `select ${GROUPED}, recipient_tax_id,
    ${isByRate ? 'main.rate_basis_points' : 'null::int as rate_basis_points'}, item.type,
    item.rate_basis_points as rate, ${sign}1 as count, ${sign}line.subtotal as base, ${sign}item.amount as amount
    from ${meant} ${isByRate ? LINES_WITH_RATE : LINES}
    join tax_item item on item.environment_id = meant.environment_id and item.invoice_id = meant.id
     and item.line_position = line.position`,
  ofDays: (
    { table, where, recipient },
    sign,
  ) => `select ${DAY}, ${recipient} as recipient_tax_id, added.main as rate_basis_points, added.type, added.rate,
    ${sign}added.count as count, ${sign}added.base as base, ${sign}added.amount as amount
    from (select * from ${table} ${where}) as known,
      jsonb_to_recordset(rates) as added (main int, type text, rate int, count int, base bigint, amount bigint)`,
  isOfPayments: false,
});

/**
 * An account is of the invoice that is in force, and each change of one is noted, so nothing in these sums is out of force. Each account is
 * looked up: with a join Postgres may read those of all invoices.
 */
export const PAYMENTS: Kind = {
  ofInvoices: (meant) => `select ${GROUPED}, recipient_tax_id, null::int as rate_basis_points,
    account.paid, case when account.root_id is not null then account.payable - account.paid
                       when meant.rectifies_id is null then meant.total - coalesce(meant.withholding_amount, 0) end as due
    from ${meant}
    left join lateral (
      select root_id, payable, paid from payment_account
       where environment_id = $1 and holder_id = meant.id offset 0) as account on true`,
  ofDays: ({
    table,
    where,
    recipient,
  }) => `select ${DAY}, ${recipient} as recipient_tax_id, null::int as rate_basis_points, paid, due
    from ${table} ${where}`,
  isOfPayments: true,
};
