import type { Outcome, Refusal } from '../../../ground/errors/refusal.ts';

/** The part of the register's answer that is stored with an invoice. */
export type RegisterEvidence = {
  readonly register: 'aeat_census' | 'vies';
  /** When the register answered; for a cached answer the time of the original query. */
  readonly askedAt: string;
  /** The register's own reference of its answer: the day that VIES returns; the census has none. */
  readonly reference: string | null;
  /** The answer in the register's words. */
  readonly result: string;
  /** The name of the NIF in the census. */
  readonly registeredName: string | null;
};

/** A register's answer, interpreted. */
export type RegisterQueryResult =
  | { readonly kind: 'known'; readonly evidence: RegisterEvidence }
  | {
      readonly kind: 'unknown';
      readonly reason: 'not_registered' | 'name_mismatch';
      /** A sentence for the caller. */
      readonly detail: string;
      /** The register's own spelling of a name that is similar to the one asked about; null if it knows none. */
      readonly registeredName: string | null;
    }
  | {
      readonly kind: 'unavailable';
      /** Whether it refused the certificate that it was asked with. */
      readonly certificateRefused?: boolean;
      /** For the log: without data of the person. */
      readonly reason: string;
    };

/** Takes a question from what its caller may ask; `rate_limited` when nothing is left. */
export type MayAsk = () => Promise<Outcome<null>>;

/** What is learnt of a question: the register's answer, or why it was not asked. */
export type RegisterAnswer = RegisterQueryResult | Refusal;
