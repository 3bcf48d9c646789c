import type pg from 'pg';
import { clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import { breakConnection } from '../break-connection.ts';
import { closeDb, type Db, openDb } from '../client.ts';
import { singleClient } from '../reachable-client.ts';
import { EVERYWHERE, ReadPositions } from './positions.ts';
import { type StandbyState, standbyState } from './store.ts';

/**
 * An unavailable standby is noticed within a second, which leaves 350 ms to a process whose timers are late because it is busy. To
 * read a large result again on the primary costs more than to wait, so the time for an answer is not shorter than it must be.
 */
const CHECK_MS = 150;
const TIMEOUT_MS = 500;

/** A standby farther behind answers nobody: it would still show callers who only read as pending what has long been registered. */
const MAX_LAG_SECONDS = 60;

type Options = {
  /** The maximum number of connections. */
  readonly max: number;
  readonly log: Logger;
  /** What would let the role of a connection undo a seal. */
  readonly unsafePrivilegesOf: (client: pg.Client) => Promise<readonly string[]>;
};

/**
 * A standby of the database that answers reads while it is healthy and has replayed everything that the caller may know of.
 * The primary answers everything else, so the standby may fail at any time.
 */
export class Standby {
  /** A pool of the standby: read-only. */
  readonly db: Db;
  readonly #url: string;
  readonly #positions: ReadPositions;
  readonly #options: Options;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | null = null;
  #again: Promise<void> | null = null;
  #ended = false;
  #state: StandbyState | null = null;
  readonly #openedAt = clock.now();
  /** When it was last seen to have everything that the primary had; null if never. */
  #levelAt: Date | null = null;
  /** What was committed later it has not; null while it has everything. */
  #behindSince: Date | null = null;
  /** Why it is not used, once that was logged; null while it is used. Undefined before the first check. */
  #reported: string | null = null;

  constructor(url: string, primary: Db, options: Options) {
    const { max, log } = options;
    this.#url = url;
    this.#options = options;
    // Reads that wait for a connection are repeated on the primary, too.
    this.db = openDb(url, { max, log, isAway: () => !this.isUsable });
    this.#positions = new ReadPositions(primary, log);
  }

  /** Makes the first check, and further ones until `end`. Never fails: a standby may become available later. */
  async start(): Promise<void> {
    await this.#positions.of(EVERYWHERE).catch(() => null);
    await this.#check();
    this.#soon();
  }

  /** Whether it can be used at all. */
  get isUsable(): boolean {
    return this.#state !== null;
  }

  /** Its delay behind the primary in seconds, also when it receives nothing more; null while it is unavailable. */
  get lagSeconds(): number | null {
    return this.isUsable ? this.#lag() : null;
  }

  /**
   * Whether it has replayed everything written for the environment before this call, by any process; for null, everything
   * written for any environment.
   */
  async covers(environmentId: number | null): Promise<boolean> {
    if (!this.isUsable || this.#lag() > MAX_LAG_SECONDS) return false;
    const position = await this.#positions.of(environmentId ?? EVERYWHERE).catch(() => null);
    if (position === null) return false;
    if (this.#reaches(position)) return true;
    await this.#checkOnceMore();
    return this.#reaches(position);
  }

  /** Must be awaited before a write for the environment is reported to anybody, or for all of them if it is null. */
  note(environmentId: number | null): Promise<void> {
    return this.#positions.note(environmentId ?? EVERYWHERE);
  }

  /** A read failed on it: it is checked immediately. */
  suspect(): void {
    this.#checkOnceMore().catch(() => {});
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#checking?.catch(() => {});
    this.#drop();
    await closeDb(this.db);
  }

  #reaches(position: number): boolean {
    return this.#state?.replayed != null && this.#state.replayed >= position;
  }

  #soon(): void {
    if (this.#ended) return;
    this.#timer = setTimeout(() => {
      // Not awaited: the check must not depend on the primary.
      this.#positions.of(EVERYWHERE).catch(() => null);
      void this.#check().then(() => this.#soon());
    }, CHECK_MS);
    this.#timer.unref();
  }

  /** One check that begins after this call, shared by concurrent callers; none if one before it finds the standby unusable. */
  #checkOnceMore(): Promise<void> {
    this.#again ??= (async () => {
      await this.#checking;
      this.#again = null;
      if (this.isUsable) await this.#check();
    })();
    return this.#again;
  }

  #check(): Promise<void> {
    this.#checking ??= this.#runCheck().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #runCheck(): Promise<void> {
    if (this.#ended) return;
    try {
      const client = this.#client ?? (await this.#connect());
      const { flushed } = this.#positions;
      const state = await within(TIMEOUT_MS, standbyState(client));
      this.#compare(state, flushed);
      const fault = this.#faultOf(state);
      if (fault !== null) this.#drop();
      this.#become(fault === null ? state : null, fault);
    } catch (error) {
      this.#drop();
      this.#become(null, 'it does not answer', error as Error);
    }
  }

  #lag(): number {
    return this.#behindSince === null
      ? 0
      : Math.max(0, clock.now().getTime() - this.#behindSince.getTime()) / 1_000;
  }

  /** Compared with the primary, because one that receives nothing has replayed all that it received. */
  #compare({ replayed, commit }: StandbyState, flushed: number): void {
    if (replayed !== null && replayed >= flushed) {
      this.#levelAt = clock.now();
      this.#behindSince = null;
      return;
    }
    // Its last commit may be old because nothing was written until it was level.
    const isLater = commit !== null && (this.#levelAt === null || commit > this.#levelAt);
    this.#behindSince = isLater ? commit : (this.#levelAt ?? this.#openedAt);
  }

  #faultOf({ standby, system }: StandbyState): string | null {
    if (!standby) return 'it is not a standby';
    const { system: ownSystem } = this.#positions;
    return ownSystem !== null && ownSystem !== system ? 'it is a standby of another database' : null;
  }

  /** Each reason is logged once; its details may vary from attempt to attempt. */
  #become(state: StandbyState | null, fault: string | null, error?: Error): void {
    const was = this.#state;
    this.#state = state;
    const { log } = this.#options;
    // Reads that wait for its answer are repeated on the primary.
    if (state === null && was !== null) void this.db.cut();
    if (state !== null && was === null) log.info('reads are answered from the standby');
    if (fault !== null && this.#reported !== fault && !this.#ended) {
      const reason = error?.message;
      log.warn({ fault, reason }, 'THE STANDBY IS NOT USED: the primary answers instead');
    }
    this.#reported = fault;
  }

  async #connect(): Promise<pg.Client> {
    const client = singleClient(this.#url, {
      application_name: 'lacre standby watch',
      connectionTimeoutMillis: TIMEOUT_MS,
    });
    this.#client = client;
    await client.connect();
    const privileges = await within(TIMEOUT_MS, this.#options.unsafePrivilegesOf(client));
    if (privileges.length > 0) throw new Error(`its role could undo the seals: it ${privileges.join('; ')}`);
    // It may be another server than before, and not as far: existing connections must not be used any more.
    await this.db.cut();
    return client;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    if (client !== null) void breakConnection(client);
  }
}

/** Rejects unless there is an answer in time. One that arrived while this process was busy is in time. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const timeOut = () => reject(new Error(`no answer within ${ms} ms`));
    // Timers that are late run before what has arrived is read.
    timer = setTimeout(() => setImmediate(timeOut), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
