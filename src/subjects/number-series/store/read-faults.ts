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

const twice = z.object({ nif: z.string(), prefix: z.string(), count: column.whole, example: z.string() });

/**
 * Numbers that two companies of a NIF have issued live on the same day, by prefix: only those of prefixes that several
 * had before these were compared. The agency holds one invoice of each.
 */
export function numbersIssuedTwice(db: Queryable): Promise<z.infer<typeof twice>[]> {
  return readRows(
    db,
    twice,
    `${OF_ALL} with shared as (
       select taken.nif, taken.prefix, environment.id as environment_id, series.id as series_id
         from taken_prefix taken join company on company.nif = taken.nif
         join environment on environment.company_id = company.id and environment.kind = taken.kind
         join number_series series on series.environment_id = environment.id and series.prefix = taken.prefix
        where taken.company_id is null and taken.kind = 'live')
     select one.nif, one.prefix, count(distinct invoice.number)::int as count, min(invoice.number) as example
       from shared one join shared other on other.nif = one.nif and other.prefix = one.prefix
        and other.environment_id > one.environment_id
       join invoice on invoice.environment_id = one.environment_id and invoice.series_id = one.series_id
       join invoice second on second.environment_id = other.environment_id
        and upper(second.number) = upper(invoice.number) and second.issued_on = invoice.issued_on and not second.imported
      group by one.nif, one.prefix order by one.nif, one.prefix`,
    [],
  );
}
