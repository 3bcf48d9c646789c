import type { Task } from 'graphile-worker';
import { enqueue } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import type { Services } from '../src/services.ts';
import { submitChain } from '../src/subjects/registration/submit.ts';

/**
 * Sends the pending records of a chain, and postpones itself to the next time that there is work. It never fails because of
 * the agency, so the queue's own retries are reserved for internal errors. Throws at once if the client certificate is
 * unusable.
 */
export function registerTask({
  db,
  log,
  agencyClients,
}: Pick<Services, 'db' | 'log' | 'agencyClients'>): Task {
  return async (payload, { abortSignal }) => {
    const chain = tasks.register.payload.parse(payload);
    const agency = await agencyClients.clientFor(chain.environmentId);
    const { nextWakeAt } = await submitChain({ db, log, agency }, chain, abortSignal);
    if (nextWakeAt === null) return;
    // What is sent then starts a new trace: otherwise the trace of a busy chain would never end.
    await enqueue(db.pool, [{ task: 'register', payload: chain, runAt: nextWakeAt, trace: null }]);
  };
}
