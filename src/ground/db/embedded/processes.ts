import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** A process as the system tells of it. */
export type Running = {
  readonly pid: number;
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly parent: number;
  /** When it began, in the system's own form: with the pid it names one process for as long as the machine runs. */
  readonly started: string;
};

/** What runs under that pid; null for nothing, and for what has ended while nobody has looked. */
export function inspect(pid: number): Running | null {
  try {
    return process.platform === 'linux' ? inspectLinux(pid) : inspectWithPs(pid);
  } catch {
    return null;
  }
}

/** Whether that very process still runs, and not another one under its pid. */
export function stillRuns({ pid, started }: Running): boolean {
  return inspect(pid)?.started === started;
}

/** Whether it is a server on the databases in that directory. */
export function isServerOf(cluster: string, { command }: Running): boolean {
  const [program = '', ...options] = command;
  return basename(program) === 'postgres' && options.includes(cluster);
}

/**
 * The processes of Postgres that work in that directory: a server stays in that of its databases, and its children with
 * it, also when it has gone without them. Nothing but on Linux, where /proc tells.
 */
export function serversIn(cluster: string): Running[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && workingDirectory(name) === cluster)
    .flatMap((name) => inspect(Number(name)) ?? [])
    .filter(({ command: [program = ''] }) => /^postgres(:|$)/.test(basename(program.split(' ', 1)[0] ?? '')));
}

function workingDirectory(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** Fields of /proc/<pid>/stat, counted from behind the name (proc_pid_stat(5)). */
const STATE = 0;
const PARENT = 1;
const STARTED = 19;

function inspectLinux(pid: number): Running | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // "pid (name) state parent …": the name may hold anything, so read behind its last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; only its parent has not looked yet.
  if (fields[STATE] === 'Z') return null;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return { pid, command, parent: Number(fields[PARENT]), started: fields[STARTED] ?? '' };
}

function inspectWithPs(pid: number): Running {
  const asked = ['-o', 'ppid=,lstart=,command=', '-p', String(pid)];
  const line = execFileSync('ps', asked, { encoding: 'utf8', env: { LC_ALL: 'C' } }).trim();
  // Parent; weekday, month, day, time and year; and the rest.
  const [parent = '', ...words] = line.split(/\s+/);
  return { pid, command: words.slice(5), parent: Number(parent), started: words.slice(0, 5).join(' ') };
}
