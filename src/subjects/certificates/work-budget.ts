import { CERTIFICATE_LIMITS } from './limits.ts';
import type { Problem } from './problem.ts';

/**
 * The work that remains allowed for one file. Each password that is tried has its own budget: there are at most
 * four.
 */
export class WorkBudget {
  #rounds = 0;
  #bags = 0;

  /** Counts a derivation of this many rounds before it starts. `malformed` unless the number is positive. */
  derive(rounds: number): Problem | null {
    if (!(rounds >= 1)) return { kind: 'malformed' };
    if (rounds > CERTIFICATE_LIMITS.certificateDerivation.value) {
      return { kind: 'unsupported', what: `${rounds} rounds of hashing` };
    }
    this.#rounds += rounds;
    return this.#rounds <= CERTIFICATE_LIMITS.certificateRounds.value
      ? null
      : {
          kind: 'excessive',
          what: `more than ${CERTIFICATE_LIMITS.certificateRounds.value} rounds of hashing in all`,
        };
  }

  /** Counts a certificate, key or other item of the file. */
  bag(): Problem | null {
    this.#bags += 1;
    return this.#bags <= CERTIFICATE_LIMITS.certificateBags.value
      ? null
      : {
          kind: 'excessive',
          what: `more than ${CERTIFICATE_LIMITS.certificateBags.value} certificates and keys`,
        };
  }
}
