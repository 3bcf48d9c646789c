/** From good to bad; its place is the exit status. */
export const RESULTS = ['ok', 'warning', 'failure'] as const;

/** What one look at one thing has shown. */
export type Finding = {
  /** What was looked at. */
  readonly check: string;
  readonly result: (typeof RESULTS)[number];
  readonly says: string;
  /** What to do about it; null when nothing is to be done. */
  readonly cure: string | null;
};

export function ok(check: string, says: string): Finding {
  return { check, result: 'ok', says, cure: null };
}

export function warning(check: string, says: string, cure: string): Finding {
  return { check, result: 'warning', says, cure };
}

export function failure(check: string, says: string, cure: string): Finding {
  return { check, result: 'failure', says, cure };
}

/** The worst of all. */
export function worstOf(findings: readonly Finding[]): Finding['result'] {
  return RESULTS.findLast((result) => findings.some((finding) => finding.result === result)) ?? 'ok';
}

/** What an error says, for an operator. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
