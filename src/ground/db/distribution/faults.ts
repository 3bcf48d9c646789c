import { z } from 'zod';
import type { Queryable } from '../queryable.ts';
import { column, readOneRow, readRows } from '../rows.ts';
import { BY_ENVIRONMENT, LOCAL, REFERENCE } from './places.ts';
import { readUnhealthy } from './workers.ts';

/** The version whose SQL the statements of the service were planned with (13.2.2, November 2026). */
const VERSION = 13;

const stateRow = z.object({
  superuser: z.boolean(),
  extension: z.string().nullable(),
  migrated: z.boolean(),
});
const nodesRow = z.object({ coordinator: z.boolean(), workers: column.whole });
const processRow = z.object({ processes: column.whole });
const tableRow = z.object({ name: z.string() });

/** Why a database cannot be distributed, as sentences that say what to do; none if it can. */
export async function distributionFaults(client: Queryable): Promise<string[]> {
  const { superuser, extension, migrated } = await readOneRow(
    client,
    stateRow,
    `select (select rolsuper from pg_roles where rolname = current_user) as superuser,
            (select extversion from pg_extension where extname = 'citus') as extension,
            to_regclass('schema_migration') is not null as migrated`,
  );
  if (!superuser) return ['CITUS_DATABASE_URL must be a superuser’s: Citus creates the roles on the workers'];
  if (extension === null)
    return ['the database has no extension citus: CREATE EXTENSION citus, there and on each worker'];
  if (Number.parseInt(extension, 10) < VERSION)
    return [`Citus is ${extension}: ${VERSION} or newer is needed`];
  if (!migrated) return ['the database has no tables of the service: run "lacre database migrate" first'];
  return [...(await nodeFaults(client)), ...(await processFaults(client)), ...(await tableFaults(client))];
}

async function nodeFaults(client: Queryable): Promise<string[]> {
  const { coordinator, workers } = await readOneRow(
    client,
    nodesRow,
    `select coalesce(bool_or(groupid = 0), false) as coordinator, (count(*) filter (where groupid <> 0))::int as workers
       from pg_dist_node where noderole = 'primary' and isactive`,
  );
  if (!coordinator)
    return ['the coordinator is not among its nodes: SELECT citus_set_coordinator_host(its address, port)'];
  if (workers === 0) return ['the coordinator has no workers: SELECT citus_add_node(address, port) for each'];
  const unhealthy = await readUnhealthy(client);
  return unhealthy.map(({ from, to }) => `${from} does not reach ${to}`);
}

async function processFaults(client: Queryable): Promise<string[]> {
  const { processes } = await readOneRow(
    client,
    processRow,
    "select count(*)::int as processes from service_process where beat_at > now() - interval '15 seconds'",
  );
  return processes === 0 ? [] : [`${processes} processes of the service use the database: stop them first`];
}

/** Tables of a newer or changed schema, which this version would leave on the coordinator. */
async function tableFaults(client: Queryable): Promise<string[]> {
  const known = [...REFERENCE, ...BY_ENVIRONMENT, ...LOCAL, 'citus_released'];
  const tables = await readRows(
    client,
    tableRow,
    `select relname as name from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition and relname <> all ($1)
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e') order by 1`,
    [known],
  );
  return tables.map(({ name }) => `the table ${name} has no place (src/ground/db/distribution/places.ts)`);
}
