import { z } from 'zod';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { type RowKey, readOneRow, readRow, readRowOfEach, readRows } from '../../../ground/db/rows.ts';
import { type Customer, type CustomerFilter, customerRow } from '../shapes.ts';

const CUSTOMER = `id, integration_id as "integrationId", external_customer_id as "externalCustomerId", name, email,
  created_at as "createdAt"`;

/** A customer that must exist: it was written by the same transaction. */
export function readCustomer(
  db: Queryable,
  environmentId: number,
  { integrationId, externalCustomerId }: Pick<Customer, 'integrationId' | 'externalCustomerId'>,
): Promise<Customer> {
  return readOneRow(
    db,
    customerRow,
    `select ${CUSTOMER} from customer where environment_id = $1 and integration_id = $2 and external_customer_id = $3`,
    [environmentId, integrationId, externalCustomerId],
  );
}

/** A customer of the environment with the id in any of its integrations, or in the given one. */
export function readCustomerOf(
  db: Queryable,
  environmentId: number,
  {
    externalCustomerId,
    integrationId,
  }: Pick<CustomerFilter, 'integrationId'> & Pick<Customer, 'externalCustomerId'>,
): Promise<Customer | null> {
  return readRow(
    db,
    customerRow,
    `select ${CUSTOMER} from customer
      where environment_id = $1 and external_customer_id = $2 and ($3::text is null or integration_id = $3)
      limit 1`,
    [environmentId, externalCustomerId, integrationId ?? null],
  );
}

/** Customers by integration and external id, each under its key. */
export async function readCustomersByNames(
  db: Queryable,
  keys: readonly {
    readonly key: string;
    readonly environmentId: number;
    readonly within: string;
    readonly id: string;
  }[],
): Promise<Map<string, Customer>> {
  const rows = await readRows(
    db,
    customerRow.extend({ key: z.string() }),
    {
      name: 'customers-by-names',
      text: `select wanted.key, ${CUSTOMER} from unnest($1::text[], $2::int[], $3::text[], $4::text[])
                as wanted (key, environment, integration, external)
              join customer on environment_id = wanted.environment and integration_id = wanted.integration and external_customer_id = wanted.external`,
    },
    [
      keys.map(({ key }) => key),
      keys.map(({ environmentId }) => environmentId),
      keys.map(({ within }) => within),
      keys.map(({ id }) => id),
    ],
  );
  return new Map(rows.map(({ key, ...found }) => [key, found]));
}

/** One customer of the environment by internal id, or null. */
export function readCustomersById(db: Queryable, keys: readonly RowKey[]): Promise<Map<string, Customer>> {
  const text = `select ${CUSTOMER} from customer where environment_id = wanted.environment_id and id = wanted.id`;
  return readRowOfEach(db, customerRow, text, keys);
}

/** The environment's customers in the order of their external ids. */
export function listCustomers(
  db: Queryable,
  environmentId: number,
  { integrationId, externalCustomerId }: CustomerFilter,
): Listed<Customer> {
  return listed(db, {
    ...{ shape: customerRow, columns: CUSTOMER, from: 'customer', id: 'id' },
    where: `environment_id = $1 and ($2::text is null or integration_id = $2)
      and ($3::text is null or external_customer_id = $3)`,
    values: [environmentId, integrationId ?? null, externalCustomerId ?? null],
    ...{ order: ['external_customer_id', 'id'], direction: 'asc' },
  });
}
