import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../agency-simulator/main.ts', import.meta.url));

/** Reading back a long history takes seconds; a simulator that takes longer than this will not start. */
const READY_WITHIN_MS = 30_000;
/** A simulator that was asked to stop and has not by then is killed. */
const ENDS_WITHIN_MS = 5_000;

type SpawnOptions = {
  readonly dataDir: string;
  /** Port of the plain server; 0 is any free one. */
  readonly port: number;
  /** Port of the TLS server; 0 is any free one. */
  readonly tlsPort: number;
  /** TiempoEsperaEnvio of the answers, in seconds. */
  readonly waitSeconds: number;
  /** Folder with the agency's schemas; without it requests are checked for structure only. */
  readonly schemas?: string | undefined;
  /** Whether it answers only for the registers and for QR codes. */
  readonly registersOnly?: boolean | undefined;
  readonly log?: ((message: string, fields?: Record<string, unknown>) => void) | undefined;
};

/** A running simulator; `tlsDir` has `ca.pem`, `client.p12` and `client-passphrase.txt`, `secret` permits control over HTTP. */
type SimulatorProcess = {
  readonly url: string;
  readonly tlsUrl: string;
  readonly tlsDir: string;
  readonly secret: string;
  stop(): Promise<void>;
};

/** The line of JSON that the program prints when it is ready. */
type Ready = Pick<SimulatorProcess, 'url' | 'tlsUrl' | 'tlsDir'> & { readonly secretFile: string };

/**
 * Starts the simulator as a separate process and resolves when it is ready. It ends with this process, even if this
 * one is killed. If a port is in use, it takes a free one and logs that. Rejects if it cannot start.
 */
export async function spawnSimulator(options: SpawnOptions): Promise<SimulatorProcess> {
  const child = spawn(process.execPath, [PROGRAM, ...argumentsOf(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lastLines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLines.splice(0, lastLines.length - 19);
    lastLines.push(line);
    forward(line, options);
  });
  try {
    const { secretFile, ...place } = await readiness(child);
    return { ...place, secret: readFileSync(secretFile, 'utf8').trim(), stop: () => end(child) };
  } catch (error) {
    await end(child);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The agency simulator did not start: ${reason}\n${lastLines.join('\n')}`);
  }
}

function argumentsOf(options: SpawnOptions): string[] {
  const { dataDir, port, tlsPort, waitSeconds, schemas, registersOnly = false } = options;
  return [
    ...['--data-dir', dataDir, '--port', String(port), '--tls-port', String(tlsPort)],
    ...['--wait-seconds', String(waitSeconds), '--port-fallback', '--exit-with-parent'],
    ...(registersOnly ? ['--registers-only'] : []),
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

function readiness(child: ChildProcess): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it was not ready in time')), READY_WITHIN_MS);
    const finish = (action: () => void): void => {
      clearTimeout(timer);
      action();
    };
    child.once('error', (error) => finish(() => reject(error)));
    child.once('exit', (code, signal) => finish(() => reject(new Error(`it ended with ${signal ?? code}`))));
    createInterface({ input: child.stdout! }).once('line', (line) => finish(() => resolve(JSON.parse(line))));
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
