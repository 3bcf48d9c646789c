import { z } from 'zod';
import type { Integration } from '../../../generated/prisma/client.ts';
import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type Actor, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { id } from '../../ground/lib/request-fields.ts';
import { line } from '../../ground/lib/text.ts';
import { seriesOfType } from '../number-series/choose.ts';
import { insertIntegration } from './store/integrations.ts';

/** The input for a new integration. Without a series of its own it uses the environment's default. */
export const integrationRequest = z.strictObject({
  name: line(100).describe('The name, unique in the environment.'),
  standardSeriesId: id
    .nullish()
    .describe('The series of its invoices; default: the environment’s default series.'),
  rectifyingSeriesId: id
    .nullish()
    .describe('The series of its rectificativas; default: the environment’s default series.'),
});

export type IntegrationRequest = z.output<typeof integrationRequest>;

const INTEGRATION_ID = /^int_[0-9a-f]{32}$/;

/** Whether a text has the form of an integration's id; anything else is not worth a query. */
export function isIntegrationId(text: string): boolean {
  return INTEGRATION_ID.test(text);
}

/** Who creates an integration and, where required, why. */
type Creator = { readonly actor: Actor; readonly reason: string | null };

/** SQLSTATEs of a unique violation (the name is taken) and of a foreign key violation (a series was deleted). */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Creates an integration of the environment, which must exist. From then on its series cannot be deleted
 * (`number_series_in_use`), which foreign keys enforce. Refuses a name that another integration has
 * (`invalid_request`), and a series that is unknown or of the other type (`invalid_number_series`,
 * `rectifying_series_invalid`).
 */
export async function createIntegration(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  { name, standardSeriesId, rectifyingSeriesId }: IntegrationRequest,
  by: Creator,
): Promise<Outcome<Integration>> {
  const reason = by.reason === null ? null : readReason({ reason: by.reason });
  if (isRefusal(reason)) return reason;
  const refusal = await seriesRefusal(db, environmentId, { standardSeriesId, rectifyingSeriesId });
  if (refusal !== null) return refusal;
  const integration: Integration = {
    id: newId('int'),
    environmentId,
    name: name.trim(),
    standardSeriesId: standardSeriesId ?? null,
    rectifyingSeriesId: rectifyingSeriesId ?? null,
    createdAt: clock.now(),
  };
  try {
    await insert(db, integration, by);
    return integration;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === UNIQUE_VIOLATION) return invalidField('name', 'already_used', 'names another integration');
    // The series was deleted after it was checked.
    const refusal =
      code === FOREIGN_KEY_VIOLATION ? await seriesRefusal(db, environmentId, integration) : null;
    if (refusal !== null) return refusal;
    throw error;
  }
}

async function insert(
  { pool }: Pick<Db, 'pool'>,
  integration: Integration,
  { actor, reason }: Creator,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await insertIntegration(client, integration);
    const { id: subject, environmentId } = integration;
    await addAuditEntry(client, { actor, action: 'create_integration', subject, environmentId, reason });
  });
}

async function seriesRefusal(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  { standardSeriesId, rectifyingSeriesId }: Omit<IntegrationRequest, 'name'>,
) {
  const configured = [
    ['standard', standardSeriesId],
    ['rectifying', rectifyingSeriesId],
  ] as const;
  for (const [type, id] of configured) {
    const series = id == null ? null : await seriesOfType(db, environmentId, id, type);
    if (isRefusal(series)) return series;
  }
  return null;
}
