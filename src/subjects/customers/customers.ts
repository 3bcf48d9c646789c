import { z } from 'zod';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { noteAct, readReason, type WhoAndWhy } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { emailAddress } from '../../ground/lib/email.ts';
import { newId } from '../../ground/lib/ids.ts';
import { line } from '../../ground/lib/text.ts';
import { isIntegrationId } from './integrations.ts';

/** Whom an integration sells to, under the integration's own id. */
export type Customer = {
  readonly id: string;
  readonly integrationId: string;
  readonly externalCustomerId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly createdAt: Date;
};

/** What an order tells of its customer. */
export type CustomerFacts = {
  readonly externalCustomerId: string;
  readonly name: string | null;
  readonly email: string | null;
};

const COLUMNS = `id, integration_id as "integrationId", external_customer_id as "externalCustomerId", name, email,
  created_at as "createdAt"`;
const CUSTOMER_ID = /^cus_[0-9a-f]{32}$/;

/** Writes down a customer on the caller's transaction. What is known already stays where nothing new is said. */
export async function keepCustomer(
  client: Queryable,
  owner: { readonly environmentId: number; readonly integrationId: string },
  { externalCustomerId, name, email }: CustomerFacts,
): Promise<void> {
  await client.query({
    name: 'keep-customer',
    text: `insert into customer as known (id, environment_id, integration_id, external_customer_id, name, email, created_at)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (integration_id, external_customer_id) do update
              set name = coalesce(excluded.name, known.name), email = coalesce(excluded.email, known.email)
            where coalesce(excluded.name, known.name) is distinct from known.name
               or coalesce(excluded.email, known.email) is distinct from known.email`,
    values: [
      newId('cus'),
      owner.environmentId,
      owner.integrationId,
      externalCustomerId,
      name,
      email,
      clock.now(),
    ],
  });
}

/** What an operator writes down of a customer; what is left out stays as it is known. */
export const customerRequest = z.strictObject({
  integrationId: z.string(),
  externalCustomerId: line(255),
  name: line(200).nullish(),
  email: emailAddress.nullish(),
});

/**
 * Writes down a customer for an operator, or what is new of one. Refuses with 404 `integration_not_found`, and a reason
 * that is none with 400 `invalid_request`. The log names the customer by id alone.
 */
export async function saveCustomer(
  db: Db,
  by: WhoAndWhy,
  environmentId: number,
  request: z.output<typeof customerRequest>,
): Promise<Outcome<Customer>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  const { integrationId, externalCustomerId, name, email } = request;
  return inTransaction<Outcome<Customer>>(db.pool, async (client) => {
    const { rowCount } = await client.query(
      'select 1 from integration where environment_id = $1 and id = $2',
      [environmentId, integrationId],
    );
    if (rowCount === 0) {
      return new Refusal('integration_not_found', 'No integration of this id exists in the environment.');
    }
    const facts = { externalCustomerId, name: name ?? null, email: email ?? null };
    await keepCustomer(client, { environmentId, integrationId }, facts);
    const { rows } = await client.query<Customer>(
      `select ${COLUMNS} from customer where integration_id = $1 and external_customer_id = $2`,
      [integrationId, externalCustomerId],
    );
    const customer = rows[0]!;
    await noteAct(client, { ...by, reason, action: 'save_customer', subject: customer.id, environmentId });
    return customer;
  });
}

/**
 * The environment's customer of that id. Without an integration's id it must be clear which one is meant: with several
 * integrations `customer_ambiguous`, whether or not one of them knows the customer. `customer_not_found` when there is
 * none, also when the integration is unknown (docs/contract.md#customers).
 */
export async function findCustomer(
  db: Db,
  environmentId: number,
  wanted: { readonly externalCustomerId: string; readonly integrationId?: string | undefined },
): Promise<Outcome<Customer>> {
  const { externalCustomerId, integrationId } = wanted;
  if (integrationId === undefined && (await hasSeveralIntegrations(db, environmentId))) {
    const detail = 'The environment has several integrations: integration_id is needed.';
    return new Refusal('customer_ambiguous', detail);
  }
  const possible = integrationId === undefined || isIntegrationId(integrationId);
  const { rows } = possible
    ? await db.pool.query<Customer>(
        `select ${COLUMNS} from customer
          where environment_id = $1 and external_customer_id = $2 and ($3::text is null or integration_id = $3)`,
        [environmentId, externalCustomerId, integrationId ?? null],
      )
    : { rows: [] };
  return (
    rows[0] ?? new Refusal('customer_not_found', 'No customer of this external_customer_id exists here.')
  );
}

async function hasSeveralIntegrations(db: Db, environmentId: number): Promise<boolean> {
  const { rowCount } = await db.pool.query('select 1 from integration where environment_id = $1 limit 2', [
    environmentId,
  ]);
  return rowCount === 2;
}

/** What a list of customers may be narrowed to; exact. */
export type CustomerFilter = {
  readonly integrationId?: string | undefined;
  readonly externalCustomerId?: string | undefined;
};

/**
 * A page of the environment's customers in the order of their external ids. `after` is the id of the last customer of
 * the page before: unknown or foreign, it is `invalid_request`.
 */
export async function listCustomers(
  db: Db,
  environmentId: number,
  { integrationId, externalCustomerId }: CustomerFilter,
  page: { readonly first: number; readonly after: string | null },
): Promise<Outcome<{ readonly customers: readonly Customer[]; readonly hasMore: boolean }>> {
  const start = page.after === null ? null : await cursorOf(db, environmentId, page.after);
  if (start === undefined) {
    return invalidField('after', 'invalid_value', 'names no customer of this environment');
  }
  const { rows } = await db.pool.query<Customer>(
    `select ${COLUMNS} from customer
      where environment_id = $1 and ($2::text is null or integration_id = $2)
        and ($3::text is null or external_customer_id = $3)
        and ($4::text is null or (external_customer_id, id) > ($4, $5))
      order by external_customer_id, id limit $6`,
    [environmentId, integrationId ?? null, externalCustomerId ?? null, start, page.after, page.first + 1],
  );
  return { customers: rows.slice(0, page.first), hasMore: rows.length > page.first };
}

/** Where a page begins; undefined when there is no such customer. */
async function cursorOf(db: Db, environmentId: number, id: string): Promise<string | undefined> {
  if (!CUSTOMER_ID.test(id)) return undefined;
  const { rows } = await db.pool.query<{ start: string }>(
    'select external_customer_id as start from customer where environment_id = $1 and id = $2',
    [environmentId, id],
  );
  return rows[0]?.start;
}
