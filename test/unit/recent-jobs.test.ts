import { afterEach, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { RecentJobs } from '../../src/ground/queue/recent-jobs.ts';

afterEach(() => clock.reset());

test('the jobs of a batch stand behind the one of another environment, and in time are first again', () => {
  const start = Date.parse('2026-03-02T10:00:00Z');
  clock.freeze(new Date(start));
  const lately = new RecentJobs();
  const batch = Array.from({ length: 5_000 }, () => lately.priorityOf(1));
  expect(batch[0]).toBe(0);
  expect(batch[100]).toBe(1);
  expect(batch.at(-1)).toBeGreaterThan(5);
  expect(lately.priorityOf(2)).toBe(0);
  clock.freeze(new Date(start + 120_000));
  expect(lately.priorityOf(1)).toBe(0);
});
