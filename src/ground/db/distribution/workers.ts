import type pg from 'pg';
import { z } from 'zod';
import type { Queryable } from '../queryable.ts';
import { column, readOneRow, readRows } from '../rows.ts';
import { inTransaction } from '../transaction.ts';

/** A server among which Citus divides environments, by the number of its group; what it answers of itself, null if it does not answer. */
export type Worker = {
  readonly group: number;
  readonly answer: { readonly identity: string; readonly synchronous: boolean } | null;
};

/** One that hangs is then one that does not answer. */
const ASKING = '2s';

const workerRow = z.object({ group: column.whole, success: z.boolean(), result: z.string() });
type WorkerRow = z.infer<typeof workerRow>;
const answerRow = z.object({ identity: z.string(), synchronous: z.boolean() });

const PRIMARIES = "noderole = 'primary' and isactive and groupid <> 0";
const LIST = `select groupid as group, false as success, '' as result from pg_dist_node where ${PRIMARIES} order by groupid`;

/** The workers that a condition chooses are asked at the same time. */
const ask = (which: string) => `
  select node.groupid as group, answer.success, answer.result
    from (select array_agg(nodename) as names, array_agg(nodeport) as ports from pg_dist_node where ${PRIMARIES} and ${which}) chosen
    cross join lateral master_run_on_worker(chosen.names, chosen.ports, array_fill(
      $$select json_build_object('identity', server_identity(), 'synchronous', server_synchronous())$$::text, array[cardinality(chosen.names)]),
      true) as answer (node_name, node_port, success, result)
    join pg_dist_node node on node.nodename = answer.node_name and node.nodeport = answer.node_port`;

/** Asks every worker which server it is, in the caller's transaction, which it does not fail. */
export async function readWorkers(client: Queryable): Promise<Worker[]> {
  const rows = (await answersOf(client, 'true')) ?? (await answersOneByOne(client));
  return rows.map(({ group, success, result }) => ({
    group,
    answer: success ? answerRow.parse(JSON.parse(result)) : null,
  }));
}

/** While one of them hangs, the others are known by being asked without it. */
async function answersOneByOne(client: Queryable): Promise<WorkerRow[]> {
  const rows: WorkerRow[] = [];
  for (const worker of await readRows(client, workerRow, LIST))
    rows.push((await answersOf(client, 'groupid = $1', [worker.group]))?.[0] ?? worker);
  return rows;
}

/** Null if one of those that are asked hangs. */
async function answersOf(
  client: Queryable,
  which: string,
  values: number[] = [],
): Promise<WorkerRow[] | null> {
  await client.query('savepoint asking');
  await client.query(`set local statement_timeout = '${ASKING}'`);
  const rows = await readRows(client, workerRow, ask(which), values).catch(async () => {
    await client.query('rollback to savepoint asking');
    return null;
  });
  await client.query('set local statement_timeout to default');
  await client.query('release savepoint asking');
  return rows;
}

/** Whether environments are divided among servers one of which does not answer: what is asked of all of them fails then. */
export async function isWorkerAway(pool: pg.Pool): Promise<boolean> {
  if (!(await isDivided(pool))) return false;
  const workers = await inTransaction(pool, readWorkers);
  return workers.some(({ answer }) => answer === null);
}

const unhealthyRow = z.object({ from: z.string(), to: z.string() });

/** The servers that do not reach each other, each as its address and port. */
export function readUnhealthy(client: Queryable): Promise<z.infer<typeof unhealthyRow>[]> {
  return readRows(
    client,
    unhealthyRow,
    `select from_nodename || ':' || from_nodeport as from, to_nodename || ':' || to_nodeport as to
       from citus_check_cluster_node_health() where result is not true`,
  );
}

const dividedRow = z.object({ divided: z.boolean() });

/** Whether the database is one that Citus divides. */
export async function isDivided(client: Queryable): Promise<boolean> {
  const text = "select to_regclass('pg_dist_node') is not null as divided";
  return (await readOneRow(client, dividedRow, text)).divided;
}

const shardsRow = z.object({ place: z.string(), shards: column.whole });

/** The workers, each as its address and port, and how many shards it has. */
export function readShards(client: Queryable): Promise<z.infer<typeof shardsRow>[]> {
  return readRows(
    client,
    shardsRow,
    `select node.nodename || ':' || node.nodeport as place, count(place.shardid)::int as shards
       from pg_dist_node node left join pg_dist_placement place on place.groupid = node.groupid
      where node.groupid <> 0 and node.noderole = 'primary' and node.isactive group by 1 order by 1`,
  );
}
