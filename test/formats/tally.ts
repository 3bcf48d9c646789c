/** What became of invoices: plain data, because it comes from a thread. */
export type Tally = {
  readonly documents: {
    readonly format: string;
    readonly kind: string;
    readonly sizes: number[];
    /** Schema errors and rules that are broken fatally, and how often. */
    readonly findings: Record<string, number>;
    /** Of Factur-X: the size of each by that of the plain PDF. */
    readonly ratios: number[];
  }[];
  /** Signed documents that xmlsec1 has verified. */
  readonly verified: number;
  /** How often a format refused, by the term. */
  readonly refused: Record<string, number>;
};
