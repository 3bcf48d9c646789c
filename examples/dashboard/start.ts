import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildPage } from './server/build.ts';
import { publishDocuments } from './server/documents.ts';
import { allowOrigin, type Lacre, lacreOf } from './server/lacre.ts';
import { issueSamples } from './server/samples.ts';
import { serve } from './server/serve.ts';

/**
 * `npm run example`: builds the dashboard and serves it, for the Lacre of `LACRE_URL` and `LACRE_KEY`, else for the demo that
 * `npm start` is running here, else for a demo that is started for it, with some invoices to look at.
 */

const REPOSITORY = join(import.meta.dirname, '../..');
const MAX_ATTEMPTS = 300;

/** The demo that keeps its data in a folder, once it answers. It goes to a simulator, so its live half may be played with. */
async function demoOf(dataDir: string): Promise<Lacre | null> {
  try {
    const { base_url: url, live: key } = JSON.parse(
      readFileSync(join(dataDir, 'demo-credentials.json'), 'utf8'),
    );
    const { ok } = await fetch(`${url}/healthz`);
    return ok ? { url, key } : null;
  } catch {
    return null;
  }
}

/** Starts a demo in a folder of its own; both are gone when this program ends. */
async function startDemo(): Promise<Lacre> {
  console.log('Starting a demo of Lacre…');
  const dataDir = mkdtempSync(join(tmpdir(), 'lacre-example-'));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0' };
  const demo = spawn(process.execPath, ['src/main.ts'], { cwd: REPOSITORY, env, stdio: 'ignore' });
  const ended = once(demo, 'exit');
  end = async () => {
    demo.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < MAX_ATTEMPTS && demo.exitCode === null; attempt += 1) {
    const lacre = await demoOf(dataDir);
    if (lacre !== null) {
      await issueSamples(lacre);
      return lacre;
    }
    await pause(500);
  }
  throw new Error('the demo has not started');
}

async function start(): Promise<void> {
  const { LACRE_URL, LACRE_KEY, DATA_DIR = join(REPOSITORY, '.data'), PORT = '5173' } = process.env;
  const isGiven = LACRE_URL !== undefined || LACRE_KEY !== undefined;
  const lacre = isGiven ? lacreOf(process.env) : ((await demoOf(DATA_DIR)) ?? (await startDemo()));
  const folder = join(import.meta.dirname, 'dist');
  await buildPage(folder);
  const server = await serve(folder, lacre, Number(PORT));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  await allowOrigin(lacre, origin);
  await publishDocuments(lacre);
  console.log(`The dashboard is at ${origin}, its invoices are those of ${lacre.url}.`);
}

let end = async () => {};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void end().then(() => process.exit(0)));
}
try {
  await start();
} catch (error) {
  await end();
  throw error;
}
