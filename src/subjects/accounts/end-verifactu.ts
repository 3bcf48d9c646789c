import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import { environmentToday } from './entry/environment-time.ts';
import { lockCompanyChains, storedCompany } from './store/company-data.ts';
import { setVerifactuEnd } from './store/verifactu-end.ts';

/**
 * Records that a company gives up VERI*FACTU with the end of the year (RD 1007/2023 art. 16.5; Orden HAC/1177/2024
 * art. 17.2, 17.3): until then every message to the agency says so, and one must go out before the year ends;
 * afterwards nothing is issued live. Refuses an unknown company, and a day that is not 31 December of the current year,
 * with 400 `invalid_request`. Doing it again changes nothing.
 */
export async function endVerifactu(
  { pool }: Pick<Db, 'pool'>,
  by: ActorAndReason,
  companyId: string,
  lastDay: Day,
): Promise<Outcome<{ readonly companyId: string }>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction<Outcome<{ readonly companyId: string }>>(pool, async (client) => {
    const company = await storedCompany(client, companyId);
    if (company === null) return invalidField('companyId', 'not_found', 'there is no such company');
    const today = environmentToday({ clockAheadMs: 0, timeZone: company.timeZone });
    const last = `${today.slice(0, 4)}-12-31`;
    if (lastDay !== last) return invalidField('lastDay', 'out_of_range', `must be ${last}`);
    // What is being issued is issued before this, and what follows knows it.
    await lockCompanyChains(client, companyId);
    if (!(await setVerifactuEnd(client, companyId, lastDay))) return { companyId };
    const entry = { ...by, reason, action: 'end_verifactu', subject: companyId, environmentId: null };
    await addAuditEntry(client, { ...entry, details: { lastDay } });
    return { companyId };
  });
}
