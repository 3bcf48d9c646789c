/** The last record of a chain that was acknowledged to a caller. */
export type AcknowledgedRecord = {
  readonly environmentId: number;
  readonly chainId: number;
  readonly position: number;
  readonly fingerprint: string;
};

/** The highest number of a series in a year that was acknowledged to a caller. */
export type AcknowledgedNumber = {
  readonly environmentId: number;
  readonly seriesId: string;
  readonly year: number;
  readonly number: number;
};

/** The last entry of a journal that a committed transaction appended. */
export type AcknowledgedEntry = {
  readonly environmentId: number;
  readonly subjectId: string;
  readonly type: string;
  readonly contentHash: string;
};

/**
 * A server that has one commit has all before it, so the last one would suffice; but processes learn of simultaneous commits
 * in any order, of as many as there may be connections (`DATABASE_CONNECTIONS`: 200).
 */
const KEPT_ENTRIES = 256;

/**
 * What this process has acknowledged: the end of each chain and of each counter that it has advanced, so as many entries as
 * there are chains and series, and of everything else the last commits. After a fail-over the new server is compared with it
 * before anything more is issued there. Limited by what exists in the database, about 200 bytes each.
 */
export class Acknowledged {
  readonly #records = new Map<number, AcknowledgedRecord>();
  readonly #numbers = new Map<string, AcknowledgedNumber>();
  readonly #entries: AcknowledgedEntry[] = [];

  record(record: AcknowledgedRecord): void {
    // Two groups of one chain may learn of their commits in the opposite order.
    if ((this.#records.get(record.chainId)?.position ?? 0) < record.position)
      this.#records.set(record.chainId, record);
  }

  number(number: AcknowledgedNumber): void {
    const key = `${number.seriesId}/${number.year}`;
    if ((this.#numbers.get(key)?.number ?? 0) < number.number) this.#numbers.set(key, number);
  }

  entry(entry: AcknowledgedEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > KEPT_ENTRIES) this.#entries.shift();
  }

  records(): AcknowledgedRecord[] {
    return [...this.#records.values()];
  }

  numbers(): AcknowledgedNumber[] {
    return [...this.#numbers.values()];
  }

  entries(): AcknowledgedEntry[] {
    return [...this.#entries];
  }

  /** Called once missing data has been dealt with, and by tests that simulate a process that has just been started. */
  clear(): void {
    this.#records.clear();
    this.#numbers.clear();
    this.#entries.length = 0;
  }
}
