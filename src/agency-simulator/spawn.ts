import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Simulator, type SimulatorOptions, secretFile, tlsFolder } from './options.ts';

/** Reading back a long history takes seconds; what takes longer than this will not come. */
const READY_WITHIN_MS = 30_000;
/** A simulator that was asked to end and has not by then is killed. */
const ENDS_WITHIN_MS = 5_000;

type SpawnOptions = Omit<SimulatorOptions, 'portFallback' | 'queryPageSize' | 'mostRecords'>;

/**
 * Starts the simulator as a process of its own and resolves when it is ready. It ends with this process, however this
 * one dies. When a wanted port is taken it uses a free one and says so in the log. Rejects when it cannot start.
 */
export async function spawnSimulator(options: SpawnOptions): Promise<Simulator> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('main.ts', import.meta.url)), ...argumentsOf(options)],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const lastWords: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastWords.splice(0, lastWords.length - 19);
    lastWords.push(line);
    forward(line, options);
  });
  try {
    const { url, tlsUrl } = await readiness(child);
    const secret = readFileSync(secretFile(options.dataDir), 'utf8').trim();
    return { url, tlsUrl, tlsDir: tlsFolder(options.dataDir), secret, stop: () => end(child) };
  } catch (error) {
    await end(child);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The agency simulator did not start: ${reason}\n${lastWords.join('\n')}`);
  }
}

function argumentsOf(options: SpawnOptions): string[] {
  const { dataDir, port, tlsPort, host, waitSeconds, schemas, registersOnly = false } = options;
  return [
    ...['--data-dir', dataDir, '--port', String(port), '--tls-port', String(tlsPort)],
    ...['--wait-seconds', String(waitSeconds), '--port-fallback', '--exit-with-parent'],
    ...(registersOnly ? ['--registers-only'] : []),
    ...(host === undefined ? [] : ['--host', host]),
    ...(schemas === undefined ? [] : ['--schemas', schemas]),
  ];
}

function forward(line: string, { log }: SpawnOptions): void {
  if (log === undefined) return;
  try {
    const { message, ...fields } = JSON.parse(line) as { message: string };
    log(message, fields);
  } catch {
    log(line);
  }
}

function readiness(child: ChildProcess): Promise<{ url: string; tlsUrl: string }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it is not ready in time')), READY_WITHIN_MS);
    const settle = (action: () => void): void => {
      clearTimeout(timer);
      action();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('exit', (code, signal) => settle(() => reject(new Error(`it ended with ${signal ?? code}`))));
    createInterface({ input: child.stdout! }).once('line', (line) => settle(() => resolve(JSON.parse(line))));
  });
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
    return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
