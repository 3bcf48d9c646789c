import type pg from 'pg';
import type { Finding } from './verify-record.ts';

/** One series in one year: what its counter says and what its invoices show. */
const SERIES = `
  select coalesce(counter.series_id, used.series_id) as series, coalesce(counter.year, used.year) as year,
         counter.last_number as last, used.count, used.highest, coalesce(jumped.count, 0)::int as jumped
    from (select series_id, year, last_number from series_counter where environment_id = $1) as counter
    full join (select series_id, series_year as year, count(distinct series_number)::int as count,
                      max(series_number) as highest
                 from invoice where environment_id = $1 and series_number is not null
                group by series_id, series_year) as used
      on used.series_id = counter.series_id and used.year = counter.year
    left join (select series_id, year, sum(to_number - from_number + 1) as count
                 from counter_jump where environment_id = $1 group by series_id, year) as jumped
      on jumped.series_id = counter.series_id and jumped.year = counter.year
   order by 1, 2`;

/** Numbers up to the counter that neither an invoice has nor a restore made the series pass over. */
const MISSING = `
  select candidate from generate_series(1, $4::int) as candidate
   where not exists (select from invoice where environment_id = $1 and series_id = $2 and series_year = $3
                        and series_number = candidate)
     and not exists (select from counter_jump where environment_id = $1 and series_id = $2 and year = $3
                        and candidate between from_number and to_number)
   limit 100`;

type Row = {
  series: string;
  year: number;
  last: number | null;
  count: number | null;
  highest: number | null;
  jumped: number;
};

/** Whether the numbers of each series run from 1 to its counter without a gap (RD 1619/2012 art. 6.1.a). */
export async function verifySeries(client: pg.ClientBase, environmentId: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { rows } = await client.query<Row>(SERIES, [environmentId]);
  for (const row of rows) {
    const name = `${row.series}/${row.year}`;
    const note = (what: Finding['what'], expected: string, found: string | null) =>
      findings.push({
        ...{ chainId: null, position: null, recordId: null, invoiceId: null },
        ...{ what, expected, found },
      });
    const { last, count, highest, jumped } = row;
    if (last === null) note('series_without_counter', `${name} up to ${highest}`, null);
    else if ((highest ?? 0) > last)
      note('series_number_beyond_counter', `${name} up to ${last}`, `${highest}`);
    if (last === null || ((count ?? 0) + jumped === last && (highest ?? 0) <= last)) continue;
    const missing = await client.query<{ candidate: number }>(MISSING, [
      environmentId,
      row.series,
      row.year,
      last,
    ]);
    for (const { candidate } of missing.rows) note('series_number_missing', `${name}/${candidate}`, null);
  }
  return findings;
}
