import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Acknowledged } from './acknowledged.ts';
import { type Identities, isSuperseded, parseIdentities } from './identities.ts';
import type { Queryable } from './queryable.ts';
import { readOneRow } from './rows.ts';

/** What one statement of issuing reads about the server on which it runs. */
export type ServerIdentity = {
  /** System identifier, timeline and database, separated by `/`. */
  readonly identity: string;
  /** The identity that was last examined, without those of workers; null in a database on which no process has started yet. */
  readonly recorded: string | null;
  /** Whether a commit waits until a standby has received it. */
  readonly synchronous: boolean;
};

/** Must be selected in the transaction that issues, before it locks anything. */
export const SERVER_IDENTITY = 'lineage_now()';

/** The result of `SERVER_IDENTITY`. */
export const serverIdentity = z.object({
  identity: z.string(),
  recorded: z.string().nullable(),
  synchronous: z.boolean(),
});

const workerRow = z.object({ environmentId: z.int(), identity: z.string(), synchronous: z.boolean() });
export type WorkerIdentity = Readonly<z.infer<typeof workerRow>>;

/**
 * Where environments are divided among servers, the statement that reads which of them has an environment: it looks there, by a
 * table that has a row of each. Must be run in the transaction, before anything of the environment is locked.
 */
function workerStatement(environmentId: number): string {
  return `select environment_id as "environmentId", server_identity() as identity, server_synchronous() as synchronous
    from journal_head where environment_id = ${Math.trunc(environmentId)}`;
}

/** Nothing is issued on a server that has not been examined since it took over, or that has been replaced. */
export class ServerChanged extends Error {
  constructor(identity: ServerIdentity, known: string | null) {
    super(`the database is at ${identity.identity}, examined was ${known ?? identity.recorded}`);
    this.name = 'ServerChanged';
  }
}

type DeferredWork = () => Promise<unknown>;

/** Of one environment; what is deferred before is left to the end of this process. */
const MOST_DEFERRED = 10_000;

/**
 * What a process knows about the server of its database. A promoted standby or a restored backup may lack what was
 * acknowledged, and a returning primary may lack what was issued since; neither shows in the data, but both show in the
 * server's identity. So each transaction that issues compares that with the one examined last, whichever connection or
 * pooler it uses, and nothing is issued until an examination is complete.
 */
export class Lineage {
  /** Identifies this process among those on the database. */
  readonly processId: string = randomUUID();
  readonly acknowledged = new Acknowledged();
  /** Claims on idempotency keys of requests in progress. */
  readonly claims = new Set<string>();
  #known: string | null = null;
  #knownServers: Identities | null = null;
  /** The last servers that were compared with what this process acknowledged. */
  compared: string | null = null;
  /**
   * Since when the database has not answered, or a server answers that was replaced (`performance.now()`); null while the
   * right one does.
   */
  away: number | null = null;
  /** Something was acknowledged, or may have been, that no standby need have received. */
  unsynchronised = false;
  /** Whether Citus divides environments among servers, as the last examination saw it: a service must be stopped before that. */
  divided = false;
  /** The numbers of the servers of environments, as the last transactions that issued found them: one entry for each that has issued. */
  readonly #workers = new Map<number, number>();
  /** The numbers of servers by their identities, in the order in which they were found. */
  readonly #workerNumbers = new Map<string, number>();
  /** Whether one of those servers did not answer then. */
  workerAway = false;
  /** Whether the database records this process as alive, so that its claims have an owner. */
  alive = false;
  /** The marks of the secrets that this process knows, for its heartbeats to announce. */
  readonly knownSecrets = new Set<string>();
  /** Those that every live process has announced, as the last heartbeat saw it; empty before the first. */
  sharedSecrets: ReadonlySet<string> = new Set();
  /** The name under which this process locks jobs. */
  readonly workerPools = new Set<string>();
  /**
   * The migration of a newer version with which this one cannot work, as the last heartbeat saw it; null: this process may
   * work with the schema.
   */
  newerMigration: string | null = null;
  #onSchema: () => void = () => {};
  /** Work to be done when the server that has an environment answers again, by environment. */
  readonly #deferred = new Map<number, Set<DeferredWork>>();
  #deferredRun: Promise<unknown[]> | null = null;
  #examineSoon: () => void = () => {};

  /** The servers (`identities.ts`) that this process has examined, or found examined at its start; null before its first check. */
  get known(): string | null {
    return this.#known;
  }

  set known(identities: string | null) {
    this.#known = identities;
    this.#knownServers = identities === null ? null : parseIdentities(identities);
  }

  /** Throws `ServerChanged`, and starts an examination of the server, unless it is the one that was examined last. */
  mustBeKnown(identity: ServerIdentity): void {
    const same =
      (identity.recorded === null || identity.recorded === identity.identity) &&
      (this.#knownServers === null || this.#knownServers.own === identity.identity);
    if (!same) {
      this.#examineSoon();
      throw new ServerChanged(identity, this.known);
    }
    if (!identity.synchronous) this.unsynchronised = true;
  }

  /** The identity of the database's own server in `known`. */
  get knownOwn(): string | null {
    return this.#knownServers?.own ?? null;
  }

  /** The same of the server that has an environment, where these are divided among several. */
  mustBeKnownWorker({ environmentId, identity, synchronous }: WorkerIdentity): void {
    if (this.#knownServers !== null && ![...this.#knownServers.workers.values()].includes(identity)) {
      this.#examineSoon();
      throw new ServerChanged({ identity, recorded: null, synchronous }, this.known);
    }
    if (!synchronous) this.unsynchronised = true;
    const number = this.#workerNumbers.get(identity) ?? this.#workerNumbers.size;
    this.#workerNumbers.set(identity, number);
    this.#workers.set(environmentId, number);
  }

  /**
   * Whether invoices of two environments may share a transaction. Where environments are divided, only if both were on one server
   * when they last issued: a transaction of several servers commits in two phases, and fails with any of them.
   */
  mayShare(one: number, other: number): boolean {
    const worker = this.workerOf(one);
    return !this.divided || one === other || (worker !== null && worker === this.workerOf(other));
  }

  /** The number of the server on which an environment was when it last issued; null where that is not known. */
  workerOf(environmentId: number): number | null {
    return this.#workers.get(environmentId) ?? null;
  }

  /** A transaction of these environments has failed, perhaps because one of them is on another server by now. */
  forgetWorkers(environmentIds: Iterable<number>): void {
    for (const environmentId of environmentIds) this.#workers.delete(environmentId);
  }

  /** Both on the connection of a transaction that is about to append to the chain of an environment. */
  async checkServer(client: Queryable, environmentId: number): Promise<void> {
    this.mustBeKnown(await identityOf(client));
    if (this.divided)
      this.mustBeKnownWorker(await readOneRow(client, workerRow, workerStatement(environmentId)));
  }

  /**
   * Throws if a new connection leads to a server that this process knows to have been replaced: what is read there is old, and
   * what is written there is lost. Any other fault is left to the first statement.
   */
  async checkConnection(client: Queryable): Promise<void> {
    if (this.known === null) return;
    const server = await identityOf(client).catch(() => null);
    if (server !== null && isSuperseded(server.identity, this.known))
      throw new Error(`Connection terminated: ${server.identity} was replaced by ${this.known}`);
  }

  /** `examine` is called whenever a transaction meets an unknown server. */
  onChange(examine: () => void): void {
    this.#examineSoon = examine;
  }

  /** What a heartbeat has seen of the schema. */
  schemaSeen(newerMigration: string | null): void {
    if (newerMigration === this.newerMigration) return;
    this.newerMigration = newerMigration;
    this.#onSchema();
  }

  /** `follow` is called whenever a newer version has migrated the database, or that was undone. */
  onSchema(follow: () => void): void {
    this.#onSchema = follow;
  }

  /** Runs `work` once the server that has an environment answers again (0: all of them); it is retried until it succeeds. */
  whenAvailable(environmentId: number, work: DeferredWork): void {
    const works = this.#deferred.get(environmentId) ?? new Set();
    this.#deferred.set(environmentId, works.add(work));
    for (const oldest of works) {
      if (works.size <= MOST_DEFERRED) break;
      works.delete(oldest);
    }
  }

  /** Runs what is deferred, unless that is being done; those of an environment until one fails. Resolves to what they failed with. */
  runDeferred(): Promise<unknown[]> {
    this.#deferredRun ??= this.#runAll().finally(() => {
      this.#deferredRun = null;
    });
    return this.#deferredRun;
  }

  async #runAll(): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const [environmentId, works] of this.#deferred) {
      try {
        for (const work of works) {
          await work();
          works.delete(work);
        }
        this.#deferred.delete(environmentId);
      } catch (error) {
        failures.push(error);
      }
    }
    return failures;
  }
}

function identityOf(client: Queryable): Promise<ServerIdentity> {
  return readOneRow(client, serverIdentity, `select * from ${SERVER_IDENTITY}`);
}
