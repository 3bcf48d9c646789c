import type { Customer } from '../../../generated/prisma/client.ts';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type Acting, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { chooseIntegration, ensureChosen, severalIntegrations } from './choose-integration.ts';
import { changedCustomer } from './customer-data.ts';
import type { CustomerRequest } from './customer-request.ts';
import { isIntegrationId } from './integrations.ts';
import type { NamedCustomer } from './shapes.ts';
import { deleteCustomer, lockCustomer, replaceCustomer, upsertCustomers } from './store/customers.ts';
import { readCustomer, readCustomerOf, readKeptCustomer } from './store/read-customers.ts';
import { firstIntegrations } from './store/read-integrations.ts';

/**
 * Inserts or updates the customers of an environment whom invoices name, in the caller's transaction. Nothing that is null changes what
 * is known; of one who is named twice, the later counts.
 */
export async function recordCustomers(
  client: Queryable,
  environmentId: number,
  named: readonly NamedCustomer[],
): Promise<void> {
  const first = named.find(({ isFirst }) => isFirst);
  if (first !== undefined) await ensureChosen(client, environmentId, first);
  const createdAt = clock.now();
  // One statement changes a row once.
  const times = [...Map.groupBy(named, (one) => `${one.integrationId}/${one.externalCustomerId}`).values()];
  const most = Math.max(0, ...times.map(({ length }) => length));
  const rounds = Array.from({ length: most }, (_, at) => times.flatMap((same) => same[at] ?? []));
  for (const round of rounds) {
    const rows = round.map(({ isFirst: _, ...customer }) => ({ ...customer, id: newId('cus'), createdAt }));
    await upsertCustomers(client, environmentId, rows);
  }
}

/**
 * Makes a customer or changes what is kept of one: a field that was not sent stays, null removes it. The audit log names the customer by
 * id only. Codes: those of `chooseIntegration` and `changedCustomer`.
 */
export async function saveCustomer(
  db: Pick<Db, 'pool' | 'prisma'>,
  by: Acting,
  environmentId: number,
  { integrationId, externalCustomerId, ...sent }: CustomerRequest,
): Promise<Outcome<Customer>> {
  const id = await inTransaction<Outcome<string>>(db.pool, async (client) => {
    const chosen = await chooseIntegration(client, environmentId, integrationId);
    if (isRefusal(chosen)) return chosen;
    const key = { integrationId: chosen.integrationId, externalCustomerId };
    await lockCustomer(client, environmentId, key);
    const before = await readKeptCustomer(client, environmentId, key);
    const data = changedCustomer(before, sent);
    if (isRefusal(data)) return data;
    await ensureChosen(client, environmentId, chosen);
    const { id: subject = newId('cus'), createdAt = clock.now() } = before ?? {};
    await replaceCustomer(client, { ...data, ...key, id: subject, environmentId, createdAt });
    await addAuditEntry(client, { ...by, action: 'save_customer', subject, environmentId });
    return subject;
  });
  return isRefusal(id) ? id : readCustomer(db, environmentId, id);
}

/** Names a customer of an environment; without an integration there must be only one. */
export type CustomerReference = {
  readonly externalCustomerId: string;
  readonly integrationId?: string | null | undefined;
};

/**
 * Deletes what is kept of a customer, with the links to their page, and returns it; their invoices stay, and go on naming the id.
 * Codes: those of `findCustomer`.
 */
export async function removeCustomer(
  db: Pick<Db, 'pool' | 'prisma'>,
  by: Acting,
  environmentId: number,
  reference: CustomerReference,
): Promise<Outcome<Customer>> {
  const customer = await findCustomer(db, environmentId, reference);
  if (isRefusal(customer)) return customer;
  const isDeleted = await inTransaction(db.pool, async (client) => {
    const found = await deleteKept(client, environmentId, customer);
    const entry = { ...by, action: 'delete_customer', subject: customer.id, environmentId };
    if (found) await addAuditEntry(client, entry);
    return found;
  });
  return isDeleted ? customer : unknownCustomer();
}

/** Deletes what is kept of a customer, with the links to their page, in the caller's transaction. Returns whether there was anything. */
export function deleteKept(client: Queryable, environmentId: number, customer: Customer): Promise<boolean> {
  return deleteCustomer(client, environmentId, customer);
}

/**
 * The environment's customer with that id. Without an integration's id the customer must be unambiguous: with
 * several integrations the refusal is `customer_ambiguous`, whether or not one of them has the customer.
 * `customer_not_found` when there is none, also when the integration is unknown (docs/contract.md#customers).
 */
export async function findCustomer(
  db: Pick<Db, 'pool' | 'prisma'>,
  environmentId: number,
  { externalCustomerId, integrationId }: CustomerReference,
): Promise<Outcome<Customer>> {
  if (integrationId == null) {
    if ((await firstIntegrations(db.pool, environmentId)).length > 1) return severalIntegrations();
    return (await readCustomerOf(db, environmentId, { externalCustomerId })) ?? unknownCustomer();
  }
  const customer = isIntegrationId(integrationId)
    ? await readCustomerOf(db, environmentId, { externalCustomerId, integrationId })
    : null;
  return customer ?? unknownCustomer();
}

const unknownCustomer = (): Refusal =>
  new Refusal('customer_not_found', 'No customer of this external_customer_id exists in the environment.');
