import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { type RowKey, readRowOfEach, readRows } from '../../../ground/db/rows.ts';
import { type Integration, integrationRow } from '../shapes.ts';

const INTEGRATION = `id, name, standard_series_id as "standardSeriesId", rectifying_series_id as "rectifyingSeriesId",
            created_at as "createdAt"`;

/** One integration of the environment, or null. */
export function readIntegrationsById(
  db: Queryable,
  keys: readonly RowKey[],
): Promise<Map<string, Integration>> {
  const text = `select ${INTEGRATION} from integration where environment_id = wanted.environment_id and id = wanted.id`;
  return readRowOfEach(db, integrationRow, text, keys);
}

/** The integrations of the environment, the oldest first. */
export function listIntegrations(db: Queryable, environmentId: number): Listed<Integration> {
  return listed(db, {
    ...{ shape: integrationRow, columns: INTEGRATION, from: 'integration', id: 'id' },
    ...{ where: 'environment_id = $1', values: [environmentId] },
    ...{ order: ['created_at', 'id'], direction: 'asc' },
  });
}

/** All integrations of the environment, the oldest first. */
export function allIntegrations(db: Queryable, environmentId: number): Promise<Integration[]> {
  const text = `select ${INTEGRATION} from integration where environment_id = $1 order by created_at, id`;
  return readRows(db, integrationRow, text, [environmentId]);
}
