import type { Db } from '../../ground/db/client.ts';
import type { ActorAndReason } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { actOnCompany } from './act-on-company.ts';
import { endEnvironment, markClosed } from './store/close.ts';

/**
 * Closes a company for good: nothing is issued any more, its keys are revoked, the links to its customers' pages and its webhook
 * endpoints are deleted, its schedules end and no reminders are sent. What was issued is still registered and rendered, and operators
 * read, void and amend it; another company of the NIF may succeed it. Closing it again changes nothing. Refuses as `actOnCompany` does.
 */
export function closeCompany(db: Pick<Db, 'pool'>, by: ActorAndReason, companyId: string) {
  return actOnCompany(db, by, companyId, 'close_company', async (client, environments) => {
    const now = clock.now();
    if (!(await markClosed(client, companyId, now))) return false;
    // An invoice that is being issued holds its chain: it is issued before this goes on.
    for (const environmentId of environments) await endEnvironment(client, environmentId, now);
    return true;
  });
}
