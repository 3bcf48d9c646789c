import { z } from 'zod';
import type { Integration } from '../../../../generated/prisma/client.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute, readRow } from '../../../ground/db/rows.ts';

/** An integration of an environment. */
type Owner = { readonly environmentId: number; readonly integrationId: string };

/** Whether the environment has that integration. */
export async function hasIntegration(
  db: Queryable,
  { environmentId, integrationId }: Owner,
): Promise<boolean> {
  const values = [environmentId, integrationId];
  return (await execute(db, 'select 1 from integration where environment_id = $1 and id = $2', values)) > 0;
}

/** Whether the environment has two integrations or more. */
export async function hasSeveralIntegrations(db: Queryable, environmentId: number): Promise<boolean> {
  return (
    (await execute(db, 'select 1 from integration where environment_id = $1 limit 2', [environmentId])) === 2
  );
}

/** Violates the unique index of names, or the foreign keys when a series was deleted. */
export async function insertIntegration(
  db: Queryable,
  { id, environmentId, name, standardSeriesId, rectifyingSeriesId, createdAt }: Integration,
): Promise<void> {
  await execute(
    db,
    `insert into integration (id, environment_id, name, standard_series_id, rectifying_series_id, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, environmentId, name, standardSeriesId, rectifyingSeriesId, createdAt],
  );
}

const FIND_ORDER = {
  name: 'find-order',
  text: `select integration.standard_series_id as "standardSeriesId", invoice.id as "invoiceId"
           from integration
           left join invoice on invoice.environment_id = integration.environment_id
             and invoice.integration_id = integration.id and invoice.order_id = $3
          where integration.environment_id = $1 and integration.id = $2`,
};
const order = z.object({ standardSeriesId: z.string().nullable(), invoiceId: z.string().nullable() });

/** The integration's own series and the invoice that the order already has; null when there is no such integration. */
export function readOrder(
  db: Queryable,
  { environmentId, integrationId }: Owner,
  orderId: string,
): Promise<z.infer<typeof order> | null> {
  return readRow(db, order, FIND_ORDER, [environmentId, integrationId, orderId]);
}
