import { resolve } from 'node:path';
import { LacreClient } from '@lacre/client';
import type { Lacre } from '../../examples/dashboard/server/lacre.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import type { TestBrowser } from '../support/pages/browser.ts';
import { execute } from './execute.ts';
import { type Appearance, openPage } from './take.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/portal');
const CUSTOMER = { externalCustomerId: 'customer-2', name: 'García López Ana' };
const ORDER = `mutation ($input: IssueInvoiceFromOrderInput!) { issueInvoiceFromOrder(input: $input) { id number } }`;
type Ordered = { issueInvoiceFromOrder: { id: string; number: string } };

const BIKE = 'Bicicleta de montaña con un nombre bastante largo que ocupa más de una línea en un teléfono';
const line = (description: string, unitAmount: number) => ({
  ...{ description, quantity: 1, unitAmount },
  taxItems: [{ type: 'vat', rate: 21 }],
});
const RECIPIENT = {
  ...{ name: 'García Pérez Ana', taxId: '12345678Z' },
  address: { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid', country: 'ES' },
};

/** The pages that a merchant's customer sees, of a shop of the demo's, into docs/portal. */
export async function drawPortal(browser: TestBrowser, lacre: Lacre, integrationId: string): Promise<void> {
  const sold = async (orderId: string, parts: object) => {
    const input = { integrationId, orderId, customer: CUSTOMER, type: 'simplified', ...parts };
    return (await execute<Ordered>(lacre, ORDER, { input })).issueInvoiceFromOrder;
  };
  for (let n = 1; n <= 6; n += 1) {
    await sold(`web-${n}`, { lineItems: [line('Camiseta de algodón', 1_250 + 100 * n)] });
  }
  const bike = await sold('web-7', {
    ...{ type: 'complete', recipient: RECIPIENT, withholding: { rate: 15 }, dueDate: '2027-12-31' },
    lineItems: [{ ...line(BIKE, 129_900), sku: 'BIKE-99' }, line('Montaje', 4_500)],
  });
  const ticket = await sold('web-8', { lineItems: [line('Casco', 2_500)] });
  const client = new LacreClient({ baseUrl: lacre.url, key: lacre.key });
  await client.invoices.untilSettled(bike.id);
  await client.invoices.recordPayment(bike.id, { amount: 50_000, paid_on: madridDay(new Date()) });

  const enter = async (appearance: Appearance) => {
    const customer = { external_customer_id: CUSTOMER.externalCustomerId, integration_id: integrationId };
    const { url } = await client.createCustomerPortalSession(customer);
    const visitor = await openPage(browser, FOLDER, appearance);
    await visitor.page.goto(url);
    return visitor;
  };
  const at = (path: string) => `${lacre.url}/portal${path}`;
  const desktop = await enter('desktop-light');
  await desktop.capture('list');
  await desktop.page.goto(at(`/invoices/${bike.id}`));
  await desktop.page.setViewportSize({ width: 1280, height: 1400 });
  await desktop.capture('invoice');
  await desktop.page.setViewportSize({ width: 1280, height: 900 });
  await desktop.page.goto(at(`/invoices/${ticket.id}/exchange`));
  await desktop.page.getByLabel('Número de identificación fiscal').fill('12345678A');
  await desktop.page.locator('form').last().evaluate('form => { form.noValidate = true; }');
  await desktop.page.getByRole('button', { name: /factura completa/ }).click();
  await desktop.page.getByRole('alert').first().waitFor();
  await desktop.capture('errors');
  await desktop.close();

  const dark = await enter('desktop-dark');
  await dark.capture('list');
  await dark.close();

  const phone = await enter('phone-light');
  await phone.capture('list');
  await phone.page.goto(at(`/invoices/${ticket.id}/exchange`));
  await phone.capture('form');
  await phone.close();

  const darkPhone = await enter('phone-dark');
  await darkPhone.page.goto(at(`/invoices/${bike.id}`));
  await darkPhone.capture('invoice');
  await darkPhone.page.goto(at(`/invoices/inv_${'0'.repeat(32)}`));
  await darkPhone.capture('missing');
  await darkPhone.close();
}
