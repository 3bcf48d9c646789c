import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { faultsByAxe, hasBrowser, openBrowser, type TestBrowser } from '../support/pages/browser.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 900 } };

/** One of each kind: cards, tables and code, pictures, long lists (with what they are searched for), Spanish. */
const PAGES: readonly (readonly [path: string, words?: string])[] = [
  [''],
  ['/operating'],
  ['/customer-portal'],
  ['/errors', 'tax_id'],
  ['/graphql-schema', 'pdfUrl'],
  ['/declaracion-responsable'],
];

describe.skipIf(!hasBrowser)('the documentation in Chromium', () => {
  let service: TestService;
  let browser: TestBrowser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([testService(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** A browser that notes whatever it asks of others, and whatever goes wrong. */
  async function reader(options: BrowserContextOptions) {
    const context = await browser.visitor({ locale: 'en-GB', ...options });
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text());
    });
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(service.url)) {
        trouble.push(`asked for ${request.url()}`);
      }
    });
    const open = (path: string) => page.goto(`${service.url}/docs${path}`);
    return { context, page, trouble, open };
  }

  test.each([
    ['a phone with dark colours', { ...PHONE, colorScheme: 'dark' }],
    ['a desktop by day', { ...DESKTOP, colorScheme: 'light' }],
    ['a phone, in Spanish', { ...PHONE, colorScheme: 'light', locale: 'es-ES' }],
    ['a desktop by night, in Spanish', { ...DESKTOP, colorScheme: 'dark', locale: 'es-ES' }],
  ] as const)('each page is accessible on %s, from this service only', async (_what, options) => {
    const { context, page, trouble, open } = await reader(options);
    for (const [path, words] of PAGES) {
      await open(path);
      // A thousand entries of one shape would be looked at for a minute.
      if (words !== undefined) await page.getByRole('searchbox').fill(words);
      expect(await faultsByAxe(page), path).toEqual([]);
      // The smallest phone that is still about.
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(320);
      await page.setViewportSize(options.viewport);
    }
    expect(trouble).toEqual([]);
    await context.close();
  });

  test('code is copied unchanged, by a labelled button', async () => {
    const { context, page, open } = await reader({
      ...DESKTOP,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await open('/first-invoice');
    const block = page.locator('figure.code').nth(1);
    const text = await block.locator('code').textContent();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
    await context.close();
  });

  test('a code or a type is found in a long list, and its anchor leads to it', async () => {
    const { context, page, open } = await reader(DESKTOP);
    await open('/errors');
    await page.getByLabel('Find a code').fill('below zero');
    await expect.poll(() => shownEntries(page)).toEqual(['family_balance_below_zero']);
    await open('/graphql-schema');
    await page.getByLabel('Find a type or field').fill('pdfUrl');
    await expect.poll(() => shownEntries(page)).toEqual(['Invoice', 'InvoiceDocument']);
    await open('/errors#rate_limited');
    expect(await page.locator(':target').getAttribute('id')).toBe('rate_limited');
    await context.close();
  });

  const shownEntries = (page: Page): Promise<(string | null)[]> =>
    page
      .locator('[data-entry]:not([hidden])')
      .evaluateAll((entries) => entries.map((entry) => entry.getAttribute('id')));

  test.each([
    ['register books', 'Create a link to a register book'],
    ['/v1/invoices/{id}/void', 'Void an invoice'],
  ])('a search for %s leads to the operation in the API reference', async (query, operation) => {
    const { context, page, open } = await reader(DESKTOP);
    await open(`/search?q=${encodeURIComponent(query)}`);
    await page.getByRole('link', { name: `API reference: ${operation}` }).click();
    const heading = page.getByRole('heading', { name: operation, exact: true });
    await heading.waitFor();
    await expect.poll(async () => (await heading.boundingBox())?.y, { timeout: 60_000 }).toBeLessThan(700);
    expect((await heading.boundingBox())!.y).toBeGreaterThanOrEqual(0);
    await context.close();
  });

  test.each([
    ['en-GB', 'Issue an invoice'],
    ['es-ES', 'Expedir una factura'],
  ])(
    'the API reference shows an operation to a reader of %s, from this service only',
    async (locale, name) => {
      const { context, page, trouble, open } = await reader({ ...DESKTOP, locale });
      await open('/api#tag/invoices/POST/v1/invoices');
      await page.getByRole('heading', { name }).waitFor();
      await page.getByText('"F-2026-42"').first().waitFor();
      // Whatever it would fetch later, it would fetch by now.
      await page.waitForLoadState('networkidle');
      expect(trouble).toEqual([]);
      await context.close();
    },
  );
});
