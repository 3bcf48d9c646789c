/** From good to bad. */
export const RESULTS = ['ok', 'warning', 'failure'] as const;

/** The result of one check. */
export type Finding = {
  /** What was checked. */
  readonly check: string;
  readonly result: (typeof RESULTS)[number];
  readonly summary: string;
  /** What to do about it; null when nothing is to be done. */
  readonly remediation: string | null;
};

export function ok(check: string, summary: string): Finding {
  return { check, result: 'ok', summary, remediation: null };
}

export function warning(check: string, summary: string, remediation: string): Finding {
  return { check, result: 'warning', summary, remediation };
}

export function failure(check: string, summary: string, remediation: string): Finding {
  return { check, result: 'failure', summary, remediation };
}

/** The worst of all. */
export function worstResult(findings: readonly Finding[]): Finding['result'] {
  return RESULTS.findLast((result) => findings.some((finding) => finding.result === result)) ?? 'ok';
}

/** The text of an error, for an operator. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
