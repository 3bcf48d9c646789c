import { LIMITS } from '../../ground/lib/limits.ts';
import type { Problem } from './problem.ts';

/** What may still be done for one file. Each password that is tried has work of its own: they are four at most. */
export class Work {
  #rounds = 0;
  #bags = 0;

  /** Counts a derivation of so many rounds before it is begun. Not a positive number: `malformed`. */
  derive(rounds: number): Problem | null {
    if (!(rounds >= 1)) return { kind: 'malformed' };
    if (rounds > LIMITS.certificateDerivation.value) {
      return { kind: 'unsupported', what: `${rounds} rounds of hashing` };
    }
    this.#rounds += rounds;
    return this.#rounds <= LIMITS.certificateRounds.value
      ? null
      : { kind: 'excessive', what: `more than ${LIMITS.certificateRounds.value} rounds of hashing in all` };
  }

  /** Counts a certificate, key or whatever else the file holds. */
  bag(): Problem | null {
    this.#bags += 1;
    return this.#bags <= LIMITS.certificateBags.value
      ? null
      : { kind: 'excessive', what: `more than ${LIMITS.certificateBags.value} certificates and keys` };
  }
}
