import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Acknowledged } from './acknowledged.ts';
import type { Queryable } from './queryable.ts';
import { readOneRow } from './rows.ts';

/** What one statement of issuing learns of the server that it runs on. */
export type ServerIdentity = {
  /** System identifier, timeline and database, parted by `/`. */
  readonly identity: string;
  /** The identity that was last examined; null in a database on which no process has started yet. */
  readonly recorded: string | null;
  /** Whether a commit waits until a standby has it. */
  readonly synchronous: boolean;
};

/** To be selected from, in the transaction that issues and before it locks anything. */
export const SERVER_IDENTITY = 'lineage_now()';

/** What `SERVER_IDENTITY` answers. */
export const serverIdentity = z.object({
  identity: z.string(),
  recorded: z.string().nullable(),
  synchronous: z.boolean(),
});

/** Nothing is issued on a server that has not been examined since it took over, or that has been left behind. */
export class ServerChanged extends Error {
  constructor(look: ServerIdentity, known: string | null) {
    super(`the database is at ${look.identity}, examined was ${known ?? look.recorded}`);
    this.name = 'ServerChanged';
  }
}

/**
 * What a process knows of the server that its database is on. A promoted standby or a restored backup may lack what was
 * acknowledged, and a primary that comes back may lack what was issued since; neither shows in the data, but both in the
 * server's identity. So each transaction that issues compares that with the one that was examined last, on whatever
 * connection and through whatever pooler it came, and nothing is issued until the examination is over.
 */
export class Lineage {
  /** This process among those on the database. */
  readonly processId: string = randomUUID();
  readonly acknowledged = new Acknowledged();
  /** Claims on idempotency keys of requests under way. */
  readonly claims = new Set<string>();
  /** The identity that this process has examined, or found examined when it came; null before its first look. */
  known: string | null = null;
  /** The last server that was held against what this process acknowledged. */
  compared: string | null = null;
  /** Since when the database does not answer (`performance.now()`); null while it does. */
  away: number | null = null;
  /** Something was acknowledged that no standby need have. */
  unsynchronised = false;
  /** Whether the database says that this process lives, so that its claims are known to be somebody's. */
  alive = false;
  /** As what this process locks jobs. */
  readonly workerPools = new Set<string>();
  /** What has to be done when the database answers again. */
  readonly #owed = new Set<() => Promise<unknown>>();
  #examineSoon: () => void = () => {};

  /** Throws `ServerChanged`, and has the server examined at once, unless it is the one that was examined last. */
  mustBeKnown(look: ServerIdentity): void {
    const same =
      (look.recorded === null || look.recorded === look.identity) &&
      (this.known === null || this.known === look.identity);
    if (!same) {
      this.#examineSoon();
      throw new ServerChanged(look, this.known);
    }
    if (!look.synchronous) this.unsynchronised = true;
  }

  /** The same on a transaction's own connection. */
  async checkServer(client: Queryable): Promise<void> {
    this.mustBeKnown(await readOneRow(client, serverIdentity, `select * from ${SERVER_IDENTITY}`));
  }

  /** `examine` is called whenever a transaction meets a server that is not the known one. */
  onChange(examine: () => void): void {
    this.#examineSoon = examine;
  }

  /** Has `work` done once the database answers again; it is tried until it succeeds. */
  whenAvailable(work: () => Promise<unknown>): void {
    this.#owed.add(work);
  }

  async runDeferred(): Promise<void> {
    for (const work of this.#owed) {
      await work();
      this.#owed.delete(work);
    }
  }
}

/** Whether `identity` is an earlier timeline of the same database than `known`: a primary that was replaced. */
export function isSuperseded(identity: string, known: string | null): boolean {
  return known !== null && isPromotionOf(identity, known);
}

/** Whether `after` is the same database on a later timeline: a standby of it was promoted, or it was recovered. */
export function isPromotionOf(before: string, after: string): boolean {
  const [system, timeline = '', oid] = before.split('/');
  const [systemNow, timelineNow = '', oidNow] = after.split('/');
  return (
    system === systemNow && oid === oidNow && Number.parseInt(timeline, 16) < Number.parseInt(timelineNow, 16)
  );
}
