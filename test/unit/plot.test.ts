import { expect, test } from 'vitest';
import { plot } from '../../src/faces/console/plot.ts';

test('a line is interrupted where there was no sample', () => {
  const drawn = (values: (number | null)[]) => {
    const points = values.map((value, at) => ({ at, value }));
    const rest = { format: String, stretch: 'a day' as const, ends: ['24 hours ago', 'now'] as const };
    const { markup } = plot({ id: 'x', title: 'Invoices issued', kind: 'line', points, ...rest });
    return / d="([^"]*)"/.exec(markup)![1]!.replaceAll(/[^ML]/g, '');
  };
  // Each part begins with a short stroke, so that a single sample is seen.
  expect(drawn([1, 2, 3])).toBe('MLL');
  expect(drawn([1, null, 3, 4])).toBe('MML');
});
