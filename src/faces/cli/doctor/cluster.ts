import type { Config } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import { lackingSettings } from '../../../ground/db/distribution/distribute.ts';
import { isDivided, readShards, readUnhealthy } from '../../../ground/db/distribution/workers.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const CHECK = 'cluster';

/** Where Citus divides environments among servers: whether these reach each other, what the database is set to, and how many shards each has. */
export async function cluster({ databaseReadUrl }: Config, { pool }: Db): Promise<Finding[]> {
  if (!(await isDivided(pool))) return [];
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
  const lacking = await lackingSettings(pool);
  if (lacking.length > 0)
    findings.push(
      warning(
        CHECK,
        `the database is divided without the settings of this version: ${lacking.join(', ')}`,
        'stop the service and run `lacre database distribute` again',
      ),
    );
  const workers = await readShards(pool);
  const shares = workers.map(({ place, shards }) => `${place} has ${shards} shards`).join(', ');
  const empty = workers.some(({ shards }) => shards === 0);
  if (empty) findings.push(warning(CHECK, shares, 'move shards to it: SELECT citus_rebalance_start()'));
  else if (findings.length === 0) findings.push(ok(CHECK, shares));
  return findings;
}
