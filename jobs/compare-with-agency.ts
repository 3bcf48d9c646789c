import type { Task } from 'graphile-worker';
import { clock } from '../src/ground/lib/clock.ts';
import { enqueue } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import type { Services } from '../src/services.ts';
import { compareWithAgency } from '../src/subjects/registration/resume-after-restore.ts';

/** A company cannot issue while its chain is on hold, so the agency is asked again soon. */
const RETRY_MS = 30_000;

/** Compares a chain that is on hold after a restore with the agency; repeatedly while the agency does not answer. */
export function compareTask({
  db,
  log,
  agencyClients,
  config,
}: Pick<Services, 'db' | 'log' | 'agencyClients' | 'config'>): Task {
  return async (payload, { abortSignal }) => {
    const chain = tasks.compare_with_agency.payload.parse(payload);
    const agency = await agencyClients.clientFor(chain.environmentId);
    const services = { db, log, agency, software: config.software };
    if ((await compareWithAgency(services, chain, abortSignal)) !== 'unreachable') return;
    const runAt = new Date(clock.now().getTime() + RETRY_MS);
    await enqueue(db.pool, [{ task: 'compare_with_agency', payload: chain, runAt, trace: null }]);
  };
}
