import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { buildPage } from '../../../examples/dashboard/server/build.ts';
import { publishDocuments } from '../../../examples/dashboard/server/documents.ts';
import { allowOrigin, requireDocuments } from '../../../examples/dashboard/server/lacre.ts';
import { serve } from '../../../examples/dashboard/server/serve.ts';
import { testSimulator } from '../agency/simulator.ts';
import { anUnsentCompany, type UnsentCompany } from '../agency/unsent-company.ts';
import { type TestService, testService } from '../http/http-service.ts';
import { openBrowser } from './browser.ts';

export const DESKTOP = { viewport: { width: 1280, height: 900 } };

/** A browser at a page, what went wrong there, and all that it sent. */
export type Visit = {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly trouble: string[];
  readonly sent: string[];
};

type VisitOptions = BrowserContextOptions & { at?: string; as?: string | null };

const PASSWORDS: Readonly<Record<string, string>> = {
  ...{ ana: 'demo-owner', luis: 'demo-staff', marta: 'demo-adviser' },
};

export type Dashboard = {
  readonly service: TestService;
  readonly shop: UnsentCompany;
  readonly origin: string;
  /** Serves the page to another company as well. */
  serveTo(company: UnsentCompany): Promise<string>;
  /** Signed in as the owner, or as another user of the demo; as nobody where that is null. */
  openPage(hash?: string, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
};

/** The example of a dashboard, built as for production and served for a company, and a browser to open it in. */
export async function openDashboard(): Promise<Dashboard> {
  const simulator = await testSimulator();
  const [service, browser] = await Promise.all([testService({}, { simulator }), openBrowser()]);
  const shop = await anUnsentCompany(service, 'Comercial Norte SL');
  await simulator.control({ mode: 'ok', enforce_wait: false });
  const folder = mkdtempSync(join(tmpdir(), 'lacre-dashboard-'));
  await buildPage(folder);
  const servers: Server[] = [];

  async function serveTo({ company }: UnsentCompany): Promise<string> {
    const lacre = { url: service.url, key: company.live.key };
    const server = await serve(folder, lacre, 0);
    servers.push(server);
    const served = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await allowOrigin(lacre, served);
    await publishDocuments(lacre);
    // Whatever the page asked beside what it has published would be refused.
    await requireDocuments(lacre);
    return served;
  }

  const origin = await serveTo(shop);
  return {
    ...{ service, shop, origin, serveTo },
    async openPage(hash = '', { at = origin, as = 'ana', ...options }: VisitOptions = DESKTOP) {
      const context = await browser.visitor({ locale: 'en-GB', ...options });
      const data = { name: as, password: PASSWORDS[as ?? ''] };
      if (as !== null) await context.request.post(`${at}/session`, { data });
      const page = await context.newPage();
      const trouble: string[] = [];
      const sent: string[] = [];
      page.on('console', (message) => trouble.push(message.text()));
      page.on('pageerror', (error) => trouble.push(error.message));
      page.on('request', (request) => {
        sent.push(`${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
        const { origin: requested } = new URL(request.url());
        if (requested !== at && requested !== service.url && requested !== 'null')
          trouble.push(`asked ${request.url()}`);
      });
      await page.goto(`${at}/${hash}`);
      return { context, page, trouble, sent };
    },
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await browser.close();
      await service.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Waits for a page by its heading. */
export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

export const rows = (page: Page) => page.locator('tbody tr');
