import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endPrograms } from '../support/processes/running-program.ts';
import { ATTACKS } from './attacks.ts';
import { breaches, degradations, type Pace, runAttack } from './run-attack.ts';
import {
  type AttackedService,
  createTestData,
  newDirectory,
  removeDirectory,
  startAttacked,
  type TestData,
} from './service.ts';

/**
 * A short form of every attack of a caller, one after the other against one service. What a neighbour felt is only printed: on a
 * machine that runs other tests too it says nothing. `npm run attack` measures it, with a fresh service for each attack.
 */
const PACE: Pace = { part: 0.03, seconds: 0, holdSeconds: 0.4, warmUpSeconds: 0, beforeSeconds: 0.1 };
const LARGE_INVOICES = 25;
/** Three files of tests share the processors, and whatever else the machine does. What blocks the process is seen all the same. */
const HEALTH_MS = 12_000;
/** What the attacks before have left in the heap is not this one's: the whole attacks begin with a fresh service each. */
const GROWTH_MIB = 256;

const RUN_HERE = ATTACKS.filter(({ agency }) => agency === undefined);

let directory: string;
let service: AttackedService;
let testData: TestData;
beforeAll(async () => {
  directory = newDirectory();
  service = await startAttacked(directory);
  testData = await createTestData(service, directory, LARGE_INVOICES);
});
afterAll(async () => {
  await service?.stop();
  endPrograms();
  removeDirectory(directory);
});

describe.skipIf(process.platform !== 'linux')('the service bears', () => {
  test.each(RUN_HERE)('$what', async (attack) => {
    // Too few to meet a limit that is a rate: the whole attack does.
    const { refusedBy: _, ...short } = attack;
    const finding = await runAttack(short, service, testData, PACE);
    const memoryMiB = finding.memoryMiB.before + GROWTH_MIB;
    expect(
      breaches(short, finding, { healthMs: HEALTH_MS, memoryMiB }),
      JSON.stringify({ outcomes: finding.outcomes, degradations: degradations(finding) }),
    ).toEqual([]);
  });
});
