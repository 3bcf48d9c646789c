import type { Compared, TenMillion } from './measure.ts';

/** So much longer at most for many invoices than for few. */
const RATIO = 1.3;
/** Less than this is the machine's, not the database's. */
const NOISE_MS = 0.3;

/** The tables of a run. What sums or reads all of a company's invoices takes longer for a company that has more. */
export function tenMillionLines(found: TenMillion | null): string[] {
  if (found === null) return [];
  const { few, many, bytes, creationSeconds, rounds, compared, failures } = found;
  const { verifying, verifyingAfterWork: after } = found;
  const gb = (size: number) => `${(size / 1e9).toFixed(1)} GB`;
  const works = compared.filter(({ statement }) => statement === null);
  const statements = compared.filter(({ statement }) => statement !== null);
  const ratio = verifying.same.msOfThousand / verifying.few.msOfThousand;
  return [
    '',
    `a day's work on ${few} invoices (${gb(bytes.few)}) and on ${many} (${gb(bytes.many)}, made in ${creationSeconds.toFixed(0)} s), ${rounds} rounds in turn`,
    `  for a company of the same size: ${result(works, 'same')} of requests and jobs, ${result(statements, 'same')} of their statements`,
    `  for one that has half of all: ${result(works, 'half')}, ${result(statements, 'half')}`,
    `  verifying a company of the same size: ${verifying.few.msOfThousand.toFixed(0)} and ${verifying.same.msOfThousand.toFixed(0)} ms for a thousand records, ratio ${ratio.toFixed(2)}; ${verifying.few.findings + verifying.same.findings} findings, ${after.few.findings + after.same.findings} after the work`,
    '  p50 in ms of few / same size / half of all',
    ...works.map((one) => `  ${line(one)} ${one.what}`),
    ...missed('same', statements),
    ...missed('half', statements),
    ...failures.map((failure) => `  FAILED ${failure}`),
  ];
}

function isSlower({ p50 }: Compared, side: 'same' | 'half'): boolean {
  const [before, after] = [p50.few, p50[side]];
  return before !== null && after !== null && after > before * RATIO && after - before > NOISE_MS;
}

function result(all: readonly Compared[], side: 'same' | 'half'): string {
  const slower = all.filter((one) => isSlower(one, side)).length;
  return `${all.length - slower} of ${all.length} within ${RATIO}`;
}

function line({ p50 }: Compared): string {
  return (['few', 'same', 'half'] as const)
    .map((side) => (p50[side]?.toFixed(1) ?? '–').padStart(8))
    .join('');
}

function missed(side: 'same' | 'half', statements: readonly Compared[]): string[] {
  const slower = statements.filter((one) => isSlower(one, side));
  if (slower.length === 0) return [];
  return [
    `  statements above ${RATIO} for ${side === 'same' ? 'a company of the same size' : 'one that has half of all'}`,
    ...slower.flatMap((one) => [
      `  ${line(one)} ${one.what}: ${one.statement!.slice(0, 160)}`,
      ...(one.plans === null ? [] : [`      few: ${one.plans.few}`, `      ${side}: ${one.plans[side]}`]),
    ]),
  ];
}
