import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { verifyDue } from '../src/subjects/operations/verification.ts';

/**
 * The nightly verification of all chains, and a checkpoint of every journal that has grown. Findings are logged as errors,
 * stored, and shown by the metrics.
 */
export function verifyChainsTask(services: Pick<Services, 'db' | 'standby' | 'log' | 'checkpoints'>): Task {
  return async (_payload, { abortSignal }) => {
    await verifyDue(services, abortSignal);
  };
}
