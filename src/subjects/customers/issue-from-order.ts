import { z } from 'zod';
import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { emailAddress } from '../../ground/lib/email.ts';
import { line } from '../../ground/lib/text.ts';
import type { Caller } from '../accounts/entry/caller.ts';
import type { StoredInvoice } from '../invoices/rows.ts';
import { checkInvoice } from '../issuing/check-invoice.ts';
import { type Check, type Issued, type IssuingServices, issueInvoice } from '../issuing/issue-invoice.ts';
import { invoiceFields, requireWhole } from '../issuing/request.ts';
import { keepCustomer } from './customers.ts';
import { isIntegrationId } from './integrations.ts';
import { readOrder } from './store/integrations.ts';

/**
 * An order to be invoiced: whose it is, and the invoice as for `issueInvoice`. The series is the integration's affair,
 * and an order corrects nothing.
 */
export const orderRequest = z
  .strictObject({
    integrationId: z.string(),
    orderId: line(255),
    customer: z.strictObject({
      externalCustomerId: line(255),
      name: line(200).nullish(),
      email: emailAddress.nullish(),
    }),
    ...invoiceFields,
  })
  .superRefine(requireWhole);

export type OrderRequest = z.output<typeof orderRequest>;

/** The invoice that the order already had, issued by an earlier request. */
export type AlreadyIssued = { readonly invoiceId: string };

/**
 * Issues the invoice of an integration's order, with the checks and codes of `issueInvoice`, on the integration's
 * series or the environment's default one; the customer is written down with it. An order has one invoice: whoever
 * asks again gets the one that there is, whatever else the request says, and of several who ask at once one issues
 * and all get its invoice. What is refused leaves nothing behind. Code of its own: `integration_not_found`.
 */
export async function issueFromOrder(
  services: IssuingServices,
  caller: Caller,
  order: OrderRequest,
  sign: (stored: StoredInvoice) => string,
): Promise<Outcome<Issued | AlreadyIssued>> {
  const { db } = services;
  const integration = await findIntegration(db, caller.environmentId, order);
  if (integration === null) {
    const detail = 'No integration of this id exists in the environment.';
    return new Refusal('integration_not_found', detail);
  }
  if (integration.invoiceId !== null) return { invoiceId: integration.invoiceId };
  const { integrationId, orderId, customer, ...invoice } = order;
  const numberSeriesId = integration.standardSeriesId ?? undefined;
  const request = { ...invoice, numberSeriesId, rectifies: undefined };
  try {
    const check = checkOrder(order);
    const { outcome } = await issueInvoice(services, caller, request, { key: null, sent: null, sign, check });
    if (!isRefusal(outcome)) return outcome;
    // A rival for the same order may have won meanwhile, and its external_id be what this one was refused for.
    return (await invoiceOfOrder(db, caller.environmentId, order)) ?? outcome;
  } catch (error) {
    const rival = isOrderTaken(error) ? await invoiceOfOrder(db, caller.environmentId, order) : null;
    if (rival !== null) return rival;
    throw error;
  }
}

/** The rules of an ordinary invoice, which then carries its order and brings its customer along. */
function checkOrder({ integrationId, orderId, customer }: OrderRequest): Check {
  const { externalCustomerId, name = null, email = null } = customer;
  return async (services, caller, request) => {
    const checked = await checkInvoice(services, caller, request);
    if (isRefusal(checked)) return checked;
    const owner = { environmentId: caller.environmentId, integrationId };
    return {
      ...checked,
      origin: { integrationId, externalCustomerId, orderId },
      alsoWrite: (client) => keepCustomer(client, owner, { externalCustomerId, name, email }),
    };
  };
}

type OrderKey = Pick<OrderRequest, 'integrationId' | 'orderId'>;

/** The integration's own series and the invoice that the order already has; null when there is no such integration. */
async function findIntegration(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  { integrationId, orderId }: OrderKey,
) {
  if (!isIntegrationId(integrationId)) return null;
  return readOrder(db.pool, { environmentId, integrationId }, orderId);
}

async function invoiceOfOrder(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  order: OrderKey,
): Promise<AlreadyIssued | null> {
  const found = await findIntegration(db, environmentId, order);
  return found?.invoiceId == null ? null : { invoiceId: found.invoiceId };
}

/** The database lets an order have one invoice only; this is how the loser of a race hears of it. */
function isOrderTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'invoice_integration_id_order_id_environment_id_key';
}
