import type { BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UnsentCompany } from '../support/agency/unsent-company.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { type Dashboard, openDashboard, rows } from '../support/pages/dashboard.ts';

const TABS = 20;

/** A tab that a test can hide and show as a person does by changing to another one. */
const HIDING = `{
  let state = 'visible';
  Object.defineProperty(document, 'visibilityState', { get: () => state });
  globalThis.become = (next) => {
    state = next;
    document.dispatchEvent(new Event('visibilitychange'));
  };
}`;
const become = (page: Page, state: 'hidden' | 'visible') => page.evaluate(`become('${state}')`);

describe.skipIf(!hasBrowser)('the tabs of the dashboard in one browser', () => {
  let dashboard: Dashboard;
  let shop: UnsentCompany;
  beforeAll(async () => {
    dashboard = await openDashboard();
    ({ shop } = dashboard);
    await shop.issue();
  });
  afterAll(() => dashboard?.close());

  /** A browser whose streams are counted. */
  async function openTab() {
    const { context, page } = await dashboard.openPage('icon.svg');
    await context.addInitScript(HIDING);
    const streams = { open: 0, opened: 0 };
    const isStream = (headers: Record<string, string>) => headers['accept'] === 'text/event-stream';
    context.on('request', (request) => {
      if (!isStream(request.headers())) return;
      streams.open += 1;
      streams.opened += 1;
    });
    const end = (request: Request) => {
      if (isStream(request.headers())) streams.open -= 1;
    };
    context.on('requestfailed', end);
    context.on('requestfinished', end);
    await openList(page);
    return { context, page, streams };
  }
  async function openList(page: Page): Promise<void> {
    await page.goto(`${dashboard.origin}/`);
    await page.getByText(/found$/).waitFor();
  }
  async function openAnother(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    await openList(page);
    return page;
  }

  test('are live at once over HTTP/1.1, twenty of them with one stream, also after the tab that had it is closed', async () => {
    const { context, page: first, streams } = await openTab();
    const others: Page[] = [];
    while (others.length < TABS - 1) others.push(await openAnother(context));
    const issued = await shop.issue();
    for (const page of [first, ...others]) await rows(page).getByText(issued.number).waitFor();
    expect(streams.open).toBe(1);
    await first.close();
    const next = await shop.issue();
    for (const page of others) await rows(page).getByText(next.number).waitFor();
    expect(streams.opened).toBeLessThan(TABS);
    await context.close();
  });

  test('have no stream while none is visible, and miss nothing once one is', async () => {
    const { context, page, streams } = await openTab();
    const other = await openAnother(context);
    await become(other, 'hidden');
    const first = await shop.issue();
    await rows(page).getByText(first.number).waitFor();
    expect(await rows(other).getByText(first.number).count()).toBe(0);
    await become(page, 'hidden');
    await expect.poll(() => streams.open).toBe(0);
    const missed = await shop.issue();
    await become(other, 'visible');
    for (const { number } of [first, missed]) await rows(other).getByText(number).waitFor();
    // One that comes back while another has the stream is sent what it has missed too.
    const later = await shop.issue();
    await rows(other).getByText(later.number).waitFor();
    await become(page, 'visible');
    for (const { number } of [missed, later]) await rows(page).getByText(number).waitFor();
    expect(streams.open).toBe(1);
    await context.close();
  });
});
