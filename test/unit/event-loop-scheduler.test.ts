import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EventLoopScheduler, LARGE_LINES } from '../../src/ground/lib/event-loop-scheduler.ts';

const LARGE = LARGE_LINES + 1;

test('of what is large only one goes on in a round of the loop, and owners take turns', async () => {
  const turns = new EventLoopScheduler();
  const order: string[] = [];
  const note = (owner: string) => turns.waitIfLarge(owner, LARGE).then(() => order.push(owner));
  const all = [note('many'), note('many'), note('many'), note('one')];
  const seen: number[] = [];
  while (order.length < all.length) {
    await nextRound();
    seen.push(order.length);
  }
  expect(order).toEqual(['many', 'one', 'many', 'many']);
  expect(Math.max(...seen.map((count, index) => count - (seen[index - 1] ?? 0)))).toBe(1);
});

test('small requests do not wait', async () => {
  const turns = new EventLoopScheduler();
  let waited = true;
  const large = turns.waitIfLarge('many', LARGE).then(() => {
    waited = false;
  });
  await turns.waitIfLarge('one', LARGE_LINES);
  expect(waited).toBe(true);
  await large;
});

test('steps wait while connections are accepted, but not for ever', async () => {
  const turns = new EventLoopScheduler();
  let begun = false;
  void turns.waitTurn('one').then(() => {
    begun = true;
  });
  let accepted = 0;
  for (; !begun; accepted += 1) {
    turns.accepted();
    await nextRound();
  }
  expect(accepted).toBeGreaterThan(10);
  expect(accepted).toBeLessThan(100);
});
