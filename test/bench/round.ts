import type { ChildProcess } from 'node:child_process';
import type { DriverCount, DriverMessage, Pace } from './drive.ts';
import { cpuSeconds, cpuSecondsOfFamily, cpuSecondsOfMachine } from './processes.ts';
import { forkProgram } from './workspace.ts';

/** CPU seconds used within the measured window, null where the system does not tell. */
export type CpuUse = {
  /** The server under load; null where the driver itself is what is measured. */
  readonly server: number | null;
  readonly driver: number;
  readonly postgres: number | null;
  /** Everything else on the machine: more than a little, and the round was disturbed. */
  readonly others: number | null;
};

export type Round = DriverCount & { readonly cpu: CpuUse };

/** Whose CPU is told apart in a round. */
export type Watched = {
  readonly serverPid: number | null;
  readonly postgresPid: number;
};

/**
 * Runs one driver to its end. Throws when a step of it went wrong: a figure over wrong answers would be worth nothing.
 */
export async function runRound(
  program: 'http-load' | 'floor-issue',
  plan: Pace,
  watched: Watched,
): Promise<Round> {
  const driver = forkProgram(program);
  driver.send(plan);
  let opened: Reading | undefined;
  let closed: Reading | undefined;
  const count = await listen(driver, (message) => {
    if (message.at === 'opened') opened = read(watched);
    if (message.at === 'closed') closed = read(watched);
  });
  const faults = Object.entries(count.faults);
  if (faults.length > 0)
    throw new Error(`${program}: ${faults.map(([what, times]) => `${times} × ${what}`)}`);
  return { ...count, cpu: used(opened!, closed!, count.cpuSeconds) };
}

function listen(driver: ChildProcess, onMessage: (message: DriverMessage) => void): Promise<DriverCount> {
  return new Promise((ended, failed) => {
    driver.on('message', (message: DriverMessage) => {
      onMessage(message);
      if (message.at === 'ended') ended(message.count);
    });
    driver.once('exit', (code) => failed(new Error(`a driver ended with ${code}`)));
  });
}

type Reading = {
  readonly server: number | null;
  readonly postgres: number | null;
  readonly machine: number | null;
};

function read({ serverPid, postgresPid }: Watched): Reading {
  return {
    server: serverPid === null ? null : cpuSeconds(serverPid),
    postgres: cpuSecondsOfFamily(postgresPid),
    machine: cpuSecondsOfMachine(),
  };
}

function used(before: Reading, after: Reading, driver: number): CpuUse {
  const between = (what: keyof Reading) =>
    before[what] === null || after[what] === null ? null : after[what] - before[what];
  const server = between('server');
  const postgres = between('postgres');
  const machine = between('machine');
  const others = machine === null ? null : Math.max(0, machine - (server ?? 0) - (postgres ?? 0) - driver);
  return { server, postgres, driver, others };
}

/** A machine that does less than this on the side is quiet. */
const QUIET_CORES = 0.15;
const POLL_INTERVAL_MS = 1_000;

/** Waits until nobody else works on the machine, but not for ever: the figures then say how much others did. */
export async function waitUntilIdle(idleTimeoutSeconds: number): Promise<void> {
  const deadline = performance.now() + idleTimeoutSeconds * 1_000;
  while (performance.now() < deadline) {
    const before = cpuSecondsOfMachine();
    if (before === null) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    if ((cpuSecondsOfMachine()! - before) / (POLL_INTERVAL_MS / 1_000) < QUIET_CORES) return;
  }
}
