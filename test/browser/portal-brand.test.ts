import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jpegLogo, pngLogo, svgLogo } from '../support/documents/logos.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { faultsByAxe, hasBrowser, openBrowser, type TestBrowser } from '../support/pages/browser.ts';
import { aLink, aSale, aShop, type Sale, type Shop } from '../support/pages/portal.ts';

/** The company of a test service. */
const MERCHANT = 'Talleres Ñandú SL';

describe.skipIf(!hasBrowser)('the customer portal in a merchant’s colour, with its logo', () => {
  let service: TestService;
  let browser: TestBrowser;
  let shop: Shop;
  let sale: Sale;
  beforeAll(async () => {
    [service, browser] = await Promise.all([testService(), openBrowser()]);
    shop = await aShop(service);
    sale = await aSale(service, shop, 'marta', { customer: { name: 'Marta Ruiz' } });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const brand = async (body: object) => {
    const { status, body: answer } = await service.call('PATCH', '/v1/branding', { body });
    expect({ status, answer }).toMatchObject({ status: 200 });
  };
  const logoOf = (type: string, bytes: Uint8Array | string) => ({
    type,
    content: Buffer.from(bytes).toString('base64'),
  });
  const LOGOS = {
    png: logoOf('png', pngLogo),
    jpeg: logoOf('jpeg', jpegLogo),
    svg: logoOf('svg', svgLogo),
  };
  test.each([
    ['a colour too pale for letters, by day', '#fff200', 'png', 'light', { width: 1280, height: 900 }],
    ['a colour too pale for letters, by night', '#fff200', 'svg', 'dark', { width: 390, height: 844 }],
    ['a colour too dark for letters, by night', '#0a0a2a', 'jpeg', 'dark', { width: 1280, height: 900 }],
    [
      'a colour as usual, by day, on the narrowest phone',
      '#0b6e4f',
      'svg',
      'light',
      { width: 320, height: 640 },
    ],
  ] as const)('every page is readable in %s', async (_what, accent_colour, logo, colorScheme, viewport) => {
    await brand({ accent_colour, logo: LOGOS[logo] });
    const context = await browser.visitor({ viewport, colorScheme });
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    await page.goto(await aLink(service, shop, 'marta'));
    await page.getByRole('img', { name: MERCHANT }).waitFor();
    // Loaded: one that is refused or broken has no size of its own.
    await expect
      .poll(() => page.evaluate('document.querySelector("img.logo").naturalWidth'))
      .toBeGreaterThan(1);
    const button = await page.evaluate(
      'getComputedStyle(document.querySelector("button.primary")).backgroundColor',
    );
    expect(button).not.toBe('rgb(156, 28, 40)');
    for (const path of ['', `/invoices/${sale.id}`, `/invoices/${sale.id}/exchange`]) {
      await page.goto(`${service.url}/portal${path}`);
      expect(await faultsByAxe(page), path).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    }
    expect(trouble).toEqual([]);
    if (process.env['PORTAL_PICTURES']) {
      await page.goto(`${service.url}/portal`);
      await page.screenshot({
        path: `${process.env['PORTAL_PICTURES']}/${accent_colour.slice(1)}-${colorScheme}-${viewport.width}.png`,
      });
    }
    await context.close();
  });

  test('without a branding a page has the merchant’s name, and asks for no picture', async () => {
    await brand({ accent_colour: null, logo: null });
    const context = await browser.visitor({});
    const page = await context.newPage();
    await page.goto(await aLink(service, shop, 'marta'));
    expect(await page.getByRole('img').count()).toBe(0);
    await page.getByRole('banner').getByText(MERCHANT).waitFor();
    const answer = await context.request.get(`${service.url}/portal/logo`);
    expect(answer.status()).toBe(404);
    await context.close();
  });
});
