import type { Task } from 'graphile-worker';
import { enqueue } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import type { Services } from '../src/services.ts';
import { submitChain } from '../src/subjects/registration/submit.ts';

/**
 * Sends what waits in a chain, and puts off to when there will be more to do. It never fails for the agency's sake, so
 * the queue's own retries are left for trouble of ours. Throws at once when the client certificate is unusable.
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
    // What is sent then is another matter: in one trace after the other a busy chain's would never end.
    await enqueue(db.pool, [{ task: 'register', payload: chain, runAt: nextWakeAt, trace: null }]);
  };
}
