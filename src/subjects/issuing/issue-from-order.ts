import { z } from 'zod';
import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { emailAddressOrEmpty } from '../../ground/lib/email.ts';
import { id, removableText } from '../../ground/lib/request-fields.ts';
import { exactLine, line } from '../../ground/lib/text.ts';
import type { IssuingCaller } from '../accounts/entry/caller.ts';
import { isIntegrationId } from '../customers/integrations.ts';
import { readOrder } from '../customers/store/read-integrations.ts';
import type { StoredInvoice } from '../invoices/rows.ts';
import { checkInvoice } from './check-invoice.ts';
import { type Check, type Issued, type IssuingServices, issueInvoice } from './issue-invoice.ts';
import { customerOf } from './named-customer.ts';
import { invoiceFields, requireWhole } from './request.ts';

const orderCustomer = z
  .strictObject({
    externalCustomerId: exactLine(255).describe('The id of the customer in the integration.'),
    name: line(200)
      .nullish()
      .describe('The name; default, as for the e-mail address: the value from earlier orders.'),
    email: removableText(emailAddressOrEmpty).describe('The e-mail address.'),
  })
  .meta({ id: 'OrderCustomerInput', description: 'The customer of the order.' });

/**
 * An order to be invoiced: its integration and customer, and the invoice as for `issueInvoice`. The integration
 * decides the series, and an order cannot correct an invoice.
 */
export const orderRequest = z
  .strictObject({
    integrationId: id.describe('The integration of the order.'),
    orderId: exactLine(255).describe('The id of the order, unique in the integration.'),
    customer: orderCustomer.describe('The customer of the order.'),
    ...invoiceFields,
  })
  .superRefine(requireWhole)
  .meta({ description: 'An order of an integration to be invoiced.' });

export type OrderRequest = z.output<typeof orderRequest>;

/** The invoice that an earlier request issued for the order. */
export type AlreadyIssued = { readonly invoiceId: string };

/**
 * Issues the invoice of an integration's order, with the checks and codes of `issueInvoice`, in the integration's
 * series or the environment's default one, and stores the customer with it. An order has one invoice: a repeated
 * request gets the existing invoice, whatever else it contains, and of several concurrent requests one issues and
 * all get its invoice. A refused request stores nothing. Additional code: `integration_not_found`.
 */
export async function issueFromOrder(
  services: IssuingServices,
  caller: IssuingCaller,
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
  const none = { externalCustomerId: undefined, integrationId: undefined, rectifies: undefined };
  const request = { ...invoice, ...none, numberSeriesId };
  try {
    const check = checkOrder(order);
    const { outcome } = await issueInvoice(services, caller, request, { key: null, sent: null, sign, check });
    if (!isRefusal(outcome)) return outcome;
    // A concurrent request for the same order may have succeeded, and its external_id may be the reason for this
    // refusal.
    return (await invoiceOfOrder(db, caller.environmentId, order)) ?? outcome;
  } catch (error) {
    const existing = isOrderInvoiced(error) ? await invoiceOfOrder(db, caller.environmentId, order) : null;
    if (existing !== null) return existing;
    throw error;
  }
}

/** The rules of an ordinary invoice, which is stored with its order and customer. */
function checkOrder({ integrationId, orderId, customer }: OrderRequest): Check {
  const { externalCustomerId, name = null, email = null } = customer;
  return async (services, caller, request) => {
    const checked = await checkInvoice(services, caller, request);
    if (isRefusal(checked)) return checked;
    const named = customerOf(checked, { integrationId, externalCustomerId, isFirst: false });
    return {
      ...checked,
      origin: { integrationId, externalCustomerId, orderId },
      customer: { ...named, name, email },
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

/** The database allows one invoice for each order; of concurrent requests the later ones get this error. */
function isOrderInvoiced(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'invoice_integration_id_order_id_environment_id_key';
}
