import type { Customer } from '../../../../generated/prisma/client.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute } from '../../../ground/db/rows.ts';
import type { CustomerFacts } from '../shapes.ts';

/** An integration of an environment. */
type Owner = { readonly environmentId: number; readonly integrationId: string };

const KEEP_CUSTOMER = {
  name: 'keep-customer',
  text: `insert into customer as known (id, environment_id, integration_id, external_customer_id, name, email, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (environment_id, integration_id, external_customer_id) do update
            set name = coalesce(excluded.name, known.name), email = coalesce(excluded.email, known.email)
          where coalesce(excluded.name, known.name) is distinct from known.name
             or coalesce(excluded.email, known.email) is distinct from known.email`,
};

/** Inserts a customer with a new id, or updates the known one with the new values. */
export async function upsertCustomer(
  db: Queryable,
  { environmentId, integrationId }: Owner,
  { id, externalCustomerId, name, email, createdAt }: CustomerFacts & Pick<Customer, 'id' | 'createdAt'>,
): Promise<void> {
  const values = [id, environmentId, integrationId, externalCustomerId, name, email, createdAt];
  await execute(db, KEEP_CUSTOMER, values);
}
