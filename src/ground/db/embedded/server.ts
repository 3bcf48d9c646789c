import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Installation } from './installation.ts';

/** One process of Postgres, from start to end. */
export type Server = {
  readonly process: ChildProcess;
  /** Resolves when it accepts connections; rejects with its last messages if it ends before. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  lastLines(): string;
};

/** Starts Postgres on the cluster, without waiting until it is ready. */
export function spawnServer(
  installation: Installation,
  cluster: string,
  settings: Record<string, string>,
): Server {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(installation.directory, 'bin', 'postgres'), ['-D', cluster, ...options], {
    ...installation.identity,
    cwd: installation.directory,
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // In a process group of its own: Ctrl-C in the terminal must reach the service first, which stops Postgres last.
    detached: true,
  });
  // The last resort if the service ends without its own shutdown: after an uncaught exception, or while this starts.
  const endWithService = () => child.kill('SIGINT');
  process.once('exit', endWithService);
  child.once('exit', () => process.off('exit', endWithService));
  let output = '';
  const lastLines = () => output.trim().split('\n').slice(-6).join('\n');
  const ready = new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000);
      if (output.includes('ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Postgres ended with ${code}:\n${lastLines()}`)));
  });
  // Callers that only wait for the end do not handle this rejection.
  ready.catch(() => {});
  return { process: child, ready, ended: once(child, 'exit').then(() => {}), lastLines };
}
