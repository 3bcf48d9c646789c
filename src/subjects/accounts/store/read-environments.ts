import { z } from 'zod';
import { ChainHold, EnvironmentKind } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRow, readRows } from '../../../ground/db/rows.ts';

const environment = z.object({
  id: column.whole,
  kind: z.enum(EnvironmentKind),
  companyId: z.string(),
  nif: z.string(),
  legalName: z.string(),
  chainId: column.whole,
  installationNumber: z.string(),
  /** Records sealed in all its chains. */
  records: column.whole,
  /** Why its chain accepts no new records. */
  hold: z.enum(ChainHold).nullable(),
  /** The default series; null in an environment that has had no series of the type yet. */
  standardSeriesId: z.string().nullable(),
  rectifyingSeriesId: z.string().nullable(),
  keysInForce: column.whole,
  createdAt: column.instant,
});

/** An environment as operators see it. */
export type Environment = Readonly<z.infer<typeof environment>>;

const ENVIRONMENT = `
  select e.id, e.kind, e.company_id as "companyId", c.nif, c.legal_name as "legalName", coalesce(ch.id, 0) as "chainId",
         coalesce(ch.installation_number, '') as "installationNumber", ch.hold::text,
         (select coalesce(sum(last_position), 0)::int from chain where environment_id = $1) as records,
         s.series_id as "standardSeriesId", r.series_id as "rectifyingSeriesId",
         (select count(*)::int from api_key k where k.environment_id = $1 and k.revoked_at is null
             and (k.expires_at is null or k.expires_at > now()))
           as "keysInForce", e.created_at as "createdAt"
    from environment e
    join company c on c.id = e.company_id
    -- An environment without an open chain is to be seen, not hidden.
    left join chain ch on ch.environment_id = $1 and ch.closed_at is null
    left join series_default s on s.environment_id = $1 and s.type = 'standard'
    left join series_default r on r.environment_id = $1 and r.type = 'rectifying'
   where e.id = $1`;

/** The environments of a company, or the first 500 of all, by their numbers, for operators. */
export async function listEnvironments(db: Queryable, companyId: string | null): Promise<Environment[]> {
  const text = 'select id from environment where $1::text is null or company_id = $1 order by id limit 500';
  return [...(await readEnvironmentsById(db, await readNumbers(db, text, companyId))).values()];
}

/** The environments of companies, grouped by company. */
export async function listEnvironmentsOf(
  db: Queryable,
  companyIds: readonly string[],
): Promise<Map<string, Environment[]>> {
  const text = 'select id from environment where company_id = any ($1) order by id';
  const ids = await readRows(db, numbered, { name: 'environments-of-companies', text }, [companyIds]);
  const found = await readEnvironmentsById(
    db,
    ids.map(({ id }) => id),
  );
  return Map.groupBy(found.values(), ({ companyId }) => companyId);
}

/** Environments by their numbers, in the order of these. */
export async function readEnvironmentsById(
  db: Queryable,
  ids: readonly number[],
): Promise<Map<string, Environment>> {
  const found = await Promise.all(ids.map((id) => findEnvironment(db, id)));
  return new Map(found.flatMap((one) => (one === null ? [] : [[String(one.id), one]])));
}

/** One environment by its number, or null. */
export function findEnvironment(db: Queryable, id: number): Promise<Environment | null> {
  return readRow(db, environment, { name: 'environment', text: ENVIRONMENT }, [id]);
}

const numbered = z.object({ id: column.whole });

async function readNumbers(db: Queryable, text: string, companyId: string | null): Promise<number[]> {
  return (await readRows(db, numbered, text, [companyId])).map(({ id }) => id);
}

/** The numbers of all environments. */
export async function environmentNumbers(db: Queryable): Promise<number[]> {
  const rows = await readRows(db, numbered, 'select id from environment order by id');
  return rows.map(({ id }) => id);
}
