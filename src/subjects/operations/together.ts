import type { Db } from '../../ground/db/client.ts';
import { type BulkChange, CHANGED_AT_ONCE, changeEach, type Matching } from '../../ground/db/many-at-once.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, readReason } from '../../ground/journal/audit-log.ts';
import { retry, unpark } from './controls.ts';
import { type CauseFilter, findFailedChains, findParkedRecords } from './store/read-lists.ts';
import { hasCompany } from './store/read-location.ts';

/** An operation on all that match, or the count of them. */
export type Together = { readonly filter: CauseFilter; readonly dryRun: boolean };

type Find<Id> = (pool: Queryable, filter: CauseFilter, most: number) => Promise<Matching<Id>>;
type Change<Id> = (db: Pick<Db, 'pool'>, id: Id, by: ActorAndReason) => Promise<Outcome<unknown>>;

function changing<Id>(find: Find<Id>, change: Change<Id>) {
  return async (
    db: Pick<Db, 'pool'>,
    by: ActorAndReason,
    { filter, dryRun }: Together,
  ): Promise<Outcome<BulkChange>> => {
    const reason = await reasonForMany(db, by, filter);
    if (isRefusal(reason)) return reason;
    const found = await find(db.pool, filter, CHANGED_AT_ONCE);
    return changeEach(found, dryRun, (id) => change(db, id, by));
  };
}

/**
 * Retries all live chains that failed or stopped and match, as `retry` does one: at most `CHANGED_AT_ONCE`, those that
 * waited longest. 400 `invalid_request` for a missing reason and an unknown company.
 */
export const retryChains = changing(findFailedChains, retry);

/** Returns all parked records that match to those that are sent, as `unpark` does one, with the limits of `retryChains`. */
export const unparkRecords = changing(findParkedRecords, unpark);

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
