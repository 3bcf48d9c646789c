import type { ContextFactory } from '../faces/graphql/context.ts';
import { stored } from '../faces/graphql/stored.ts';
import { isRefusal } from '../ground/errors/refusal.ts';
import { newId } from '../ground/lib/ids.ts';
import type { Services } from '../services.ts';
import { createIntegration } from '../subjects/customers/integrations.ts';
import { allIntegrations } from '../subjects/customers/store/read-integrations.ts';

/** The customer whose portal page the demo shows: it has bought twice in the demo company's shop. */
export const DEMO_CUSTOMER = 'customer-1';
const SHOP = 'Demo shop';
const CREATOR = { actor: 'demo', reason: 'so that there is something to look at' };

const issueFromOrder = stored(
  'mutation DemoOrder($input: IssueInvoiceFromOrderInput!) { issueInvoiceFromOrder(input: $input) { id } }',
);

const ORDERS = [
  {
    orderId: 'demo-order-1',
    lineItems: [
      { description: 'Cuaderno de papel reciclado', sku: 'CUA-A5', quantity: 3, unitAmount: 650 },
      { description: 'Pluma estilográfica', sku: 'PLU-01', quantity: 1, unitAmount: 2_490 },
    ],
  },
  {
    orderId: 'demo-order-2',
    lineItems: [{ description: 'Tinta azul, 50 ml', sku: 'TIN-50', quantity: 2, unitAmount: 890 }],
  },
];

/** Ensures that the company of the test key has a shop with a customer and two tickets. */
export async function createDemoShop(
  services: Pick<Services, 'db' | 'authenticator'>,
  createContext: ContextFactory,
  testKey: string,
): Promise<void> {
  const caller = await services.authenticator.merchant(`Bearer ${testKey}`);
  if (caller === null) throw new Error('the demo has no test key that works');
  const { environmentId } = caller;
  const before = (await allIntegrations(services.db, environmentId)).find(({ name }) => name === SHOP);
  const shop = before ?? (await createIntegration(services.db, environmentId, { name: SHOP }, CREATOR));
  if (isRefusal(shop)) throw new Error(`the demo shop was refused: ${shop.detail}`);
  const customer = { externalCustomerId: DEMO_CUSTOMER, name: 'García López Ana', email: 'ana@example.com' };
  for (const { orderId, lineItems } of ORDERS) {
    const taxed = lineItems.map((line) => ({ ...line, taxItems: [{ type: 'vat' as const, rate: 21 }] }));
    const input = {
      integrationId: shop.id,
      orderId,
      customer,
      type: 'simplified' as const,
      lineItems: taxed,
    };
    const context = createContext({ caller, requestId: newId('req'), bounded: false });
    // An order with an invoice returns it, so that every start may ask.
    const issued = await issueFromOrder(context, { input });
    if (isRefusal(issued)) throw new Error(`the demo's order was refused: ${issued.detail}`);
  }
}
