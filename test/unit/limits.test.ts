import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIMITS, LIMITS_GUIDE, withLimitsTable } from '../support/guides/limits-table.ts';

test('the guide shows the limits as the code has them', () => {
  const guide = readFileSync(LIMITS_GUIDE, 'utf8');
  expect(withLimitsTable(guide), 'run npm run limits').toBe(guide);
});

test('every limit has a positive value and a reason', () => {
  expect(LIMITS.length).toBeGreaterThan(4);
  for (const [name, { value, reason, beyond }] of LIMITS) {
    expect(value, name).toBeGreaterThan(0);
    expect(reason.length, name).toBeGreaterThan(20);
    expect(beyond.length, name).toBeGreaterThan(5);
  }
});
