import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stage, setStage } from '../failover/play.ts';
import { closeConnections } from '../support/fleet.ts';
import { endPrograms } from '../support/running-program.ts';

/** Two servers with streaming replication, of which the leading one is killed under load; `npm run failover` plays more. */
let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ servers: 1, callersEach: 2, nif: 1_490 });
}, 90_000);
afterAll(async () => {
  closeConnections();
  await stage?.remove();
  endPrograms();
});

test('a standby that has all that was acknowledged is gone on with at once', {
  timeout: 60_000,
}, async () => {
  expect(await stage.play('synchronous')).toMatchObject({
    ...{ lost: 0, doubled: [], findings: [], faults: [], held: false },
  });
});

test('of one that lacks commits no number is given twice, and live chains are held before the first', {
  timeout: 90_000,
}, async () => {
  const outcome = await stage.play('asynchronous');
  expect(outcome).toMatchObject({ doubled: [], findings: [], faults: [], held: true, issuedWhileHeld: 0 });
  // Else nothing was tried.
  expect(outcome.lost).toBeGreaterThan(0);
});

test('a primary that was replaced and comes back issues nothing', { timeout: 60_000 }, async () => {
  expect(await stage.askOldLeader()).toEqual([503, 503, 503, 503]);
});
