import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseWrites } from '../../src/faces/cli/doctor/writes.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { closeDb, openDb } from '../../src/ground/db/client.ts';
import { type FailoverTest, startFailoverTest } from '../failover/failover-test.ts';
import { SECRETS } from '../support/processes/command-line.ts';
import { closeConnections } from '../support/processes/fleet.ts';
import { testLog } from '../support/processes/run-log.ts';
import { endPrograms } from '../support/processes/running-program.ts';

/** Two servers with streaming replication, of which the leading one is killed under load; `npm run failover` runs more. */

/** What waits for a condition in there may wait three minutes for each. */
const TIMEOUT = { timeout: 600_000 };

let failover: FailoverTest;
beforeAll(async () => {
  failover = await startFailoverTest({ servers: 1, callersPerServer: 2, nif: 1_490 });
});
afterAll(async () => {
  closeConnections();
  await failover?.remove();
  endPrograms();
});

test('an outage of the primary is logged once, and issuing continues when it is back', TIMEOUT, async () => {
  expect(await failover.outage(3)).toMatchObject({
    ...{ died: 0, alive: [200], ready: [503], issuing: [503], reachable: ['0', '0'] },
    // Nothing is logged for a try, a beat, a request or a look at the metrics.
    ...{ reportedAway: [1, 1], reportedBack: [1, 1], warnings: [[], []] },
  });
});

test('a standby is known as one by the doctor', async () => {
  const config = readConfig({ ...SECRETS, DATABASE_URL: failover.standbyUrl()! });
  const db = openDb(config.databaseUrl!, { max: 2, log: testLog() });
  expect(await databaseWrites(db, config)).toEqual({
    ...{
      check: 'database writes',
      result: 'failure',
      summary: 'The database accepts no writes: it is read-only, a standby',
    },
    remediation: 'set DATABASE_URL to the primary, or promote this one',
  });
  await closeDb(db);
});

test('a standby that has everything acknowledged is used at once', TIMEOUT, async () => {
  expect(await failover.failOver('synchronous')).toMatchObject({
    ...{ lost: 0, doubled: [], findings: [], faults: [], held: false },
  });
});

test(
  'of one that lacks commits no number is given twice, and live chains are held before the first',
  TIMEOUT,
  async () => {
    const outcome = await failover.failOver('asynchronous');
    expect(outcome).toMatchObject({ doubled: [], findings: [], faults: [], held: true, issuedWhileHeld: 0 });
    // Else nothing was tried.
    expect(outcome.lost).toBeGreaterThan(0);
  },
);

test(
  'a replaced primary that returns is not used, for issuing, reading or anything else',
  TIMEOUT,
  async () => {
    expect(await failover.askOldPrimary()).toEqual([503, 503, 503, 503, 503, 503]);
  },
);
