import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';
import { TAX_TYPES } from '../../taxes/types.ts';
import type { TotalGroup, TotalsQuery } from '../totals-query.ts';
import { RECIPIENT } from './recipient-names.ts';
import { INVOICES, INVOICES_BY_RATE, PAYMENTS, ratesOf } from './total-rows.ts';
import { sourceOf } from './total-sources.ts';

/**
 * The key of each grouping; days are those of issue. TAX_RATE groups by the rate of a line's tax, without its
 * surcharge.
 */
const KEYS: Record<TotalGroup, { readonly name: string; readonly key: string }> = {
  DAY: { name: 'day', key: 'issued_on::text' },
  MONTH: { name: 'month', key: `to_char(issued_on, 'YYYY-MM')` },
  QUARTER: { name: 'quarter', key: `to_char(issued_on, 'YYYY-"Q"Q')` },
  TAX_RATE: { name: 'taxRate', key: 'main.rate_basis_points' },
  SERIES: { name: 'seriesId', key: 'series_id' },
  KIND: { name: 'kind', key: 'kind::text' },
  RECIPIENT: { name: 'recipientTaxId', key: 'recipient_tax_id' },
};

/** A sum of integers is exact; it is returned as text. */
const sum = z.coerce.number<string>().int();

const groupKeys = {
  day: column.day.nullable(),
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

type FirstTotals = TotalsQuery & { readonly max: number };

function keysOf(groupBy: readonly TotalGroup[]): { readonly columns: string; readonly grouped: string[] } {
  const dimensions = new Set(groupBy);
  const columns = Object.entries(KEYS).map(([group, { name, key }]) =>
    dimensions.has(group as TotalGroup) ? `${key} as "${name}"` : `null as "${name}"`,
  );
  return { columns: columns.join(', '), grouped: [...dimensions].map((group) => KEYS[group].key) };
}

/** The sums of the matching invoices, by group, in the order of the groups' keys; at most the first `max`. */
export async function readTotals(
  client: Queryable,
  environmentId: number,
  query: FirstTotals,
): Promise<Total[]> {
  const { groupBy, max } = query;
  const { columns, grouped } = keysOf(groupBy);
  const kind = groupBy.includes('TAX_RATE') ? INVOICES_BY_RATE : INVOICES;
  const { text, values } = await sourceOf(client, environmentId, kind, query);
  return readRows(
    client,
    totalRow,
    `select ${columns}, coalesce(sum(count), 0)::int as count, coalesce(sum(subtotal), 0)::text as subtotal,
              coalesce(sum(tax), 0)::text as tax, coalesce(sum(total), 0)::text as total from (${text}) as main
       ${grouped.length === 0 ? '' : `group by ${grouped.join(', ')} having sum(count) > 0 order by ${grouped.join(', ')}`}
       limit $${values.push(max)}`,
    values,
  );
}

/** Base and tax of each tax and rate in the same groups, with surcharges in rows of their own. */
export async function readRateTotals(
  client: Queryable,
  environmentId: number,
  query: FirstTotals,
): Promise<RateTotal[]> {
  const { groupBy, max } = query;
  const { columns, grouped } = keysOf(groupBy);
  const by = [...grouped, 'type', 'rate'].join(', ');
  const kind = ratesOf(groupBy.includes('TAX_RATE'));
  const { text, values } = await sourceOf(client, environmentId, kind, query);
  return readRows(
    client,
    rateRow,
    `select ${columns}, type, rate, sum(base)::text as base, sum(amount)::text as amount from (${text}) as main
        group by ${by} having sum(count) > 0 order by ${by} limit $${values.push(max)}`,
    values,
  );
}

const nameRow = z.object({ taxId: z.string(), name: z.string() });

/** Under what name each of these recipients was invoiced last, by tax id. */
export async function readRecipientNames(
  client: Queryable,
  environmentId: number,
  taxIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const text = `select wanted.id as "taxId", (
      select ${RECIPIENT} from invoice where environment_id = $1 and recipient_tax_id = wanted.id
       order by issued_at desc, id desc limit 1) as name
    from unnest($2::text[]) as wanted (id)`;
  const rows = await readRows(client, nameRow, text, [environmentId, taxIds]);
  return new Map(rows.map(({ taxId, name }) => [taxId, name]));
}

const paymentRow = z.object({ ...groupKeys, paid: sum, due: sum });

/** The paid and unpaid amounts of a group's invoices. */
export type PaymentTotal = Readonly<z.output<typeof paymentRow>>;

/**
 * In the same groups, which must not include rates: a payment is not divided by rate. There may be a group for invoices none of
 * which counts.
 */
export async function readPaymentTotals(
  client: Queryable,
  environmentId: number,
  query: TotalsQuery,
): Promise<PaymentTotal[]> {
  const { columns, grouped } = keysOf(query.groupBy);
  const { text, values } = await sourceOf(client, environmentId, PAYMENTS, query);
  return readRows(
    client,
    paymentRow,
    `select ${columns}, coalesce(sum(paid), 0)::text as paid, coalesce(sum(due), 0)::text as due from (${text}) as main
       ${grouped.length === 0 ? '' : `group by ${grouped.join(', ')} order by ${grouped.join(', ')}`}`,
    values,
  );
}
