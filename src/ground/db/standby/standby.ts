import pg from 'pg';
import type { Logger } from '../../lib/logger.ts';
import { breakConnection } from '../break-connection.ts';
import { closeDb, type Db, openDb } from '../client.ts';
import { EVERYWHERE, ReadPositions } from './positions.ts';
import { type StandbyState, standbyState } from './store.ts';

/** A standby that goes away is noticed within a second: it is asked so often, and given so long to answer. */
const LOOK_MS = 250;
const PATIENCE_MS = 500;

type Options = {
  /** The most connections. */
  readonly max: number;
  readonly log: Logger;
  /** What would let the role of a connection undo a seal. */
  readonly powersOf: (client: pg.Client) => Promise<readonly string[]>;
};

/**
 * A standby of the database that reads are answered from, for as long as it is well and has replayed whatever the caller
 * may know of. Everything else is answered by the primary, so that it may go away at any time.
 */
export class Standby {
  /** Of the standby: takes no writes. */
  readonly db: Db;
  readonly #url: string;
  readonly #positions: ReadPositions;
  readonly #options: Options;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #again: Promise<void> | null = null;
  #ended = false;
  #state: StandbyState | null = null;
  /** Why it is not read from, once that was logged; null while it is. Before the first look nothing has been said. */
  #told: string | null = null;

  constructor(url: string, primary: Db, options: Options) {
    const { max, log } = options;
    this.#url = url;
    this.#options = options;
    this.db = openDb(url, { max, log });
    this.#positions = new ReadPositions(primary, log);
  }

  /** Looks for the first time, and from then on until `end`. Never fails: a standby may be there later. */
  async start(): Promise<void> {
    await this.#positions.of(EVERYWHERE).catch(() => null);
    await this.#look();
    this.#soon();
  }

  /** Whether it may be read from at all. */
  get isUsable(): boolean {
    return this.#state !== null;
  }

  /** By how many seconds it is behind; null when it is not read from. */
  get lagSeconds(): number | null {
    return this.#state?.lag ?? null;
  }

  /**
   * Whether it has replayed what was written for the environment before this was asked, by whichever process; for null,
   * whatever was written for anybody.
   */
  async covers(environmentId: number | null): Promise<boolean> {
    if (!this.isUsable) return false;
    const wanted = await this.#positions.of(environmentId ?? EVERYWHERE).catch(() => null);
    if (wanted === null) return false;
    if (this.#reaches(wanted)) return true;
    await this.#lookOnceMore();
    return this.#reaches(wanted);
  }

  /** To be waited for before anybody is told of what was written for the environment, or for all of them when it is null. */
  note(environmentId: number | null): Promise<void> {
    return this.#positions.note(environmentId ?? EVERYWHERE);
  }

  /** A read failed on it: it is looked at now, and not in its turn. */
  suspect(): void {
    this.#lookOnceMore().catch(() => {});
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#looking?.catch(() => {});
    this.#drop();
    await closeDb(this.db);
  }

  #reaches(wanted: number): boolean {
    return this.#state?.replayed != null && this.#state.replayed >= wanted;
  }

  #soon(): void {
    if (this.#ended) return;
    this.#timer = setTimeout(() => void this.#look().then(() => this.#soon()), LOOK_MS);
    this.#timer.unref();
  }

  /** One look that begins after this was called, shared by all who ask for it meanwhile. */
  #lookOnceMore(): Promise<void> {
    this.#again ??= (async () => {
      await this.#looking;
      this.#again = null;
      await this.#look();
    })();
    return this.#again;
  }

  #look(): Promise<void> {
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #ask(): Promise<void> {
    if (this.#ended) return;
    try {
      const client = this.#client ?? (await this.#connect());
      const state = await standbyState(client);
      const fault = this.#faultOf(state);
      if (fault !== null) this.#drop();
      this.#become(fault === null ? state : null, fault);
    } catch (error) {
      this.#drop();
      this.#become(null, 'it does not answer', error as Error);
    }
  }

  #faultOf({ standby, system }: StandbyState): string | null {
    if (!standby) return 'it is no standby';
    const { system: own } = this.#positions;
    return own !== null && own !== system ? 'it is a standby of another database' : null;
  }

  /** Each reason is said once: of how exactly it does not answer there are many, one after the other. */
  #become(state: StandbyState | null, why: string | null, error?: Error): void {
    const was = this.#state;
    this.#state = state;
    const { log } = this.#options;
    // Whoever waits for an answer of it gets the primary's.
    if (state === null && was !== null) this.db.cut();
    if (state !== null && was === null) log.info('reads are answered from the standby');
    if (why !== null && this.#told !== why && !this.#ended) {
      const reason = error?.message;
      log.warn({ why, reason }, 'THE STANDBY IS NOT READ FROM: the primary answers instead');
    }
    this.#told = why;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'lacre standby watch',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    // The next look meets it.
    client.on('error', () => {});
    this.#client = client;
    await client.connect();
    const powers = await this.#options.powersOf(client);
    if (powers.length > 0) throw new Error(`its role could undo the seals: it ${powers.join('; ')}`);
    // It may be another server than before, and not as far: what is open to the one before is not to be relied on.
    this.db.cut();
    return client;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    if (client !== null) breakConnection(client);
  }
}
