import type { Config } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import {
  lastInstallationPosition,
  readAuditWebhookState,
} from '../../../subjects/operations/store/read-audit-stream.ts';
import { type Finding, failure, ok } from './finding.ts';

const CHECK = 'audit webhook';

/** Whether the installation's webhook has received what operators did. */
export async function auditWebhook(
  { auditWebhook: webhook }: Pick<Config, 'auditWebhook'>,
  { pool }: Pick<Db, 'pool'>,
): Promise<Finding[]> {
  if (webhook === null) return [];
  const state = await readAuditWebhookState(pool);
  const waiting = (await lastInstallationPosition(pool)) - (state?.position ?? 0);
  const behind = `${waiting} entries of the installation’s journal wait`;
  const { failingSince = null, lastError } = state ?? {};
  if (failingSince === null) return [ok(CHECK, waiting === 0 ? 'has received everything' : behind)];
  return [
    failure(
      CHECK,
      `takes nothing since ${failingSince.toISOString()}: ${lastError}; ${behind}`,
      'repair the receiver at AUDIT_WEBHOOK_URL: nothing is lost, and it is tried again every five minutes',
    ),
  ];
}
