import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchLoader, DEFERRED } from '../../src/ground/lib/batch-loader.ts';

/** A reader that notes what it is asked, answers each key with itself, and knows no key that begins with x. */
function observed() {
  const reads: string[][] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  const load = batchLoader(async (keys) => {
    reads.push(keys);
    mostUnderWay = Math.max(mostUnderWay, ++underWay);
    await turn();
    underWay -= 1;
    if (keys.includes('broken')) throw new Error('the read failed');
    return new Map(keys.filter((key) => !key.startsWith('x')).map((key) => [key, key]));
  });
  return { load, reads, mostUnderWay: () => mostUnderWay };
}

const keys = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test('all simultaneous requests are answered, also while reads are in progress', async () => {
  const { load, reads, mostUnderWay } = observed();
  const first = keys(450, 'a').map(load);
  await turn();
  const second = keys(730, 'b').map(load);
  expect(await Promise.all(first)).toEqual(keys(450, 'a'));
  expect(await Promise.all(second)).toEqual(keys(730, 'b'));
  expect(Math.max(...reads.map((read) => read.length))).toBe(100);
  expect(mostUnderWay()).toBe(1);
  expect(await load('later')).toBe('later');
});

test('concurrent callers share a read, and what does not exist is null', async () => {
  const { load, reads } = observed();
  expect(await Promise.all([load('a'), load('x'), load('a')])).toEqual(['a', null, 'a']);
  expect(reads).toEqual([['a', 'x']]);
});

test('nothing is remembered', async () => {
  const { load, reads } = observed();
  await load('a');
  await load('a');
  expect(reads).toEqual([['a'], ['a']]);
});

test('a failed read fails for those who shared it, not for the next request', async () => {
  const { load } = observed();
  const outcomes = await Promise.allSettled([load('a'), load('broken')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await load('a')).toBe('a');
});

test('a read without room waits behind earlier ones and before later ones', async () => {
  const reads: string[][] = [];
  const load = batchLoader<string>(async (keys) => {
    reads.push(keys);
    await turn();
    return new Map(keys.map((key, index) => [key, index < 2 ? key : DEFERRED]));
  });
  const first = ['a', 'b', 'c', 'd', 'e'].map(load);
  while (reads.length < 1) await turn();
  const later = ['f', 'g'].map(load);
  while (reads.length < 2) await turn();
  const latest = load('h');
  expect(await Promise.all([...first, ...later, latest])).toEqual([...'abcdefgh']);
  expect(reads.map((read) => read.join(''))).toEqual(['abcde', 'fg', 'cdeh', 'eh']);
});

test('a task that waited again and then fails is requested anew', async () => {
  let reads = 0;
  const load = batchLoader<string>(async (keys) => {
    reads += 1;
    if (reads === 2) throw new Error('the read failed');
    return new Map(keys.map((key, index) => [key, index < 1 ? key : DEFERRED]));
  });
  const outcomes = await Promise.allSettled(['a', 'b'].map(load));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await load('b')).toBe('b');
});
