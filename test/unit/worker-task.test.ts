import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkerTask } from '../../src/ground/lib/worker-task.ts';
import { gapsDuring } from '../support/processes/event-loop.ts';
import { startOf } from '../support/processes/running-program.ts';

type Task = 'answer' | 'spin' | 'grow' | 'throw';

const workerWith = (bounds: { withinMs?: number; waiting?: number }) =>
  new WorkerTask<Task, string>(new URL('./worker-task-thread.ts', import.meta.url), {
    ...{ withinMs: 20_000, waiting: 4, heapMb: 32 },
    ...bounds,
  });

test('work that does not end is ended, meanwhile others are served, and the next piece is worked on', async () => {
  const aside = workerWith({ withinMs: 400 });
  const { answer, longestGap } = await gapsDuring(() => aside.run('spin'));
  expect(answer).toEqual({ kind: 'too_much' });
  expect(longestGap).toBeLessThan(200);
  const worker = workerWith({});
  expect(await worker.run('grow')).toEqual({ kind: 'too_much' });
  expect(await worker.run('answer')).toEqual({ kind: 'done', output: 'done' });
});

test('the queue is bounded, and is worked off one by one', async () => {
  const aside = workerWith({ waiting: 2 });
  const ended: number[] = [];
  const runs = [0, 1, 2, 3].map((index) =>
    aside.run('answer').then(({ kind }) => {
      ended.push(index);
      return kind;
    }),
  );
  expect(await Promise.all(runs)).toEqual(['done', 'done', 'done', 'busy']);
  expect(ended).toEqual([3, 0, 1, 2]);
  expect((await aside.run('answer')).kind).toBe('done');
});

test('a bug in the thread is reported as one, and does not stop the next task', async () => {
  const aside = workerWith({});
  await expect(aside.run('throw')).rejects.toThrow('a bug');
  expect((await aside.run('answer')).kind).toBe('done');
});

test('a thread has its own limits of memory in a process that was started with others, which it keeps', () => {
  const { options } = startOf('src/main.ts');
  expect(options).toContain('--max-old-space-size=704');
  expect(startOf('jobs/main.ts').options).toEqual(options);
  const program = join(import.meta.dirname, 'thread-limits-program.ts');
  const [thread, main] = JSON.parse(
    execFileSync(process.execPath, [...options, program], { encoding: 'utf8' }),
  );
  expect(thread).toBeLessThan(64);
  expect(main).toBeGreaterThan(704);
});
