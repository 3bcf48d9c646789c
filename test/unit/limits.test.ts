import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIMITS_GUIDE, withLimitsTable } from '../../src/ground/config/limits-table.ts';
import type { Limit } from '../../src/ground/lib/limit.ts';
import { LIMITS } from '../../src/ground/lib/limits.ts';

test('the guide shows the limits as the code has them', () => {
  const guide = readFileSync(LIMITS_GUIDE, 'utf8');
  expect(withLimitsTable(guide), 'run npm run limits').toBe(guide);
});

test('every limit has a positive value and a reason', () => {
  const limits: [string, Limit][] = Object.entries(LIMITS);
  expect(limits.length).toBeGreaterThan(4);
  for (const [name, { value, reason, beyond }] of limits) {
    expect(value, name).toBeGreaterThan(0);
    expect(reason.length, name).toBeGreaterThan(20);
    expect(beyond.length, name).toBeGreaterThan(5);
  }
});
