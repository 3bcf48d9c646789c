import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { endPrograms } from '../support/processes/running-program.ts';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks.ts';
import { type Check, checkExposure } from './exposure.ts';
import { block, exposureBlock, heading, table } from './report.ts';
import { breaches, degradations, type Finding, type Pace, runAttack } from './run-attack.ts';
import {
  agencyWithNestedAnswers,
  copyOf,
  createTestData,
  newDirectory,
  removeDirectory,
  startAttacked,
  type TestData,
} from './service.ts';

/** Beside the attacks that are load: what is only looked at. */
const SIMULATOR = 'simulator';

const HELP = `npm run attack -- [options]
Runs attacks, each against a fresh service, and says what each did to the service's memory and to a neighbour. It ends
with an error when one of them was more than the service bears. Linux only: it asks /proc.
  --only LIST    of: ${[...ATTACKS.map(({ name }) => name), SIMULATOR].join(', ')}
  --control      runs each also against a server that does nothing, beside the service: what the attacker's own use of
                 the processors does to the neighbour. The result stays the same.
  --short        less of each: shows that everything works
  --json FILE    writes everything that was measured`;

const FULL: Pace = { part: 1, seconds: 6, holdSeconds: 24, warmUpSeconds: 4, beforeSeconds: 6 };
const SHORT: Pace = { part: 0.2, seconds: 0, holdSeconds: 2, warmUpSeconds: 1, beforeSeconds: 1 };

/** Long enough for a p99 of the neighbour's readings. */
const CONTROL_SECONDS = 6;

/** Of the attacker's large invoices: a page of them. */
const LARGE_INVOICES = 100;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    control: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endPrograms();
    process.exit(1);
  });
}

if (values.help) console.log(HELP);
else await runAll();

async function runAll(): Promise<void> {
  const names = new Set(values.only?.split(',') ?? [...ATTACKS.map(({ name }) => name), SIMULATOR]);
  for (const name of names) {
    const known = name === SIMULATOR || ATTACKS.some((attack) => attack.name === name);
    if (!known) throw new Error(`there is no attack ${name}\n${HELP}`);
  }
  const template = newDirectory();
  try {
    const testData = await prepare(template);
    console.log(heading());
    const rows: { finding: Finding; faults: string[] }[] = [];
    for (const attack of ATTACKS.filter(({ name }) => names.has(name))) {
      const finding = await runAgainstFresh(attack, template, testData);
      const faults = [...breaches(attack, finding), ...degradations(finding)];
      rows.push({ finding, faults });
      console.log(block(finding, faults));
    }
    const checks = names.has(SIMULATOR) ? await simulatorPage(template) : [];
    if (checks.length > 0) console.log(exposureBlock(checks));
    console.log(table(rows));
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ rows, checks }, null, 2));
    const fell = rows.some(({ faults }) => faults.length > 0) || checks.some(({ holds }) => !holds);
    if (fell) process.exitCode = 1;
  } finally {
    endPrograms();
    removeDirectory(template);
  }
}

/** The data directory of which each attacked service has a copy. */
async function prepare(template: string): Promise<TestData> {
  const service = await startAttacked(template);
  const testData = await createTestData(service, template, LARGE_INVOICES);
  await service.stop();
  return testData;
}

async function runAgainstFresh(attack: Attack, template: string, testData: TestData): Promise<Finding> {
  const dataDir = copyOf(template);
  const agency = attack.agency === undefined ? null : await agencyWithNestedAnswers(dataDir);
  const service = await startAttacked(dataDir, agency?.variables);
  try {
    const pace = values.short ? SHORT : FULL;
    return await runAttack(attack, service, testData, {
      ...pace,
      ...(values.control ? { controlSeconds: CONTROL_SECONDS } : {}),
    });
  } finally {
    await service.stop();
    await agency?.stop();
    removeDirectory(dataDir);
  }
}

async function simulatorPage(template: string): Promise<Check[]> {
  const dataDir = copyOf(template);
  const service = await startAttacked(dataDir);
  try {
    return await checkExposure(service);
  } finally {
    await service.stop();
    removeDirectory(dataDir);
  }
}
