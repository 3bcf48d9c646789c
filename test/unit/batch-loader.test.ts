import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchLoader, DEFERRED } from '../../src/ground/lib/batch-loader.ts';

/** A reader that notes what it is asked, answers each key with itself, and knows no key that begins with x. */
function observed() {
  const reads: string[][] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  const ask = batchLoader(async (keys) => {
    reads.push(keys);
    mostUnderWay = Math.max(mostUnderWay, ++underWay);
    await turn();
    underWay -= 1;
    if (keys.includes('broken')) throw new Error('the read failed');
    return new Map(keys.filter((key) => !key.startsWith('x')).map((key) => [key, key]));
  });
  return { ask, reads, mostUnderWay: () => mostUnderWay };
}

const keys = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test('all simultaneous requests are answered, also while reads are in progress', async () => {
  const { ask, reads, mostUnderWay } = observed();
  const first = keys(450, 'a').map(ask);
  await turn();
  const second = keys(730, 'b').map(ask);
  expect(await Promise.all(first)).toEqual(keys(450, 'a'));
  expect(await Promise.all(second)).toEqual(keys(730, 'b'));
  expect(Math.max(...reads.map((read) => read.length))).toBe(100);
  expect(mostUnderWay()).toBe(1);
  expect(await ask('later')).toBe('later');
});

test('those who ask at the same moment share a read, and what there is not is null', async () => {
  const { ask, reads } = observed();
  expect(await Promise.all([ask('a'), ask('x'), ask('a')])).toEqual(['a', null, 'a']);
  expect(reads).toEqual([['a', 'x']]);
});

test('nothing is remembered', async () => {
  const { ask, reads } = observed();
  await ask('a');
  await ask('a');
  expect(reads).toEqual([['a'], ['a']]);
});

test('a failed read fails for those who shared it, not for the next request', async () => {
  const { ask } = observed();
  const outcomes = await Promise.allSettled([ask('a'), ask('broken')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask('a')).toBe('a');
});

test('a read without room waits behind earlier ones and before later ones', async () => {
  const reads: string[][] = [];
  const ask = batchLoader<string>(async (keys) => {
    reads.push(keys);
    await turn();
    return new Map(keys.map((key, index) => [key, index < 2 ? key : DEFERRED]));
  });
  const first = ['a', 'b', 'c', 'd', 'e'].map(ask);
  while (reads.length < 1) await turn();
  const later = ['f', 'g'].map(ask);
  while (reads.length < 2) await turn();
  const latest = ask('h');
  expect(await Promise.all([...first, ...later, latest])).toEqual([...'abcdefgh']);
  expect(reads.map((read) => read.join(''))).toEqual(['abcde', 'fg', 'cdeh', 'eh']);
});

test('a task that waited again and then fails is requested anew', async () => {
  let reads = 0;
  const ask = batchLoader<string>(async (keys) => {
    reads += 1;
    if (reads === 2) throw new Error('the read failed');
    return new Map(keys.map((key, index) => [key, index < 1 ? key : DEFERRED]));
  });
  const outcomes = await Promise.allSettled(['a', 'b'].map(ask));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await ask('b')).toBe('b');
});
