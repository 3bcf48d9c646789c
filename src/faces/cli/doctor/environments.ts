import type { Db } from '../../../ground/db/client.ts';
import { incompleteEnvironments } from '../../../subjects/number-series/store/read-faults.ts';
import { type Finding, failure, ok } from './finding.ts';

const SHOWN = 5;

/** Whether every environment has what issuing needs. */
export async function environments({ pool }: Db): Promise<Finding> {
  const incomplete = await incompleteEnvironments(pool);
  if (incomplete.length === 0) return ok('environments', 'each has an open chain and its default series');
  const shown = incomplete
    .slice(0, SHOWN)
    .map(({ environmentId, companyId, missing }) => `${environmentId} of ${companyId} lacks ${missing}`);
  const more = incomplete.length > SHOWN ? `; and ${incomplete.length - SHOWN} more` : '';
  return failure(
    'environments',
    `${incomplete.length} cannot issue: ${shown.join('; ')}${more}`,
    'make a series the default with npm run cli -- series default; without an open chain, restore a backup',
  );
}
