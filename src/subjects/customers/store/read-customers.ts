import { z } from 'zod';
import type { Customer } from '../../../../generated/prisma/client.ts';
import type { Db } from '../../../ground/db/client.ts';
import { given } from '../../../ground/db/filter.ts';
import { firstOf, type Listed, listed, type Page, pageOf } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRow } from '../../../ground/db/rows.ts';
import { invalidField, type Outcome } from '../../../ground/errors/refusal.ts';

const text = z.string().nullable();
const keptRow = z.object({
  id: z.string(),
  createdAt: column.instant,
  ...{ name: text, companyName: text, taxId: text, taxIdType: text, taxIdCountry: text, email: text },
  ...{ line1: text, line2: text, postalCode: text, city: text, country: text },
});

/** What is kept of a customer, within a transaction; null when there is none. */
export function readKeptCustomer(
  db: Queryable,
  environmentId: number,
  { integrationId, externalCustomerId }: Pick<Customer, 'integrationId' | 'externalCustomerId'>,
): Promise<z.output<typeof keptRow> | null> {
  const text = `select id, created_at as "createdAt", name, company_name as "companyName", tax_id as "taxId",
      tax_id_type as "taxIdType", tax_id_country as "taxIdCountry", email, line1, line2, postal_code as "postalCode", city, country
    from customer where environment_id = $1 and integration_id = $2 and external_customer_id = $3`;
  return readRow(db, keptRow, text, [environmentId, integrationId, externalCustomerId]);
}

const foundRow = z.object({ id: z.string() });

/** Customers in whose names, e-mail address or ids each word of a text begins a word, by their external ids. */
export function searchCustomers(
  db: Queryable,
  environmentId: number,
  { text, ...filter }: { readonly text: string } & CustomerFilter,
): Listed<{ readonly id: string }> {
  const values: unknown[] = [environmentId, text];
  const exact = Object.entries({
    integration_id: filter.integrationId,
    external_customer_id: filter.externalCustomerId,
  }).flatMap(([name, value]) => (value == null ? [] : [`and ${name} = $${values.push(value)}`]));
  return listed(db, {
    ...{ shape: foundRow, columns: 'id', from: 'customer', id: 'id', values },
    where: `environment_id = $1 and ${WORDS} @@ begun_words($1, $2) ${exact.join(' ')}`,
    ...{ order: ['external_customer_id collate "C"', 'id collate "C"'], direction: 'asc' },
  });
}

const WORDS = 'customer_words(environment_id, name, company_name, email, tax_id, external_customer_id)';

type CustomerFilter = {
  readonly integrationId?: string | null | undefined;
  readonly externalCustomerId?: string | null | undefined;
};

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
