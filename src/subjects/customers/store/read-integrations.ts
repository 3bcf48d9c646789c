import { z } from 'zod';
import type { Integration } from '../../../../generated/prisma/client.ts';
import type { Db } from '../../../ground/db/client.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute, readRow, readRows } from '../../../ground/db/rows.ts';

/** An integration of an environment. */
type Owner = { readonly environmentId: number; readonly integrationId: string };

/** All integrations of the environment, the oldest first. */
export function allIntegrations(
  { prisma }: Pick<Db, 'prisma'>,
  environmentId: number,
): Promise<Omit<Integration, 'environmentId'>[]> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  return prisma.integration.findMany({ where: { environmentId }, orderBy, omit: { environmentId: true } });
}

/** Whether the environment has that integration. */
export async function hasIntegration(
  db: Queryable,
  { environmentId, integrationId }: Owner,
): Promise<boolean> {
  const values = [environmentId, integrationId];
  return (await execute(db, 'select 1 from integration where environment_id = $1 and id = $2', values)) > 0;
}

const FIRST_TWO = {
  name: 'first-integrations',
  text: 'select id from integration where environment_id = $1 order by created_at, id limit 2',
};
const idRow = z.object({ id: z.string() });

/** The ids of the environment's integrations, at most two of them: whether there are none, one or several. */
export async function firstIntegrations(db: Queryable, environmentId: number): Promise<string[]> {
  return (await readRows(db, idRow, FIRST_TWO, [environmentId])).map(({ id }) => id);
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
