import { setImmediate as turn } from 'node:timers/promises';
import type { JobHelpers, Task } from 'graphile-worker';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { instrumentTask } from '../../jobs/instrumented-task.ts';
import { WriteState } from '../../src/ground/db/condition/write-state.ts';
import { testLog } from '../support/processes/run-log.ts';

/** A job that would never end is ended by this error instead. */
const MOST_RUNS = 50;
const ERROR = 50;

let runs = 0;
let logged: { level: number; msg: string; milliseconds?: number }[] = [];
let writes: WriteState;
beforeEach(() => {
  runs = 0;
  logged = [];
  writes = new WriteState(testLog());
});

/** Runs a job as the queue does; `signal` is that of a process that stops. */
function run(task: Task, signal = new AbortController().signal): Promise<unknown> {
  const log = testLog((line) => logged.push(JSON.parse(line)), 'debug');
  const instrumented = instrumentTask('sample_operations', task, { log, db: { writes } } as never);
  const helpers = { job: { id: '1', attempts: 1 }, abortSignal: signal };
  return Promise.resolve(instrumented({}, helpers as unknown as JobHelpers));
}

const write: Task = () => {
  runs += 1;
  if (runs > MOST_RUNS) throw new Error('run again without a pause');
  if (writes.refused !== null) throw Object.assign(new Error('no space left'), { code: '53100' });
};

const turns = async (count: number) => {
  for (let done = 0; done < count; done += 1) await turn();
};

describe('a job whose write is refused', () => {
  test('is run again once writes are accepted, in the same attempt, and its duration begins then', async () => {
    writes.setFull(true, {});
    const asked = vi.spyOn(writes, 'refused', 'get');
    const running = run(write);
    await turns(100);
    // It asks several times whether they are.
    await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(3);
    expect(runs).toBe(1);
    const waited = performance.now();
    writes.setFull(false, {});
    await running;
    expect(runs).toBe(2);
    const done = logged.find(({ msg }) => msg === 'job done');
    expect(done!.milliseconds).toBeLessThan(performance.now() - waited);
    // The database's state is logged already, and once.
    expect(logged.filter(({ level }) => level >= ERROR)).toEqual([]);
  });

  test('waits no longer than the process runs', async () => {
    writes.setFull(true, {});
    const stopping = new AbortController();
    const running = run(write, stopping.signal);
    const ended = expect(running).rejects.toThrow(/abort/i);
    await turns(10);
    stopping.abort();
    await ended;
    expect(runs).toBe(1);
  });

  test('is the only one that is run again: any other failure is logged, and left to the queue', async () => {
    const running = run(() => {
      runs += 1;
      throw new Error('a fault of the job');
    });
    await expect(running).rejects.toThrow('a fault of the job');
    expect(runs).toBe(1);
    expect(logged.filter(({ level }) => level >= ERROR)).toMatchObject([{ msg: 'job failed' }]);
  });
});
