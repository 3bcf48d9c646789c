import { z } from 'zod';
import type { Config } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import { readUnhealthy } from '../../../ground/db/distribution/workers.ts';
import { column, readOneRow, readRows } from '../../../ground/db/rows.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const CHECK = 'cluster';

const dividedRow = z.object({ divided: z.boolean() });
const workerRow = z.object({ place: z.string(), shards: column.whole });

/** Where Citus divides environments among servers: whether these reach each other, and how many shards each has. */
export async function cluster({ databaseReadUrl }: Config, { pool }: Db): Promise<Finding[]> {
  const { divided } = await readOneRow(
    pool,
    dividedRow,
    "select to_regclass('pg_dist_node') is not null as divided",
  );
  if (!divided) return [];
  const unhealthy = await readUnhealthy(pool);
  const findings = unhealthy.map(({ from, to }) =>
    failure(
      CHECK,
      `${from} does not reach ${to}`,
      'start it, or check the network and pg_hba.conf between them',
    ),
  );
  if (databaseReadUrl !== null)
    findings.push(
      failure(
        CHECK,
        'DATABASE_READ_URL is set: a divided database has no standby for reads',
        'remove the setting',
      ),
    );
  const workers = await readRows(
    pool,
    workerRow,
    `select node.nodename || ':' || node.nodeport as place, count(place.shardid)::int as shards
       from pg_dist_node node left join pg_dist_placement place on place.groupid = node.groupid
      where node.groupid <> 0 and node.noderole = 'primary' and node.isactive group by 1 order by 1`,
  );
  const shares = workers.map(({ place, shards }) => `${place} has ${shards} shards`).join(', ');
  const empty = workers.some(({ shards }) => shards === 0);
  if (empty) findings.push(warning(CHECK, shares, 'move shards to it: SELECT citus_rebalance_start()'));
  else if (findings.length === 0) findings.push(ok(CHECK, shares));
  return findings;
}
