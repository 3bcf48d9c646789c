/** What the catalogue says of a code. */
export type Entry = {
  readonly status: number;
  /**
   * What becomes of the request's idempotency key: `unused` when the request was refused before a key is looked
   * at, `stored` when the refusal is the answer for the window, `released` when a retry shall execute again.
   */
  readonly key: 'unused' | 'stored' | 'released';
  /** Seconds for the `Retry-After` header; the refusal may carry a better figure. */
  readonly retryAfter?: number;
  readonly meaning: string;
  readonly remediation: string;
};

/** 422: the request is well-formed, and a rule refuses it. */
export const refused = (meaning: string, remediation: string): Entry => ({
  status: 422,
  key: 'stored',
  meaning,
  remediation,
});
