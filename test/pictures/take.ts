import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import type { TestBrowser } from '../support/pages/browser.ts';

/** Takes a picture of a page into a folder, of all of it or of what the window shows. */
export async function take(page: Page, folder: string, name: string, fullPage = true): Promise<void> {
  // A page that shows changes by itself keeps a stream open, and has been waited for.
  if (fullPage) await page.waitForLoadState('networkidle');
  writeFileSync(join(folder, `${name}.png`), inFewerShades(await page.screenshot({ fullPage })));
}

/** Neighbouring shades are not told apart, and make the files half as large again. */
export function inFewerShades(picture: Buffer): Buffer {
  const png = PNG.sync.read(picture);
  png.data.forEach((value, index) => {
    png.data[index] = Math.round((value * 51) / 255) * 5;
  });
  return PNG.sync.write(png, { colorType: 2, deflateStrategy: 0 });
}

const WINDOWS = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const;

/** A window and a colour scheme, as the names of pictures end. */
export type Look = `${keyof typeof WINDOWS}-${'light' | 'dark'}`;

/** Pages of one look, each named by what it shows. */
export type Shooting = {
  readonly page: Page;
  shoot(what: string): Promise<void>;
  close(): Promise<void>;
};

/** A visitor of a look, whose pictures go into the folder. */
export async function visitorOf(
  browser: TestBrowser,
  folder: string,
  look: Look,
  options: BrowserContextOptions = {},
): Promise<Shooting> {
  const [window, colorScheme] = look.split('-') as [keyof typeof WINDOWS, 'light' | 'dark'];
  const context = await browser.visitor({ ...WINDOWS[window], colorScheme, ...options });
  const page = await context.newPage();
  return {
    page,
    async shoot(what) {
      await page.waitForLoadState('load');
      await page.evaluate('document.fonts.ready.then(() => true)');
      await take(page, folder, `${what}-${look}`, false);
    },
    close: () => context.close(),
  };
}
