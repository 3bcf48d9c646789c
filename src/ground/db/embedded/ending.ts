import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../lib/logger.ts';
import { isRunning, type Running, serversIn } from './processes.ts';

/**
 * The time that an immediate shutdown may take. Nothing is written then; if it takes longer, the server hangs, for
 * example on a disk that does not respond.
 */
const POSTGRES_QUIT = 3_000;

/**
 * The time to wait for a killed Postgres and its children, which exit by themselves. The kernel ends it within
 * milliseconds unless it waits for a device.
 */
const POSTGRES_KILL = 2_000;

/**
 * The time that the service’s own Postgres may take for an orderly shutdown, when the service stops or when a server
 * left over from an earlier process is found. It writes at most 128 MB of buffers; together with requests (15 s) and
 * jobs (10 s) this fits into the 40 s of a shutdown.
 */
const POSTGRES_STOP = 8_000;

/**
 * The signals in order. SIGINT is Postgres' fast shutdown: it ends sessions, writes everything back and exits. SIGQUIT
 * exits at once and SIGKILL cannot be handled; after either, the next start recovers from the write-ahead log.
 */
const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;

/** How long each of them is waited for, in milliseconds. */
const WAITS: readonly number[] = [POSTGRES_STOP, POSTGRES_QUIT, POSTGRES_KILL];

const POLL_MS = 20;

/**
 * Ends that process, never another one with its pid, and waits until it has exited. Returns the signal that was needed,
 * null if it had exited already. Throws if even SIGKILL does not end it, as on a disk that no longer responds.
 */
export async function endProcess(
  target: Running,
  log: Logger,
  waits = WAITS,
): Promise<NodeJS.Signals | null> {
  const { pid } = target;
  let sent: NodeJS.Signals | null = null;
  for (const [step, signal] of SIGNALS.entries()) {
    if (!isRunning(target)) return sent;
    if (sent !== null) log.warn({ pid, signal }, `Postgres did not stop after ${sent}: sending ${signal}`);
    send(pid, signal);
    // A suspended process (SIGSTOP) receives no signal until it continues.
    send(pid, 'SIGCONT');
    sent = signal;
    if (await untilEnded([target], waits[step]!)) return sent;
  }
  throw new Error(
    `Postgres with pid ${pid} does not stop, not even with SIGKILL: does its disk still respond?`,
  );
}

/**
 * Waits for children left behind by a killed server, which hold its shared memory, and kills those that do not exit: a new
 * server would otherwise write to the same files at the same time. The server itself must have exited.
 */
export async function endOrphanedChildren(cluster: string, log: Logger): Promise<void> {
  const children = serversIn(cluster);
  if (children.length === 0 || (await untilEnded(children, POSTGRES_KILL))) return;
  const running = children.filter(isRunning);
  log.warn({ pids: running.map(({ pid }) => pid) }, 'killing the child processes of a killed Postgres');
  for (const { pid } of running) send(pid, 'SIGKILL');
  if (await untilEnded(running, POSTGRES_KILL)) return;
  throw new Error(`processes of an earlier Postgres on ${cluster} do not end`);
}

async function untilEnded(targets: readonly Running[], ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (targets.some(isRunning)) {
    if (performance.now() > deadline) return false;
    await pause(POLL_MS);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has exited meanwhile.
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}
