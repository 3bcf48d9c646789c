import { z } from 'zod';
import type { Customer } from '../../../generated/prisma/client.ts';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { emailAddress } from '../../ground/lib/email.ts';
import { newId } from '../../ground/lib/ids.ts';
import { id } from '../../ground/lib/request-fields.ts';
import { exactLine, line } from '../../ground/lib/text.ts';
import { isIntegrationId } from './integrations.ts';
import type { CustomerFacts } from './shapes.ts';
import { upsertCustomer } from './store/customers.ts';
import { hasIntegration, hasSeveralIntegrations } from './store/integrations.ts';
import { readCustomer, readCustomerId, readCustomerOf } from './store/read-customers.ts';

/** Inserts or updates a customer in the caller's transaction. Fields without a new value stay unchanged. */
export async function recordCustomer(
  client: Queryable,
  owner: { readonly environmentId: number; readonly integrationId: string },
  facts: CustomerFacts,
): Promise<void> {
  await upsertCustomer(client, owner, { ...facts, id: newId('cus'), createdAt: clock.now() });
}

/** The data of a customer that an operator enters; a field that is left out stays unchanged. */
export const customerRequest = z.strictObject({
  integrationId: id.describe('The integration of the customer.'),
  externalCustomerId: exactLine(255).describe('The id of the customer in the integration.'),
  name: line(200).nullish().describe('The name; omitted, it stays unchanged, as does the e-mail address.'),
  email: emailAddress.nullish().describe('The e-mail address.'),
});

/**
 * Inserts or updates a customer for an operator. Refuses with 404 `integration_not_found`, and an invalid reason
 * with 400 `invalid_request`. The audit log names the customer by id only.
 */
export async function saveCustomer(
  db: Pick<Db, 'pool' | 'prisma'>,
  by: ActorAndReason,
  environmentId: number,
  request: z.output<typeof customerRequest>,
): Promise<Outcome<Customer>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  const { integrationId, externalCustomerId, name, email } = request;
  const id = await inTransaction<Outcome<string>>(db.pool, async (client) => {
    const owner = { environmentId, integrationId };
    if (!(await hasIntegration(client, owner))) {
      return new Refusal('integration_not_found', 'No integration of this id exists in the environment.');
    }
    await recordCustomer(client, owner, { externalCustomerId, name: name ?? null, email: email ?? null });
    const subject = await readCustomerId(client, environmentId, { integrationId, externalCustomerId });
    await addAuditEntry(client, { ...by, reason, action: 'save_customer', subject, environmentId });
    return subject;
  });
  if (isRefusal(id)) return id;
  return readCustomer(db, environmentId, id);
}

/**
 * The environment's customer with that id. Without an integration's id the customer must be unambiguous: with
 * several integrations the refusal is `customer_ambiguous`, whether or not one of them has the customer.
 * `customer_not_found` when there is none, also when the integration is unknown (docs/contract.md#customers).
 */
export async function findCustomer(
  db: Pick<Db, 'pool' | 'prisma'>,
  environmentId: number,
  reference: { readonly externalCustomerId: string; readonly integrationId?: string | undefined },
): Promise<Outcome<Customer>> {
  const { integrationId } = reference;
  if (integrationId === undefined && (await hasSeveralIntegrations(db.pool, environmentId))) {
    const detail = 'The environment has several integrations: integration_id is required.';
    return new Refusal('customer_ambiguous', detail);
  }
  const possible = integrationId === undefined || isIntegrationId(integrationId);
  const customer = possible ? await readCustomerOf(db, environmentId, reference) : null;
  return (
    customer ??
    new Refusal('customer_not_found', 'No customer of this external_customer_id exists in the environment.')
  );
}
