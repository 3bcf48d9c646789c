import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { anOrdinaryDay, anUnsentCompany, type UnsentCompany } from '../support/agency/unsent-company.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { faultsByAxe, hasBrowser, openBrowser, type TestBrowser } from '../support/pages/browser.ts';
import { anOperator } from '../support/pages/console.ts';
import { consoleAddresses } from '../support/pages/console-addresses.ts';

/** The narrowest there is: what fits here fits everywhere. */
const PHONE = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 900 } };

describe.skipIf(!hasBrowser)('the operators’ console in Chromium', () => {
  let simulator: TestSimulator;
  let service: TestService;
  let browser: TestBrowser;
  let key: string;
  beforeAll(async () => {
    simulator = await testSimulator();
    [service, browser] = await Promise.all([testService({}, { simulator }), openBrowser()]);
    ({ key } = await anOperator(service));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const at = (path: string) => `${service.url}/console${path}`;

  /** A browser at the login page, and the errors that its pages logged. */
  async function openPage(options: BrowserContextOptions = DESKTOP) {
    const context: BrowserContext = await browser.visitor({ locale: 'en-GB', ...options });
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) trouble.push(`asked for ${request.url()}`);
    });
    return { context, page, trouble };
  }

  async function enter(page: Page): Promise<void> {
    await page.goto(at('/login'));
    await page.getByLabel('Operator key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const overview = page.getByRole('heading', { level: 1, name: 'Overview' });
    // On a machine that is busy with other files reading may take longer than the service waits; the page then says to try again.
    const late = page.getByRole('heading', { level: 1, name: 'The page could not be read' });
    await overview.or(late).waitFor();
    if (await late.isVisible()) await page.reload();
    await overview.waitFor().catch(async (cause: Error) => {
      throw new Error(`the console shows ${await page.locator('body').innerText()}`, { cause });
    });
  }

  const flash = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const warning = (page: Page) => page.getByRole('heading', { name: 'Sending to the tax agency is delayed' });

  /** Sends a form that is refused, and waits for the page that says so. */
  async function refuse(page: Page, button: string): Promise<void> {
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('alert').first().waitFor();
    await page.waitForLoadState();
  }

  async function confirm(page: Page, button: string, reason: string): Promise<void> {
    await page.getByLabel('Reason').fill(reason);
    await page.getByRole('button', { name: button }).click();
  }

  async function enterWithWrongKey(page: Page): Promise<void> {
    await page.goto(at(''));
    await page.getByLabel('Operator key').fill('op_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This is not a valid operator key.').first().waitFor();
  }

  /** A reason is wanted, then it retries in vain. */
  async function retryInVain(page: Page, company: UnsentCompany): Promise<void> {
    await page
      .getByRole('link', { name: `Chain ${company.chainId}` })
      .first()
      .click();
    await page.getByRole('link', { name: 'Retry…' }).first().click();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => page.title()).toMatch(/^Error: /);
    await page.getByText('Reason is required.').first().waitFor();
    await confirm(page, 'Retry', 'The agency says that it is back');
    await flash(page, 'The chain sends again');
    await company.send();
  }

  /** One record is taken out of the way; when the agency is back, the rest goes. */
  async function parkAndUnpark(page: Page, company: UnsentCompany, number: string): Promise<void> {
    await page.getByRole('link', { name: number, exact: true }).click();
    await page.getByRole('link', { name: 'Park…' }).click();
    await confirm(page, 'Park it', 'Its merchant wants to look at it');
    await flash(page, 'The record is parked.');
    await simulator.control({ mode: 'ok', enforce_wait: false });
    await company.send();
    await page.getByRole('link', { name: 'Unpark…' }).click();
    await confirm(page, 'Unpark it', 'Looked at');
    await flash(page, 'pending again');
    await company.send();
    await page.reload();
    expect(await warning(page).count()).toBe(0);
  }

  async function amend(page: Page, invoiceId: string): Promise<void> {
    await page.goto(at(`/invoices/${invoiceId}`));
    await page.getByText('El NIF no está identificado').waitFor();
    await page.getByRole('link', { name: 'Amend…' }).first().click();
    await page.getByLabel('Description of the operation').fill('Reparación');
    await confirm(page, 'Seal and send the amendment', 'The description was a slip');
    await flash(page, 'The amendment is sealed');
  }

  async function voidInvoice(page: Page, invoiceId: string): Promise<void> {
    await page.goto(at(`/invoices/${invoiceId}`));
    await page.getByRole('link', { name: 'Void…' }).click();
    await confirm(page, 'Void the invoice', 'Issued twice');
    await flash(page, 'The invoice is voided');
  }

  async function verifyChain(page: Page, chainId: number): Promise<void> {
    await page.goto(at(`/chains/${chainId}`));
    await page.getByText('no findings.').waitFor();
    await page.getByLabel('Position').fill('2');
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByText(/Positions 2 to \d+ of/).waitFor();
    await page.getByRole('link', { name: '‹ Earlier' }).click();
    await page.getByText(/Positions 1 to \d+ of/).waitFor();
  }

  test('on a phone, without JavaScript, while the agency is down', async () => {
    const company = await anUnsentCompany(service, 'Nocturna SL');
    const day = await anOrdinaryDay(company, simulator);
    await simulator.control({ mode: 'down' });
    const parked = await company.issue();
    await company.issue();
    await company.send();
    const { context, page, trouble } = await openPage({ ...PHONE, javaScriptEnabled: false });

    // As happens at night.
    await enterWithWrongKey(page);
    await enter(page);
    await warning(page).waitFor();
    await page.getByText('2 records are not sent yet').waitFor();

    await retryInVain(page, company);
    await parkAndUnpark(page, company, parked.number);
    await amend(page, day.refused.id);
    await company.send();
    await voidInvoice(page, day.registered.id);
    await company.send();
    await verifyChain(page, company.chainId);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Signed out' }).waitFor();
    await page.goto(at('/companies'));
    await page.getByLabel('Operator key').waitFor();
    // The pages that refuse say so by their status, which the browser notes; there must be nothing else.
    // So does it where the test was quicker to type than the page to put its cursor there.
    const expected = /status of (400|401|403|422)|^Autofocus processing was blocked/;
    expect(trouble.filter((message) => !expected.test(message))).toEqual([]);
    await context.close();
  });

  describe('every page', () => {
    let company: UnsentCompany;
    type Opening = readonly [name: string, open: (page: Page) => Promise<unknown>];
    let shown: readonly Opening[];
    let requested: readonly Opening[];
    let refused: readonly Opening[];
    beforeAll(async () => {
      const all = await consoleAddresses(service, simulator);
      company = all.company;
      const go = (path: string) => async (page: Page) => {
        const answer = await page.goto(at(path));
        expect(answer?.status(), path).toBe(200);
      };
      shown = all.pages.map(([pattern, path]) => [pattern, go(path)] as const);
      requested = all.actions.map(([pattern, path]) => [pattern, go(path)] as const);
      const { companyId } = company.company;
      refused = [
        ['nothing found', go(`/companies/${companyId}/invoices?text=nothing`)],
        ['the form to exchange', go(`/invoices/${all.registered}/exchange`)],
        ['its faults', (page) => refuse(page, 'Issue the')],
        ['not there', (page) => page.goto(at('/chains/999999'))],
        ['not found', (page) => page.goto(at('/nowhere'))],
      ];
    });

    /** Tables that are wider than their card, which cuts off what does not fit. */
    const CUT = `[...document.querySelectorAll('.sheet')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ innerText }) => innerText.slice(0, 80))`;

    /** Opens each, and holds it to axe and to the width of the screen. */
    async function inspectPages(page: Page, openings: readonly Opening[], width: number): Promise<void> {
      for (const [name, open] of openings) {
        await open(page);
        expect(await faultsByAxe(page), name).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width);
        expect(await page.evaluate(CUT), name).toEqual([]);
      }
    }

    // By day it is the colours that differ, and the pages have them all.
    test.each([
      [
        'a phone with dark colours',
        { ...PHONE, colorScheme: 'dark' },
        () => [...shown, ...requested, ...refused],
      ],
      ['a desktop by day', { ...DESKTOP, colorScheme: 'light' }, () => shown],
    ] as const)('is accessible, and fits, on %s', async (_what, options, openings) => {
      const { context, page } = await openPage(options);
      await page.goto(at('/login'));
      expect(await faultsByAxe(page), 'login').toEqual([]);
      await enter(page);
      await inspectPages(page, openings(), options.viewport.width);
      await context.close();
    });

    test('works by keyboard: a skip link to the content, and from the summary of errors to the field', async () => {
      const { context, page } = await openPage();
      await enter(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
      await page.goto(at(`/chains/${company.chainId}/pause`));
      await refuse(page, 'Pause sending');
      await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('reason');
      await context.close();
    });
  });
});
