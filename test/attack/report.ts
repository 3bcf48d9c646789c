import type { Check } from './exposure.ts';
import { type Finding, HEALTH_MS, MEMORY_MIB, NEIGHBOUR_MS, NEIGHBOUR_SERVED } from './run-attack.ts';
import { OPERATIONS, type WatchedOperation } from './watch.ts';

/** What is printed above the table. */
export function heading(): string {
  return [
    `Limits: /healthz within ${HEALTH_MS} ms throughout, the process alive, its memory below ${MEMORY_MIB} MiB, a neighbour’s p99 of`,
    `reading, issuing, a PDF and a delivery below ${NEIGHBOUR_MS} ms, and ${NEIGHBOUR_SERVED * 100} % of its requests answered as they should be.`,
    'Memory: of the Node process alone, before → highest. Times in ms, before → during; n: samples. Late: by how much the watching',
    'process, which has nothing else to do, came too late itself; other programs had the processors then. Control: the neighbour’s',
    'p99 while the same traffic, as fast, goes to a server that does nothing: what the attacker itself takes of the processors.',
  ].join('\n');
}

/** One attack in a few lines. */
export function block(finding: Finding, faults: readonly string[]): string {
  const { name, what, seconds, memoryMiB: memory, before, during } = finding;
  const { health } = during;
  return [
    '',
    `${name}: ${what} (${seconds.toFixed(1)} s)`,
    `  ${faults.length === 0 ? 'held' : `FELL: ${faults.join('; ')}`}`,
    `  memory ${memory.before.toFixed(0)} → ${memory.highest.toFixed(0)} MiB; /healthz at most ${before.health.longestMs.toFixed(0)} → ${health.longestMs.toFixed(0)} ms (n ${before.health.requests}, ${health.requests}); watcher late ${before.lateMs.toFixed(0)} → ${during.lateMs.toFixed(0)} ms; answers ${answersOf(finding)}`,
    `  neighbour: ${OPERATIONS.map((operation) => operationText(finding, operation)).join('; ')}`,
    ...(finding.control === null ? [] : [`  control, p99: ${controlOf(finding)}`]),
  ].join('\n');
}

function answersOf({ outcomes }: Finding): string {
  if (outcomes === null) return 'unknown: the attacker was ended';
  return Object.entries(outcomes)
    .map(([what, times]) => `${times} × ${what}`)
    .join(', ');
}

function controlOf({ before, control }: Finding): string {
  return OPERATIONS.map(
    (operation) =>
      `${operation} ${before.neighbour[operation].p99Ms.toFixed(0)} → ${control?.neighbour[operation].p99Ms.toFixed(0) ?? '–'}`,
  ).join('; ');
}

function operationText({ before, during }: Finding, operation: WatchedOperation): string {
  const [was, is] = [before.neighbour[operation], during.neighbour[operation]];
  const ratio = was.p99Ms === 0 ? '–' : (is.p99Ms / was.p99Ms).toFixed(1);
  return (
    `${operation} p50 ${was.p50Ms.toFixed(1)} → ${is.p50Ms.toFixed(1)}, ` +
    `p99 ${was.p99Ms.toFixed(0)} → ${is.p99Ms.toFixed(0)} = ${ratio} (n ${was.count}, ${is.count})`
  );
}

export function exposureBlock(checks: readonly Check[]): string {
  const rows = checks.map(({ what, holds, found }) => `  ${holds ? 'held' : 'FELL'}: ${what} (${found})`);
  return ['', 'simulator: what others can reach of it', ...rows].join('\n');
}

/** A row of the table for each attack. */
export function table(
  rows: readonly { readonly finding: Finding; readonly faults: readonly string[] }[],
): string {
  const head = [
    'attack',
    'MiB',
    '/healthz',
    'read p99',
    'issue p99',
    'PDF p99',
    'delivery p99',
    'control',
    '',
  ];
  const lines = rows.map(({ finding: { name, memoryMiB: memory, before, during, control }, faults }) => [
    name,
    `${memory.before.toFixed(0)} → ${memory.highest.toFixed(0)}`,
    during.health.longestMs.toFixed(0),
    ...OPERATIONS.map(
      (operation) =>
        `${before.neighbour[operation].p99Ms.toFixed(0)} → ${during.neighbour[operation].p99Ms.toFixed(0)}`,
    ),
    control === null
      ? '–'
      : OPERATIONS.map((operation) => control.neighbour[operation].p99Ms.toFixed(0)).join('/'),
    faults.length === 0 ? 'held' : 'FELL',
  ]);
  return [
    '',
    ...[head, ...lines].map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(at === 0 ? 24 : 16))
        .join('')
        .trimEnd(),
    ),
  ].join('\n');
}
