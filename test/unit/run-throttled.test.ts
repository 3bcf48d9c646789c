import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runThrottled } from '../../src/ground/lib/run-throttled.ts';

test('a task that yields pauses for as long as it worked, and a failure is reported at once', async () => {
  const began = performance.now();
  let worked = 0;
  expect(
    await runThrottled(async () => {
      await pause(40);
      worked = performance.now() - began;
      return 'done';
    }),
  ).toBe('done');
  expect(performance.now() - began).toBeGreaterThanOrEqual(2 * worked - 2);
  await expect(runThrottled(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
