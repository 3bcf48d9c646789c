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
  /** Where many may have the same cause: text shows these together, JSON each. */
  readonly grouping?: { readonly cause: string; readonly subject: string };
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

/** As many as a person reads one by one. */
const SINGLY = 2;
const EXAMPLES = 3;
/** Causes of one check that are told apart. */
const CAUSES = 5;

/** For people: what more than two things have in common is one finding, with their number and some of them. */
export function grouped(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, (finding) => {
    const { check, result, grouping, summary } = finding;
    const [kind] = check.split(' ', 1);
    return grouping === undefined ? `${check} ${summary}` : `${kind} ${result} ${grouping.cause}`;
  });
  const all = [...groups.values()].flatMap((group) => (group.length <= SINGLY ? group : [together(group)]));
  const kept = all.filter(({ grouping }, index) => grouping === undefined || index < CAUSES);
  const rest = all.length - kept.length;
  if (rest === 0) return kept;
  const summary = `and ${rest} more causes`;
  return [
    ...kept,
    { check: all.at(-1)!.check, result: worstResult(all), summary, remediation: 'see --json' },
  ];
}

function together(group: readonly Finding[]): Finding {
  const [first] = group as readonly [Finding];
  const { cause } = first.grouping!;
  const names = group.slice(0, EXAMPLES).map(({ grouping }) => grouping!.subject);
  return {
    ...first,
    check: first.check.split(' ', 1)[0]!,
    summary: `${group.length} × ${cause}; such as ${names.join(', ')}`,
  };
}
