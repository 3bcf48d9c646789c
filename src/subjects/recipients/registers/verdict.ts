/** What is kept with an invoice of the register's answer on its recipient. */
export type RegisterEvidence = {
  readonly register: 'aeat_census' | 'vies';
  /** When the register answered; for a remembered answer that of the question it was given to. */
  readonly askedAt: string;
  /** The register's own mark of its answer: the day that VIES gives; the census has none. */
  readonly reference: string | null;
  /** The answer in the register's words. */
  readonly result: string;
  /** The name under which the census has the NIF. */
  readonly registeredName: string | null;
};

/** A register's answer, understood. */
export type Verdict =
  | { readonly kind: 'known'; readonly evidence: RegisterEvidence }
  | {
      readonly kind: 'unknown';
      readonly reason: 'not_registered' | 'name_mismatch';
      /** A sentence for the caller. */
      readonly why: string;
    }
  | {
      readonly kind: 'unavailable';
      /** For the log: nothing of the person asked about. */
      readonly why: string;
    };
