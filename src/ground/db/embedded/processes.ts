import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** A process, as the system describes it. */
export type Running = {
  readonly pid: number;
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly parent: number;
  /** Its start time, in the system's own form: together with the pid it identifies one process until the next reboot. */
  readonly started: string;
};

/** The process with that pid; null if there is none, or if it is a zombie. */
export function inspect(pid: number): Running | null {
  try {
    return process.platform === 'linux' ? inspectLinux(pid) : inspectWithPs(pid);
  } catch {
    return null;
  }
}

/** Whether that process still runs, and not another one with its pid. */
export function isRunning({ pid, started }: Running): boolean {
  return inspect(pid)?.started === started;
}

/** Whether it is a server of the databases in that directory. */
export function isServerOf(cluster: string, { command }: Running): boolean {
  const [program = '', ...options] = command;
  return basename(program) === 'postgres' && options.includes(cluster);
}

/**
 * The processes of Postgres that work in that directory: a server's working directory is that of its databases, and so is
 * that of its children, even after it has exited. Empty except on Linux, where /proc provides this.
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

/** Fields of /proc/<pid>/stat, counted from after the name (proc_pid_stat(5)). */
const STATE = 0;
const PARENT = 1;
const STARTED = 19;

function inspectLinux(pid: number): Running | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // "pid (name) state parent …": the name may contain anything, so parsing starts after the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; its parent has only not collected its status yet.
  if (fields[STATE] === 'Z') return null;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return { pid, command, parent: Number(fields[PARENT]), started: fields[STARTED] ?? '' };
}

function inspectWithPs(pid: number): Running {
  const psArguments = ['-o', 'ppid=,lstart=,command=', '-p', String(pid)];
  const line = execFileSync('ps', psArguments, { encoding: 'utf8', env: { LC_ALL: 'C' } }).trim();
  // Parent; weekday, month, day, time and year; and the rest.
  const [parent = '', ...words] = line.split(/\s+/);
  return { pid, command: words.slice(5), parent: Number(parent), started: words.slice(0, 5).join(' ') };
}
