import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestSimulator, testSimulator } from '../support/agency-simulator.ts';
import { faultsByAxe, hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { anOperator } from '../support/console.ts';
import { type TestService, testService } from '../support/http-service.ts';
import { aCompleteInvoice, aLine } from '../support/invoices.ts';
import { aNight, anOrdinaryDay, type Night } from '../support/night.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 900 } };

// A browser takes its time on a busy machine.
describe.skipIf(!hasBrowser)('the operators’ console in Chromium', { timeout: 90_000 }, () => {
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

  /** A browser before the door, and what it was told to go wrong with on the way. */
  async function come(options: BrowserContextOptions = DESKTOP) {
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
    await page.getByRole('button', { name: 'Enter' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  }

  const flash = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const warning = (page: Page) => page.getByRole('heading', { name: 'Sending to the tax agency is held up' });

  async function confirm(page: Page, button: string, reason: string): Promise<void> {
    await page.getByLabel('Reason').fill(reason);
    await page.getByRole('button', { name: button }).click();
  }

  test.each([
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ])('on %s, without JavaScript, through the night when the agency is down', async (_what, device) => {
    const night = await aNight(service, `Nocturna ${device.viewport.width} SL`);
    const day = await anOrdinaryDay(night, simulator);
    await simulator.control({ mode: 'down' });
    const stuck = await night.issue();
    await night.issue();
    await night.send();
    const { context, page, trouble } = await come({ ...device, javaScriptEnabled: false });

    // The wrong key first, as happens at night.
    await page.goto(at(''));
    await page.getByLabel('Operator key').fill('op_wrong');
    await page.getByRole('button', { name: 'Enter' }).click();
    await page.getByText('This is no operator key in force.').first().waitFor();
    await enter(page);
    await warning(page).waitFor();
    await page.getByText('2 records are still to be sent').waitFor();

    // From the overview to the chain; a reason is wanted, then it tries again in vain.
    await page
      .getByRole('link', { name: `Chain ${night.chainId}` })
      .first()
      .click();
    await page.getByRole('link', { name: 'Try again…' }).first().click();
    await page.getByRole('button', { name: 'Try again' }).click();
    expect(await page.title()).toMatch(/^Error: /);
    await page.getByText('Reason is required.').first().waitFor();
    await confirm(page, 'Try again', 'The agency says that it is back');
    await flash(page, 'The chain tries again');
    await night.send();

    // One record is taken out of the way; when the agency is back, the rest goes.
    await page.getByRole('link', { name: stuck.number, exact: true }).click();
    await page.getByRole('link', { name: 'Park…' }).click();
    await confirm(page, 'Park it', 'Its merchant wants to look at it');
    await flash(page, 'The record is parked.');
    await simulator.control({ mode: 'ok', enforce_wait: false });
    await night.send();
    await page.getByRole('link', { name: 'Put back…' }).click();
    await confirm(page, 'Put it back', 'Looked at');
    await flash(page, 'back among those that are sent');
    await night.send();
    await page.reload();
    expect(await warning(page).count()).toBe(0);

    // What the agency refused in the day is amended, and what should never have been is voided.
    await page.goto(at(`/invoices/${day.refused.id}`));
    await page.getByText('El NIF no está identificado').waitFor();
    await page.getByRole('link', { name: 'Amend…' }).first().click();
    await page.getByLabel('Description of the operation').fill('Reparación');
    await confirm(page, 'Seal and send the amendment', 'The description was a slip');
    await flash(page, 'The amendment is sealed');
    await night.send();
    await page.goto(at(`/invoices/${day.registered.id}`));
    await page.getByRole('link', { name: 'Void…' }).click();
    await confirm(page, 'Void the invoice', 'Issued twice');
    await flash(page, 'The invoice is voided');
    await night.send();

    // The chain holds, forwards and backwards.
    await page.goto(at(`/chains/${night.chainId}`));
    await page.getByText('everything holds.').waitFor();
    await page.getByLabel('Position').fill('2');
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByText(/Positions 2 to \d+ of/).waitFor();
    await page.getByRole('link', { name: '‹ Earlier' }).click();
    await page.getByText(/Positions 1 to \d+ of/).waitFor();

    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'You have left the console' }).waitFor();
    await page.goto(at('/companies'));
    await page.getByLabel('Operator key').waitFor();
    // The pages that refuse say so by their status, which the browser notes; there must be nothing else.
    expect(trouble.filter((told) => !/status of (400|401|403|422)/.test(told))).toEqual([]);
    await context.close();
  });

  describe('every page', () => {
    let night: Night;
    let pages: (readonly [name: string, open: (page: Page) => Promise<unknown>])[];
    beforeAll(async () => {
      const long = 'Interminable'.repeat(8);
      night = await aNight(service, `${long} SL`);
      const day = await anOrdinaryDay(night, simulator);
      const complete = await night.issue({
        ...aCompleteInvoice(),
        line_items: [aLine({ description: `SIMULATE-REJECT ${long.repeat(3)}` })],
      });
      await simulator.control({ mode: 'down' });
      const stuck = await night.recordOf((await night.issue()).id);
      await night.send();
      const go = (path: string) => (page: Page) => page.goto(at(path));
      const { companyId } = night.company;
      pages = [
        ['overview', go('')],
        ['failures', go('/failures')],
        ['companies', go('/companies')],
        ['company', go(`/companies/${companyId}`)],
        ['invoices', go(`/companies/${companyId}/invoices`)],
        ['nothing found', go(`/companies/${companyId}/invoices?text=nothing`)],
        ['invoice', go(`/invoices/${complete.id}`)],
        ['chain', go(`/chains/${night.chainId}`)],
        ['record', go(`/records/${stuck}`)],
        ['pause', go(`/chains/${night.chainId}/pause`)],
        ['skip', go(`/records/${stuck}/skip`)],
        ['void', go(`/invoices/${day.registered.id}/void`)],
        ['amend', go(`/invoices/${complete.id}/amend`)],
        ['exchange', go(`/invoices/${day.registered.id}/exchange`)],
        ['exchange with faults', (page) => page.getByRole('button', { name: 'Issue the' }).click()],
        ['not there', go('/chains/999999')],
        ['not found', go('/nowhere')],
      ];
    });

    test.each([
      ['a phone by night', { ...PHONE, colorScheme: 'dark' }],
      ['a desktop by day', { ...DESKTOP, colorScheme: 'light' }],
    ] as const)('is accessible, and fits, on %s', async (_what, options) => {
      const { context, page } = await come(options);
      await page.goto(at('/login'));
      expect(await faultsByAxe(page), 'door').toEqual([]);
      await enter(page);
      for (const [name, open] of pages) {
        await open(page);
        expect(await faultsByAxe(page), name).toEqual([]);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect(width, name).toBeLessThanOrEqual(options.viewport.width);
      }
      await context.close();
    });

    test('fits the narrowest phone', async () => {
      const { context, page } = await come({ ...PHONE, viewport: { width: 320, height: 640 } });
      await enter(page);
      for (const [name, open] of pages) {
        await open(page);
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(320);
      }
      await context.close();
    });

    test('is usable by keyboard: content at once, and from the summary of faults to the field', async () => {
      const { context, page } = await come();
      await enter(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('content');
      await page.goto(at(`/chains/${night.chainId}/pause`));
      await page.getByRole('button', { name: 'Pause sending' }).click();
      expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('reason');
      await context.close();
    });
  });
});
