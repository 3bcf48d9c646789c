import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import type { TestBrowser } from '../support/pages/browser.ts';

/** Writes a screenshot of a page into a folder: of the whole page, or of what the viewport shows. */
export async function capturePage(page: Page, folder: string, name: string, fullPage = true): Promise<void> {
  // A page with live updates keeps a connection open, so its network never becomes idle; its caller has waited.
  if (fullPage) await page.waitForLoadState('networkidle');
  writeFileSync(join(folder, `${name}.png`), withFewerColours(await page.screenshot({ fullPage })));
}

/** Reduces the colours: neighbouring shades look the same, and make a file half as large again. */
export function withFewerColours(picture: Buffer): Buffer {
  const png = PNG.sync.read(picture);
  png.data.forEach((value, index) => {
    png.data[index] = Math.round((value * 51) / 255) * 5;
  });
  return PNG.sync.write(png, { colorType: 2, deflateStrategy: 0 });
}

const VIEWPORTS = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const;

/** A viewport and a colour scheme, with which the name of a picture ends. */
export type Appearance = `${keyof typeof VIEWPORTS}-${'light' | 'dark'}`;

/** A page of which screenshots are taken, each named by what it shows. */
export type ScreenshotPage = {
  readonly page: Page;
  capture(what: string): Promise<void>;
  close(): Promise<void>;
};

/** Opens a page with an appearance; its screenshots go into the folder. */
export async function openPage(
  browser: TestBrowser,
  folder: string,
  appearance: Appearance,
  options: BrowserContextOptions = {},
): Promise<ScreenshotPage> {
  const [size, colorScheme] = appearance.split('-') as [keyof typeof VIEWPORTS, 'light' | 'dark'];
  const context = await browser.visitor({ ...VIEWPORTS[size], colorScheme, ...options });
  const page = await context.newPage();
  return {
    page,
    async capture(what) {
      await page.waitForLoadState('load');
      await page.evaluate('document.fonts.ready.then(() => true)');
      await capturePage(page, folder, `${what}-${appearance}`, false);
    },
    close: () => context.close(),
  };
}
