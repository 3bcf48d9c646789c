import { resolve } from 'node:path';
import type { TestBrowser } from '../support/pages/browser.ts';
import { type Appearance, openPage } from './take.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/console');

/** A console in which there are many companies: its address, a key to it, and the path of an invoice. */
type Console = { readonly url: string; readonly key: string; readonly invoice: string };

/** What an operator of 300 companies sees, in Spanish, into docs/console. */
export async function drawManyCompanies(browser: TestBrowser, shown: Console): Promise<void> {
  await draw(browser, shown, 'desktop-light', [
    ['300-companies-overview-es', ''],
    ['300-companies-es', '/companies'],
    ['300-companies-invoice-es', shown.invoice],
  ]);
  await draw(browser, shown, 'phone-dark', [['300-companies-es', '/companies']]);
}

async function draw(
  browser: TestBrowser,
  { url, key }: Console,
  appearance: Appearance,
  pictures: readonly (readonly [name: string, path: string])[],
): Promise<void> {
  const { page, capture, close } = await openPage(browser, FOLDER, appearance, { locale: 'es-ES' });
  await page.goto(`${url}/login`);
  await page.getByRole('textbox').first().fill(key);
  await page.getByRole('button').first().click();
  await page.getByRole('heading', { level: 1, name: 'Resumen' }).waitFor();
  for (const [name, path] of pictures) {
    await page.goto(`${url}${path}`);
    await capture(name);
  }
  await close();
}
