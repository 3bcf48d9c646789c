import { batchLoader } from '../../lib/batch-loader.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Db } from '../client.ts';
import { type Positions, readPositions, recordPositions } from './store.ts';

/** Used instead of an environment: all of them. */
export const EVERYWHERE = 0;

/**
 * The position that a standby must have reached to answer an environment's reads: that of the primary after the last write
 * for the environment, by any process. Concurrent lookups and notes share one statement.
 */
export class ReadPositions {
  readonly #log: Logger;
  readonly #note: (environmentId: string) => Promise<true | null>;
  readonly #read: (environmentId: string) => Promise<number | null>;
  /** The start time of the primary from which positions were last read. */
  #started: number | null = null;
  /** What was written before this process knew that primary. */
  #floor = 0;
  /** Environments whose last write could not be noted. */
  readonly #unnoted = new Set<number>();
  /** The cluster of the primary; null before it was asked. */
  system: string | null = null;
  /** The position of the primary when it was last asked. */
  flushed = 0;

  constructor({ pool }: Pick<Db, 'pool'>, log: Logger) {
    this.#log = log;
    this.#note = batchLoader<true>(async (keys) => {
      await recordPositions(pool, keys.map(Number));
      return new Map(keys.map((key) => [key, true]));
    });
    this.#read = batchLoader<number>(async (keys) => {
      const found = await readPositions(pool, [...keys.map(Number), EVERYWHERE]);
      return this.#required(keys, found);
    });
  }

  /**
   * Must be awaited before a write is reported to anybody. It never fails: while the position cannot be noted, this process
   * reads the environment from the primary.
   */
  async note(environmentId: number): Promise<void> {
    try {
      await this.#note(String(environmentId));
      this.#unnoted.delete(environmentId);
    } catch (error) {
      this.#unnoted.add(environmentId);
      this.#log.debug({ reason: (error as Error).message }, 'a read position could not be noted');
    }
  }

  /**
   * The position that the standby must have reached, in bytes of the write-ahead log; null if unknown. Throws if the
   * primary does not answer.
   */
  async of(environmentId: number): Promise<number | null> {
    for (const one of [environmentId, EVERYWHERE]) {
      if (this.#unnoted.has(one)) await this.note(one);
      if (this.#unnoted.has(one)) return null;
    }
    return this.#read(String(environmentId));
  }

  #required(keys: readonly string[], { started, flushed, system, noted }: Positions): Map<string, number> {
    this.system = system;
    this.flushed = flushed;
    if (this.#started !== started.getTime()) {
      // Another server, or the same after a crash: notes that it has lost cannot be later than its present position.
      this.#started = started.getTime();
      this.#floor = flushed;
    }
    const positions = new Map(noted);
    const all = Math.max(this.#floor, positions.get(EVERYWHERE) ?? 0);
    return new Map(
      keys.map((key) => {
        const id = Number(key);
        return [key, id === EVERYWHERE ? flushed : Math.max(all, positions.get(id) ?? 0)];
      }),
    );
  }
}
