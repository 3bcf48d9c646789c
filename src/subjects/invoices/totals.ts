import { isStatementTimeout } from '../../ground/db/condition/failures.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { isByRecipientFirst } from './store/total-groups.ts';
import { areAddedUpSingly, haveMoreGroupsAtFirst } from './store/total-sources.ts';
import type { TotalsQuery } from './totals-query.ts';

export const TOO_MANY =
  'These totals are added up from single invoices, which are too many. Ask for a shorter period (`issuedOn`), or for totals ' +
  'of every day that are kept: filtered by period, series, kind and type alone.';

export const OTHER_ORDER =
  'There are too many recipients to add up all of their groups for one page. Put `RECIPIENT` first in `groupBy`, or ask for a shorter ' +
  'period (`issuedOn`).';
/** As many as an answer has. Fewer are added up in time, unless the database is busy. */
const MANY_GROUPS = 1_000;

/**
 * What `read` finds of these totals. If its statement has no time to add up the single invoices of an environment with many of
 * them, or the groups of many recipients in another order than theirs, `invalid_request` states what to ask for instead; asking again would
 * not help.
 */
export async function totalsInTime<T>(
  client: Queryable,
  environmentId: number,
  query: TotalsQuery,
  read: () => Promise<T>,
): Promise<Outcome<T>> {
  try {
    return await read();
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    if (await areAddedUpSingly(client, environmentId, query)) return new Refusal('invalid_request', TOO_MANY);
    if (isByRecipientFirst(query.groupBy)) throw error;
    if (!(await haveMoreGroupsAtFirst(client, environmentId, query, MANY_GROUPS))) throw error;
    return new Refusal('invalid_request', OTHER_ORDER);
  }
}

/** Whether a grouping has more groups than `max`, as far as that is known before they are added up. */
export const haveMoreGroups = haveMoreGroupsAtFirst;
