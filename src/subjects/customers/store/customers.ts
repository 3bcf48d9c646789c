import type { Customer } from '../../../../generated/prisma/client.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute } from '../../../ground/db/rows.ts';
import type { NamedCustomer } from '../shapes.ts';

/** What is known of a customer, and may change. */
export const CUSTOMER_COLUMNS = [
  ...['name', 'company_name', 'tax_id', 'tax_id_type', 'tax_id_country', 'email'],
  ...['line1', 'line2', 'postal_code', 'city', 'country'],
];
const COLUMNS = ['id', 'integration_id', 'external_customer_id', ...CUSTOMER_COLUMNS, 'created_at'].join(
  ', ',
);

const INSERT = `insert into customer as known (environment_id, ${COLUMNS})
  select $1::int, ${COLUMNS} from json_populate_recordset(null::customer, $2)
  on conflict (environment_id, integration_id, external_customer_id) do update set`;

const row = (columns: readonly string[], of: string) =>
  `(${columns.map((column) => `${of}.${column}`).join(', ')})`;

/** An identity and an address are known as a whole or not at all. */
const IDENTITY = ['company_name', 'tax_id', 'tax_id_type', 'tax_id_country'];
const ADDRESS = ['line1', 'line2', 'postal_code', 'city', 'country'];
const ADDRESS_SAID = `coalesce(${ADDRESS.map((column) => `excluded.${column}`).join(', ')}) is not null`;

const VALUES: Readonly<Record<string, string>> = {
  name: 'coalesce(excluded.name, known.name)',
  email: 'coalesce(excluded.email, known.email)',
  ...whole(IDENTITY, 'excluded.tax_id is not null'),
  company_name:
    'case when excluded.tax_id is null then coalesce(excluded.company_name, known.company_name) else excluded.company_name end',
  ...whole(ADDRESS, ADDRESS_SAID),
};

function whole(columns: readonly string[], isSaid: string) {
  return Object.fromEntries(
    columns.map((name) => [name, `case when ${isSaid} then excluded.${name} else known.${name} end`]),
  );
}

/** Rows that would not change are not written. */
const NAMED = {
  name: 'name-customers',
  text: `${INSERT} ${CUSTOMER_COLUMNS.map((name) => `${name} = ${VALUES[name]}`).join(', ')}
    where ${row(CUSTOMER_COLUMNS, 'known')} is distinct from (${CUSTOMER_COLUMNS.map((name) => VALUES[name]).join(', ')})`,
};

/** Inserts customers with new ids, or updates known ones with what is said of them. No customer may be among them twice. */
export async function upsertCustomers(
  db: Queryable,
  environmentId: number,
  customers: readonly (Omit<NamedCustomer, 'isFirst'> & Pick<Customer, 'id' | 'createdAt'>)[],
): Promise<void> {
  await execute(db, NAMED, [environmentId, JSON.stringify(customers.map(columnsOf))]);
}

const REPLACED = {
  name: 'replace-customer',
  text: `${INSERT} ${CUSTOMER_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}`,
};

/** Inserts a customer with a new id, or replaces all that is kept of a known one. */
export async function replaceCustomer(
  db: Queryable,
  { environmentId, ...customer }: Customer,
): Promise<void> {
  await execute(db, REPLACED, [environmentId, JSON.stringify([columnsOf(customer)])]);
}

const columnsOf = (customer: Omit<Customer, 'environmentId'>) => ({
  id: customer.id,
  integration_id: customer.integrationId,
  external_customer_id: customer.externalCustomerId,
  name: customer.name,
  company_name: customer.companyName,
  tax_id: customer.taxId,
  tax_id_type: customer.taxIdType,
  tax_id_country: customer.taxIdCountry,
  email: customer.email,
  line1: customer.line1,
  line2: customer.line2,
  postal_code: customer.postalCode,
  city: customer.city,
  country: customer.country,
  created_at: customer.createdAt,
});

/** Locks a customer until the end of the transaction. */
export async function lockCustomer(
  db: Queryable,
  environmentId: number,
  { integrationId, externalCustomerId }: Pick<Customer, 'integrationId' | 'externalCustomerId'>,
): Promise<void> {
  const text =
    'select 1 from customer where environment_id = $1 and integration_id = $2 and external_customer_id = $3 for update';
  await execute(db, text, [environmentId, integrationId, externalCustomerId]);
}

/** Deletes a customer with the links to their page. Returns whether there was one. */
export async function deleteCustomer(
  db: Queryable,
  environmentId: number,
  { integrationId, externalCustomerId }: Pick<Customer, 'integrationId' | 'externalCustomerId'>,
): Promise<boolean> {
  const values = [environmentId, integrationId, externalCustomerId];
  const named = 'where environment_id = $1 and integration_id = $2 and external_customer_id = $3';
  await execute(db, `delete from portal_session ${named}`, values);
  return (await execute(db, `delete from customer ${named}`, values)) > 0;
}
