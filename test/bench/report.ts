import { cpus, totalmem, type } from 'node:os';
import type { Benchmark } from './benchmarks.ts';
import type { Pace } from './drive.ts';
import type { JobsInside } from './jobs-inside.ts';
import type { Answered } from './million/measure.ts';
import type { Round } from './round.ts';

/** Everything that was measured, and on what; null what was not asked for. */
type Findings = {
  readonly machine: Machine;
  readonly pace: Pace & { readonly rounds: number };
  readonly benchmarks: readonly Benchmark[];
  readonly jobsInside: JobsInside | null;
  readonly startMs: number | null;
};

type Machine = {
  readonly at: string;
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly postgres: string;
};

/** Wanted at most: from a start to ready, and of memory under load. */
const READY_MS = 2_200;
const MEMORY_MIB = 600;

export function machineFacts(postgres: string): Machine {
  return {
    at: new Date().toISOString(),
    system: `${type()} ${process.arch}`,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgres,
  };
}

/** The round in the middle, all of whose figures are reported: they belong together. */
function medianRound(rounds: readonly Round[]): Round {
  const sorted = [...rounds].sort((one, other) => one.perSecond - other.perSecond);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

/** Service ÷ floor, of the median rounds. */
function ratioOf({ service, floor }: Benchmark): number {
  return medianRound(service).perSecond / medianRound(floor).perSecond;
}

/** The findings for programs: everything, and the ratios. */
export function asJson(findings: Findings): string {
  const benchmarks = findings.benchmarks.map((benchmark) => ({ ...benchmark, ratio: ratioOf(benchmark) }));
  return `${JSON.stringify({ ...findings, benchmarks }, null, 2)}\n`;
}

/** The findings for people: facts, one block for each benchmark, with its target and its result. */
export function report({ machine, pace, benchmarks, jobsInside, startMs }: Findings): string {
  return [
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}; Node ${machine.node.slice(1)}; ` +
      `Postgres ${machine.postgres}, embedded, durable (fsync and synchronous_commit on)`,
    `${pace.connections} connections; ${pace.rounds} rounds a side in turn, each ${pace.warmUpSeconds} s of warm-up and ` +
      `${pace.seconds} s measured; shown is the median round; server, Postgres and load share the machine`,
    'Issuing: complete live invoices of 3 lines, without Idempotency-Key or external_id; the census is asked once and then',
    'remembered. The jobs are only stored (JOBS=outside: registering and rendering would run in other processes); the raw',
    'loop stores the same rows and jobs, one commit an invoice. All that was stored was audited after every round.',
    '',
    row('', 'per second', 'range', 'p50 ms', 'p99 ms', 'CPU s: server', 'Postgres', 'driver', 'others'),
    ...benchmarks.flatMap(benchmarkLines),
    ...insideLines(jobsInside),
    ...(startMs === null
      ? []
      : ['', limit('start to ready, repeated', startMs / 1_000, READY_MS / 1_000, 's', 2)]),
  ].join('\n');
}

function benchmarkLines(benchmark: Benchmark): string[] {
  const ratio = ratioOf(benchmark);
  const { target } = benchmark;
  const result = `wanted ${target} or more: ${ratio >= target ? 'reached' : 'MISSED'}`;
  return [
    '',
    `${benchmark.name} (${benchmark.unit})`,
    sideLine('service', benchmark.service),
    sideLine(benchmark.baseline, benchmark.floor),
    `  service ÷ ${benchmark.baseline} = ${ratio.toFixed(2)}   (${result})`,
    processorLine(medianRound(benchmark.service)),
  ];
}

function processorLine({ inWindow, cpu: { server, postgres } }: Round): string {
  const each = (seconds: number | null) =>
    seconds === null ? '–' : ((1_000 * seconds) / inWindow).toFixed(2);
  return `  processor time of one: service ${each(server)} ms, Postgres ${each(postgres)} ms`;
}

function sideLine(name: string, rounds: readonly Round[]): string {
  const median = medianRound(rounds);
  const speeds = rounds.map(({ perSecond }) => perSecond);
  const range = `${Math.min(...speeds).toFixed(0)}–${Math.max(...speeds).toFixed(0)}`;
  const { server, postgres, driver, others } = median.cpu;
  return row(
    `  ${name}`,
    median.perSecond.toFixed(0),
    range,
    median.p50Ms.toFixed(1),
    median.p99Ms.toFixed(1),
    ...[server, postgres, driver, others].map((seconds) => seconds?.toFixed(1) ?? '–'),
  );
}

function insideLines(found: JobsInside | null): string[] {
  if (found === null) return [];
  const { round, registered, rendered, highestMemoryMiB } = found;
  return [
    '',
    'issue, one company, with the jobs in the same process (JOBS=inside, the default; invoices/s)',
    sideLine('service', [round]),
    `  of ${round.done} invoices ${registered} were registered and ${rendered} rendered when the load ended`,
    ...(highestMemoryMiB === null
      ? []
      : [limit('  memory, highest', highestMemoryMiB, MEMORY_MIB, 'MiB', 0)]),
  ];
}

/** The table of the questions of a company with very many invoices. */
export function millionLines(invoices: number, rounds: number, answered: readonly Answered[]): string[] {
  const isSlow = ({ p50Ms, mostMs, isRefused }: Answered) => isRefused || p50Ms > mostMs;
  const slow = answered.filter(isSlow);
  return [
    `questions of a company with ${invoices} invoices over HTTP, p50 of ${rounds} in ms`,
    ...answered.map((one) => {
      const { what, mostMs, p50Ms, isRefused } = one;
      const mark = isSlow(one)
        ? `   (wanted ${isRefused ? 'no refusal and ' : ''}${mostMs} or less: MISSED)`
        : '';
      return `  ${what.padEnd(60)}${p50Ms.toFixed(1).padStart(9)}${mark}`;
    }),
    slow.length === 0 ? 'all within what is wanted' : `${slow.length} of ${answered.length} MISSED`,
  ];
}

function limit(what: string, value: number, most: number, unit: string, decimals: number): string {
  const result = value <= most ? 'reached' : 'MISSED';
  return `${what}: ${value.toFixed(decimals)} ${unit}   (wanted ${most} or less: ${result})`;
}

function row(name: string, ...cells: string[]): string {
  const [speed = '', range = '', ...rest] = cells;
  return [
    name.padEnd(16),
    speed.padStart(11),
    range.padStart(13),
    ...rest.map((cell) => cell.padStart(cell.length > 9 ? 14 : 9)),
  ].join('');
}
