/** The only source of time. Everything that stamps or compares with "now" asks this clock, so tests can set it. */
let offset = 0;
let frozen: number | null = null;

export const clock = {
  /** The present instant. */
  now(): Date {
    return new Date(frozen ?? Date.now() + offset);
  },

  /** Stops the clock at an instant (tests only). */
  freeze(instant: Date): void {
    frozen = instant.getTime();
  },

  /** The result of `work`, which must be synchronous, as if that much more time had passed. */
  ahead<T>(milliseconds: number, work: () => T): T {
    const before = { offset, frozen };
    offset += milliseconds;
    if (frozen !== null) frozen += milliseconds;
    try {
      return work();
    } finally {
      ({ offset, frozen } = before);
    }
  },

  /** Shifts the clock by milliseconds and lets it run (tests and simulations only). */
  shift(milliseconds: number): void {
    offset += milliseconds;
  },

  /** Returns to the machine's time. */
  reset(): void {
    offset = 0;
    frozen = null;
  },
};
