import type pg from 'pg';
import { z } from 'zod';
import { breakConnection } from './break-connection.ts';
import { type Lineage, SERVER_IDENTITY, type ServerIdentity, serverIdentity } from './lineage.ts';
import { newerMigration, ownMigrations } from './migrate.ts';
import type { Queryable } from './queryable.ts';
import { singleClient } from './reachable-client.ts';
import { readOneRow } from './rows.ts';

/** A healthy database answers so small a statement sooner; a connection that hangs longer is closed. */
const TIMEOUT_MS = 3_000;

/** A process that has been silent for so long is dead: it makes nothing any more. */
const SILENT = "interval '15 seconds'";

/** Those of the `marks` that each live process but `self` has announced: an expression with two parameters. */
function sharedSecrets(marks: string, self: string): string {
  return `array(select mark from unnest(${marks}::text[]) as mark where not exists (
    select 1 from service_process other
     where other.id <> ${self} and other.beat_at > now() - ${SILENT} and mark <> all(coalesce(other.known_secrets, '{}'))))`;
}

/**
 * No process writes heartbeats on a server that has not been examined: until then they are those of the previous server.
 * The recorded state of replication is always that of the examined server.
 */
const UPDATE_HEARTBEAT = `
  with server as materialized (
    select * from ${SERVER_IDENTITY}
  ), beat as (
    insert into service_process (id, started_at, beat_at, issues, worker_pools, known_secrets)
    select $1, now(), now(), $2, $3, $5 from server where identity = recorded
    on conflict (id) do update set beat_at = excluded.beat_at, worker_pools = excluded.worker_pools,
      known_secrets = excluded.known_secrets
  ), replication as (
    update database_lineage lineage set synchronous = server.synchronous from server
     where lineage.id = 1 and lineage.synchronous <> server.synchronous and server.identity = server.recorded
  )
  select server.*, ${newerMigration('$4')} as newer, ${sharedSecrets('$5', '$1')} as shared from server`;

const beatRow = serverIdentity.extend({ newer: z.string().nullable(), shared: z.array(z.string()) });

/** The marks among `marks` that every live process has announced, for a command, which has no heartbeat. */
export async function readSharedSecrets(
  db: Queryable,
  marks: readonly string[],
): Promise<ReadonlySet<string>> {
  const shape = beatRow.pick({ shared: true });
  const { shared } = await readOneRow(db, shape, `select ${sharedSecrets('$1', '$2')} as shared`, [
    marks,
    '',
  ]);
  return new Set(shared);
}

/**
 * A separate connection on which a process writes a heartbeat every second and sees which server it is connected to: all
 * connections of the pool may hang on a server that is gone.
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

  /** Writes a heartbeat; returns the identity of the server. Throws if the database does not answer. */
  async beat(): Promise<ServerIdentity> {
    try {
      const client = this.#client ?? (await this.#connect());
      const { processId, workerPools, knownSecrets } = this.#lineage;
      const { newer, shared, ...identity } = await readOneRow(client, beatRow, UPDATE_HEARTBEAT, [
        ...[processId, this.#issues, [...workerPools]],
        ...[ownMigrations(), [...knownSecrets]],
      ]);
      this.#lineage.sharedSecrets = new Set(shared);
      this.#lineage.schemaSeen(newer);
      // What this states of commits holds for all of them, payments as well as invoices, until the next heartbeat.
      if (identity.identity === identity.recorded) this.#lineage.unsynchronised = !identity.synchronous;
      return identity;
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  /** Announces that this process is about to end, so that no other waits for it. */
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
    const client = singleClient(this.#url, {
      application_name: 'lacre heartbeat',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    // The next heartbeat reports it.
    client.on('error', () => this.#drop());
    this.#client = client;
    await client.connect();
    return client;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    if (client !== null) void breakConnection(client);
  }
}
