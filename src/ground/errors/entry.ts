/** What the catalogue states about a code. */
export type Entry = {
  readonly status: number;
  /**
   * What happens to the request's idempotency key: `unused` if the request is refused before a key is looked up, `stored`
   * if the refusal remains the answer as long as the key is kept, `released` if a retry is executed again.
   */
  readonly key: 'unused' | 'stored' | 'released';
  /** Seconds for the `Retry-After` header; a refusal may carry a more accurate value. */
  readonly retryAfter?: number;
  readonly meaning: string;
  readonly remediation: string;
};

/** 422: the request is well-formed, but violates a rule. */
export const refused = (meaning: string, remediation: string): Entry => ({
  status: 422,
  key: 'stored',
  meaning,
  remediation,
});
