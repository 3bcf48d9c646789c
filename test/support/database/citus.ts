import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { closeDb, openDb } from '../../../src/ground/db/client.ts';
import { distribute } from '../../../src/ground/db/distribution/distribute.ts';
import { arrangeRoles } from '../../../src/ground/db/roles/arrange.ts';
import { prepareDatabase } from '../../../src/ground/db/roles/prepare.ts';
import { statementsOf } from '../../../src/ground/db/statement-time.ts';
import { testLog } from '../processes/run-log.ts';
import type { TestDatabase } from './database.ts';
import { type DatabaseProxy, databaseProxy } from './database-proxy.ts';

/**
 * A superuser’s URL of the coordinator of a Citus cluster of this machine, with workers added, whose servers trust each other: what runs on a real
 * Citus is tested there. Without it these tests say that they were skipped.
 */
export const CITUS_URL = process.env['CITUS_DATABASE_URL'] ?? null;

/** Fewer than Citus makes by default: they are there to be on several servers, and each costs time. */
const SHARDS = 4;

export type CitusDatabase = TestDatabase & {
  readonly name: string;
  /** As a superuser, on the coordinator and on each worker. */
  readonly superuserUrls: readonly string[];
  /** The ways on which the servers reach the workers. */
  readonly workers: readonly DatabaseProxy[];
};

/**
 * A database of the cluster, migrated by its owner; divided unless said otherwise. Without `proxied` its servers reach each other as
 * they are, and nothing of this process is in between.
 */
export async function citusDatabase({ divided = true, proxied = true } = {}): Promise<CitusDatabase> {
  if (CITUS_URL === null) throw new Error('CITUS_DATABASE_URL is not set');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const [owner, runtime] = [`${name}_owner`, `${name}_runtime`];
  const servers = await serversOf(CITUS_URL);
  for (const server of servers) {
    await administer(
      server,
      // On each server by itself.
      'set citus.enable_create_role_propagation = off',
      `create role ${owner} login createrole password 'owner'`,
      `create role ${runtime} login password 'runtime'`,
      `create database ${name} owner ${owner}`,
    );
    await administer(at(server, name), 'create extension citus');
  }
  const [coordinator, ...workers] = servers.map((server) => at(server, name));
  const proxies = proxied ? await Promise.all(workers.map(databaseProxy)) : [];
  await administer(
    coordinator!,
    `select citus_set_coordinator_host(${hostOf(coordinator!)})`,
    ...workers.map(
      (worker, nth) => `select citus_add_node(${hostOf(proxies[nth]?.through(worker) ?? worker)})`,
    ),
  );
  const [ownerUrl, url] = [as(coordinator!, owner, 'owner'), as(coordinator!, runtime, 'runtime')];
  await prepareDatabase(ownerUrl, url);
  if (divided) await divide(coordinator!, url);
  const db = openDb(url, { max: 6, log: testLog() });
  const { pool } = openDb(ownerUrl, { max: 6, log: testLog() });
  return {
    ...{ db, url, owner: pool, ownerUrl, name, superuserUrls: [coordinator!, ...workers] },
    workers: proxies,
    async close() {
      await closeDb(db);
      await pool.end();
      for (const server of servers)
        await administer(
          server,
          `drop database ${name} with (force)`,
          `drop role ${owner}`,
          `drop role ${runtime}`,
        );
      await Promise.all(proxies.map((proxy) => proxy.close()));
    },
  };
}

async function divide(superuserUrl: string, runtimeUrl: string): Promise<void> {
  const client = new pg.Client(superuserUrl);
  await client.connect();
  await client.query(`set citus.shard_count = ${SHARDS}`);
  await statementsOf('maintenance', () => distribute(client));
  await arrangeRoles(client, runtimeUrl);
  await client.end();
}

async function serversOf(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ host: string; port: number }>(
    "select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and noderole = 'primary' order by groupid",
  );
  await client.end();
  const workers = rows.map(({ host, port }) => {
    const worker = new URL(url);
    worker.hostname = host;
    worker.port = String(port);
    return worker.href;
  });
  return [url, ...workers];
}

function at(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

function as(server: string, role: string, password: string): string {
  const url = new URL(server);
  [url.username, url.password] = [role, password];
  return url.href;
}

function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `'${hostname}', ${port || '5432'}`;
}

async function administer(server: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
