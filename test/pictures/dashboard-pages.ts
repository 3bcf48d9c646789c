import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { buildPage } from '../../examples/dashboard/server/build.ts';
import { publishDocuments } from '../../examples/dashboard/server/documents.ts';
import { allowOrigin, type Lacre } from '../../examples/dashboard/server/lacre.ts';
import { serve } from '../../examples/dashboard/server/serve.ts';
import type { TestBrowser } from '../support/pages/browser.ts';
import { type Appearance, openPage, type ScreenshotPage } from './take.ts';

const FOLDER = resolve(import.meta.dirname, '../../examples/dashboard/pictures');

/** The example of a dashboard after a year of a small shop (`issueYear`), into examples/dashboard/pictures. */
export async function drawDashboard(browser: TestBrowser, lacre: Lacre): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'lacre-dashboard-'));
  await buildPage(folder);
  const server = await serve(folder, lacre, 0);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await allowOrigin(lacre, origin);
  await publishDocuments(lacre);
  const enter = async (appearance: Appearance, locale: string) => {
    const visitor = await openPage(browser, FOLDER, appearance, { locale });
    await visitor.page
      .context()
      .request.post(`${origin}/session`, { data: { name: 'ana', password: 'demo-owner' } });
    await visitor.page.goto(origin);
    await visitor.page.getByRole('table').waitFor();
    return visitor;
  };
  await drawEnglish(await enter('desktop-light', 'en-GB'), origin);
  await drawSpanish(await enter('desktop-dark', 'es-ES'), origin);
  await drawPhone(await enter('phone-light', 'es-ES'), origin);
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
}

async function drawEnglish({ page, capture, close }: ScreenshotPage, origin: string): Promise<void> {
  await capture('list');
  await page.goto(`${origin}/#/totals`);
  await page.getByRole('img').first().waitFor();
  await capture('totals');
  await page.goto(`${origin}/#/new`);
  await page.getByLabel('Description').fill('Silla');
  await page.getByLabel('Unit price (€)').fill('189');
  await page.getByText('€228.69').waitFor();
  await capture('form');
  await openExchange(page, origin, 'Exchange for a complete invoice');
  await page.getByRole('region', { name: 'Exchange for a complete invoice' }).scrollIntoViewIfNeeded();
  await capture('exchange');
  await close();
}

async function drawSpanish({ page, capture, close }: ScreenshotPage, origin: string): Promise<void> {
  await capture('list-es');
  await page.goto(`${origin}/#/settings`);
  await page
    .getByRole('button', { name: /^Revocar/ })
    .first()
    .waitFor();
  while ((await page.getByText('Cargando…').count()) > 0) await page.waitForLoadState('networkidle');
  await capture('settings-es');
  await openExchange(page, origin, 'Canje por una factura completa');
  await page.getByRole('link', { name: 'Devolver artículos' }).click();
  await page.getByLabel('Motivo').fill('El cliente devuelve otra silla');
  await capture('return-es');
  await close();
}

async function drawPhone({ page, capture, close }: ScreenshotPage, origin: string): Promise<void> {
  await capture('list-es');
  await page.goto(`${origin}/#/new`);
  await page.getByRole('button', { name: 'Expedir la factura' }).click();
  await page.getByRole('alert').waitFor();
  await capture('refused-es');
  await close();
}

/** The invoice of the year for which a ticket was exchanged, of which something was returned since. */
async function openExchange(page: Page, origin: string, title: string): Promise<void> {
  await page.goto(`${origin}/#/invoices?text=Silla&type=complete`);
  const kind = /^(exchange|canje)$/;
  await page
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: kind }) })
    .last()
    .getByRole('link')
    .click();
  await page.getByRole('region', { name: title }).waitFor();
}
