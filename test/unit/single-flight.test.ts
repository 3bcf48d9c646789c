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

test('a thousand simultaneous requests share two runs, the second begun after they asked', async () => {
  let begun = 0;
  const ask = coalesce(async () => {
    begun += 1;
    const mine = begun;
    await new Promise(setImmediate);
    return mine;
  });
  const answers = await Promise.all(Array.from({ length: 1_000 }, ask));
  expect(answers[0]).toBe(1);
  expect(new Set(answers.slice(1))).toEqual(new Set([2]));
  expect(await ask()).toBe(3);
});

test('a failure is told to those who wait for it and to nobody after them', async () => {
  let begun = 0;
  const ask = coalesce(async () => {
    begun += 1;
    if (begun === 1) throw new Error('away');
    return begun;
  });
  const [first, second] = [ask(), ask()];
  await expect(first).rejects.toThrow('away');
  expect(await second).toBe(2);
});

test('what runs seldom rests after each run for nine times as long as that took', async () => {
  const ends: number[] = [];
  const starts: number[] = [];
  const ask = coalesceThrottled(async () => {
    starts.push(performance.now());
    while (performance.now() - starts.at(-1)! < 10);
    ends.push(performance.now());
  });
  await Promise.all([ask(), ask(), ask()]);
  expect(starts).toHaveLength(2);
  expect(starts[1]! - ends[0]!).toBeGreaterThan(80);
});
