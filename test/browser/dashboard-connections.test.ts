import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { anUnsentCompany, type UnsentCompany } from '../support/agency/unsent-company.ts';
import type { TestService } from '../support/http/http-service.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { type Dashboard, heading, openDashboard, rows } from '../support/pages/dashboard.ts';
import { unusedPort } from '../support/processes/ports.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/dashboard');
const VITE = join(
  dirname(createRequire(join(EXAMPLE, 'start.ts')).resolve('vite/package.json')),
  'bin/vite.js',
);
const INTERRUPTED = 'Live updates are interrupted, and go on by themselves.';

describe.skipIf(!hasBrowser)('the dashboard, when its connections or tokens end', () => {
  let dashboard: Dashboard;
  let service: TestService;
  let shop: UnsentCompany;
  let origin: string;
  beforeAll(async () => {
    dashboard = await openDashboard();
    ({ service, shop, origin } = dashboard);
    await shop.issue();
  });
  afterAll(() => dashboard?.close());

  /** An empty page, to change something in it before the dashboard is opened. */
  async function openBlank() {
    const visit = await dashboard.openPage('icon.svg');
    const tokens: string[] = [];
    visit.page.on('response', async (response) => {
      if (response.url() === `${origin}/token`) tokens.push(String(response.status()));
    });
    return { ...visit, tokens };
  }
  const openList = async (page: Page) => {
    // Without what the server sends with the page, so that it asks for a token by itself.
    await page.goto(`${origin}/index.html`);
    await page.getByText(/found$/).waitFor();
  };
  const graphql = () => `${service.url}/graphql`;

  test('sends a request again with another token where its own is refused', async () => {
    const { context, page, tokens } = await openBlank();
    await page.route(
      `${origin}/token`,
      (route) => {
        void route.fulfill({
          json: {
            ...{ graphqlUrl: graphql(), token: 'at_over', goodForMs: 600_000, reached: 0 },
            ...{ scopes: ['read'], user: { name: 'ana', role: 'owner' } },
          },
        });
      },
      { times: 1 },
    );
    await openList(page);
    await page.getByRole('link', { name: 'Totals' }).click();
    await page.getByRole('region', { name: 'By month' }).waitFor();
    expect(tokens).toHaveLength(2);
    await context.close();
  });

  const over = '{"errors":[{"message":"over","extensions":{"code":"token_expired"}}]}';
  test.each([
    ['is refused', { status: 401, body: over }],
    [
      'ends',
      { contentType: 'text/event-stream', body: `event: next\ndata: ${over}\n\nevent: complete\ndata:\n\n` },
    ],
  ])(
    'goes on with live updates under another token where theirs %s, and misses nothing',
    async (_what, answer) => {
      const { context, page, sent } = await openBlank();
      let refused = false;
      await page.route(graphql(), (route) => {
        if (refused || route.request().headers()['accept'] !== 'text/event-stream') return route.continue();
        refused = true;
        return route.fulfill({ ...answer, headers: { 'access-control-allow-origin': origin } });
      });
      await openList(page);
      const { number } = await shop.issue();
      await rows(page).getByText(number).waitFor();
      const tokens = sent.flatMap((request) =>
        request.includes('"accept":"text/event-stream"') ? (/Bearer at_[^"]+/.exec(request)?.[0] ?? []) : [],
      );
      expect([tokens.length, new Set(tokens).size]).toEqual([2, 2]);
      await context.close();
    },
  );

  test('renews the token of its stream when that expires, without a break that anybody sees', async () => {
    const { context, page, tokens } = await openBlank();
    const streams: (string | undefined)[] = [];
    page.on('request', (request) => {
      const { accept, authorization } = request.headers();
      if (accept === 'text/event-stream') streams.push(authorization);
    });
    await openList(page);
    await expect.poll(() => streams.length).toBe(1);
    await page.evaluate(`{
      globalThis.said = [];
      const news = document.querySelector('[role=status].news');
      new MutationObserver(() => said.push(news.textContent)).observe(news, { characterData: true, childList: true, subtree: true });
    }`);
    clock.shift(601_000);
    onTestFinished(() => clock.reset());
    await expect.poll(() => streams.length, { timeout: 60_000 }).toBe(2);
    const { number } = await shop.issue();
    await rows(page).getByText(number).waitFor();
    expect(new Set(streams).size).toBe(2);
    expect(tokens).toHaveLength(2);
    expect(await page.evaluate<string[]>('said')).not.toContain(INTERRUPTED);
    await context.close();
  });

  test('asks for another token before its own is over, whatever the time of the computer', async () => {
    const { context, page, tokens } = await openBlank();
    const HOUR = 3_600_000;
    await page.clock.install({ time: Date.now() + HOUR });
    await openList(page);
    await page.getByRole('link', { name: 'Totals' }).click();
    await page.getByRole('region', { name: 'By month' }).waitFor();
    expect(tokens).toHaveLength(1);
    await page.clock.fastForward(580_000);
    await page.getByLabel('Year').selectOption({ index: 1 });
    await page.getByText('Nothing was invoiced in this year.').waitFor();
    expect(tokens).toHaveLength(2);
    await context.close();
  });

  test('says that it loads while an answer is slow, gives up in time, and tries again when told to', async () => {
    const { context, page } = await openBlank();
    await page.addInitScript(
      'const timeout = AbortSignal.timeout; AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 5);',
    );
    // Kept waiting, without an answer.
    await page.route(graphql(), () => {});
    await page.goto(`${origin}/index.html`);
    await page.getByText('Loading…').waitFor();
    await page.getByText('Lacre cannot be reached.').waitFor();
    expect(await page.getByText('Loading…').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/found$/).waitFor();
    await context.close();
  });

  test('says that it has no server, and that Lacre cannot be reached from there', async () => {
    const { context, page } = await openBlank();
    await page.route(`${origin}/token`, (route) => route.fulfill({ status: 502 }), { times: 1 });
    await page.goto(`${origin}/index.html`);
    await page.getByText('This page has no connection to its server.').waitFor();
    await page.getByRole('button', { name: 'Load it again' }).click();
    await page.getByText(/found$/).waitFor();
    // The scripts of other pages are loaded once nothing else is to be done.
    const isLoaded = `performance.getEntriesByType('resource').some(({ name }) => name.includes('/totals-'))`;
    await expect.poll(() => page.evaluate(isLoaded)).toBe(true);
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Totals' }).click();
    await page.getByText('Lacre cannot be reached.').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'By month' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });

  test('goes on with live updates after their connection broke, without a change missed', async () => {
    const { context, page } = await openBlank();
    const sockets = new Set<Socket>();
    const note = (socket: Socket) => sockets.add(socket);
    service.server.server.on('connection', note);
    onTestFinished(() => void service.server.server.off('connection', note));
    await openList(page);
    const first = await shop.issue();
    await rows(page).getByText(first.number).waitFor();
    await page.route(graphql(), (route) => route.abort());
    for (const socket of sockets) socket.destroy();
    await page.getByText(INTERRUPTED).waitFor();
    const missed = await shop.issue();
    await page.unrouteAll();
    await rows(page).getByText(missed.number).waitFor();
    await expect.poll(() => page.getByText(INTERRUPTED).count()).toBe(0);
    await context.close();
  });

  test('connects again where nothing arrives any more, though nothing says that the connection is lost', async () => {
    const { context, page, sent } = await openBlank();
    await page.clock.install();
    await openList(page);
    const { number } = await shop.issue();
    await rows(page).getByText(number).waitFor();
    const subscribed = () => sent.filter((request) => request.includes('"accept":"text/event-stream"'));
    expect(subscribed()).toHaveLength(1);
    await page.clock.fastForward(46_000);
    await page.clock.fastForward(10_000);
    await expect.poll(() => subscribed().length).toBe(2);
    expect(subscribed().at(-1)).toMatch(/"last-event-id":"\d+"/);
    const other = await shop.issue();
    await rows(page).getByText(other.number).waitFor();
    await context.close();
  });

  test('asks for its list once for all invoices that are issued within a second, and after the last one', async () => {
    const { context, page, sent } = await openBlank();
    await page.clock.install();
    await openList(page);
    await page.clock.pauseAt(Date.now() + 2_000);
    const asked = () => sent.filter((request) => request.includes('"first":20')).length;
    const before = asked();
    const { number } = await shop.issue();
    await rows(page).getByText(number).waitFor();
    expect(asked()).toBe(before + 1);
    const numbers: string[] = [];
    for (let count = 0; count < 8; count += 1) numbers.push((await shop.issue()).number);
    const shown = async () => {
      const text = (await rows(page).allTextContents()).join();
      return numbers.every((one) => text.includes(one));
    };
    let seconds = 0;
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        seconds += 1;
        return shown();
      })
      .toBe(true);
    expect(asked()).toBeLessThanOrEqual(before + 1 + seconds);
    await context.close();
  });

  test('shows a company without invoices that there are none yet', async () => {
    const at = await dashboard.serveTo(await anUnsentCompany(service, 'Nueva SL'));
    const { context, page, trouble } = await dashboard.openPage('', { at });
    await page.getByText('There are no invoices yet.').waitFor();
    await page.getByRole('link', { name: 'Totals' }).click();
    await page.getByText('Nothing was invoiced in this year.').waitFor();
    await page.getByRole('link', { name: 'New invoice' }).click();
    await heading(page, 'New invoice');
    expect(trouble).toEqual([]);
    await context.close();
  });

  test('is shown while it is developed, without a warning of its libraries', async () => {
    const { company } = await anUnsentCompany(service, 'Taller SL');
    const port = await unusedPort();
    const development = spawn(process.execPath, [VITE, EXAMPLE, '--port', String(port)], {
      env: { ...process.env, LACRE_URL: service.url, LACRE_KEY: company.live.key },
      stdio: 'ignore',
    });
    onTestFinished(() => void development.kill('SIGTERM'));
    const at = `http://localhost:${port}`;
    await expect
      .poll(() =>
        fetch(at).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true);
    const { context, page, trouble } = await dashboard.openPage('', { at });
    await page.getByText('There are no invoices yet.').waitFor();
    const body = aCompleteInvoice();
    const { body: issued } = await service.call('POST', '/v1/invoices', { key: company.live.key, body });
    await rows(page).getByRole('link', { name: issued.number }).click();
    await heading(page, issued.number);
    await page.getByRole('link', { name: 'Totals' }).click();
    await page.getByRole('region', { name: 'By month' }).waitFor();
    expect(trouble.filter((text) => !/^\[vite\]|React DevTools/.test(text))).toEqual([]);
    await context.close();
  });

  test('is served whatever is asked of its server', async () => {
    const statuses = [];
    for (const path of ['//', '/..%2fpackage.json', '/%', '/assets', '/']) {
      statuses.push((await fetch(`${origin}${path}`)).status);
    }
    expect(statuses).toEqual([404, 404, 404, 404, 200]);
    expect((await fetch(`${origin}/token`)).status).toBe(405);
  });
});
