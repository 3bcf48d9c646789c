import { setTimeout as delay } from 'node:timers/promises';

/** How long and with how many connections a driver loads; sent with every plan. */
export type Pace = {
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Steps a second of all connections together; without it each begins the next one at once. */
  readonly perSecond?: number;
};

/** What a driver counted. Latencies and `perSecond` are of the measured window, the rest of the whole run. */
export type DriverCount = {
  readonly perSecond: number;
  readonly inWindow: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuSeconds: number;
  readonly done: number;
  /** Steps that ended otherwise than wanted, by what they said. */
  readonly faults: Record<string, number>;
};

/** What a driver tells the process that started it: the window's two ends as they come, and the count when all is quiet. */
export type DriverMessage = { at: 'opened' } | { at: 'closed' } | { at: 'ended'; count: DriverCount };

/** Told by `step` that it did what it should. */
export const DONE = 'done';

/**
 * In a driver's process: takes its plan from the parent, then runs `step` on each connection again and again, through
 * the warm-up and the window, and reports. Steps under way at the end are awaited, so that what was counted is all
 * that was done.
 */
export async function drive<Plan extends Pace>(
  prepare: (
    plan: Plan,
  ) => Promise<{ step(connection: number): Promise<string>; end(): void | Promise<void> }>,
): Promise<void> {
  const plan = await new Promise<Plan>((given) =>
    process.once('message', (message) => given(message as Plan)),
  );
  const { step, end } = await prepare(plan);
  const latencies: number[] = [];
  const faults: Record<string, number> = {};
  let done = 0;
  const opens = performance.now() + plan.warmUpSeconds * 1_000;
  const closes = opens + plan.seconds * 1_000;
  const cpu = watchWindow(plan);

  const pauseMs = plan.perSecond === undefined ? 0 : (plan.connections * 1_000) / plan.perSecond;
  const lane = async (connection: number) => {
    // Connections begin one after the other, and each again after its pause.
    let due = performance.now() + (pauseMs * connection) / plan.connections;
    for (let begun = performance.now(); begun < closes; ) {
      if (pauseMs > 0) {
        await delay(Math.max(0, due - performance.now()));
        due += pauseMs;
        begun = performance.now();
      }
      const outcome = await step(connection);
      const ended = performance.now();
      if (outcome === DONE) done += 1;
      else faults[outcome] = (faults[outcome] ?? 0) + 1;
      if (outcome === DONE && ended >= opens && ended < closes) latencies.push(ended - begun);
      begun = ended;
    }
  };
  await Promise.all(Array.from({ length: plan.connections }, (_, connection) => lane(connection)));
  await end();
  latencies.sort((one, other) => one - other);
  const count: DriverCount = {
    perSecond: latencies.length / plan.seconds,
    inWindow: latencies.length,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    cpuSeconds: await cpu,
    done,
    faults,
  };
  send({ at: 'ended', count });
  process.disconnect();
}

/** Tells the parent when the window opens and closes; gives this process's own CPU seconds in between. */
function watchWindow({ warmUpSeconds, seconds }: Pace): Promise<number> {
  return new Promise((measured) => {
    setTimeout(() => {
      const before = process.cpuUsage();
      send({ at: 'opened' });
      setTimeout(() => {
        const { user, system } = process.cpuUsage(before);
        send({ at: 'closed' });
        measured((user + system) / 1e6);
      }, seconds * 1_000);
    }, warmUpSeconds * 1_000);
  });
}

function send(message: DriverMessage): void {
  process.send!(message);
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
