import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { reapPortalSessions } from '../src/subjects/customers/portal-sessions.ts';

/** Deletes the portal sessions that expired more than a day ago. */
export function reapPortalTask(services: Pick<Services, 'db' | 'log'>): Task {
  return async () => {
    const removed = await reapPortalSessions(services.db);
    if (removed > 0) services.log.info({ removed }, 'portal sessions removed');
  };
}
