import { readSharedSecrets } from '../../ground/db/heartbeat.ts';
import { createLogger } from '../../ground/lib/logger.ts';
import type { Services } from '../../services.ts';
import { findSimulator, type SimulatorPlace } from '../../startup/simulator.ts';
import type { CommandContext } from './command.ts';
import { Unavailable } from './exit-status.ts';

/** With all that a process of the service works with: the registers of recipients are asked as it would. */
export async function withServices<T>(
  { db, config }: CommandContext,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  let simulator: SimulatorPlace;
  try {
    simulator = findSimulator(config);
  } catch (error) {
    throw new Unavailable((error as Error).message, { cause: error });
  }
  // Most commands need none of it, and it takes its time to load.
  const { assemble } = await import('../../startup/assemble.ts');
  const { services, close } = assemble({ config, db, log: createLogger('error'), simulator });
  try {
    const { lineage } = db;
    lineage.sharedSecrets = await readSharedSecrets(db.pool, [...lineage.knownSecrets]);
    return await work(services);
  } finally {
    await close();
  }
}
