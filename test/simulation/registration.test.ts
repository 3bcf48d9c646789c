import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { testLog } from '../support/processes/run-log.ts';
import { audit, type Evidence, type RecordSeen } from './auditor.ts';
import { openSimulation, type SimulationContext, simulateClock } from './context.ts';
import { deliveryFaults } from './deliveries.ts';
import { type Finding, runSeed } from './scenario.ts';

/**
 * Of the first twenty those that are soon over, with each kind of plan: 50 companies (10), a suspension (4, 14), leases
 * that are stolen (3), processes that are killed (6). The nightly simulation runs many more: `npm run simulate -- --seeds 500`.
 */
const SEEDS = [3, 4, 5, 6, 7, 8, 10, 14];
/** What the workers of a seed do at once the machine decides: where it left something out, these are run too. */
const FURTHER_SEEDS = Array.from({ length: 20 }, (_, index) => 21 + index);

let database: TestDatabase;
let db: Db;
let simulation: SimulationContext;
beforeAll(async () => {
  database = await testDatabase();
  await simulateClock(database.ownerUrl);
  db = openDb(database.url, { max: 12, log: testLog() });
  simulation = await openSimulation(database.url, db);
});
afterAll(async () => {
  await simulation?.close();
  await closeDb(db);
  await database?.close();
});

const findings: Finding[] = [];
let sound: Evidence | undefined;

test.each(SEEDS)(
  'every record reaches the agency once, in order, unchanged, under any faults: seed %i',
  async (seed) => {
    expect(await faultsUnder(seed), again(seed)).toEqual([]);
  },
);

const again = (seed: number) => `npm run simulate -- --from ${seed} --seeds 1`;

async function faultsUnder(seed: number): Promise<readonly string[]> {
  const finding = await runSeed(simulation, seed, (evidence) => {
    const accepted = evidence.records.filter(({ state }) => state === 'Correcto');
    if (accepted.length > 3 && evidence.envelopes.length > 1 && !evidence.stolen) sound = evidence;
  });
  findings.push(finding);
  return finding.faults;
}

test('the seeds saw every kind of trouble', async () => {
  const wanted = ['issuer_fault', 'processed', 'suspended', 'technical_fault', 'unknown', 'unreadable'];
  const missing = () => {
    const seen = new Set(findings.flatMap(({ outcomes }) => Object.keys(outcomes)));
    return wanted.filter((outcome) => !seen.has(outcome));
  };
  const deaths = () => findings.reduce((sum, finding) => sum + finding.deaths, 0);
  const enough = () => missing().length === 0 && deaths() > findings.length;
  for (const seed of FURTHER_SEEDS) {
    if (!enough()) expect(await faultsUnder(seed), again(seed)).toEqual([]);
  }
  expect(missing()).toEqual([]);
  expect(deaths()).toBeGreaterThan(findings.length);
});

/** What a seed left that the auditor found nothing wrong with, and in which there is something to tamper with. */
async function soundEvidence(): Promise<Evidence> {
  for (const seed of FURTHER_SEEDS) {
    if (sound !== undefined) break;
    expect(await faultsUnder(seed), again(seed)).toEqual([]);
  }
  return sound!;
}

const accepted = ({ state }: RecordSeen) => state === 'Correcto';

/** Each takes something of the truth away. */
const TAMPERINGS: Record<string, (records: RecordSeen[]) => RecordSeen[]> = {
  'lost a record': (records) => records.filter((record) => record !== records.find(accepted)),
  'took a record twice': (records) => [...records, records.find(accepted)!],
  'took them in another order': (records) => [...records].reverse(),
  'read other bytes': (records) =>
    records.map((record, index) =>
      index === 1 ? { ...record, xml: record.xml.replace('F2', 'F1') } : record,
    ),
  'thinks otherwise of a record': (records) =>
    records.map((record) =>
      record === records.find(accepted) ? { ...record, state: 'AceptadoConErrores', code: 2000 } : record,
    ),
};

test.each(Object.entries(TAMPERINGS))('the auditor notices when the agency %s', async (_, tamper) => {
  const { pool } = db;
  const evidence = await soundEvidence();
  expect(await audit(pool, evidence)).toEqual([]);
  expect(await audit(pool, { ...evidence, records: tamper([...evidence.records]) })).not.toEqual([]);
});

test('the auditor detects an event that never arrived, and one that arrived as two', () => {
  const entries = [1, 2].map((position) => ({ position, type: 'invoice.issued' }));
  const arrived = (...ids: string[][]) =>
    new Map(ids.map((of, index) => [index + 1, new Set(of.map((id) => `${id} invoice.issued`))]));
  expect(deliveryFaults(entries, arrived(['evt_a'], ['evt_b']))).toEqual([]);
  expect(deliveryFaults(entries, arrived(['evt_a'], []))).toHaveLength(1);
  expect(deliveryFaults(entries, arrived(['evt_a'], ['evt_b', 'evt_c']))).toHaveLength(1);
  expect(findings.every(({ deliveries }) => deliveries > 0)).toBe(true);
});

test('the auditor detects an envelope that is sent too early, and two at once', async () => {
  const evidence = await soundEvidence();
  const [first, ...others] = evidence.envelopes;
  const hasty = others.map((envelope) => ({ ...envelope, received_at: first!.received_at }));
  const faults = await audit(db.pool, {
    ...evidence,
    envelopes: [{ ...first!, wait_seconds: 60 }, ...hasty],
  });
  expect(faults.join()).toContain('instead of');
  const slow = { ...first!, answered_at: '2999-01-01T00:00:00.000Z' };
  const overlapping = await audit(db.pool, { ...evidence, envelopes: [slow, ...others] });
  expect(overlapping.join()).toContain('while another');
});
