import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';
import { TAX_TYPES } from '../../taxes/types.ts';
import type { TotalsQuery } from '../totals-query.ts';
import { RECIPIENT } from './recipient-names.ts';
import { firstRecipients, groupedBy, groupsWithin, isByRecipientFirst } from './total-groups.ts';
import { INVOICES, INVOICES_BY_RATE, PAYMENTS, ratesOf } from './total-rows.ts';
import { sourceOf } from './total-sources.ts';

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

/**
 * `max`: how many groups are read at most, the first ones of the range. `isPage`: its last recipient is found before anything is added
 * up; for a whole answer that would read the sums twice.
 */
type FirstTotals = TotalsQuery & { readonly max: number; readonly isPage?: boolean };

const whereAll = (conditions: readonly string[]) =>
  conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;

/** The sums of the matching invoices, by group, in the order of the groups' keys; at most the first `max` of the range. */
export async function readTotals(
  client: Queryable,
  environmentId: number,
  query: FirstTotals,
): Promise<Total[]> {
  const { groupBy, max, isPage = false } = query;
  const { columns, grouped, sorted } = groupedBy(groupBy);
  const kind = groupBy.includes('TAX_RATE') ? INVOICES_BY_RATE : INVOICES;
  const { text, values, ofDays } = await sourceOf(client, environmentId, kind, query);
  const within = groupsWithin(groupBy, query, values);
  const isInOrder = isPage && ofDays !== null && isByRecipientFirst(groupBy);
  if (isInOrder) {
    const sources = [ofDays.recipients, 'select * from invoices'];
    within.push(firstRecipients(groupBy, sources, max, query.after ?? null, values));
  }
  return readRows(
    client,
    totalRow,
    `${isInOrder ? `with invoices as materialized (${ofDays.invoices})` : ''}
     select ${columns}, coalesce(sum(count), 0)::int as count, coalesce(sum(subtotal), 0)::text as subtotal,
              coalesce(sum(tax), 0)::text as tax, coalesce(sum(total), 0)::text as total
       from (${isInOrder ? `${ofDays.sums} union all select * from invoices` : text}) as main ${whereAll(within)}
       ${grouped.length === 0 ? '' : `group by ${grouped.join(', ')} having sum(count) > 0 order by ${sorted.join(', ')}`}
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
  const { columns, grouped, sorted } = groupedBy(groupBy);
  const kind = ratesOf(groupBy.includes('TAX_RATE'));
  const { text, values } = await sourceOf(client, environmentId, kind, query);
  const within = groupsWithin(groupBy, query, values);
  return readRows(
    client,
    rateRow,
    `select ${columns}, type, rate, sum(base)::text as base, sum(amount)::text as amount from (${text}) as main ${whereAll(within)}
        group by ${[...grouped, 'type', 'rate'].join(', ')} having sum(count) > 0
        order by ${[...sorted, 'type', 'rate'].join(', ')} limit $${values.push(max)}`,
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
  const { columns, grouped, sorted } = groupedBy(query.groupBy);
  const { text, values } = await sourceOf(client, environmentId, PAYMENTS, query);
  const within = groupsWithin(query.groupBy, query, values);
  return readRows(
    client,
    paymentRow,
    `select ${columns}, coalesce(sum(paid), 0)::text as paid, coalesce(sum(due), 0)::text as due from (${text}) as main ${whereAll(within)}
       ${grouped.length === 0 ? '' : `group by ${grouped.join(', ')} order by ${sorted.join(', ')}`}`,
    values,
  );
}
