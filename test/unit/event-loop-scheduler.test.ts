import { performance } from 'node:perf_hooks';
import { setImmediate as nextRound } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EventLoopScheduler, LARGE_LINES } from '../../src/ground/lib/event-loop-scheduler.ts';
import { LIMITS } from '../../src/ground/lib/limits.ts';

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

  test('but only while it exists', async () => {
    const turns = new EventLoopScheduler();
    turns.shortRequestStarted();
    const first = turns.waitTurn('many').then(() => work(15));
    let ended = false;
    const second = turns.waitTurn('many').then(() => ended);
    await first;
    await nextRound();
    ended = true;
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

const NOTHING = { active: 0, idle: 0, utilization: 0 };

/** A loop of which the test says when it is occupied: time passes, and all or nothing of it counts. */
function aLoop() {
  let [now, active] = [0, 0];
  const utilization: typeof performance.eventLoopUtilization = (since = NOTHING) => {
    const [busy, idle] = [active - since.active, now - active - since.idle];
    return { active: busy, idle, utilization: busy / (busy + idle) };
  };
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(utilization);
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const pass = (milliseconds: number, isOccupied: boolean) => {
    now += milliseconds;
    if (isOccupied) active += milliseconds;
    vi.advanceTimersByTime(milliseconds);
  };
  return {
    occupied: (milliseconds: number) => pass(milliseconds, true),
    free: (milliseconds: number) => pass(milliseconds, false),
  };
}

describe('a loop that is occupied', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** Takes a turn of background work, and notes by whom and in which order turns have come. */
  function background() {
    const turns = new EventLoopScheduler();
    const order: string[] = [];
    const take = (owner: string) => void turns.backgroundTurn(owner).then(() => order.push(owner));
    /** All that may go on has gone on by then. */
    const settled = async () => {
      for (let round = 0; round < 5; round += 1) await nextRound();
      return order;
    };
    return { turns, take, settled };
  }

  test('is left to requests after a piece of background work for as long as it was occupied', async () => {
    const loop = aLoop();
    const { turns, take, settled } = background();
    turns.shortRequestStarted();
    loop.free(100);
    take('first');
    expect(await settled()).toEqual(['first']);
    take('second');
    take('second');
    take('third');
    loop.occupied(20);
    loop.free(15);
    expect(await settled()).toEqual(['first']);
    loop.free(10);
    expect(await settled()).toEqual(['first', 'second']);
    loop.occupied(10);
    loop.free(15);
    expect(await settled()).toEqual(['first', 'second', 'third']);
  });

  test('is not left by background work when there are no requests, or none any more', async () => {
    const loop = aLoop();
    const { turns, take, settled } = background();
    take('first');
    loop.occupied(50);
    take('second');
    expect(await settled()).toEqual(['first', 'second']);
    turns.shortRequestStarted();
    loop.occupied(50);
    take('third');
    take('fourth');
    expect(await settled()).toHaveLength(2);
    turns.shortRequestEnded();
    expect(await settled()).toEqual(['first', 'second', 'third', 'fourth']);
  });

  test('gives background work a piece now and then all the same, owners in turn', async () => {
    const loop = aLoop();
    const { turns, take, settled } = background();
    turns.shortRequestStarted();
    loop.occupied(10);
    for (const owner of ['many', 'many', 'one']) take(owner);
    loop.occupied(LIMITS.backgroundWait.value - 15);
    expect(await settled()).toEqual([]);
    const expected = ['many', 'one', 'many'];
    for (let pieces = 1; pieces <= expected.length; pieces += 1) {
      loop.occupied(5);
      expect(await settled()).toEqual(expected.slice(0, pieces));
      loop.occupied(LIMITS.backgroundWait.value - 5);
      expect(await settled(), 'however many wait').toHaveLength(pieces);
    }
  });
});
