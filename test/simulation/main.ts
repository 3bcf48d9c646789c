import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { closeDb, openDb } from '../../src/db/client.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { playSeed } from './scenario.ts';
import { openWorld, tameClock } from './world.ts';

const HELP = `npm run simulate -- [--seeds N] [--from N]
  Plays the seeds from --from (1) on, --seeds (20) of them, and has each audited. Ends with 1 when one is faulty.`;

/** A fresh database after so many: the tables of a long run would slow it down. */
const SEEDS_A_WORLD = 50;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else process.exitCode = (await simulate(Number(values.from), Number(values.seeds))) === 0 ? 0 : 1;

async function simulate(from: number, seeds: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-simulation-'));
  // Started by root, Postgres runs as nobody, who must get in.
  chmodSync(directory, 0o755);
  const log = pino({ level: 'warn' });
  const postgres = await startEmbeddedPostgres({
    ...{ dataDir: directory, log, settings: { fsync: 'off', full_page_writes: 'off' } },
  });
  let faulty = 0;
  try {
    const end = from + seeds;
    for (let first = from; first < end; first += SEEDS_A_WORLD) {
      faulty += await playAll(postgres.url, first, Math.min(first + SEEDS_A_WORLD, end));
    }
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  console.log(`${seeds} seeds from ${from}: ${faulty === 0 ? 'all well' : `${faulty} faulty`}`);
  return faulty;
}

async function playAll(serverUrl: string, first: number, end: number): Promise<number> {
  const log = pino({ level: 'silent' });
  const name = `seeds_${first}`;
  const admin = openDb(serverUrl, { max: 1, log });
  await admin.pool.query(`create database ${name}`);
  const url = serverUrl.replace(/\/postgres$/, `/${name}`);
  await tameClock(url);
  const db = openDb(url, { max: 12, log });
  await migrate(db.pool);
  const world = await openWorld(url, db);
  let faulty = 0;
  for (let seed = first; seed < end; seed += 1) {
    const { faults, ...facts } = await playSeed(world, seed);
    console.log(JSON.stringify(facts));
    if (faults.length === 0) continue;
    faulty += 1;
    for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
    console.log(`  again: npm run simulate -- --from ${seed} --seeds 1`);
  }
  await world.close();
  await closeDb(db);
  await admin.pool.query(`drop database ${name}`);
  await closeDb(admin);
  return faulty;
}
