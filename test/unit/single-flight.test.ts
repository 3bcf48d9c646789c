import { expect, test } from 'vitest';
import { coalesce, coalesceThrottled, singleFlight } from '../../src/ground/lib/single-flight.ts';

test('a value is computed once, and again after a failure', async () => {
  let made = 0;
  const make = singleFlight(async () => {
    made += 1;
    if (made === 1) throw new Error('not yet');
    return made;
  });
  await expect(make()).rejects.toThrow('not yet');
  expect(await Promise.all([make(), make()])).toEqual([2, 2]);
  expect(await make()).toBe(2);
});

test('a thousand simultaneous requests share two runs, the second begun after their request', async () => {
  let begun = 0;
  const run = coalesce(async () => {
    begun += 1;
    const number = begun;
    await new Promise(setImmediate);
    return number;
  });
  const answers = await Promise.all(Array.from({ length: 1_000 }, run));
  expect(answers[0]).toBe(1);
  expect(new Set(answers.slice(1))).toEqual(new Set([2]));
  expect(await run()).toBe(3);
});

test('a failure rejects those who wait for it, and no later caller', async () => {
  let begun = 0;
  const run = coalesce(async () => {
    begun += 1;
    if (begun === 1) throw new Error('away');
    return begun;
  });
  const [first, second] = [run(), run()];
  await expect(first).rejects.toThrow('away');
  expect(await second).toBe(2);
});

test('a throttled function pauses after each run for nine times as long as that took', async () => {
  const ends: number[] = [];
  const starts: number[] = [];
  const run = coalesceThrottled(async () => {
    starts.push(performance.now());
    while (performance.now() - starts.at(-1)! < 10);
    ends.push(performance.now());
  });
  await Promise.all([run(), run(), run()]);
  expect(starts).toHaveLength(2);
  expect(starts[1]! - ends[0]!).toBeGreaterThan(80);
});
