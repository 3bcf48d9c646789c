import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryMiB } from '../bench/processes.ts';
import type { Attack, Extent, Outcomes } from './attack.ts';
import type { AttackOrder } from './programs/attacker.ts';
import type { AttackedService, TestData } from './service.ts';
import { OPERATIONS, type Seen, type Watch, watchService } from './watch.ts';

/** What one attack did. */
export type Finding = {
  readonly name: string;
  readonly what: string;
  readonly seconds: number;
  /** Null when the attacker did not come to its end. */
  readonly outcomes: Outcomes | null;
  readonly memoryMiB: { readonly before: number; readonly highest: number };
  readonly before: Seen;
  readonly during: Seen;
  /** The same traffic, as fast, to a server that does nothing, beside the service: what the attacker itself takes. */
  readonly control: Seen | null;
  readonly alive: boolean;
};

/** How long is waited and watched before the attack. */
export type Pace = Extent & {
  readonly warmUpSeconds: number;
  readonly beforeSeconds: number;
  /** Whether the attack is also run against a server that does nothing, and for how long its connections are held. */
  readonly controlSeconds?: number;
};

/** An attacker that is not done by then, as when nobody answers it any more, is ended. */
const LONGEST_SECONDS = 120;

/** Runs an attack against a running service and watches the service and a neighbour before it and during it. */
export async function runAttack(
  attack: Attack,
  service: AttackedService,
  { target, neighbour }: TestData,
  { warmUpSeconds, beforeSeconds, controlSeconds, ...extent }: Pace,
): Promise<Finding> {
  const { pid, port } = service;
  const watch = watchService(port, neighbour);
  await pause(warmUpSeconds * 1_000);
  watch.take();
  await pause(beforeSeconds * 1_000);
  const before = watch.take();
  const memoryBefore = memoryMiB(pid)?.now ?? 0;
  resetHighest(pid);
  const begun = performance.now();
  const order = { attack: attack.name, target: { ...target, port }, extent };
  const attacking = runAttacker(order);
  let highest = 0;
  const looking = setInterval(() => {
    highest = Math.max(highest, memoryMiB(pid)?.highest ?? 0);
  }, 50);
  const outcomes = await attacking;
  const seconds = (performance.now() - begun) / 1_000;
  const during = watch.take();
  clearInterval(looking);
  const answers = Object.values(outcomes ?? {}).reduce((sum, times) => sum + times, 0);
  const control =
    controlSeconds === undefined || answers === 0
      ? null
      : await runControl(order, watch, (seconds * 1_000) / answers, controlSeconds);
  await watch.stop();
  const { exitCode, signalCode } = service.program.process;
  return {
    ...{ name: attack.name, what: attack.what, seconds, outcomes, before, during, control },
    memoryMiB: { before: memoryBefore, highest: Math.max(highest, memoryMiB(pid)?.highest ?? 0) },
    alive: exitCode === null && signalCode === null,
  };
}

/** Runs the attack against a server that does nothing while the neighbour still asks the service. */
async function runControl(order: AttackOrder, watch: Watch, everyMs: number, seconds: number): Promise<Seen> {
  const child = fork(join(import.meta.dirname, 'programs/idle-server.ts'), [String(everyMs)]);
  try {
    const port = await new Promise<number>((resolve) =>
      child.once('message', (port) => resolve(port as number)),
    );
    // What the attack has left behind in the service is over by then.
    await pause(2_000);
    watch.take();
    await runAttacker({
      ...order,
      target: { ...order.target, port },
      extent: { ...order.extent, seconds: Math.min(order.extent.seconds, seconds), holdSeconds: seconds },
    });
    return watch.take();
  } finally {
    child.kill('SIGKILL');
  }
}

/** The kernel then keeps the highest memory from now on: what came before belongs to somebody else. */
function resetHighest(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function runAttacker(order: AttackOrder): Promise<Outcomes | null> {
  return new Promise((ended) => {
    const child = fork(join(import.meta.dirname, 'programs/attacker.ts'), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_SECONDS * 1_000);
    let outcomes: Outcomes | null = null;
    child.on('message', (message) => {
      outcomes = message as Outcomes;
    });
    child.once('exit', () => {
      clearTimeout(late);
      ended(outcomes);
    });
    child.send(order);
  });
}

/** What must hold of the service under every attack. */
export const HEALTH_MS = 1_000;
export const MEMORY_MIB = 700;
/** The p99 of each operation of the neighbour: below it nobody at a till or a shop notices anything. */
export const NEIGHBOUR_MS = 500;
/** The part of the neighbour's requests that must be answered as without the attack. */
export const NEIGHBOUR_SERVED = 0.99;

type Bounds = { readonly healthMs: number; readonly memoryMiB: number };

/** What did not hold of the process itself and of the answers that the attacker got. */
export function breaches(
  attack: Attack,
  { alive, memoryMiB: memory, during, outcomes }: Finding,
  { healthMs, memoryMiB }: Bounds = { healthMs: HEALTH_MS, memoryMiB: MEMORY_MIB },
): string[] {
  const { health } = during;
  const received = Object.keys(outcomes ?? {});
  const served = (attack.never ?? []).filter((outcome) => received.includes(outcome));
  const refused =
    attack.refusedBy === undefined || attack.refusedBy.some((outcome) => received.includes(outcome));
  return [
    alive ? null : 'the process died',
    health.longestMs <= healthMs ? null : `/healthz took ${(health.longestMs / 1_000).toFixed(1)} s`,
    health.failed === 0 ? null : `/healthz failed ${health.failed} times`,
    memory.highest < memoryMiB ? null : `memory ${memory.highest.toFixed(0)} MiB`,
    outcomes === null ? 'the attacker was not answered to its end' : null,
    served.length === 0 ? null : `the attacker was served: ${served.join(', ')}`,
    refused ? null : `the attacker was never refused by ${attack.refusedBy?.join(' or ')}`,
  ].filter((breach) => breach !== null);
}

/** What the neighbour felt of it beyond what it may. */
export function degradations({ before, during: { neighbour, faults } }: Finding): string[] {
  const slow = OPERATIONS.filter((operation) => neighbour[operation].p99Ms >= NEIGHBOUR_MS);
  const gone = OPERATIONS.filter(
    (operation) => before.neighbour[operation].count > 0 && neighbour[operation].count === 0,
  );
  const served = neighbour.read.count + neighbour.issue.count + neighbour.PDF.count;
  const failed = Object.values(faults).reduce((sum, times) => sum + times, 0);
  return [
    ...slow.map(
      (operation) => `the neighbour’s ${operation} took ${neighbour[operation].p99Ms.toFixed(0)} ms`,
    ),
    ...gone.map((operation) => `the neighbour had no ${operation}`),
    ...(served >= NEIGHBOUR_SERVED * (served + failed)
      ? []
      : [`the neighbour got ${JSON.stringify(faults)}`]),
  ];
}
