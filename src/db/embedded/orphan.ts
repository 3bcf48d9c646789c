import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../lib/logger.ts';

/** A shutdown writes back what is in memory; longer than this it does not take on any machine worth using. */
const STOP_DEADLINE_MS = 30_000;

type Running = { readonly command: string; readonly parent: number };

/**
 * Makes way for a new server on the cluster. A service that was killed leaves its Postgres running: that one is
 * stopped in order. A pid file whose process is something else by now (a reboot, a new container) is removed.
 * Throws when the service that started the server is still alive: two must not share a data directory.
 */
export async function clearWay(cluster: string, servicePid: number | null, log: Logger): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const found = Number.isInteger(pid) && pid > 0 ? inspect(pid) : null;
  if (found === null) return;
  if (!isServerOf(cluster, found)) {
    rmSync(pidFile);
    return;
  }
  if (found.parent === servicePid) {
    throw new Error(`the data directory of ${cluster} is in use by the service with pid ${servicePid}`);
  }
  log.warn({ pid }, 'stopping the Postgres that a killed service left running');
  await stopProcess(pid);
}

/** SIGINT is Postgres' fast shutdown: it ends sessions, writes everything back and leaves. */
async function stopProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT');
  const deadline = performance.now() + STOP_DEADLINE_MS;
  while (inspect(pid) !== null) {
    if (performance.now() > deadline) throw new Error(`Postgres with pid ${pid} does not stop`);
    await pause(20);
  }
}

function isServerOf(cluster: string, found: Running): boolean {
  const [program = '', ...options] = found.command.split(/[\0 ]/);
  return basename(program) === 'postgres' && options.includes(cluster);
}

/** What runs under that pid, or null for nothing. */
function inspect(pid: number): Running | null {
  try {
    return process.platform === 'linux' ? inspectLinux(pid) : inspectWithPs(pid);
  } catch {
    return null;
  }
}

function inspectLinux(pid: number): Running | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // "pid (name) state parent …": the name may hold anything, so read behind its last bracket.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; only its parent has not looked yet.
  if (state === 'Z') return null;
  return { command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'), parent: Number(parent) };
}

function inspectWithPs(pid: number): Running {
  const line = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const [parent = '', ...command] = line.split(/\s+/);
  return { command: command.join(' '), parent: Number(parent) };
}
