import { isRefusal } from '../../../src/ground/errors/refusal.ts';
import { createIntegration } from '../../../src/subjects/customers/integrations.ts';
import type { TestService } from '../http/http-service.ts';

export type Shop = { readonly id: string; readonly environment: 'test' | 'live' };
export type Sale = { readonly id: string; readonly number: string };

let made = 0;

/** A shop of the company's, in its test environment unless said otherwise. */
export async function aShop(service: TestService, environment: Shop['environment'] = 'test'): Promise<Shop> {
  made += 1;
  const { environmentId } = service.company[environment];
  const shop = await createIntegration(
    service.db,
    environmentId,
    // A database that is kept, as that of the benchmark, has those of earlier runs.
    { name: `shop ${made} ${Date.now()}` },
    { actor: 'cli', reason: null },
  );
  if (isRefusal(shop)) throw new Error(shop.detail);
  return { id: shop.id, environment };
}

export const aSaleLine = {
  description: 'Camiseta de algodón',
  quantity: 2,
  unitAmount: 1_250,
  taxItems: [{ type: 'vat', rate: 21 }],
};

/** Something sold to a customer of the shop: a ticket unless the parts say otherwise. */
export async function aSale(
  service: TestService,
  shop: Shop,
  externalCustomerId: string,
  parts: { customer?: object } & Record<string, unknown> = {},
): Promise<Sale> {
  made += 1;
  const input = {
    integrationId: shop.id,
    orderId: `order-${made}`,
    type: 'simplified',
    lineItems: [aSaleLine],
    ...parts,
    customer: { externalCustomerId, ...parts.customer },
  };
  const { body } = await service.graphql(
    'mutation ($input: IssueInvoiceFromOrderInput!) { issueInvoiceFromOrder(input: $input) { id number } }',
    { input },
    { key: service.company[shop.environment].key },
  );
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return body.data.issueInvoiceFromOrder;
}

/** A fresh link to the customer's page, at the address where the service under test really is. */
export async function aLink(
  service: TestService,
  shop: Shop,
  externalCustomerId: string,
  more: object = {},
): Promise<string> {
  const { status, body } = await service.call('POST', '/v1/customer_portal/sessions', {
    key: service.company[shop.environment].key,
    body: { external_customer_id: externalCustomerId, integration_id: shop.id, ...more },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return service.url + new URL(body.url).pathname;
}
