import { expect, test } from 'vitest';
import { Acknowledged } from '../../src/ground/db/acknowledged.ts';

/** What a process knows of what it has acknowledged: two commits may be learned of in the opposite order. */

test('the last record of a chain is the highest, in whichever order they are acknowledged', () => {
  const acknowledged = new Acknowledged();
  for (const position of [2, 3, 1])
    acknowledged.record({ environmentId: 1, chainId: 7, position, fingerprint: `f${position}` });
  acknowledged.record({ environmentId: 1, chainId: 8, position: 1, fingerprint: 'other' });
  expect(acknowledged.records()).toEqual([
    { environmentId: 1, chainId: 7, position: 3, fingerprint: 'f3' },
    { environmentId: 1, chainId: 8, position: 1, fingerprint: 'other' },
  ]);
});

test('the last number of a series is the highest of its year, in whichever order they are acknowledged', () => {
  const acknowledged = new Acknowledged();
  const series = { environmentId: 1, seriesId: 'ser_1' };
  for (const number of [2, 3, 1]) acknowledged.number({ ...series, year: 2026, number });
  acknowledged.number({ ...series, year: 2027, number: 1 });
  expect(acknowledged.numbers()).toEqual([
    { ...series, year: 2026, number: 3 },
    { ...series, year: 2027, number: 1 },
  ]);
});

test('of other changes the last are known, more than may be committed at once', () => {
  const acknowledged = new Acknowledged();
  for (let change = 1; change <= 300; change += 1)
    acknowledged.entry({
      environmentId: 1,
      subjectId: `pay_${change}`,
      type: 'invoice.paid',
      contentHash: '00',
    });
  const kept = acknowledged.entries();
  expect(kept).toHaveLength(256);
  expect(kept.at(-1)).toMatchObject({ subjectId: 'pay_300' });
});
