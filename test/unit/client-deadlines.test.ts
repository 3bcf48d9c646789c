import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadlines } from '../../packages/client/src/deadlines.ts';

/** One timer for all tries: each still has its own time. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('an attempt is aborted when its own time is over, independent of others', () => {
  const deadlines = new Deadlines(100);
  const first = deadlines.begin();
  vi.advanceTimersByTime(40);
  const second = deadlines.begin();
  vi.advanceTimersByTime(59);
  expect([first.signal.aborted, second.signal.aborted]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false]);
  vi.advanceTimersByTime(39);
  expect(second.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(second.signal.aborted).toBe(true);
});

test('a try that has ended is not aborted, and one timer is enough for thousands', () => {
  const deadlines = new Deadlines(100);
  const ended = Array.from({ length: 1_000 }, () => {
    const late = deadlines.begin();
    late.end();
    return late;
  });
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(200);
  expect(ended.some(({ signal }) => signal.aborted)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('a try after a pause is timed anew', () => {
  const deadlines = new Deadlines(100);
  deadlines.begin().end();
  vi.advanceTimersByTime(1_000);
  const late = deadlines.begin();
  vi.advanceTimersByTime(99);
  expect(late.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(late.signal.aborted).toBe(true);
});
