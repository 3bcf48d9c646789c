/**
 * The documents that an environment has published: how many, when the last one, and whether pages may run only
 * these.
 */
export type TrustedDocuments = {
  readonly only: boolean;
  readonly count: number;
  readonly publishedAt: Date | null;
};
