import { type ListsOfMillion, type P50, SHAPES, type Shape } from './measure.ts';

/** So much longer at most may a page take of many invoices than of few; counts are shown beside. */
const RATIO = 1.3;
const PAGES = SHAPES.filter((shape) => shape !== 'count');

/** The table of a run. */
export function listLines({ few, many, bytes, creationSeconds, rounds, lists }: ListsOfMillion): string[] {
  const ratio = ({ few, many }: P50) =>
    few === null || many === null ? Number.POSITIVE_INFINITY : many / few;
  const ms = (value: number | null) => value?.toFixed(2) ?? 'refused';
  const cell = (p50: P50, shape: Shape) => {
    const mark = shape !== 'count' && ratio(p50) > RATIO ? '!' : ' ';
    const times = Number.isFinite(ratio(p50)) ? ratio(p50).toFixed(2) : '–';
    return `${ms(p50.few)} → ${ms(p50.many)}`.padStart(17) + times.padStart(6) + mark;
  };
  const result = PAGES.map((shape) => {
    const within = lists.filter(({ p50 }) => ratio(p50[shape]) <= RATIO).length;
    return `${shape} ${within} of ${lists.length}`;
  });
  return [
    '',
    `pages of ${lists.length} lists over GraphQL, of a company with ${few} and of one with ${many} invoices (${(bytes / 1e9).toFixed(1)} GB,`,
    `made in ${creationSeconds.toFixed(0)} s), p50 in ms of ${rounds} requests a side in turn; wanted ${RATIO} times or less: ${result.join(', ')}`,
    `  ${''.padEnd(34)}${SHAPES.map((shape) => shape.padStart(22)).join('  ')}`,
    ...lists.map(
      ({ what, p50 }) => `  ${what.padEnd(34)}${SHAPES.map((shape) => cell(p50[shape], shape)).join('')}`,
    ),
  ];
}
