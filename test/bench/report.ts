import { cpus, totalmem, type } from 'node:os';
import type { Batches } from './batches.ts';
import type { Benchmark } from './benchmarks.ts';
import type { Bytes } from './bytes.ts';
import { type ClientTask, medianOf, ratioOf as overheadOf } from './client-overhead.ts';
import type { CompaniesMemory } from './companies.ts';
import { type Documents, documentLines } from './documents.ts';
import type { Pace } from './drive.ts';
import type { Fleet } from './fleet.ts';
import type { JobsInside } from './jobs-inside.ts';
import { type JournalCost, journalCostLines } from './journal-cost.ts';
import type { OldData, Task, Verifying } from './old-data.ts';
import type { Garbage } from './programs/garbage-watch.ts';
import type { Registering } from './registering.ts';
import type { Round } from './round.ts';
import { type Subscribers, subscriberLines } from './subscribers.ts';
import { type VerifyingJournal, verifyingLines } from './verifying.ts';
import type { Delivering } from './webhooks.ts';

/** All that a run found out. */
export type Findings = {
  readonly machine: Machine;
  readonly pace: Pace & { readonly rounds: number };
  readonly benchmarks: readonly Benchmark[];
  readonly jobsInside: JobsInside | null;
  readonly batches: Batches | null;
  readonly registering: Registering | null;
  readonly delivering: Delivering | null;
  readonly journalCost: JournalCost | null;
  readonly verifying: VerifyingJournal | null;
  readonly subscribers: Subscribers | null;
  readonly oldData: OldData | null;
  readonly documents: Documents | null;
  readonly bytes: Bytes | null;
  readonly companies: CompaniesMemory | null;
  readonly fleet: Fleet | null;
  readonly client: readonly ClientTask[] | null;
  readonly start: { readonly firstMs: number | null; readonly readyMs: number };
  readonly garbage: Garbage;
  readonly memory: { readonly highestMiB: number; readonly afterMiB: number } | null;
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

/** So much faster than it fills the queue of records is to be emptied. */
const REGISTERING_RATIO = 3;

/** Of webhooks: events a second at least, from commit to arrival at 100 a second at most, and beside dead endpoints. */
const DELIVERED_PER_SECOND = 1_000;
const ARRIVES_MS = 300;
const BESIDE_DEAD_RATIO = 2;

/** Batches ÷ single requests, and how much longer others may wait beside them than alone. */
const BATCH_RATIO = 0.9;
const BESIDE_BATCH_RATIO = 1.5;

/** So much longer at most may something take on many invoices than on few. */
const OLD_DATA_RATIO = 1.15;

/** Wanted at most: from the first start to ready, and of memory under load. */
const READY_MS = 5_000;
const MEMORY_MIB = 400;
/** Of the time in which the main thread works: less memory would cost more of it. */
const GARBAGE_PERCENT = 10;

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
export function report(findings: Findings): string {
  const { machine, pace, benchmarks, start, memory, garbage } = findings;
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
    ...insideLines(findings.jobsInside),
    ...batchLines(findings.batches),
    ...registeringLines(findings.registering),
    ...deliveringLines(findings.delivering),
    ...journalCostLines(findings.journalCost),
    ...verifyingLines(findings.verifying),
    ...subscriberLines(findings.subscribers),
    ...oldDataLines(findings.oldData),
    ...(findings.documents === null ? [] : documentLines(findings.documents)),
    ...bytesLines(findings.bytes),
    ...companiesLines(findings.companies),
    ...fleetLines(findings.fleet),
    ...clientLines(findings.client),
    '',
    start.firstMs === null
      ? null
      : limit('first start to ready', start.firstMs / 1_000, READY_MS / 1_000, 's', 2),
    `start to ready on a database that is there: ${(start.readyMs / 1_000).toFixed(2)} s`,
    memory === null
      ? null
      : limit('memory of the service under load, highest', memory.highestMiB, MEMORY_MIB, 'MiB', 0),
    limit(
      'collecting garbage, of the time in which the main thread works',
      (100 * garbage.collectingSeconds) / garbage.busySeconds,
      GARBAGE_PERCENT,
      '%',
      1,
    ),
  ]
    .filter((line) => line !== null)
    .join('\n');
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
  const memory = highestMemoryMiB === null ? '' : `; highest memory ${highestMemoryMiB.toFixed(0)} MiB`;
  return [
    '',
    'issue, one company, with the jobs in the same process (JOBS=inside, the default; invoices/s)',
    sideLine('service', [round]),
    `  of ${round.done} invoices ${registered} were registered and ${rendered} rendered when the load ended${memory}`,
  ];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

function batchLines(found: Batches | null): string[] {
  if (found === null) return [];
  const { single, batch, others } = found;
  const rate = (rates: typeof single) => median(rates.map(({ perSecond }) => perSecond));
  const cost = (rates: typeof single) => {
    const each = rates.flatMap(({ cpuMsEach }) => (cpuMsEach === null ? [] : [cpuMsEach]));
    return each.length === 0 ? '' : ` (${median(each).toFixed(2)} CPU ms each)`;
  };
  const p99 = (rounds: readonly Round[]) => median(rounds.map(({ p99Ms }) => p99Ms));
  const ratio = rate(batch) / rate(single);
  const slower = p99(others.besideBatch) / p99(others.alone);
  const result = (reached: boolean) => (reached ? 'reached' : 'MISSED');
  return [
    '',
    'one company by batches of 1,000, issued by the same process, without registering and rendering; beside it four others,',
    'a connection each',
    `  single requests ${rate(single).toFixed(0)} a second${cost(single)}, batches ${rate(batch).toFixed(0)}${cost(batch)}`,
    `  batches ÷ single = ${ratio.toFixed(2)}   (wanted ${BATCH_RATIO} or more: ${result(ratio >= BATCH_RATIO)})`,
    `  the others' p99: alone ${p99(others.alone).toFixed(0)} ms, beside single requests ${p99(others.besideSingle).toFixed(0)} ms, ` +
      `beside batches ${p99(others.besideBatch).toFixed(0)} ms`,
    `  beside batches ÷ alone = ${slower.toFixed(2)}   (wanted ${BESIDE_BATCH_RATIO} or less: ${result(slower <= BESIDE_BATCH_RATIO)})`,
  ];
}

function registeringLines(found: Registering | null): string[] {
  if (found === null) return [];
  const { records, envelopes, issuedPerSecond, registeredPerSecond } = found;
  const ratio = registeredPerSecond / issuedPerSecond;
  const result = ratio >= REGISTERING_RATIO ? 'reached' : 'MISSED';
  return [
    '',
    'issue, then register with an agency that answers at once; documents are not rendered meanwhile',
    `  issued ${issuedPerSecond.toFixed(0)} a second, registered ${records} in ${envelopes} envelopes at ` +
      `${registeredPerSecond.toFixed(0)} a second`,
    `  registering ÷ issuing = ${ratio.toFixed(2)}   (wanted ${REGISTERING_RATIO} or more: ${result})`,
  ];
}

function deliveringLines(found: Delivering | null): string[] {
  if (found === null) return [];
  const { events, perSecond, steady, alone, besideDead, dead } = found;
  const result = perSecond >= DELIVERED_PER_SECOND ? 'reached' : 'MISSED';
  const times = ({ p50Ms, p99Ms }: typeof alone) => `p50 ${p50Ms} ms, p99 ${p99Ms} ms`;
  return [
    '',
    'webhooks, delivered by one process to a receiver on the same machine',
    `  ${events} events that waited: ${perSecond.toFixed(0)} a second   (wanted ${DELIVERED_PER_SECOND} or more: ${result})`,
    `  100 events a second while their invoices are issued and rendered: ${times(steady)}`,
    `  ${limit('from commit to arrival, p50', steady.p50Ms, ARRIVES_MS, 'ms', 0)}`,
    `  the same over 10 endpoints: ${times(alone)}; while ${dead} others begin to hang: ${times(besideDead)}`,
    `  ${limit('p99 beside dead endpoints ÷ without', besideDead.p99Ms / alone.p99Ms, BESIDE_DEAD_RATIO, '', 2)}`,
  ];
}

function oldDataLines(found: OldData | null): string[] {
  if (found === null) return [];
  const { few, many, filling, verifying, tasks } = found;
  return [
    '',
    `the same on ${few} and on ${many} invoices, in ms (4 connections; median of 5 rounds a side in turn;`,
    `CPU: of service and Postgres for one answer); wanted ${OLD_DATA_RATIO} times or less:`,
    ...tasks.map(oldDataLine),
    `  made ${many} invoices in ${filling.seconds.toFixed(0)} s, ${(many / filling.seconds).toFixed(0)} a second`,
    verifyingLine(many, verifying),
  ];
}

function oldDataLine({ name, few, many }: Task): string {
  const pair = (what: 'p50Ms' | 'p99Ms' | 'cpuMs') => {
    const ratio = many[what] / few[what];
    const figures = `${few[what].toFixed(2)} → ${many[what].toFixed(2)}`.padStart(16);
    return `${figures} = ${ratio.toFixed(2)} ${(ratio <= OLD_DATA_RATIO ? 'reached' : 'MISSED').padEnd(7)}`;
  };
  return `  ${name.padEnd(32)} p50 ${pair('p50Ms')}  p99 ${pair('p99Ms')}  CPU ${pair('cpuMs')}`;
}

function verifyingLine(records: number, { seconds, sound, memoryMiB }: Verifying): string {
  const memory =
    memoryMiB === null
      ? ''
      : `; memory ${memoryMiB.early.toFixed(0)} MiB after a tenth of it, ${memoryMiB.late.toFixed(0)} at the end, ` +
        `${memoryMiB.highest.toFixed(0)} at its highest`;
  const result = sound ? 'nothing wrong' : 'NOT SOUND';
  return `  verify-chain: ${result}, ${seconds.toFixed(0)} s, ${(records / seconds).toFixed(0)} records a second${memory}`;
}

function bytesLines(found: Bytes | null): string[] {
  if (found === null) return [];
  const { invoices, documents, tables, wal } = found;
  const sum = (what: 'rows' | 'indexes') => tables.reduce((total, one) => total + one[what], 0);
  const line = ({ table, rows, indexes }: Bytes['tables'][number]) =>
    `  ${table.padEnd(28)}${rows.toFixed(0).padStart(8)}${indexes.toFixed(0).padStart(10)}`;
  return [
    '',
    `bytes of one invoice of 3 lines, over ${invoices} of them (documents: over ${documents})`,
    `  ${'table'.padEnd(28)}${'rows'.padStart(8)}${'indexes'.padStart(10)}`,
    ...tables.map(line),
    line({ table: 'together', rows: sum('rows'), indexes: sum('indexes') }),
    `  write-ahead log: issued ${wal.issued.toFixed(0)}, registered ${wal.registered.toFixed(0)}, ` +
      `document rendered ${wal.rendered.toFixed(0)}`,
  ];
}

/** So much more at most for many companies than for few. */
const COMPANIES_RATIO = 1.15;

function companiesLines(found: CompaniesMemory | null): string[] {
  if (found === null || found.fewMiB === null || found.manyMiB === null) return [];
  const { few, many, fewMiB, manyMiB } = found;
  const ratio = manyMiB / fewMiB;
  return [
    `memory after ${few} companies in turn ${fewMiB.toFixed(0)} MiB, after ${many} ${manyMiB.toFixed(0)} MiB: ${ratio.toFixed(2)}   (wanted ${COMPANIES_RATIO} or less: ${ratio <= COMPANIES_RATIO ? 'reached' : 'MISSED'})`,
    '',
  ];
}

function fleetLines(found: Fleet | null): string[] {
  if (found === null) return [];
  const { runs, workers } = found;
  return [
    '',
    'issuing by API processes behind HAProxy (invoices/s; processor ms of one invoice)',
    '  connections at an instant: with the processor, waiting for a lock, for the log, for the service, for something else',
    ...(runs ?? []).map(({ processes, load, balance, round, balancerCpuSeconds, states }) => {
      const each = (seconds: number | null, invoices = round.inWindow) =>
        seconds === null ? '–' : ((1_000 * seconds) / invoices).toFixed(3);
      const { server, postgres, driver } = round.cpu;
      return (
        `  ${String(processes).padStart(2)} processes, ${load.padEnd(11)}, ${balance.padEnd(7)} ` +
        `${round.perSecond.toFixed(0).padStart(5)}/s, p99 ${round.p99Ms.toFixed(0).padStart(4)} ms; service ${each(server)}, ` +
        `Postgres ${each(postgres)}, HAProxy ${each(balancerCpuSeconds, round.done)}, driver ${each(driver)}; connections ` +
        [states.running, states.lock, states.wal, states.service, states.other]
          .map((n) => n.toFixed(1))
          .join(' ')
      );
    }),
    ...(runs === null ? ['  HAProxy is not installed: nothing was measured'] : []),
    ...workers.map(
      ({ count, registeredPerSecond }) =>
        `  ${count} worker${count === 1 ? '' : 's'}: ${registeredPerSecond.toFixed(0)} records a second`,
    ),
  ];
}

/** So much more at most may a request take by the client than by bare fetch. */
const CLIENT_RATIO = 1.05;

function clientLines(found: readonly ClientTask[] | null): string[] {
  if (found === null) return [];
  const line = (task: ClientTask) => {
    const waits = overheadOf(task, 'p50Ms');
    const result = waits <= CLIENT_RATIO ? 'reached' : 'MISSED';
    const pair = (of: 'p50Ms' | 'cpuMicros', decimals: number) =>
      `${medianOf(task, 'ours', of).toFixed(decimals)} to ${medianOf(task, 'bare', of).toFixed(decimals)}`;
    return (
      `  ${task.name.padEnd(10)}p50 ${pair('p50Ms', 2)} ms: ${waits.toFixed(3)} (wanted ${CLIENT_RATIO} or less: ${result}); ` +
      `processor ${pair('cpuMicros', 0)} µs: ${overheadOf(task, 'cpuMicros').toFixed(3)}`
    );
  };
  return [
    '',
    '@lacre/client to bare fetch, in turn in one process; the ratios are those of pairs of blocks',
    ...found.map(line),
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
