import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';
import { TAX_TYPES } from '../../taxes/types.ts';
import type { InvoiceFilter } from '../filter.ts';
import { conditionsOf, parameter } from './conditions.ts';

/** What totals may be grouped by. */
export const TOTAL_GROUPS = ['MONTH', 'QUARTER', 'TAX_RATE', 'SERIES', 'KIND', 'RECIPIENT'] as const;

export type TotalGroup = (typeof TOTAL_GROUPS)[number];

/** The key of each grouping; days are those of Madrid. That of TAX_RATE is the rate of a line's tax, without its surcharge. */
const KEYS: Record<TotalGroup, { readonly name: string; readonly key: string }> = {
  MONTH: { name: 'month', key: `to_char(issued_on, 'YYYY-MM')` },
  QUARTER: { name: 'quarter', key: `to_char(issued_on, 'YYYY-"Q"Q')` },
  TAX_RATE: { name: 'taxRate', key: 'main.rate_basis_points' },
  SERIES: { name: 'seriesId', key: 'series_id' },
  KIND: { name: 'kind', key: 'kind::text' },
  RECIPIENT: { name: 'recipientTaxId', key: 'recipient_tax_id' },
};

/** A sum of integers is exact; it is handed over as text. */
const sum = z.coerce.number<string>().int();

const groupKeys = {
  month: z.string().nullable(),
  quarter: z.string().nullable(),
  taxRate: column.whole.nullable(),
  seriesId: z.string().nullable(),
  kind: z.enum(['original', 'rectifying_differences', 'rectifying_substitution', 'exchange']).nullable(),
  recipientTaxId: z.string().nullable(),
};

const totalRow = z.object({ ...groupKeys, count: column.whole, subtotal: sum, tax: sum, total: sum });
const rateRow = z.object({
  ...groupKeys,
  type: z.enum(TAX_TYPES),
  rate: column.whole,
  base: sum,
  amount: sum,
});

/** The sums of a group, whose keys are null where nothing was grouped by them. */
export type Total = Readonly<z.output<typeof totalRow>>;
export type RateTotal = Readonly<z.output<typeof rateRow>>;

type Sums = {
  readonly filter: InvoiceFilter;
  readonly groupBy: readonly TotalGroup[];
  readonly most: number;
};

function keysOf(groupBy: readonly TotalGroup[]): { readonly columns: string; readonly grouped: string[] } {
  const given = new Set(groupBy);
  const columns = Object.entries(KEYS).map(([group, { name, key }]) =>
    given.has(group as TotalGroup) ? `${key} as "${name}"` : `null as "${name}"`,
  );
  return { columns: columns.join(', '), grouped: [...given].map((group) => KEYS[group].key) };
}

const MEANT = (texts: readonly string[]) => `(select * from invoice where ${texts.join(' and ')}) as meant`;

/** Each line with the tax that it bears: the first of its items, beside which only a surcharge may stand. */
const LINES = `join invoice_line line on line.environment_id = meant.environment_id and line.invoice_id = meant.id
  left join tax_item main on main.environment_id = meant.environment_id and main.invoice_id = meant.id
   and main.line_position = line.position and main.position = 0`;

/** The sums of the invoices that the filter means, by group, in the order of the groups' keys; of more than `most` the first. */
export function readTotals(
  client: Queryable,
  environmentId: number,
  { filter, groupBy, most }: Sums,
): Promise<Total[]> {
  const conditions = conditionsOf(environmentId, filter);
  const { columns, grouped } = keysOf(groupBy);
  const byLine = groupBy.includes('TAX_RATE');
  const sums = byLine
    ? 'count(distinct meant.id)::int as count, coalesce(sum(line.subtotal), 0)::text as subtotal, coalesce(sum(line.tax), 0)::text as tax, coalesce(sum(line.total), 0)::text as total'
    : 'count(*)::int as count, coalesce(sum(subtotal), 0)::text as subtotal, coalesce(sum(tax), 0)::text as tax, coalesce(sum(total), 0)::text as total';
  const text = `select ${columns}, ${sums} from ${MEANT(conditions.texts)} ${byLine ? LINES : ''}
    ${grouped.length === 0 ? '' : `group by ${grouped.join(', ')} order by ${grouped.join(', ')}`}
    limit ${parameter(conditions, most)}`;
  return readRows(client, totalRow, text, conditions.values);
}

/** Base and tax of each tax and rate in the same groups, the surcharge in rows of its own. */
export function readRateTotals(
  client: Queryable,
  environmentId: number,
  { filter, groupBy, most }: Sums,
): Promise<RateTotal[]> {
  const conditions = conditionsOf(environmentId, filter);
  const { columns, grouped } = keysOf(groupBy);
  const by = [...grouped, 'item.type', 'item.rate_basis_points'].join(', ');
  const text = `select ${columns}, item.type, item.rate_basis_points as rate, sum(line.subtotal)::text as base,
      sum(item.amount)::text as amount
    from ${MEANT(conditions.texts)} ${LINES}
    join tax_item item on item.environment_id = meant.environment_id and item.invoice_id = meant.id
     and item.line_position = line.position
    group by ${by} order by ${by} limit ${parameter(conditions, most)}`;
  return readRows(client, rateRow, text, conditions.values);
}

const paymentRow = z.object({ ...groupKeys, paid: sum, due: sum });

/** What was paid of a group's invoices, and what is left to be. */
export type PaymentTotal = Readonly<z.output<typeof paymentRow>>;

/** In the same groups, which must not be kept apart by rates: nobody pays a rate of an invoice. */
export function readPaymentTotals(
  client: Queryable,
  environmentId: number,
  { filter, groupBy, most }: Sums,
): Promise<PaymentTotal[]> {
  const conditions = conditionsOf(environmentId, filter);
  const { columns, grouped } = keysOf(groupBy);
  const text = `select ${columns}, coalesce(sum(account.paid), 0)::text as paid,
      coalesce(sum(case when account.root_id is not null then account.payable - account.paid
                        when meant.rectifies_id is null then meant.total - coalesce(meant.withholding_amount, 0) end), 0)::text as due
    from ${MEANT(conditions.texts)}
    left join payment_account account on account.environment_id = meant.environment_id and account.holder_id = meant.id
    ${grouped.length === 0 ? '' : `group by ${grouped.join(', ')} order by ${grouped.join(', ')}`}
    limit ${parameter(conditions, most)}`;
  return readRows(client, paymentRow, text, conditions.values);
}
