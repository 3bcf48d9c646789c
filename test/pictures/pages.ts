import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LacreClient } from '@lacre/client';
import type { Page } from 'playwright-core';
import { issueYear } from '../../examples/dashboard/server/samples.ts';
import type { DemoCredentials } from '../../src/startup/demo.ts';
import { pagesOf } from '../support/documents/pdf-tools.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { endPrograms, runProgram } from '../support/processes/running-program.ts';
import { drawApprovals } from './approvals-page.ts';
import { drawConsole } from './console-pages.ts';
import { drawDashboard } from './dashboard-pages.ts';
import { execute } from './execute.ts';
import { drawMail } from './mail-messages.ts';
import { drawPlots } from './overview-plots.ts';
import { drawPortal } from './portal-pages.ts';
import { capturePage, withFewerColours } from './take.ts';

/**
 * `npm run pictures:pages`: a running service in Debian's Chromium. The portal and the console, into docs/portal and docs/console;
 * e-mails in each language, into docs/mail. Invoices to recipients whose names are written in Arabic, Hebrew and Chinese, in the
 * portal, in the console and on paper, into docs/scripts; and the example of a dashboard, into examples/dashboard/pictures. For
 * people to look at.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPTS = join(ROOT, 'docs/scripts');
const DOTS_PER_INCH = 72;
/** In the order of the recipients below. */
const NAMES = ['arabic', 'hebrew', 'chinese'];

const recipients = [
  {
    ...{ name: 'شركة النور للتجارة ش.م.م', taxId: 'AE-4410', country: 'AE' },
    ...{ line1: 'شارع الشيخ زايد 12', city: 'دبي', line: 'استشارات لشهر مايو (Mayo 2026)' },
  },
  {
    ...{ name: 'חברת הגליל לייעוץ בע״מ', taxId: 'IL-5120', country: 'IL' },
    ...{ line1: 'רחוב הרצל 7', city: 'תל אביב', line: 'שירותי ייעוץ לחודש מאי, 3 שעות' },
  },
  {
    ...{ name: '上海长江贸易有限公司', taxId: 'CN-9130', country: 'CN' },
    ...{ line1: '南京东路 100 号', city: '上海', line: '网站设计与开发（第一阶段）' },
  },
];

const ORDER = `mutation ($input: IssueInvoiceFromOrderInput!) { issueInvoiceFromOrder(input: $input) { id } }`;

const data = mkdtempSync(join(tmpdir(), 'lacre-pictures-'));
const browser = await openBrowser();
try {
  await takeAll();
} finally {
  await browser.close();
  endPrograms();
  rmSync(data, { recursive: true, force: true });
}

async function takeAll(): Promise<void> {
  const program = runProgram('src/main.ts', {
    ...{ PORT: '0', HOST: '127.0.0.1', DATA_DIR: data, TWO_PERSONS: 'on' },
  });
  await program.untilPrinted(/"operator": "op_/);
  const file = readFileSync(join(data, 'demo-credentials.json'), 'utf8');
  const demo = JSON.parse(file) as DemoCredentials;
  const { base_url: url, test, operator } = demo;
  const lacre = { url, key: test };
  const ids = await issueAll(lacre);
  mkdirSync(SCRIPTS, { recursive: true });
  await paper(lacre, ids);
  await portal(lacre, ids);
  await operatorsConsole(url, operator, ids);
  await issueYear(lacre);
  await drawDashboard(browser, lacre);
  const integrationId = await shopOf(lacre);
  await drawPortal(browser, lacre, integrationId);
  await drawConsole(browser, demo);
  await drawApprovals(browser, demo, data);
  await drawPlots(browser, demo, data);
  // Last: it changes the company's branding and lets days pass.
  await drawMail(browser, lacre, { integrationId, folder: join(data, 'mail') });
  await program.end('SIGTERM');
}

type Lacre = Parameters<typeof execute>[0];

/** The demo has a shop, and a customer who bought there. */
async function shopOf(lacre: Lacre): Promise<string> {
  type Shops = { integrations: { edges: { node: { id: string } }[] } };
  const { integrations } = await execute<Shops>(
    lacre,
    '{ integrations(first: 1) { edges { node { id } } } }',
  );
  return integrations.edges[0]!.node.id;
}

async function issueAll(lacre: Lacre): Promise<string[]> {
  const client = new LacreClient({ baseUrl: lacre.url, key: lacre.key });
  const ids: string[] = [];
  const integrationId = await shopOf(lacre);
  for (const [place, { name, taxId, country, line1, city, line }] of recipients.entries()) {
    const address = { line1, postalCode: '1000', city, country };
    const input = {
      ...{ integrationId, orderId: `order-${place}`, type: 'complete' },
      customer: { externalCustomerId: 'customer-1' },
      recipient: { name, taxId, taxIdType: 'official_document', taxIdCountry: country, address },
      lineItems: [
        { description: line, quantity: 3, unitAmount: 12_500, taxItems: [{ type: 'vat', rate: 21 }] },
        {
          description: 'Desplazamiento',
          quantity: 1,
          unitAmount: 4_500,
          taxItems: [{ type: 'vat', rate: 21 }],
        },
      ],
      notes: line,
    };
    const { issueInvoiceFromOrder } = await execute<{ issueInvoiceFromOrder: { id: string } }>(lacre, ORDER, {
      input,
    });
    await client.invoices.untilSettled(issueInvoiceFromOrder.id);
    ids.push(issueInvoiceFromOrder.id);
  }
  return ids;
}

/** What a picture of a page shows, and how wide the window is. */
async function visit(width: number, height: number): Promise<Page> {
  const context = await browser.visitor({ viewport: { width, height }, locale: 'en-GB' });
  return context.newPage();
}

async function paper({ url, key }: Lacre, ids: readonly string[]): Promise<void> {
  const client = new LacreClient({ baseUrl: url, key });
  for (const [place, id] of ids.entries()) {
    const pdf = Buffer.from(await new Response(await client.invoices.pdf(id)).arrayBuffer());
    writeFileSync(
      join(SCRIPTS, `${NAMES[place]}-paper.png`),
      withFewerColours(pagesOf(pdf, DOTS_PER_INCH)[0]!),
    );
  }
}

async function portal({ url, key }: Lacre, ids: readonly string[]): Promise<void> {
  const client = new LacreClient({ baseUrl: url, key });
  const { url: link } = await client.createCustomerPortalSession({ external_customer_id: 'customer-1' });
  const page = await visit(1000, 700);
  for (const [place, id] of ids.entries()) {
    const { number } = await client.invoices.retrieve(id);
    await page.goto(link);
    await page.getByRole('link', { name: number }).first().click();
    await capturePage(page, SCRIPTS, `${NAMES[place]}-portal`);
  }
  await page.context().close();
}

async function operatorsConsole(url: string, operator: string, ids: readonly string[]): Promise<void> {
  const page = await visit(1000, 700);
  await page.goto(`${url}/console`);
  await page.getByRole('textbox').first().fill(operator);
  await page.getByRole('button').first().click();
  await page.waitForLoadState('networkidle');
  for (const [place, id] of ids.entries()) {
    await page.goto(`${url}/console/invoices/${id}`);
    await capturePage(page, SCRIPTS, `${NAMES[place]}-console`);
  }
  await page.context().close();
}
