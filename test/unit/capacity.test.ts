import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { capacityFor, capacityTables } from '../support/guides/capacity.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/capacity.md'), 'utf8');

test('the guide has the results of the formula', () => {
  expect(GUIDE).toContain(`<!-- tables -->\n${capacityTables()}\n<!-- end -->`);
});

test('ten times the companies need ten times of what grows with them', () => {
  const [few, many] = [capacityFor(1_000_000), capacityFor(10_000_000)];
  for (const what of ['monthly', 'perSecond', 'disk', 'objects', 'wal', 'envelopes'] as const) {
    expect(many[what] / few[what], what).toBeCloseTo(10);
  }
  // Whole ones.
  expect(Math.abs(many.ours - 10 * few.ours)).toBeLessThanOrEqual(10);
});
