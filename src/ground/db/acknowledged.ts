/** The last record of a chain that somebody was told of. */
export type AcknowledgedRecord = {
  readonly chainId: number;
  readonly position: number;
  readonly fingerprint: string;
};

/** The highest number of a series in a year that somebody was told of. */
export type AcknowledgedNumber = {
  readonly environmentId: number;
  readonly seriesId: string;
  readonly year: number;
  readonly number: number;
};

/**
 * What this process has told its callers to be issued: the end of each chain and of each counter that it moved, so as
 * many entries as there are chains and series. A server that took over is held against it before anything more is
 * issued there. Bounded by what exists in the database, some 200 bytes each.
 */
export class Acknowledged {
  readonly #records = new Map<number, AcknowledgedRecord>();
  readonly #numbers = new Map<string, AcknowledgedNumber>();

  record(record: AcknowledgedRecord): void {
    // Two groups of one chain may hear of their commits in the other order.
    if ((this.#records.get(record.chainId)?.position ?? 0) < record.position)
      this.#records.set(record.chainId, record);
  }

  number(number: AcknowledgedNumber): void {
    const key = `${number.seriesId}/${number.year}`;
    if ((this.#numbers.get(key)?.number ?? 0) < number.number) this.#numbers.set(key, number);
  }

  records(): AcknowledgedRecord[] {
    return [...this.#records.values()];
  }

  numbers(): AcknowledgedNumber[] {
    return [...this.#numbers.values()];
  }

  /** Once what is missing has been dealt with; also how a test plays a process that has just been started. */
  clear(): void {
    this.#records.clear();
    this.#numbers.clear();
  }
}
