import type { Db } from '../../ground/db/client.ts';
import { type BulkChange, CHANGED_AT_ONCE, changeEach } from '../../ground/db/many-at-once.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, readReason } from '../../ground/journal/audit-log.ts';
import { retry, unpark } from './controls.ts';
import { type CauseFilter, findFailedChains, findParkedRecords } from './store/read-lists.ts';
import { hasCompany } from './store/read-location.ts';

/** An operation on all that match, or the count of them. */
export type Together = { readonly filter: CauseFilter; readonly dryRun: boolean };

/**
 * Retries all live chains that failed or stopped and match, as `retry` does one: at most `CHANGED_AT_ONCE`, those that
 * waited longest. 400 `invalid_request` for a missing reason and an unknown company.
 */
export async function retryChains(
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  { filter, dryRun }: Together,
): Promise<Outcome<BulkChange>> {
  const reason = await reasonForMany(db, by, filter);
  if (isRefusal(reason)) return reason;
  const found = await findFailedChains(db.pool, filter, CHANGED_AT_ONCE);
  return changeEach(found, dryRun, (chainId) => retry(db, chainId, by));
}

/** Returns all parked records that match to those that are sent, as `unpark` does one, with the limits of `retryChains`. */
export async function unparkRecords(
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  { filter, dryRun }: Together,
): Promise<Outcome<BulkChange>> {
  const reason = await reasonForMany(db, by, filter);
  if (isRefusal(reason)) return reason;
  const found = await findParkedRecords(db.pool, filter, CHANGED_AT_ONCE);
  return changeEach(found, dryRun, (recordId) => unpark(db, recordId, by));
}

/** The reason; 400 `invalid_request` without one, and for a company that does not exist, of which a count of none would say nothing. */
export async function reasonForMany(
  { pool }: Pick<Db, 'pool'>,
  by: ActorAndReason,
  { companyId }: Pick<CauseFilter, 'companyId'>,
): Promise<Outcome<string>> {
  const reason = readReason(by);
  if (isRefusal(reason) || companyId === null || (await hasCompany(pool, companyId))) return reason;
  return invalidField('companyId', 'not_found', 'there is no such company');
}
