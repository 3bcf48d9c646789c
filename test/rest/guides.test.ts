import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readGuides } from '../../src/faces/docs/guides.ts';
import { runningPostgresUrl } from '../../src/ground/db/embedded/postgres.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { type Blocks, blocksOf, type Example, textOfGuide } from '../support/guides/blocks.ts';
import { openSession } from '../support/guides/session.ts';
import { endPrograms, type RunningProgram, startDemo } from '../support/processes/running-program.ts';

const guides: [slug: string, blocks: Blocks][] = readGuides().map(({ slug }) => [
  slug,
  blocksOf(textOfGuide(slug)),
]);

/** Every page begins in a shell in which this block has been run. */
const before = guides.find(([slug]) => slug === 'first-invoice')![1].examples[0]!;

const dataDir = mkdtempSync(join(tmpdir(), 'lacre-guides-'));
chmodSync(dataDir, 0o755);
let program: RunningProgram;
let pool: pg.Pool;
beforeAll(async () => {
  ({ program } = await startDemo(dataDir));
  pool = new pg.Pool({ connectionString: runningPostgresUrl(dataDir)!, max: 1 });
});
afterAll(async () => {
  await pool?.end();
  await program?.end('SIGTERM');
  endPrograms();
  rmSync(dataDir, { recursive: true, force: true });
});

/** For the commands among the examples, each of which is a process of its own: what is compiled once stays compiled. */
const QUICKLY = {
  NODE_COMPILE_CACHE: join(dataDir, 'compiled'),
  npm_config_update_notifier: 'false',
};

const madridToday = () => madridDay(new Date());

/** Goes through a page as its reader would, once more when the day ended meanwhile: some request what was issued today. */
async function walk(examples: readonly Example[]): Promise<void> {
  const day = madridToday();
  await runOnce(examples).catch((error: Error) => {
    if (madridToday() === day) throw error;
    return runOnce(examples);
  });
}

async function runOnce(examples: readonly Example[]): Promise<void> {
  const query = async (statement: string) => (await pool.query(statement)).rows as object[];
  const variables = { DATA_DIR: dataDir, ...QUICKLY };
  const session = openSession({ variables, query });
  if (examples[0] !== before) await session.run(before);
  for (const example of examples) await session.run(example);
  session.close();
}

/** Some look at the newest invoices of all, or hear of all of them, which must be their own; others set the simulator's faults. */
const ALONE = ['first-invoice', 'operating', 'test-triggers', 'live-updates', 'webhooks', 'register-books'];
const walked = guides.filter(([, { examples }]) => examples.length > 0);

describe('what a reader copies has the result that the page states', () => {
  // Much of reading is waiting, so the pages are read side by side.
  describe.concurrent('side by side', () => {
    test.each(walked.filter(([slug]) => !ALONE.includes(slug)))('%s', (_slug, { examples }) =>
      walk(examples),
    );
  });
  test.each(walked.filter(([slug]) => ALONE.includes(slug)))('%s', (_slug, { examples }) => walk(examples));
});

test('npx finds the command', () => {
  // The pages are read with a stand-in that knows where it is.
  const answer = execFileSync('npx', ['lacre', '--version'], { encoding: 'utf8' });
  expect(answer.trim()).toMatch(/^\d+\.\d+\.\d+(?:-rc)?$/);
});

/** How many blocks of a page may be only shown: what needs a real company, a cluster, or to stop the service. */
const SHOWN: Readonly<Record<string, number>> = {
  // What another program is told, and a session that the tests of the server run.
  agents: 2,
  deployment: 7,
  'first-invoice': 1,
  'generating-a-client': 4,
  // production-guide.test.ts runs five of them, and four of high-availability.
  'backup-and-restore': 13,
  'going-live': 3,
  'high-availability': 5,
  // They need a cluster.
  kubernetes: 4,
  operating: 2,
  // All but three are run by production-guide.test.ts.
  production: 14,
  'repeating-invoices': 1,
  'scaling-out': 4,
  sending: 2,
  upgrading: 1,
  // The same in PHP, which the test of its client runs.
  'web-shop': 1,
  // The same few lines in four languages that are not there.
  webhooks: 4,
};

test.each(guides)('%s shows few examples that are not run, with the reason', (slug, { shown }) => {
  expect(shown.length).toBeLessThanOrEqual(SHOWN[slug] ?? 0);
  for (const { reason } of shown) expect(reason.split(' ').length, reason).toBeGreaterThan(3);
});

test('most blocks are run', () => {
  const run = guides.flatMap(([, { examples }]) => examples);
  const shown = guides.flatMap(([, blocks]) => blocks.shown);
  expect(run.length).toBeGreaterThan(40);
  expect(shown.length).toBeLessThan(run.length);
});
