/** A received envelope as it was sent: for tests of order, pace and lost answers. */
export type Envelope = {
  readonly sequence: number;
  readonly requestId: string;
  /** Null when every record was refused. */
  readonly csv: string | null;
  readonly nif: string;
  readonly records: number;
  /** UTC, by the agency's clock. */
  readonly receivedAt: string;
  /** Whether it came before the issuer's time. */
  readonly early: boolean;
  /** The wait in its answer; null when that is empty. */
  readonly waitSeconds: number | null;
  /** When the whole answer had been handed to the network; null while it has not. */
  answeredAt: string | null;
};

/** So many of the newest are remembered. */
const MAX_ENVELOPES = 10_000;

/** The newest envelopes, in memory only. */
export class Envelopes {
  readonly #newest: Envelope[] = [];
  #count = 0;

  add(envelope: Omit<Envelope, 'sequence' | 'answeredAt'>): Envelope {
    this.#count += 1;
    const added = { sequence: this.#count, ...envelope, answeredAt: null };
    this.#newest.push(added);
    if (this.#newest.length >= 2 * MAX_ENVELOPES) this.#newest.splice(0, MAX_ENVELOPES);
    return added;
  }

  /** Those that came after the one of that number, oldest first. */
  after(sequence: number): Envelope[] {
    return this.#newest.filter((envelope) => envelope.sequence > sequence).slice(-MAX_ENVELOPES);
  }
}
