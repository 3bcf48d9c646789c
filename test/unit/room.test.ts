import { expect, test } from 'vitest';
import { Room } from '../../src/ground/lib/room.ts';

const settled = () => new Promise(setImmediate);

test('holds no more than fits, and lets owners enter by turns', async () => {
  const room = new Room({ capacity: 10, mostWaiting: 100 });
  const order: string[] = [];
  const inside: (() => void)[] = [];
  const enter = (owner: string, weight: number) =>
    room.enter(owner, weight).then((leave) => {
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
  const room = new Room({ capacity: 4, ofOne: 2, mostWaiting: 1 });
  expect(await room.enter('a')).not.toBeNull();
  expect(await room.enter('a')).not.toBeNull();
  void room.enter('a');
  expect(await room.enter('a')).toBeNull();
  expect(await room.enter('b')).not.toBeNull();
});

test('whoever is heavier than the room enters when it is empty, and is not overtaken for ever', async () => {
  const room = new Room({ capacity: 4, mostWaiting: 10 });
  const light = (await room.enter('light'))!;
  const heavy = room.enter('heavy', 100);
  const late = room.enter('late');
  light();
  const leaveHeavy = (await heavy)!;
  let isIn = false;
  void late.then(() => {
    isIn = true;
  });
  await settled();
  expect(isIn).toBe(false);
  leaveHeavy();
  expect(await late).not.toBeNull();
});
