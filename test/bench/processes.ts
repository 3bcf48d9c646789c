import { readdirSync, readFileSync } from 'node:fs';

/** What Linux tells of processes; on other systems everything here is null. */

/** Linux counts CPU time in hundredths of a second for every program that asks (USER_HZ). */
const TICKS_A_SECOND = 100;

/** CPU seconds that a process with all its threads has used. */
export function cpuSeconds(pid: number): number | null {
  const fields = statOf(pid);
  return fields === null ? null : (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** CPU seconds of a process and its children, those that have ended included. */
export function cpuSecondsOfFamily(pid: number): number | null {
  const parent = statOf(pid);
  if (parent === null) return null;
  let ticks = sumOf(parent.slice(11, 15));
  for (const name of readdirSync('/proc')) {
    const child = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    if (child?.[1] === String(pid)) ticks += sumOf(child.slice(11, 15));
  }
  return ticks / TICKS_A_SECOND;
}

/** CPU seconds that the whole machine has worked. */
export function cpuSecondsOfMachine(): number | null {
  const [user, nice, system, , , irq, softirq] =
    read('/proc/stat')?.split('\n', 1)[0]?.split(/\s+/).slice(1) ?? [];
  return user === undefined ? null : sumOf([user, nice, system, irq, softirq]) / TICKS_A_SECOND;
}

/** Resident memory of a process in MiB: now, and at its highest. */
export function memoryMiB(pid: number): { now: number; highest: number } | null {
  const status = read(`/proc/${pid}/status`);
  if (status === null) return null;
  const kib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  return { now: kib('VmRSS') / 1024, highest: kib('VmHWM') / 1024 };
}

/** The fields of /proc/<pid>/stat after the name, which alone may hold spaces: state, parent, ... */
function statOf(pid: number): string[] | null {
  const text = read(`/proc/${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function sumOf(numbers: readonly (string | undefined)[]): number {
  return numbers.reduce((sum, number) => sum + Number(number), 0);
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
