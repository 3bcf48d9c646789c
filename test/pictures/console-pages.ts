import { resolve } from 'node:path';
import { type InvoiceRequest, LacreClient } from '@lacre/client';
import { execute } from '../../examples/dashboard/server/lacre.ts';
import type { DemoCredentials } from '../../src/startup/demo.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import type { TestBrowser } from '../support/pages/browser.ts';
import { type Appearance, openPage } from './take.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/console');

const PLACES = `query ($id: ID!) {
  invoice(id: $id) { companyId records { id chainId } } webhookEndpoints { id }
}`;
type Places = {
  invoice: { companyId: string; records: { id: string; chainId: number }[] };
  webhookEndpoints: { id: string }[];
};

/** The pages that operators see, of the demo while its agency is down, into docs/console. */
export async function drawConsole(browser: TestBrowser, demo: DemoCredentials): Promise<void> {
  const { base_url: url, live, operator, simulator_url: simulator } = demo;
  const client = new LacreClient({ baseUrl: url, key: live });
  const issue = async (body: object) => client.invoices.create(body as InvoiceRequest);
  const described = (description: string) => ({ line_items: [aLine({ description })] });
  const ticket = await issue(aSimplifiedInvoice());
  const complete = await issue(aCompleteInvoice({ due_date: '2027-12-31' }));
  const refused = await issue(aSimplifiedInvoice(described('Reparación SIMULATE-REJECT')));
  const flagged = await issue(aSimplifiedInvoice(described('Pintura SIMULATE-FLAG')));
  for (const { id } of [ticket, complete, refused, flagged]) await client.invoices.untilSettled(id);
  const control = (settings: object) =>
    fetch(`${simulator}/_control`, {
      ...{ method: 'POST', body: JSON.stringify(settings) },
      headers: { 'Content-Type': 'application/json' },
    });
  await control({ mode: 'down' });
  await issue(aSimplifiedInvoice());
  const places = await execute<Places>({ url, key: live }, PLACES, { id: refused.id });
  const { companyId, records } = places.invoice;
  const { id: recordId, chainId } = records[0]!;

  const enter = async (appearance: Appearance) => {
    const visitor = await openPage(browser, FOLDER, appearance, { locale: 'en-GB' });
    await visitor.page.goto(`${url}/console/login`);
    return visitor;
  };
  const desktop = await enter('desktop-light');
  const { page } = desktop;
  const login = async (of: typeof page) => {
    await of.getByLabel('Operator key').fill(operator);
    await of.getByRole('button', { name: 'Sign in' }).click();
    await of.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  };
  const at = (path: string) => `${url}/console${path}`;
  await login(page);
  // The incident begins with the first attempt that fails, which may be after the login; the page itself does not wait for it.
  const incident = page.getByRole('heading', { name: 'Sending to the tax agency is delayed' });
  while (!(await incident.isVisible())) await page.reload();
  await desktop.capture('overview');
  await page.goto(at(`/records/${recordId}`));
  await desktop.capture('record');
  await page.goto(at(`/companies/${companyId}/taxes?environment=live`));
  await desktop.capture('taxes');
  await page.goto(at(`/invoices/${ticket.id}/exchange`));
  await page.locator('form').last().evaluate('form => { form.noValidate = true; }');
  await page.getByLabel('Tax id', { exact: true }).fill('12345678A');
  await page.getByRole('button', { name: /Issue|Exchange/ }).click();
  await page.getByRole('alert').first().waitFor();
  await desktop.capture('refused');
  const webhook = at(`/companies/${companyId}/webhooks/${places.webhookEndpoints[0]!.id}?environment=live`);
  await page.goto(webhook);
  await desktop.capture('webhook');
  await desktop.close();

  const dark = await enter('desktop-dark');
  await login(dark.page);
  await dark.page.goto(at(`/chains/${chainId}`));
  await dark.capture('chain');
  await dark.page.goto(at(`/invoices/${ticket.id}/void`));
  await dark.capture('void');
  await dark.close();

  const phone = await enter('phone-light');
  await phone.capture('login');
  await login(phone.page);
  await phone.page.goto(at(`/invoices/${complete.id}`));
  await phone.capture('invoice');
  await phone.close();

  const darkPhone = await enter('phone-dark');
  await login(darkPhone.page);
  await darkPhone.capture('overview');
  await darkPhone.page.goto(webhook);
  await darkPhone.capture('webhook');
  await darkPhone.close();
  await control({ mode: 'ok' });
}
