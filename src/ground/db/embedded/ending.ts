import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '../../lib/limits.ts';
import type { Logger } from '../../lib/logger.ts';
import { type Running, serversIn, stillRuns } from './processes.ts';

type Step = { readonly signal: NodeJS.Signals; readonly ms: number };

/**
 * From asking to killing. SIGINT is Postgres' fast shutdown: it ends sessions, writes everything back and leaves. SIGQUIT
 * leaves at once and SIGKILL asks nobody; after either the next start recovers from the write-ahead log.
 */
const STEPS: readonly Step[] = [
  { signal: 'SIGINT', ms: LIMITS.postgresStop.value },
  { signal: 'SIGQUIT', ms: LIMITS.postgresQuit.value },
  { signal: 'SIGKILL', ms: LIMITS.postgresKill.value },
];

const LOOK_EVERY_MS = 20;

/**
 * Ends that very process, never another one under its pid, and waits until it is gone; answers the signal that it took,
 * null when it had gone already. Throws when even SIGKILL does not end it, as on a disk that no longer answers.
 */
export async function endProcess(
  target: Running,
  log: Logger,
  steps: readonly Step[] = STEPS,
): Promise<NodeJS.Signals | null> {
  const { pid } = target;
  let sent: NodeJS.Signals | null = null;
  for (const { signal, ms } of steps) {
    if (!stillRuns(target)) return sent;
    if (sent !== null) log.warn({ pid, signal }, `Postgres does not stop by ${sent}: trying harder`);
    send(pid, signal);
    // One that was stopped (SIGSTOP) hears of nothing until it goes on.
    send(pid, 'SIGCONT');
    sent = signal;
    if (await untilGone([target], ms)) return sent;
  }
  throw new Error(`Postgres with pid ${pid} does not stop, not even by SIGKILL: does its disk still answer?`);
}

/**
 * Waits for the children that a killed server left behind, which hold its shared memory, and kills those that do not
 * leave: a new server beside them would write to the same files. The server itself must have gone.
 */
export async function endOrphanedChildren(cluster: string, log: Logger): Promise<void> {
  const children = serversIn(cluster);
  if (children.length === 0 || (await untilGone(children, LIMITS.postgresKill.value))) return;
  const left = children.filter(stillRuns);
  log.warn({ pids: left.map(({ pid }) => pid) }, 'killing what a killed Postgres left running');
  for (const { pid } of left) send(pid, 'SIGKILL');
  if (await untilGone(left, LIMITS.postgresKill.value)) return;
  throw new Error(`processes of an earlier Postgres on ${cluster} do not end`);
}

async function untilGone(targets: readonly Running[], ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (targets.some(stillRuns)) {
    if (performance.now() > deadline) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has gone meanwhile.
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}
