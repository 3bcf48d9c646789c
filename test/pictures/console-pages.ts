import { resolve } from 'node:path';
import { type InvoiceRequest, LacreClient } from '@lacre/client';
import type { DemoCredentials } from '../../src/startup/demo.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import type { TestBrowser } from '../support/pages/browser.ts';
import { execute } from './execute.ts';
import { type Appearance, openPage, type ScreenshotPage } from './take.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/console');

const PLACES = `query ($id: ID!) {
  invoice(id: $id) { companyId records { id chainId } } webhookEndpoints { edges { node { id } } }
}`;
type Places = {
  invoice: { companyId: string; records: { id: string; chainId: number }[] };
  webhookEndpoints: { edges: { node: { id: string } }[] };
};

/** The pages that operators see, of the demo while its agency is down, into docs/console. */
export async function drawConsole(browser: TestBrowser, demo: DemoCredentials): Promise<void> {
  const shown = await prepareDemo(demo);
  const enter = async (appearance: Appearance) => {
    const visitor = await openPage(browser, FOLDER, appearance, { locale: 'en-GB' });
    await visitor.page.goto(shown.at('/login'));
    return visitor;
  };
  const signIn = async ({ page }: ScreenshotPage) => {
    await page.getByLabel('Operator key').fill(demo.operator);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  };
  const desktop = await enter('desktop-light');
  await signIn(desktop);
  await drawDesktop(desktop, shown);

  const dark = await enter('desktop-dark');
  await signIn(dark);
  await dark.page.goto(shown.at(`/chains/${shown.chainId}`));
  await dark.capture('chain');
  await dark.page.goto(shown.at(`/invoices/${shown.ticketId}/void`));
  await dark.capture('void');
  await dark.close();

  const phone = await enter('phone-light');
  await phone.capture('login');
  await signIn(phone);
  await phone.page.goto(shown.at(`/invoices/${shown.completeId}`));
  await phone.capture('invoice');
  await phone.close();

  const darkPhone = await enter('phone-dark');
  await signIn(darkPhone);
  await darkPhone.capture('overview');
  await darkPhone.page.goto(shown.webhook);
  await darkPhone.capture('webhook');
  await darkPhone.close();
  await control(demo, { mode: 'ok' });
}

/** What the pages show, and the address of each below the console. */
type Shown = {
  readonly at: (path: string) => string;
  readonly webhook: string;
  readonly companyId: string;
  readonly recordId: string;
  readonly chainId: number;
  readonly ticketId: string;
  readonly completeId: string;
};

async function prepareDemo(demo: DemoCredentials): Promise<Shown> {
  const { base_url: url, live } = demo;
  const client = new LacreClient({ baseUrl: url, key: live });
  const issue = async (body: object) => client.invoices.create(body as InvoiceRequest);
  const described = (description: string) => ({ line_items: [aLine({ description })] });
  const ticket = await issue(aSimplifiedInvoice());
  const complete = await issue(aCompleteInvoice({ due_date: '2027-12-31' }));
  const refused = await issue(aSimplifiedInvoice(described('Reparación SIMULATE-REJECT')));
  const flagged = await issue(aSimplifiedInvoice(described('Pintura SIMULATE-FLAG')));
  for (const { id } of [ticket, complete, refused, flagged]) await client.invoices.untilSettled(id);
  await control(demo, { mode: 'down' });
  await issue(aSimplifiedInvoice());
  const places = await execute<Places>({ url, key: live }, PLACES, { id: refused.id });
  const { companyId, records } = places.invoice;
  const { id: recordId, chainId } = records[0]!;
  const at = (path: string) => `${url}/console${path}`;
  const webhook = at(
    `/companies/${companyId}/webhooks/${places.webhookEndpoints.edges[0]!.node.id}?environment=live`,
  );
  const ids = { companyId, recordId, chainId, ticketId: ticket.id, completeId: complete.id };
  return { at, webhook, ...ids };
}

async function control({ simulator_url: simulator }: DemoCredentials, settings: object): Promise<void> {
  await fetch(`${simulator}/_control`, {
    ...{ method: 'POST', body: JSON.stringify(settings) },
    headers: { 'Content-Type': 'application/json' },
  });
}

async function drawDesktop({ page, capture, close }: ScreenshotPage, shown: Shown): Promise<void> {
  // The incident begins with the first attempt that fails, which may be after the login; the page itself does not wait for it.
  const incident = page.getByRole('heading', { name: 'Sending to the tax agency is delayed' });
  while (!(await incident.isVisible())) await page.reload();
  await capture('overview');
  await page.goto(shown.at(`/records/${shown.recordId}`));
  await capture('record');
  await page.goto(shown.at(`/companies/${shown.companyId}/taxes?environment=live`));
  await capture('taxes');
  await page.goto(shown.at(`/invoices/${shown.ticketId}/exchange`));
  await page.locator('form').last().evaluate('form => { form.noValidate = true; }');
  await page.getByLabel('Tax id', { exact: true }).fill('12345678A');
  await page.getByRole('button', { name: /Issue|Exchange/ }).click();
  await page.getByRole('alert').first().waitFor();
  await capture('refused');
  await page.goto(shown.webhook);
  await capture('webhook');
  await close();
}
