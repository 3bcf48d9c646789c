import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A service and a key of it. */
export type Lacre = { readonly url: string; readonly key: string };

/** A service to try an example with, and what ends it if it was started for that. */
export type Demo = {
  readonly lacre: Lacre;
  /** The same with the key of the test environment, where that is known. */
  readonly test: Lacre;
  readonly isOwn: boolean;
  readonly end: () => Promise<void>;
};

const REPOSITORY = join(import.meta.dirname, '..');
const MAX_ATTEMPTS = 300;

/** The service of `LACRE_URL` and `LACRE_KEY`, else the demo that `npm start` is running here, else one that is started. */
export async function findOrStartDemo(): Promise<Demo> {
  const { LACRE_URL: url, LACRE_KEY: key, DATA_DIR = join(REPOSITORY, '.data') } = process.env;
  const end = async () => {};
  if (url !== undefined || key !== undefined) {
    if (url === undefined || key === undefined) throw new Error('LACRE_URL and LACRE_KEY go together');
    const lacre = { url: url.replace(/\/$/, ''), key };
    return { lacre, test: lacre, isOwn: false, end };
  }
  const running = await demoOf(DATA_DIR);
  return running === null ? startDemo() : { ...running, isOwn: false, end };
}

/** The demo that keeps its data in a folder, once it answers. It goes to a simulator, so its live half may be played with. */
async function demoOf(dataDir: string): Promise<Pick<Demo, 'lacre' | 'test'> | null> {
  try {
    const {
      base_url: url,
      live,
      test,
    } = JSON.parse(readFileSync(join(dataDir, 'demo-credentials.json'), 'utf8'));
    const { ok } = await fetch(`${url}/healthz`);
    return ok ? { lacre: { url, key: live }, test: { url, key: test } } : null;
  } catch {
    return null;
  }
}

/** Starts a demo in a folder of its own; both are gone after `end`. */
async function startDemo(): Promise<Demo> {
  console.log('Starting a demo of Lacre…');
  const dataDir = mkdtempSync(join(tmpdir(), 'lacre-example-'));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0' };
  const demo = spawn(process.execPath, ['src/main.ts'], { cwd: REPOSITORY, env, stdio: 'ignore' });
  const ended = once(demo, 'exit');
  const end = async () => {
    demo.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void end().then(() => process.exit(0)));
  }
  for (let attempt = 0; attempt < MAX_ATTEMPTS && demo.exitCode === null; attempt += 1) {
    const found = await demoOf(dataDir);
    if (found !== null) return { ...found, isOwn: true, end };
    await pause(500);
  }
  await end();
  throw new Error('the demo has not started');
}
