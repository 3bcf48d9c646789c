import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../ground/config/config.ts';
import type { Logger } from '../ground/lib/logger.ts';
import { writeFileAtomically } from '../ground/lib/write-file.ts';
import type { Closing } from './closing.ts';
import { spawnSimulator } from './simulator-process.ts';

/** The address of a simulator, and the directory of its certificates. */
export type SimulatorPlace = NonNullable<Config['simulator']>;

/** So that a live invoice of the demo is registered within seconds. */
const WAIT_SECONDS = 1;

/**
 * The configured simulator, or the service's own in a child process on the two ports after the service's, or on
 * free ones when those are in use. It listens on the loopback address only, wherever the service does. Its address
 * is written below the data directory for a worker on the same machine; `secret` is known only for the service's
 * own.
 */
export async function openSimulator(
  config: Config,
  log: Logger,
  closing: Closing,
): Promise<SimulatorPlace & { readonly secret?: string }> {
  if (config.simulator !== null) return config.simulator;
  const simulator = await spawnSimulator({
    dataDir: join(config.dataDir, 'simulator'),
    port: portAfter(config.port, 1),
    tlsPort: portAfter(config.port, 2),
    waitSeconds: WAIT_SECONDS,
    // When live records go to the agency it serves only the test environments, which register nothing.
    registersOnly: config.agency.endpoint !== 'simulator',
    schemas: config.agencySchemas ?? undefined,
    log: (message, fields) => log.debug(fields ?? {}, `simulator: ${message}`),
  });
  const { url, tlsUrl, tlsDir, secret } = simulator;
  const note = noteFile(config);
  writeFileAtomically(note, JSON.stringify({ url, tlsUrl, tlsDir }));
  closing.add('simulator', async () => {
    rmSync(note, { force: true });
    await simulator.stop();
  });
  log.info({ url, tlsUrl }, 'simulator started');
  return { url, tlsUrl, tlsDir, secret };
}

/** There is none beyond the last port: 0 requests any. */
function portAfter(port: number, distance: number): number {
  return port === 0 || port + distance > 65_535 ? 0 : port + distance;
}

/** The simulator of the service on the same machine. Throws when there is none. */
export function findSimulator(config: Config): SimulatorPlace {
  if (config.simulator !== null) return config.simulator;
  try {
    return JSON.parse(readFileSync(noteFile(config), 'utf8')) as SimulatorPlace;
  } catch (error) {
    throw new Error('no SIMULATOR_URL, and no service with a simulator of its own is running', {
      cause: error,
    });
  }
}

const noteFile = (config: Config): string => join(config.dataDir, 'simulator.json');
