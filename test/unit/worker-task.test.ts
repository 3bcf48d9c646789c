import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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
  const program = join(import.meta.dirname, 'thread-limits-program.ts');
  const [thread, main] = JSON.parse(
    execFileSync(process.execPath, [...options, program], { encoding: 'utf8' }),
  );
  expect(thread).toBeLessThan(64);
  expect(main).toBeGreaterThan(704);
});

test.skipIf(!existsSync('/proc/self/maps'))(
  'all threads of a process that is started as npm start does allocate native memory in one place',
  () => {
    const program = join(import.meta.dirname, 'native-memory-program.ts');
    const placesIn = (env: Record<string, string>) =>
      Number(execFileSync(process.execPath, [program], { encoding: 'utf8', env }));
    expect(placesIn({ ...startOf('src/main.ts').variables })).toBe(0);
    expect(placesIn({})).toBeGreaterThan(0);
  },
);

test('what V8 needed to optimize a function is free again when it is optimized, in a program started as npm start does', () => {
  const program = join(import.meta.dirname, 'compiler-memory-program.ts');
  const highestMiB = (options: readonly string[]) =>
    Number(execFileSync(process.execPath, [...options, program], { encoding: 'utf8' }));
  const { options } = startOf('src/main.ts');
  expect(highestMiB(options)).toBeLessThan(highestMiB([]) / 1.5);
  expect(startOf('jobs/main.ts').options).toEqual(options);
});

test.runIf(process.platform === 'linux')(
  'V8 has two threads of its own beside the event loop in a program that is started as npm start does',
  () => {
    const names = `const { readFileSync, readdirSync } = require('node:fs');
      const names = readdirSync('/proc/self/task').map((id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8'));
      process.stdout.write(String(names.filter((name) => name.startsWith('V8Worker')).length));`;
    const threads = (options: readonly string[]) =>
      Number(execFileSync(process.execPath, [...options, '--eval', names], { encoding: 'utf8' }));
    expect(threads(startOf('src/main.ts').options)).toBe(2);
    expect(threads([])).toBeGreaterThan(2);
  },
);
