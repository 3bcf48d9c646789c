import type { Db } from '../../../ground/db/client.ts';
import {
  incompleteEnvironments,
  numbersIssuedTwice,
} from '../../../subjects/number-series/store/read-faults.ts';
import { untoldEnds } from '../../../subjects/operations/store/read-views.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

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

/** Whether two companies of one NIF have issued the same number on the same day, which the agency accepts once. */
export async function numbersOfNif({ pool }: Db): Promise<Finding> {
  const found = await numbersIssuedTwice(pool);
  if (found.length === 0) return ok('numbers', 'no two companies of a NIF have issued the same');
  const shown = found
    .slice(0, SHOWN)
    .map(({ nif, count, example }) => `${count} of ${nif}, such as ${example}`);
  const more = found.length > SHOWN ? `; and of ${found.length - SHOWN} prefixes more` : '';
  return warning(
    'numbers',
    `two companies of a NIF have issued the same on one day: ${shown.join('; ')}${more}`,
    'the agency holds one invoice of each: void the one that it refused, and issue it again on a series with another prefix',
  );
}

/** A finding if the agency does not know who gives up VERI*FACTU with the end of the year; few companies ever do. */
export async function endsOfVerifactu({ pool }: Db): Promise<Finding[]> {
  const found = await untoldEnds(pool);
  if (found.length === 0) return [];
  const shown = found.slice(0, SHOWN).map(({ companyId, lastDay }) => `${companyId} with ${lastDay}`);
  const more = found.length > SHOWN ? `; and ${found.length - SHOWN} more` : '';
  return [
    failure(
      'end of VERI*FACTU',
      `the agency has not been told: ${shown.join('; ')}${more}`,
      'the next message says it: see that records are sent (npm run cli -- chains list); without any, issue one before the year ends',
    ),
  ];
}
