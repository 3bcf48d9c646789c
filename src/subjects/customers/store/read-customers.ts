import { z } from 'zod';
import type { Customer } from '../../../../generated/prisma/client.ts';
import type { Db } from '../../../ground/db/client.ts';
import { given } from '../../../ground/db/filter.ts';
import { firstOf, type Page, pageOf } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readOneRow } from '../../../ground/db/rows.ts';
import { invalidField, type Outcome } from '../../../ground/errors/refusal.ts';

const identified = z.object({ id: z.string() });

/** The id of a customer that must exist: it was written by the same transaction. */
export async function readCustomerId(
  db: Queryable,
  environmentId: number,
  { integrationId, externalCustomerId }: Pick<Customer, 'integrationId' | 'externalCustomerId'>,
): Promise<string> {
  const text =
    'select id from customer where environment_id = $1 and integration_id = $2 and external_customer_id = $3';
  return (await readOneRow(db, identified, text, [environmentId, integrationId, externalCustomerId])).id;
}

/** A customer that must exist. */
export function readCustomer(
  { prisma }: Pick<Db, 'prisma'>,
  environmentId: number,
  id: string,
): Promise<Customer> {
  return prisma.customer.findUniqueOrThrow({ where: { id_environmentId: { id, environmentId } } });
}

/** A customer of the environment with the id in any of its integrations, or in the given one. */
export function readCustomerOf(
  { prisma }: Pick<Db, 'prisma'>,
  environmentId: number,
  reference: { readonly externalCustomerId: string; readonly integrationId?: string | undefined },
): Promise<Customer | null> {
  const { externalCustomerId, integrationId } = reference;
  return prisma.customer.findFirst({
    where: { environmentId, externalCustomerId, ...given({ integrationId }) },
  });
}

/** Customers of the environment by their external ids, from the one after `after`, which must be one of them. */
export async function listCustomers(
  { prisma }: Pick<Db, 'prisma'>,
  environmentId: number,
  { integrationId, size, after }: CustomerRange,
): Promise<Outcome<Page<Omit<Customer, 'environmentId'>>>> {
  const where = { environmentId, ...given({ integrationId }) };
  const place = after === null ? null : { id_environmentId: { id: after, environmentId } };
  if (after !== null && (await prisma.customer.count({ where: { ...where, id: after } })) === 0) {
    return invalidField('after', 'invalid_value', 'is not a cursor of this list');
  }
  const rows = await prisma.customer.findMany({
    ...{ where, take: size + 1 },
    ...given({ cursor: place, skip: place === null ? null : 1 }),
    orderBy: [{ externalCustomerId: 'asc' }, { id: 'asc' }],
    omit: { environmentId: true },
  });
  return pageOf(rows, firstOf(size, after));
}

type CustomerRange = {
  readonly integrationId?: string | undefined;
  readonly size: number;
  readonly after: string | null;
};
