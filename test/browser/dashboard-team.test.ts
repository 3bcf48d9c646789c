import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UnsentCompany } from '../support/agency/unsent-company.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';
import { faultsByAxe, hasBrowser } from '../support/pages/browser.ts';
import { type Dashboard, DESKTOP, heading, openDashboard, rows } from '../support/pages/dashboard.ts';

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const MAX_SCRIPT_BYTES = 250_000;

describe.skipIf(!hasBrowser)('the dashboard of a team', () => {
  let dashboard: Dashboard;
  let shop: UnsentCompany;
  let origin: string;
  beforeAll(async () => {
    dashboard = await openDashboard();
    ({ shop, origin } = dashboard);
    const surcharged = { line_items: [aLine({ unit_amount: 10_000 })], recargo_equivalencia: true };
    await shop.issue(aCompleteInvoice({ ...surcharged, external_customer_id: 'C-1' }));
    await shop.issue(aCompleteInvoice({ due_date: new Date().toISOString().slice(0, 10) }));
  });
  afterAll(() => dashboard?.close());
  const openPage: Dashboard['openPage'] = (...where) => dashboard.openPage(...where);

  test('asks for a password, and gives no token without it', async () => {
    const { context, page } = await openPage('', { ...DESKTOP, as: null });
    await heading(page, 'Sign in');
    expect(await faultsByAxe(page)).toEqual([]);
    await page.getByLabel('User').fill('ana');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Wrong name or password.').waitFor();
    expect((await context.request.post(`${origin}/token`)).status()).toBe(401);
    await page.getByLabel('Password').fill('demo-owner');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('2 found').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    expect((await context.request.post(`${origin}/token`)).status()).toBe(401);
    await context.close();
  });

  test('lets an adviser read and export, staff issue, and the owner alone change settings', async () => {
    const adviser = await openPage('', { ...DESKTOP, as: 'marta' });
    await adviser.page.getByText('2 found').waitFor();
    expect(await adviser.page.getByRole('link', { name: 'New invoice' }).count()).toBe(0);
    await adviser.page.getByRole('link', { name: 'Totals' }).click();
    // The address of the service that is tested is no one's: that it is gone to is all that can be seen.
    const [book] = await Promise.all([
      adviser.page.waitForRequest(/^http:\/\/lacre\.test\//),
      adviser.page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(book.isNavigationRequest()).toBe(true);
    const staff = await openPage('', { ...DESKTOP, as: 'luis' });
    await staff.page.getByRole('link', { name: 'New invoice' }).waitFor();
    expect(await staff.page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    for (const { context } of [adviser, staff]) {
      expect((await context.request.post(`${origin}/keys`, { data: {} })).status()).toBe(403);
      await context.close();
    }
  });

  test('shows two editors of one draft what they differ in, and overwrites nothing unseen', async () => {
    const one = await openPage('#/new');
    await one.page.getByLabel('Description').fill('Mesa');
    await one.page.getByLabel('Unit price (€)').fill('100');
    await one.page.getByRole('button', { name: 'Save as a draft' }).click();
    await heading(one.page, 'Mesa');
    const draft = new URL(one.page.url()).hash;
    const other = await openPage(draft, { ...DESKTOP, as: 'luis' });
    await heading(other.page, 'Mesa');
    await one.page.getByLabel('Unit price (€)').fill('120');
    await one.page.getByRole('button', { name: 'Save the draft' }).click();
    await one.page.getByText('Saved.').waitFor();
    await other.page.getByLabel('Name').fill('Ruiz Soler Marta');
    await other.page.getByRole('button', { name: 'Save the draft' }).click();
    const conflict = other.page.getByRole('alert');
    await conflict.getByText('Somebody else has changed this draft meanwhile').waitFor();
    await conflict.getByText('1 × Mesa, €100.00 + 21 %').waitFor();
    await conflict.getByText('1 × Mesa, €120.00 + 21 %').waitFor();
    expect(await faultsByAxe(other.page)).toEqual([]);
    await conflict.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => other.page.getByLabel('Unit price (€)').inputValue()).toBe('120.00');
    await other.page.getByLabel('Name').fill('Ruiz Soler Marta');
    await other.page.getByRole('button', { name: 'Save the draft' }).click();
    await other.page.getByText('Saved.').waitFor();
    // What is kept is written in the place of the other's, once one has seen it.
    await one.page.getByLabel('Quantity').fill('2');
    await one.page.getByRole('button', { name: 'Save the draft' }).click();
    await one.page.getByRole('button', { name: 'Keep yours' }).click();
    await one.page.getByText('Saved.').waitFor();
    await other.page.reload();
    await expect.poll(() => other.page.getByLabel('Quantity').inputValue()).toBe('2');
    await one.context.close();
    await other.context.close();
  });

  test('finds a customer as one types, records a payment, and says what is still due', async () => {
    const { context, page, trouble } = await openPage('#/customers');
    await page.getByLabel('Search').fill('garc');
    await rows(page).first().getByRole('link').click();
    await rows(page).getByRole('link').first().click();
    await heading(page, /^F/);
    await page.getByLabel('Amount (€)').fill('26.20');
    await page.getByRole('button', { name: 'Record the payment' }).click();
    await page.getByText('Still due: €226.20').waitFor();
    await page.getByText('partially paid').waitFor();
    expect(trouble).toEqual([]);
    await context.close();
  });

  test('adds up its bases, the one of the surcharge once, beside labels that do not overlap', async () => {
    for (const options of [DESKTOP, PHONE]) {
      const { context, page } = await openPage('#/totals', options);
      const rates = page.getByRole('region', { name: 'By rate of tax' });
      await rates.getByRole('img').waitFor();
      const months = page.getByRole('region', { name: 'By month' });
      const totalOf = (region: typeof rates) => region.locator('tfoot td').first().innerText();
      expect(await totalOf(rates)).toBe(await totalOf(months));
      const overlaps = await page.evaluate<
        string[]
      >(`[...document.querySelectorAll('svg.chart')].flatMap((chart) => {
        const all = [...chart.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
        const boxes = all.filter(([, box]) => box.width > 0);
        return boxes.flatMap(([name, a], i) => boxes.slice(i + 1)
          .filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
          .map(([other]) => name + '/' + other));
      })`);
      expect(overlaps).toEqual([]);
      await context.close();
    }
  });

  test('folds its filters on a phone', async () => {
    const { context, page } = await openPage('', PHONE);
    await page.getByText('2 found').waitFor();
    expect(await page.getByLabel('Type').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Type').selectOption('complete');
    await page.waitForURL(/type=complete/);
    await context.close();
  });

  const spanish: [hash: string, title: RegExp][] = [
    ['#/', /^Facturas/],
    ['#/customers', /^Clientes/],
    ['#/drafts', /^Borradores/],
    ['#/schedules', /^Programaciones/],
    ['#/settings', /^Ajustes/],
    ['#/new', /^Nueva factura/],
    ['#/correct', /^Descuento por volumen/],
    ['#/totals', /^Totales/],
  ];
  test.each([
    ['a phone by day', { ...PHONE, colorScheme: 'light' }],
    ['a desktop with dark colours', { ...DESKTOP, colorScheme: 'dark' }],
  ] as const)('is Spanish for Spanish browsers, accessible and fits, on %s', async (_what, options) => {
    const { context, page } = await openPage('', { ...options, locale: 'es-ES' });
    for (const [hash, title] of spanish) {
      await page.goto(`${origin}/${hash}`);
      await heading(page, title);
      await expect.poll(() => page.getByText('Cargando…').count()).toBe(0);
      expect(await faultsByAxe(page), hash).toEqual([]);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect(wide, hash).toBeLessThanOrEqual(options.viewport.width);
    }
    await page.locator('tfoot td').first().waitFor();
    expect(await page.locator('tfoot td').first().innerText()).toMatch(/\d,\d\d\s€/);
    expect(await languageOf(page)).toBe('es');
    await page.getByRole('button', { name: 'English' }).click();
    await heading(page, /^Totals/);
    expect(await languageOf(page)).toBe('en');
    await context.close();
  });

  test('shows its first rows from what came with the page, before anything is asked', async () => {
    const { context, page } = await openPage('icon.svg');
    const asked: string[] = [];
    const hold = (url: string) => page.route(url, (route) => void asked.push(route.request().url()));
    await hold(`${origin}/token`);
    await hold(`${dashboard.service.url}/graphql`);
    await page.goto(`${origin}/`);
    await page.getByText('2 found').waitFor();
    expect(await rows(page).count()).toBe(2);
    // The stream of live updates is all that is open then.
    await expect.poll(() => asked).toEqual([`${dashboard.service.url}/graphql`]);
    const html = await (await context.request.get(origin)).headers();
    expect(html['cache-control']).toBe('no-store');
    expect(await (await fetch(origin)).text()).not.toContain('at_');
    await context.close();
  });

  test('has at most 250 kB of compressed script', async () => {
    const texts = new Map<string, string>();
    const read = async (text: string): Promise<void> => {
      for (const [path] of text.matchAll(/assets\/[\w-]+\.js/g)) {
        if (texts.has(path)) continue;
        texts.set(path, await (await fetch(`${origin}/${path}`)).text());
        await read(texts.get(path)!);
      }
    };
    await read(await (await fetch(origin)).text());
    const bytes = [...texts.values()].reduce((sum, text) => sum + gzipSync(text).length, 0);
    // Those of pages that are not shown yet are among them.
    expect(texts.size).toBeGreaterThan(10);
    expect(bytes).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
  });
});

const languageOf = (page: Page) => page.evaluate('document.documentElement.lang');
