import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Rendered, RenderingTask } from './programs/document-rendering.ts';

/** One side of a comparison, a figure a round. */
export type Side = { readonly name: string; readonly lines: number; readonly rounds: readonly Rendered[] };

/** What the rendering of documents was found to cost. Rounds of the same number belong together. */
export type Documents = { readonly ours: Side; readonly reactPdf: Side; readonly long: Side };

const LINES = 10;
const LONG_LINES = 500;
/** Lines that are drawn before anything is measured: by then neither side gets any quicker. */
const WARM_UP_LINES = 2_500;

/**
 * Renders the same invoices with our renderer and with @react-pdf/renderer, and 500-line ones with ours: a process for
 * each measurement, one after the other and in turn, so that whatever slows the machine slows all three.
 */
export async function renderDocuments(pace: {
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly quick: boolean;
}): Promise<Documents> {
  const sides = {
    ours: { name: 'Lacre', renderer: 'ours', lines: LINES, rounds: [] as Rendered[] },
    reactPdf: { name: 'react-pdf', renderer: 'react-pdf', lines: LINES, rounds: [] as Rendered[] },
    long: { name: 'Lacre', renderer: 'ours', lines: LONG_LINES, rounds: [] as Rendered[] },
  } as const;
  const { warmUpSeconds, seconds } = pace;
  for (let round = 1; round <= pace.rounds; round++) {
    for (const { renderer, lines, rounds } of Object.values(sides)) {
      const warmUpDocuments = pace.quick ? 1 : Math.ceil(WARM_UP_LINES / lines);
      rounds.push(await measure({ renderer, lines, warmUpSeconds, warmUpDocuments, seconds }));
      console.error(`documents, round ${round}: ${renderer}, ${lines} lines`);
    }
  }
  return sides;
}

async function measure(task: RenderingTask): Promise<Rendered> {
  const child = fork(join(import.meta.dirname, 'programs', 'document-rendering.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // React is several times slower otherwise.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  child.send(task);
  const [rendered] = (await Promise.race([once(child, 'message'), failed(child)])) as [Rendered];
  await once(child, 'exit');
  return rendered;
}

async function failed(child: ReturnType<typeof fork>): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`rendering ended with ${code} before it was done`);
}

type Cost = 'seconds' | 'cpuSeconds';

const COSTS: readonly [of: Cost, name: string][] = [
  ['seconds', 'wall'],
  ['cpuSeconds', 'CPU'],
];

/** Milliseconds a document. */
function costOf(round: Rendered, of: Cost): number {
  return (1_000 * round[of]) / round.documents;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!;
}

/** The median of the rounds' own ratios: what was measured one after the other met the same machine. */
function ratioOf(one: Side, other: Side, of: Cost): number {
  return median(one.rounds.map((round, index) => costOf(round, of) / costOf(other.rounds[index]!, of)));
}

/** So many times the rate of react-pdf is wanted. */
const WANTED_RATE = 5;
/** Fifty times the lines may take so many times as long. */
const WANTED_LONG = 15;

/** The findings for people. */
export function documentLines({ ours, reactPdf, long }: Documents): string[] {
  const result = (reached: boolean) => (reached ? 'reached' : 'MISSED');
  const rates = COSTS.map(([of, name]) => ({ name, value: ratioOf(reactPdf, ours, of) }));
  const lengths = COSTS.map(([of, name]) => ({ name, value: ratioOf(long, ours, of) }));
  const list = (values: typeof rates) =>
    values.map(({ name, value }) => `${value.toFixed(1)} (${name})`).join(', ');
  return [
    '',
    'documents, rendered in one thread; Lacre’s are tagged PDF/A-3 with the record attached, react-pdf’s are plain',
    ...[ours, reactPdf, long].map(sideLine),
    `  rate of Lacre ÷ react-pdf = ${list(rates)}   (wanted ${WANTED_RATE} or more: ` +
      `${result(rates[0]!.value >= WANTED_RATE)})`,
    `  ${long.lines} lines ÷ ${ours.lines} lines = ${list(lengths)}   (wanted ${WANTED_LONG} or less: ` +
      `${result(lengths.every(({ value }) => value <= WANTED_LONG))})`,
  ];
}

function sideLine(side: Side): string {
  const [wall, cpu] = COSTS.map(([of]) => median(side.rounds.map((round) => costOf(round, of))));
  const kilobytes = (side.rounds[0]!.bytes / 1_000).toFixed(0);
  return (
    `  ${`${side.name}, ${side.lines} lines`.padEnd(24)}${(1_000 / wall!).toFixed(1).padStart(8)} a second; ` +
    `${wall!.toFixed(1)} ms, ${cpu!.toFixed(1)} ms of CPU, ${kilobytes} kB each`
  );
}
