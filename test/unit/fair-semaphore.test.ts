import { expect, test } from 'vitest';
import { FairSemaphore } from '../../src/ground/lib/fair-semaphore.ts';

const settled = () => new Promise(setImmediate);

test('admits no more than fits, and owners in turn', async () => {
  const room = new FairSemaphore({ capacity: 10, maxWaiting: 100 });
  const order: string[] = [];
  const inside: (() => void)[] = [];
  const enter = (owner: string, weight: number) =>
    room.acquire(owner, weight).then((leave) => {
      order.push(owner);
      inside.push(leave!);
    });
  for (let index = 0; index < 5; index += 1) void enter('a', 6);
  void enter('b', 6);
  await settled();
  expect(order).toEqual(['a']);
  while (inside.length > 0) {
    inside.shift()!();
    await settled();
  }
  expect(order).toEqual(['a', 'a', 'b', 'a', 'a', 'a']);
});

test('one owner leaves room for another', async () => {
  const room = new FairSemaphore({ capacity: 4, ofOne: 2, maxWaiting: 1 });
  expect(await room.acquire('a')).not.toBeNull();
  expect(await room.acquire('a')).not.toBeNull();
  void room.acquire('a');
  expect(await room.acquire('a')).toBeNull();
  expect(await room.acquire('b')).not.toBeNull();
});

test('an entry larger than the room enters when it is empty, and is not overtaken for ever', async () => {
  const room = new FairSemaphore({ capacity: 4, maxWaiting: 10 });
  const light = (await room.acquire('light'))!;
  const heavy = room.acquire('heavy', 100);
  const late = room.acquire('late');
  light();
  const releaseHeavy = (await heavy)!;
  let isIn = false;
  void late.then(() => {
    isIn = true;
  });
  await settled();
  expect(isIn).toBe(false);
  releaseHeavy();
  expect(await late).not.toBeNull();
});
