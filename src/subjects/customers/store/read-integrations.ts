import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRow, readRows } from '../../../ground/db/rows.ts';
import { type Integration, integrationRow } from '../shapes.ts';

const INTEGRATION = `id, name, standard_series_id as "standardSeriesId", rectifying_series_id as "rectifyingSeriesId",
            created_at as "createdAt"`;

/** One integration of the environment, or null. */
export function readIntegration(
  db: Queryable,
  environmentId: number,
  id: string,
): Promise<Integration | null> {
  const text = `select ${INTEGRATION} from integration where environment_id = $1 and id = $2`;
  return readRow(db, integrationRow, text, [environmentId, id]);
}

/** The integrations of the environment, the oldest first, `most` of them or all. */
export function readIntegrations(
  db: Queryable,
  environmentId: number,
  most: number | null,
): Promise<Integration[]> {
  return readRows(
    db,
    integrationRow,
    `select ${INTEGRATION}
       from integration where environment_id = $1 order by created_at, id limit $2`,
    [environmentId, most],
  );
}
