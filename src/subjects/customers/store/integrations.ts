import type { Integration } from '../../../../generated/prisma/client.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute } from '../../../ground/db/rows.ts';

const COLUMNS = 'id, environment_id, name, standard_series_id, rectifying_series_id, created_at';
const INSERT = `insert into integration (${COLUMNS}) values ($1, $2, $3, $4, $5, $6)`;

/** Violates the unique index of names, or the foreign keys when a series was deleted. */
export async function insertIntegration(db: Queryable, integration: Integration): Promise<void> {
  await execute(db, INSERT, valuesOf(integration));
}

/** The same, unless there is one of the id or the name. */
export async function ensureIntegration(db: Queryable, integration: Integration): Promise<void> {
  await execute(db, `${INSERT} on conflict do nothing`, valuesOf(integration));
}

function valuesOf({
  id,
  environmentId,
  name,
  standardSeriesId,
  rectifyingSeriesId,
  createdAt,
}: Integration): unknown[] {
  return [id, environmentId, name, standardSeriesId, rectifyingSeriesId, createdAt];
}
