import { z } from 'zod';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { emailAddress } from '../../ground/lib/email.ts';
import { newId } from '../../ground/lib/ids.ts';
import { line } from '../../ground/lib/text.ts';
import { isIntegrationId } from './integrations.ts';
import type { Customer, CustomerFacts } from './shapes.ts';
import { upsertCustomer } from './store/customers.ts';
import { hasIntegration, hasSeveralIntegrations } from './store/integrations.ts';
import { readCustomer, readCustomerOf } from './store/read-customers.ts';

/** Writes down a customer on the caller's transaction. What is known already stays where nothing new is said. */
export async function keepCustomer(
  client: Queryable,
  owner: { readonly environmentId: number; readonly integrationId: string },
  facts: CustomerFacts,
): Promise<void> {
  await upsertCustomer(client, owner, { ...facts, id: newId('cus'), createdAt: clock.now() });
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
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  environmentId: number,
  request: z.output<typeof customerRequest>,
): Promise<Outcome<Customer>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  const { integrationId, externalCustomerId, name, email } = request;
  return inTransaction<Outcome<Customer>>(db.pool, async (client) => {
    const owner = { environmentId, integrationId };
    if (!(await hasIntegration(client, owner))) {
      return new Refusal('integration_not_found', 'No integration of this id exists in the environment.');
    }
    await keepCustomer(client, owner, { externalCustomerId, name: name ?? null, email: email ?? null });
    const customer = await readCustomer(client, environmentId, { integrationId, externalCustomerId });
    await addAuditEntry(client, {
      ...by,
      reason,
      action: 'save_customer',
      subject: customer.id,
      environmentId,
    });
    return customer;
  });
}

/**
 * The environment's customer of that id. Without an integration's id it must be clear which one is meant: with several
 * integrations `customer_ambiguous`, whether or not one of them knows the customer. `customer_not_found` when there is
 * none, also when the integration is unknown (docs/contract.md#customers).
 */
export async function findCustomer(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  wanted: { readonly externalCustomerId: string; readonly integrationId?: string | undefined },
): Promise<Outcome<Customer>> {
  const { integrationId } = wanted;
  if (integrationId === undefined && (await hasSeveralIntegrations(db.pool, environmentId))) {
    const detail = 'The environment has several integrations: integration_id is required.';
    return new Refusal('customer_ambiguous', detail);
  }
  const possible = integrationId === undefined || isIntegrationId(integrationId);
  const customer = possible ? await readCustomerOf(db.pool, environmentId, wanted) : null;
  return (
    customer ?? new Refusal('customer_not_found', 'No customer of this external_customer_id exists here.')
  );
}
