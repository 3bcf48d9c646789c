import { expect, test } from 'vitest';
import { uncomputed } from '../../src/ground/lib/spreadsheet-text.ts';

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
  'a cell that begins as %j is no formula',
  (text) => {
    expect(uncomputed(text)).toBe(`'${text}`);
  },
);

test.each(['', 'Ana = Ana', 'a-b', "'=1", '1+1', '€'])('%j stays as it is', (text) => {
  expect(uncomputed(text)).toBe(text);
});
