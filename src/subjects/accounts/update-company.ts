import { z } from 'zod';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import type { TimeZone } from '../../ground/lib/calendar.ts';
import { type AsksCensus, withoutCensus } from './census.ts';
import { companyAddress, givenName, legalName, surnames, timeZone } from './companies.ts';
import { environmentToday } from './entry/environment-time.ts';
import {
  changeCompany,
  lastIssueDays,
  lockCompanyChains,
  type StoredCompany,
  setTimeZone,
  storedCompany,
} from './store/company-data.ts';

export const companyChange = z.strictObject({
  legalName: legalName.optional(),
  givenName,
  surnames,
  address: companyAddress.optional(),
  timeZone: timeZone
    .optional()
    .describe(
      '`Europe/Madrid` or `Atlantic/Canary`, from a day after that of the last invoice on: a chain’s days never go back.',
    ),
  withoutCensus,
});

export type CompanyChange = z.input<typeof companyChange>;

type Change = z.output<typeof companyChange>;

/**
 * Changes the data with which a company issues from then on; what was issued keeps its own. A new name is asked of the
 * census before anything is locked, unless the request says `withoutCensus`. The audit log has the data before and
 * after. Refuses an unknown company, a request that changes nothing, malformed values, and a time zone on a day on
 * which the company has issued, with 400 `invalid_request`; a name that is not that of the NIF with `invalid_tax_id`;
 * and with `tax_id_validation_unavailable` while the census does not answer.
 */
export async function updateCompany(
  services: { readonly db: Pick<Db, 'pool'>; readonly askCensus: AsksCensus },
  by: ActorAndReason,
  companyId: string,
  request: CompanyChange,
): Promise<Outcome<{ readonly companyId: string }>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  const change = parseRequest(companyChange, request);
  if (isRefusal(change)) return change;
  const { pool } = services.db;
  const known = await storedCompany(pool, companyId);
  if (known === null) return invalidField('companyId', 'not_found', 'there is no such company');
  const { withoutCensus: _, ...changed } = change;
  if (Object.values(changed).every((value) => value === undefined))
    return invalidField('', 'required', 'names nothing to change');
  if (change.legalName !== undefined && !change.withoutCensus) {
    const { nif, liveEnvironmentId } = known;
    const refusal = await services.askCensus({ nif, name: change.legalName }, liveEnvironmentId);
    if (refusal !== null) return refusal;
  }
  return inTransaction<Outcome<{ readonly companyId: string }>>(pool, async (client) => {
    const before = (await storedCompany(client, companyId))!;
    if (change.timeZone !== undefined && change.timeZone !== before.timeZone) {
      const refusal = await moveTo(client, companyId, change.timeZone);
      if (refusal !== null) return refusal;
    }
    const { legalName, givenName, surnames, address } = change;
    await changeCompany(client, companyId, { legalName, givenName, surnames, ...address });
    const details = changesOf(before, (await storedCompany(client, companyId))!, change);
    const entry = { ...by, reason, action: 'update_company', subject: companyId, environmentId: null };
    await addAuditEntry(client, { ...entry, details });
    return { companyId };
  });
}

/**
 * Days of issue must not go back in a chain, so the new zone begins on a day on which nothing was issued. Nobody issues
 * meanwhile: the chains are locked.
 */
async function moveTo(client: Queryable, companyId: string, timeZone: TimeZone): Promise<Refusal | null> {
  await lockCompanyChains(client, companyId);
  for (const { environment, clockAheadMs, lastIssuedOn } of await lastIssueDays(client, companyId)) {
    const today = environmentToday({ clockAheadMs, timeZone });
    if (lastIssuedOn === null || lastIssuedOn < today) continue;
    const detail = `can change from the day after ${lastIssuedOn} on, that of the last ${environment} invoice`;
    return invalidField('timeZone', 'out_of_range', detail);
  }
  await setTimeZone(client, companyId, timeZone);
  return null;
}

/** What was changed, as it was and is, and whether the census was left out. */
function changesOf(before: StoredCompany, after: StoredCompany, { legalName, withoutCensus }: Change) {
  const names = (Object.keys(after) as (keyof StoredCompany)[]).filter(
    (name) => before[name] !== after[name],
  );
  const of = (company: StoredCompany) => Object.fromEntries(names.map((name) => [name, company[name]]));
  return {
    ...{ before: of(before), after: of(after) },
    ...(legalName !== undefined && withoutCensus && { withoutCensus }),
  };
}
