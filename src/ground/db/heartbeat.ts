import pg from 'pg';
import { breakConnection } from './break-connection.ts';
import { type Lineage, SERVER_IDENTITY, type ServerIdentity, serverIdentity } from './lineage.ts';
import { readOneRow } from './rows.ts';

/** Longer than this a database that is well takes for nothing so small; a connection that hangs is given up then. */
const PATIENCE_MS = 3_000;

/**
 * Nobody beats on a server that has not been examined: until then the beats there are those of the server before. What
 * is recorded of replication is only ever what was seen on the examined server.
 */
const BEAT = `
  with server as materialized (
    select * from ${SERVER_IDENTITY}
  ), beat as (
    insert into service_process (id, started_at, beat_at, issues, worker_pools, journals)
    select $1, now(), now(), $2, $3, true from server where identity = recorded
    on conflict (id) do update set beat_at = excluded.beat_at, worker_pools = excluded.worker_pools
  ), replication as (
    update database_lineage lineage set synchronous = server.synchronous from server
     where lineage.id = 1 and lineage.synchronous <> server.synchronous and server.identity = server.recorded
  )
  select * from server`;

/**
 * A connection of its own on which a process says every second that it lives, and sees which server it is on: none of
 * the pool's, because all of them may hang on a server that is gone.
 */
export class Heartbeat {
  readonly #url: string;
  readonly #lineage: Lineage;
  readonly #issues: boolean;
  #client: pg.Client | null = null;

  constructor(url: string, lineage: Lineage, { issues }: { issues: boolean }) {
    this.#url = url;
    this.#lineage = lineage;
    this.#issues = issues;
  }

  /** Beats once; answers what server it is. Throws when the database does not answer. */
  async beat(): Promise<ServerIdentity> {
    try {
      const client = this.#client ?? (await this.#connect());
      const { processId, workerPools } = this.#lineage;
      const look = await readOneRow(client, serverIdentity, BEAT, [
        processId,
        this.#issues,
        [...workerPools],
      ]);
      if (look.synchronous && look.identity === look.recorded) this.#lineage.unsynchronised = false;
      return look;
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  /** Says that this process is about to end, so that nobody waits for it. */
  async end(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    await client
      .query('delete from service_process where id = $1', [this.#lineage.processId])
      .catch(() => {});
    await client.end().catch(() => {});
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'lacre heartbeat',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    // The next beat meets it.
    client.on('error', () => this.#drop());
    this.#client = client;
    await client.connect();
    return client;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    if (client !== null) breakConnection(client);
  }
}
