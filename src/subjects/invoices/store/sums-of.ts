/** Queries for what invoices come to, by day and in parts of it. */

/** What sums of days are kept by beyond day, series and kind. */
export const BY_TYPE = ['type'] as const;
export const BY_RECIPIENT = ['type', 'recipient_tax_id'] as const;

const KEY = ['day', 'series_id', 'kind'];

const keysOf = (by: readonly string[]) => (row: string) =>
  [...KEY, ...by].map((key) => `${row}.${key}`).join(', ');

/** The first moment of a day in Madrid. */
export const START = (day: string) => `(${day}::date::timestamp at time zone 'Europe/Madrid')`;

/** Invoices of the days from `$2` to before `$3`, and those from the beginning of the day `$2` to before the instant `$3`. */
export const ISSUED = `environment_id = $1 and issued_at >= ${START('$2')} and issued_at < ${START('$3')}`;
export const ISSUED_UNTIL = `environment_id = $1 and issued_at >= ${START('$2')} and issued_at < $3::timestamptz`;

/** Sums without details, and details without sums: added up, a row has both. */
const NO_DETAILS = 'null::jsonb as line, null::jsonb as rate';
const NO_SUMS = '0 as count, 0 as subtotal, 0 as tax, 0 as total';

const lineOf = (count: string) =>
  `jsonb_build_object('main', main, 'count', ${count}, 'subtotal', sum(subtotal), 'tax', sum(tax), 'total', sum(total)) as line`;
const rateOf = (count: string, base: string, amount: string) =>
  `jsonb_build_object('main', main, 'type', tax_type, 'rate', rate, 'count', ${count}, 'base', ${base}, 'amount', ${amount}) as rate`;

/** Each part is added in one pass: how many rows there are does not change how it is done. */
const addedUp = (keys: string, parts: readonly string[], before = '') => `
  with ${before} part as (${parts.join(' union all ')})
  select $1::int, ${keys}, sum(count), sum(subtotal), sum(tax), sum(total),
         coalesce(jsonb_agg(line) filter (where line is not null), '[]'),
         coalesce(jsonb_agg(part.rate) filter (where part.rate is not null), '[]')
    from part group by ${keys}`;

/**
 * What the invoices that fulfil a condition come to, by day, series and kind, and in parts of these: rows of a table of sums. `$1` is the
 * environment.
 */
export function sumsOf(condition: string, by: readonly string[] = []): string {
  const keys = [...KEY, ...by].join(', ');
  const of = keysOf(by);
  const before = `
    meant as (
      select id, issued_on as day, series_id, kind, type, coalesce(recipient_tax_id, '') as recipient_tax_id, subtotal, tax, total
        from invoice where ${condition}
    ), line as (
      select meant.id, ${of('meant')}, line.position, main.rate_basis_points as main, line.subtotal, line.tax, line.total
        from meant join invoice_line line on line.environment_id = $1 and line.invoice_id = meant.id
        left join tax_item main on main.environment_id = $1 and main.invoice_id = line.invoice_id
         and main.line_position = line.position and main.position = 0
    ), taxed as (
      select line.*, item.type as tax_type, item.rate_basis_points as rate, item.amount
        from line join tax_item item on item.environment_id = $1 and item.invoice_id = line.id and item.line_position = line.position
    ),`;
  return addedUp(
    keys,
    [
      `select ${keys}, count(*) as count, sum(subtotal) as subtotal, sum(tax) as tax, sum(total) as total, ${NO_DETAILS}
         from meant group by ${keys}`,
      `select ${keys}, ${NO_SUMS}, ${lineOf('count(distinct id)')}, null from line group by ${keys}, main`,
      `select ${keys}, ${NO_SUMS}, null, ${rateOf('count(*)', 'sum(subtotal)', 'sum(amount)')}
         from taxed group by ${keys}, main, tax_type, rate`,
    ],
    before,
  );
}

/** What rows of a table of sums come to, by less than it has them by: an invoice is in one of its rows alone. */
export function sumsOfSums(from: string, condition: string, by: readonly string[]): string {
  const keys = [...KEY, ...by].join(', ');
  const of = keysOf(by);
  const finer = `(select * from ${from} where ${condition}) as finer`;
  return addedUp(keys, [
    `select ${keys}, count, subtotal, tax, total, ${NO_DETAILS} from ${finer}`,
    `select ${keys}, ${NO_SUMS}, ${lineOf('sum(count)')}, null
       from (select ${of('finer')}, added.* from ${finer},
               jsonb_to_recordset(lines) as added (main int, count bigint, subtotal bigint, tax bigint, total bigint)) as line
      group by ${keys}, main`,
    `select ${keys}, ${NO_SUMS}, null, ${rateOf('sum(count)', 'sum(base)', 'sum(amount)')}
       from (select ${of('finer')}, added.main, added.type as tax_type, added.rate, added.count, added.base, added.amount from ${finer},
               jsonb_to_recordset(rates) as added (main int, type text, rate int, count bigint, base bigint, amount bigint)) as taxed
      group by ${keys}, main, tax_type, rate`,
  ]);
}
