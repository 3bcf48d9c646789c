import { expect, test } from 'vitest';
import { verifyJournalOnly } from '../../src/subjects/journal/verify.ts';
import {
  ACTS,
  environmentId,
  expectSameInHistories,
  service,
  startTotalsHistories,
} from './totals-histories.ts';

startTotalsHistories();

test('totals stay the same to the cent through further random histories', async () => {
  await expectSameInHistories({ numRuns: 6, seed: 12 });
  const { rows } = await service.owner.query('select distinct day from day_total');
  expect(rows.length, 'histories have added up much').toBeGreaterThan(5);
  await ACTS.addUpDays();
  expect(await verifyJournalOnly(service.db.pool, environmentId)).toMatchObject({ findings: [] });
});
