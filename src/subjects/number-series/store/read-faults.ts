import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, readRows } from '../../../ground/db/rows.ts';

const place = z.object({
  environmentId: column.whole,
  companyId: z.string(),
  kind: z.string(),
  missing: z.string(),
});

/** An environment that lacks something which every environment has. */
export type IncompleteEnvironment = Readonly<z.infer<typeof place>>;

/**
 * Environments without an open chain, or with series of a type of which none is the default. The service leaves none
 * so; a database that was restored or changed by hand can be.
 */
export function incompleteEnvironments(db: Queryable): Promise<IncompleteEnvironment[]> {
  return readRows(
    db,
    place,
    `${OF_ALL} with lacking as (
       select environment.id as environment_id, 'an open chain' as what from environment
        where id not in (select environment_id from chain where closed_at is null)
       union all
       select series.environment_id, 'a default ' || series.type || ' series' from number_series series
        where not imported and not exists (
          select 1 from series_default chosen where chosen.environment_id = series.environment_id and chosen.type = series.type)
        group by series.environment_id, series.type
     )
     select environment.id as "environmentId", company_id as "companyId", kind::text,
            string_agg(what, ', ' order by what desc) as missing
       from lacking join environment on environment.id = lacking.environment_id
      group by environment.id, company_id, kind order by 1`,
    [],
  );
}

const sharedRow = z.object({
  nif: z.string(),
  prefix: z.string(),
  environmentId: column.whole,
  seriesId: z.string(),
});
type SharedPrefix = z.infer<typeof sharedRow>;

const numberRow = z.object({ number: z.string(), issuedOn: column.day });

type IssuedTwice = {
  readonly nif: string;
  readonly prefix: string;
  readonly count: number;
  readonly example: string;
};

/**
 * Numbers that two companies of a NIF have issued live on the same day, by prefix: only those of prefixes that several
 * had before these were compared. The agency holds one invoice of each.
 */
export async function numbersIssuedTwice(db: Queryable): Promise<IssuedTwice[]> {
  const shared = await readRows(
    db,
    sharedRow,
    `${OF_ALL} select taken.nif, taken.prefix, environment.id as "environmentId", series.id as "seriesId"
       from taken_prefix taken join company on company.nif = taken.nif
       join environment on environment.company_id = company.id and environment.kind = taken.kind
       join number_series series on series.environment_id = environment.id and series.prefix = taken.prefix
      where taken.company_id is null and taken.kind = 'live' order by taken.nif, taken.prefix, environment.id`,
  );
  const twice: IssuedTwice[] = [];
  for (const [, series] of Map.groupBy(shared, ({ nif, prefix }) => `${nif} ${prefix}`)) {
    const numbers = new Set<string>();
    for (const [index, one] of series.entries())
      for (const other of series.slice(index + 1))
        for (const number of await inBoth(db, one, other)) numbers.add(number);
    const [first] = series;
    const example = [...numbers].sort()[0];
    if (example !== undefined)
      twice.push({ nif: first!.nif, prefix: first!.prefix, count: numbers.size, example });
  }
  return twice;
}

/** The numbers of a series that another environment has issued on the same day. The two need not be on one server. */
async function inBoth(db: Queryable, one: SharedPrefix, other: SharedPrefix): Promise<string[]> {
  const own = await readRows(
    db,
    numberRow,
    'select number, issued_on::text as "issuedOn" from invoice where environment_id = $1 and series_id = $2',
    [one.environmentId, one.seriesId],
  );
  const found = await readRows(
    db,
    numberRow,
    `select upper(number) as number, issued_on::text as "issuedOn" from invoice
      where environment_id = $1 and upper(number) = any ($2) and not imported`,
    [other.environmentId, own.map(({ number }) => number.toUpperCase())],
  );
  const days = new Set(found.map(({ number, issuedOn }) => `${number} ${issuedOn}`));
  return own.flatMap(({ number, issuedOn }) =>
    days.has(`${number.toUpperCase()} ${issuedOn}`) ? [number] : [],
  );
}
