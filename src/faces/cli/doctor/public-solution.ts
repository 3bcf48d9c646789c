import type { Config } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import { exchangeFigures } from '../../../subjects/operations/store/read-views.ts';
import { type Finding, ok, warning } from './finding.ts';

/** A message is sent within a minute, and tried again after an hour at most. */
const LONG_SECONDS = 2 * 60 * 60;

/** Where test environments exchange invoices and statuses with a simulator: whether what waits is sent. Nothing where they do not. */
export async function publicSolution({ publicSolution: mode }: Config, { pool }: Db): Promise<Finding[]> {
  if (mode === 'off') return [];
  const { waiting, oldestSeconds } = await exchangeFigures(pool);
  const summary = `test environments exchange with a simulator of it; ${waiting} messages wait`;
  if (oldestSeconds < LONG_SECONDS) return [ok('public solution', summary)];
  const longest = `, the oldest for ${Math.round(oldestSeconds / 3_600)} hours`;
  const remediation =
    'see "lacre statuses list" of an invoice for why it waits, and whether the simulator runs';
  return [warning('public solution', `${summary}${longest}`, remediation)];
}
