import pg from 'pg';
import { expect } from 'vitest';

/**
 * Kills a server of this machine as a crash would: one of its processes is killed without warning, upon which its postmaster ends all
 * sessions and recovers from its log. Resolves when it is recovering, or has recovered.
 */
export async function crash(superuserUrl: string): Promise<void> {
  const client = new pg.Client(superuserUrl);
  const ended = new Promise<void>((resolve) => {
    client.on('error', () => resolve()).on('end', () => resolve());
  });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
  await ended;
}

/** Resolves once the server answers. */
export async function whenUp(superuserUrl: string): Promise<void> {
  await expect.poll(() => answers(superuserUrl), { timeout: 120_000 }).toBe(true);
}

/** Whether the server answers. */
async function answers(superuserUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: superuserUrl, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Citus’ own way to move shards: away from the first worker, or back to it until each has as many. Resolves when all are moved. */
export async function moveRows(coordinatorUrl: string, firstHasShards: boolean): Promise<void> {
  const client = new pg.Client(coordinatorUrl);
  client.on('error', () => {});
  await client.connect();
  await client.query(
    `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', $1) from pg_dist_node where groupid = 1`,
    [firstHasShards],
  );
  await client.query('select citus_rebalance_start()');
  await client.query('select citus_rebalance_wait()');
  await client.end();
}
