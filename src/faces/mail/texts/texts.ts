/**
 * All fixed texts of a message in one language: one file for each language, and a missing text does not compile.
 */
export type MailTexts = {
  readonly subject: {
    readonly invoice: (number: string, issuer: string) => string;
    readonly rectifying: (number: string, issuer: string) => string;
    readonly voided: (number: string, issuer: string) => string;
    readonly reminder: (number: string, issuer: string) => string;
  };
  /** The prefix of the subject, and the notice at the top, of a test environment's messages. */
  readonly test: string;
  readonly testNote: string;
  readonly greeting: (name: string | null) => string;
  readonly lead: {
    readonly invoice: (issuer: string) => string;
    readonly rectifying: (issuer: string) => string;
    readonly voided: (issuer: string) => string;
    readonly reminder: (issuer: string, due: string) => string;
  };
  readonly amount: string;
  /** The unpaid amount of a partially paid invoice. */
  readonly outstanding: string;
  /** What the corrections of an invoice add to it, and what was paid by now. */
  readonly corrections: string;
  readonly paid: string;
  readonly portal: string;
  readonly portalNote: string;
  readonly pdf: string;
  readonly attached: (files: number) => string;
  readonly answer: (issuer: string) => string;
  readonly noAnswer: (issuer: string) => string;
  readonly sentFor: (issuer: string, nif: string) => string;
};
