import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anUnsentCompany } from '../support/agency/unsent-company.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';
import { faultsByAxe, hasBrowser } from '../support/pages/browser.ts';
import { type Dashboard, DESKTOP, heading, openDashboard, rows } from '../support/pages/dashboard.ts';

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const HOSTILE = 'Ruiz <script>alert(1)</script> & "Soler"';

describe.skipIf(!hasBrowser)('the first rows of the dashboard, which come with the page', () => {
  let dashboard: Dashboard;
  let origin: string;
  const openPage: Dashboard['openPage'] = (...where) => dashboard.openPage(...where);
  beforeAll(async () => {
    dashboard = await openDashboard();
    ({ origin } = dashboard);
    await dashboard.shop.issue();
    const abroad = { line1: 'Main Street 1', postal_code: '10001', city: 'New York', country: 'US' };
    const passport = { tax_id: 'X123', tax_id_type: 'passport', tax_id_country: 'US' };
    await dashboard.shop.issue(
      aCompleteInvoice({ recipient: { name: HOSTILE, ...passport, address: abroad } }),
    );
  });
  afterAll(() => dashboard?.close());

  /** Scripts wait until they are let go. */
  async function holdScripts(page: Page): Promise<() => Promise<void>> {
    const held: (() => Promise<void>)[] = [];
    let isOpen = false;
    await page.route(`${origin}/assets/*.js`, async (route) => {
      if (isOpen) await route.continue();
      else held.push(() => route.continue());
    });
    return async () => {
      isOpen = true;
      for (const go of held) await go();
    };
  }

  test.each([
    ['English, on a desktop by day', DESKTOP, 'en-GB', 'light', 'Invoices', '2 found'],
    ['Spanish, on a phone with dark colours', PHONE, 'es-ES', 'dark', 'Facturas', '2 encontradas'],
  ] as const)(
    'are read without any script, in %s',
    async (_what, screen, locale, colorScheme, title, found) => {
      const { context, page, trouble } = await openPage('', {
        ...{ ...screen, locale, colorScheme, javaScriptEnabled: false },
      });
      await heading(page, title);
      await page.getByText(found).waitFor();
      expect(await rows(page).count()).toBe(2);
      // What a customer is called is text, whatever it looks like.
      await rows(page).getByText(HOSTILE).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2));
      expect(await page.title()).toBe(title);
      expect(trouble).toEqual([]);
      await context.close();
    },
  );

  test.each([
    ['en-GB', 'light', DESKTOP, /\d found/],
    ['es-ES', 'dark', PHONE, /\d encontradas/],
  ] as const)(
    'are what the script goes on with, in %s: neither drawn anew nor changed',
    async (locale, colorScheme, screen, found) => {
      const { context, page, trouble } = await openPage('', { ...screen, locale, colorScheme });
      const letGo = await holdScripts(page);
      await page.reload({ waitUntil: 'commit' });
      await page.getByText(found).waitFor();
      expect(await faultsByAxe(page)).toEqual([]);
      const drawn = await page.locator('#app').innerHTML();
      await page.evaluate('globalThis.first = document.querySelector("tbody tr")');
      const ground = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
      await letGo();
      // The page is alive.
      await expect
        .poll(() =>
          page.evaluate(
            'Object.keys(document.getElementById("app")).some((key) => key.startsWith("__reactContainer"))',
          ),
        )
        .toBe(true);
      const { number } = await dashboard.shop.issue();
      await rows(page).getByText(number).waitFor();
      expect(await page.evaluate('first.isConnected')).toBe(true);
      expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(ground);
      expect(drawn).not.toContain(number);
      expect(trouble).toEqual([]);
      await context.close();
    },
  );

  test('are those of who is signed in, and of the list alone: another place of the page shows nothing of them', async () => {
    const adviser = await openPage('', { ...DESKTOP, as: 'marta', javaScriptEnabled: false });
    await rows(adviser.page).first().waitFor();
    expect(await adviser.page.getByRole('link', { name: 'New invoice' }).count()).toBe(0);
    await adviser.context.close();
    const nobody = await openPage('', { ...DESKTOP, as: null, javaScriptEnabled: false });
    expect(await rows(nobody.page).count()).toBe(0);
    await nobody.context.close();

    const { context, page, trouble } = await openPage();
    for (const [place, title, found] of [
      ['#/invoices?type=complete', 'Invoices', 1],
      ['#/customers', 'Customers', 0],
    ] as const) {
      await page.goto('about:blank');
      const letGo = await holdScripts(page);
      await page.goto(`${origin}/${place}`, { waitUntil: 'commit' });
      await page.locator('tbody tr').first().waitFor({ state: 'attached' });
      expect(await page.locator('#app').isVisible(), place).toBe(false);
      await letGo();
      await heading(page, title);
      await expect.poll(() => rows(page).count()).toBe(found);
    }
    expect(trouble).toEqual([]);
    await context.close();
  });

  test('are none where there are none, in the language that was chosen before', async () => {
    const at = await dashboard.serveTo(await anUnsentCompany(dashboard.service, 'Comercial Sur SL'));
    const { context, page } = await openPage('', { ...DESKTOP, at });
    await page.getByText('There are no invoices yet.').waitFor();
    await page.getByRole('button', { name: 'Español' }).click();
    await heading(page, 'Facturas');
    await page.route(`${at}/assets/*.js`, () => {});
    await page.reload({ waitUntil: 'commit' });
    await page.getByText('Aún no hay facturas.').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    await context.close();
  });
});
