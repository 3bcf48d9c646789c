import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';

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
    `select environment.id as "environmentId", company_id as "companyId", kind::text,
            concat_ws(', ', case when not has.chain then 'an open chain' end, has.types) as missing
       from environment cross join lateral (
         select exists (select from chain where environment_id = environment.id and closed_at is null) as chain,
                (select string_agg(distinct 'a default ' || type || ' series', ', ') from number_series series
                  where environment_id = environment.id and not imported
                    and not exists (select from series_default chosen
                      where chosen.environment_id = environment.id and chosen.type = series.type)) as types) as has
      where not has.chain or has.types is not null
      order by 1`,
    [],
  );
}
