import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAgencyClient } from '../../src/subjects/registration/aeat/transport.ts';
import { type SimulatedAgency, simulatedAgency } from '../support/agency/simulated.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { serveFairly, turnErrors } from './fairness.ts';

/** The nightly run has a thousand: `npm run simulate -- --companies 1000`. */
const COMPANIES = 60;

let database: TestDatabase;
let agency: SimulatedAgency;
beforeAll(async () => {
  [database, agency] = await Promise.all([testDatabase({ connections: 10 }), simulatedAgency()]);
});
afterAll(() => Promise.all([database?.close(), agency?.stop()]));

test('companies take turns: few workers serve each of many before any of them a second time', async () => {
  await agency.control({ mode: 'ok', wait_seconds: 0 });
  const client = openAgencyClient(agency.access);
  const served = await serveFairly(database.db, client, { companies: COMPANIES, withinMs: 150_000 });
  client.close();
  expect(served.order.length).toBeGreaterThan(COMPANIES);
  expect(turnErrors(served)).toBeNull();
});

test('an unfair order is detected', () => {
  const order = Array.from({ length: 100 }, (_, index) => index % 60);
  expect(turnErrors({ chains: 100, order, milliseconds: 0 })).toContain('only 60');
});
