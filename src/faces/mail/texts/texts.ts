/** Everything that a message says by itself, in one language: one file each, and one that lacks a text does not compile. */
export type MailTexts = {
  readonly subject: {
    readonly invoice: (number: string, issuer: string) => string;
    readonly rectifying: (number: string, issuer: string) => string;
    readonly voided: (number: string, issuer: string) => string;
    readonly reminder: (number: string, issuer: string) => string;
  };
  /** Before the subject, and above everything, of a test environment's messages. */
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
  /** What is still to be paid of an invoice of which a part was paid. */
  readonly outstanding: string;
  readonly portal: string;
  readonly portalNote: string;
  readonly pdf: string;
  readonly attached: (files: number) => string;
  readonly answer: (issuer: string) => string;
  readonly noAnswer: (issuer: string) => string;
  readonly sentFor: (issuer: string, nif: string) => string;
};
