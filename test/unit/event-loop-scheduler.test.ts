import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
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

describe('while a short request is being answered', () => {
  /** What a long step does: it holds the loop. */
  const work = (milliseconds: number) => {
    const began = performance.now();
    while (performance.now() - began < milliseconds);
  };

  test('the loop is left to it after a long step for as long as the step took', async () => {
    const turns = new EventLoopScheduler();
    turns.shortRequestStarted();
    let ended = 0;
    const first = turns.waitTurn('many').then(() => {
      work(15);
      ended = performance.now();
    });
    const second = turns.waitTurn('many').then(() => performance.now());
    await first;
    expect((await second) - ended).toBeGreaterThan(10);
    turns.shortRequestEnded();
  });

  test('background work pauses after a piece, until the request is answered', async () => {
    const turns = new EventLoopScheduler();
    await turns.pauseAfter(60_000);
    turns.shortRequestStarted();
    const began = performance.now();
    await turns.pauseAfter(10);
    expect(performance.now() - began).toBeGreaterThan(8);
    let over = false;
    const pause = turns.pauseAfter(60_000).then(() => {
      over = true;
    });
    await nextRound();
    expect(over).toBe(false);
    turns.shortRequestEnded();
    await nextRound();
    expect(over).toBe(true);
    await pause;
  });

  test('but only while it exists', async () => {
    const turns = new EventLoopScheduler();
    turns.shortRequestStarted();
    const first = turns.waitTurn('many').then(() => work(15));
    let gone = false;
    const second = turns.waitTurn('many').then(() => gone);
    await first;
    await nextRound();
    gone = true;
    turns.shortRequestEnded();
    expect(await second).toBe(true);
  });

  test('and without one the next step follows in the next round', async () => {
    const turns = new EventLoopScheduler();
    const first = turns.waitTurn('many').then(() => work(15));
    let isNext = false;
    const second = turns.waitTurn('many').then(() => {
      isNext = true;
    });
    await first;
    for (let round = 0; round < 3; round += 1) await nextRound();
    expect(isNext).toBe(true);
    await second;
  });
});
