import { readFileSync } from 'node:fs';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { faultsByAxe, hasBrowser, openBrowser, type TestBrowser } from '../support/pages/browser.ts';
import { aLink, aSale, aSaleLine, aShop, type Sale, type Shop } from '../support/pages/portal.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 900 } };

describe.skipIf(!hasBrowser)('the customer portal in Chromium', () => {
  let service: TestService;
  let browser: TestBrowser;
  let shop: Shop;
  beforeAll(async () => {
    [service, browser] = await Promise.all([testService(), openBrowser()]);
    shop = await aShop(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** A browser that has followed a link of the customer's, and what it was told to go wrong with on the way. */
  async function enter(customer: string, options: BrowserContextOptions = DESKTOP) {
    const context: BrowserContext = await browser.visitor(options);
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) trouble.push(`asked for ${request.url()}`);
    });
    await page.goto(await aLink(service, shop, customer, { return_url: 'https://shop.example/account' }));
    return { context, page, trouble };
  }

  /** Sends a form that is refused, and waits for the page that says so. */
  async function refuse(page: Page, button: string | RegExp): Promise<void> {
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('alert').first().waitFor();
    await page.waitForLoadState();
  }

  async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      await page.getByLabel(label, { exact: true }).fill(value);
    }
  }

  test('where scripts run, a page shows what happens by itself, and nothing goes wrong on the way', async () => {
    await aSale(service, shop, 'watcher');
    const { context, page, trouble } = await enter('watcher');
    const listening = async () => {
      const { body } = await service.call('GET', '/metrics', { key: null });
      return Number(/^lacre_live_streams (\d+)$/m.exec(String(body))?.[1]);
    };
    await expect.poll(listening, { timeout: 30_000 }).toBeGreaterThan(0);
    const { number } = await aSale(service, shop, 'watcher');
    await page.getByText(number).first().waitFor({ timeout: 90_000 });
    expect(trouble).toEqual([]);
    await context.close();
  });

  test.each([
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ])('on %s, without JavaScript, from the link to the complete invoice', async (_what, device) => {
    const customer = `walker ${device.viewport.width}`;
    const lineItems = [{ ...aSaleLine, description: 'Paraguas' }];
    await aSale(service, shop, customer);
    const sale = await aSale(service, shop, customer, { lineItems, customer: { name: 'Ana García' } });
    await aSale(service, shop, customer);
    const { context, page, trouble } = await enter(customer, { ...device, javaScriptEnabled: false });

    expect(page.url()).toBe(`${service.url}/portal`);
    await page.getByRole('heading', { level: 1, name: 'Sus facturas' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(4);
    await page.getByLabel('Texto').fill('paraguas');
    await page.getByLabel('Estado').selectOption({ label: 'Registrada' });
    await page.getByRole('button', { name: 'Buscar' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(await page.getByLabel('Texto').inputValue()).toBe('paraguas');

    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: `PDF de la factura ${sale.number}` }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`${sale.number}.pdf`);
    expect(
      readFileSync(await download.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');

    await page.getByRole('link', { name: sale.number, exact: true }).click();
    await page.getByText('La Agencia Tributaria ha confirmado el registro de la factura.').waitFor();
    await page.getByRole('link', { name: 'Pedir factura completa' }).click();
    await fillIn(page, { 'Número de identificación fiscal': '12345678A', 'Calle y número': 'Calle Mayor 1' });
    await fillIn(page, { 'Código postal': '28001', Población: 'Madrid' });
    await page.getByRole('button', { name: 'Expedir factura completa' }).click();
    await expect.poll(() => page.title()).toMatch(/^Error: /);
    const taxId = page.getByLabel('Número de identificación fiscal', { exact: true });
    expect(await taxId.getAttribute('aria-invalid')).toBe('true');
    expect(await taxId.inputValue()).toBe('12345678A');
    await taxId.fill('12345678Z');
    await page.getByRole('button', { name: 'Expedir factura completa' }).click();

    await page.getByRole('status').getByText('está expedida y sustituye al tique').waitFor();
    await page.getByText('12345678Z').waitFor();
    await page.getByRole('link', { name: sale.number, exact: true }).click();
    await page.getByText('Canjeada').waitFor();
    await page.getByRole('button', { name: 'Salir' }).click();
    await page.getByRole('heading', { name: 'Sesión cerrada' }).waitFor();
    await page.goBack();
    await page.goto(`${service.url}/portal`);
    await page.getByRole('heading', { name: 'No hay ninguna sesión abierta' }).waitFor();
    // The pages that refuse say so by their status, which the browser notes; there must be nothing else.
    expect(trouble.filter((message) => !/status of (422|403)/.test(message))).toEqual([]);
    await context.close();
  });

  describe('every page', () => {
    let ticket: Sale;
    let pages: (readonly [name: string, open: (page: Page) => Promise<unknown>])[];
    beforeAll(async () => {
      for (let n = 0; n < 21; n += 1) await aSale(service, shop, 'axel', { customer: { name: 'Axel Ruiz' } });
      const unbroken = `${'interminable'.repeat(20)} ${'9'.repeat(60)}`;
      ticket = await aSale(service, shop, 'axel', {
        notes: unbroken,
        lineItems: [{ ...aSaleLine, description: unbroken }],
      });
      const at = (path: string) => (page: Page) => page.goto(`${service.url}/portal${path}`);
      pages = [
        ['list', at('')],
        ['faulty filter', at('?from=2026-02-30')],
        ['nothing found', at('?text=nothing-of-the-kind')],
        ['invoice', at(`/invoices/${ticket.id}`)],
        ['form', at(`/invoices/${ticket.id}/exchange`)],
        ['form with faults', (page) => refuse(page, /Expedir|Issue/)],
        ['not found', at('/invoices/nobody')],
        ['unknown link', at('/nobody')],
      ];
    });

    test.each([
      ['a phone with dark colours, in English', { ...PHONE, colorScheme: 'dark', locale: 'en-GB' }],
      ['a desktop by day', { ...DESKTOP, colorScheme: 'light' }],
    ] as const)('is accessible on %s', async (_what, options) => {
      const { context, page } = await enter('axel', options);
      for (const [name, open] of pages) {
        await open(page);
        expect(await faultsByAxe(page), name).toEqual([]);
      }
      await context.close();
    });

    test('fits the narrowest phone', async () => {
      const { context, page } = await enter('axel', { ...PHONE, viewport: { width: 320, height: 640 } });
      for (const [name, open] of pages) {
        await open(page);
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(320);
      }
      await context.close();
    });

    test('works by keyboard: a skip link to the content, and from the summary of errors to the field', async () => {
      const { context, page } = await enter('axel');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
      await page.goto(`${service.url}/portal/invoices/${ticket.id}/exchange`);
      await refuse(page, 'Expedir factura completa');
      await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('taxId');
      await context.close();
    });
  });
});
