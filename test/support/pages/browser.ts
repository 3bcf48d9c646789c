import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** A page is there within a second, on a machine that has nothing else to do. */
const TIMEOUT_MS = 120_000;

/** Debian's; nothing is downloaded for tests. */
const CHROMIUM = '/usr/bin/chromium';

/** Whether pages can be tried in a real browser here. Says so, loudly, when they cannot. */
export const hasBrowser = existsSync(CHROMIUM);
if (!hasBrowser) {
  console.warn(
    `\n!!! ${CHROMIUM} IS MISSING: THE BROWSER TESTS ARE SKIPPED. Install Debian's chromium to run them.\n`,
  );
}

export type TestBrowser = {
  /** A browser as of a new visitor. */
  visitor(options?: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
};

const require = createRequire(import.meta.url);

/** Of scripts for which Debian’s Chromium brings no font; those who read them have one. */
const FONTS = ['noto-sans-sc', 'noto-sans-kr', 'noto-sans-thai', 'noto-sans-devanagari'];

/** Lets the browser of this home draw all scripts that documents are printed in, so that pictures show no boxes. */
function installFonts(home: string): void {
  const folder = join(home, '.fonts');
  mkdirSync(folder);
  for (const name of FONTS) {
    const regular = join(dirname(require.resolve(`@expo-google-fonts/${name}/package.json`)), '400Regular');
    symlinkSync(regular, join(folder, name));
  }
}

export async function openBrowser(): Promise<TestBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'lacre-browser-'));
  installFonts(home);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    headless: true,
    env: { HOME: home, PATH: '/usr/bin:/bin' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return {
    async visitor(options = {}) {
      const context = await browser.newContext({ locale: 'es-ES', ...options });
      context.setDefaultTimeout(TIMEOUT_MS);
      return context;
    },
    async close() {
      await browser.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with a page, as `rule: element`, by the rules of WCAG 2.2 and its own best practices. */
export async function faultsByAxe(page: Page): Promise<string[]> {
  // Of what a page passes one node a rule is enough: to name them all takes longer than to judge them.
  // Through the debugger's own world: the pages' policy lets nothing run that is theirs.
  await page.evaluate(AXE);
  const { violations, passes } = await page.evaluate<{
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
    passes: unknown[];
  }>("axe.run({ resultTypes: ['violations'] })");
  if (passes.length === 0) throw new Error('axe looked at nothing');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}
