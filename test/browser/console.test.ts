import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actions, pages } from '../../src/faces/console/registry.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { anOrdinaryDay, anUnsentCompany, type UnsentCompany } from '../support/agency/unsent-company.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { faultsByAxe, hasBrowser, openBrowser, type TestBrowser } from '../support/pages/browser.ts';
import { anOperator } from '../support/pages/console.ts';

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
      const long = 'Interminable'.repeat(8);
      company = await anUnsentCompany(service, `${long} SL`);
      const day = await anOrdinaryDay(company, simulator);
      const complete = await company.issue({
        ...aCompleteInvoice(),
        line_items: [aLine({ description: `SIMULATE-REJECT ${long.repeat(3)}` })],
      });
      await simulator.control({ mode: 'down' });
      const parked = await company.recordOf((await company.issue()).id);
      await company.send();
      const { keyId, certificateId, jobId, seriesId, deliveryId } = await createTestData(service, company);
      const { companyId, live } = company.company;
      const kept = await storeUnissued(service, live.key, long);
      const { body: payment } = await service.call('POST', `/v1/invoices/${complete.id}/payments`, {
        key: live.key,
        body: { amount: 1, paid_on: madridDay(clock.now()) },
      });
      const ids: Record<string, string | number> = {
        payment: payment.id,
        ...{
          companyId,
          chainId: company.chainId,
          environmentId: live.environmentId,
          taxType: 'vat',
          deliveryId,
        },
      };
      const fits = (pattern: string) => {
        if (pattern.startsWith('/records/')) return parked;
        if (pattern.startsWith('/keys/')) return keyId;
        if (pattern.startsWith('/certificates/')) return certificateId;
        if (pattern.startsWith('/jobs/')) return jobId;
        if (pattern.includes('/series/')) return seriesId;
        if (pattern.includes('/webhooks/')) return 'whe_failing';
        const group = kept.find(({ path }) => pattern.includes(path));
        if (group !== undefined) return group.id;
        return pattern.endsWith('/exchange') || pattern.endsWith('/void') ? day.registered.id : complete.id;
      };
      const address = (pattern: string) =>
        pattern.replace(/:(\w+)/g, (_, name) => String(name === 'id' ? fits(pattern) : ids[name]));
      const go = (path: string) => async (page: Page) => {
        const answer = await page.goto(at(path));
        expect(answer?.status(), path).toBe(200);
      };
      // A message is there only in a demo, which writes them to a folder.
      const always = pages.filter(([pattern]) => pattern !== '/mail/:id');
      shown = always.map(([pattern]) => [pattern, go(address(pattern))] as const);
      requested = actions.map(([pattern]) => [pattern, go(address(pattern))] as const);
      refused = [
        ['nothing found', go(`/companies/${companyId}/invoices?text=nothing`)],
        ['the form to exchange', go(`/invoices/${day.registered.id}/exchange`)],
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

/** A key, a certificate, a job that has failed and a series that is no default, of a company's. */
async function createTestData(service: TestService, { company }: UnsentCompany) {
  const { pool } = service.db;
  const one = async (text: string, values: unknown[] = []) =>
    String((await pool.query(text, values)).rows[0].id);
  const { environmentId } = company.live;
  const keyId = await one('select id from api_key where environment_id = $1', [environmentId]);
  const certificateId = await one(
    `insert into client_certificate (id, company_id, kind, holder_nif, holder_name, valid_from, valid_to,
       fingerprint, key_name, sealed, active, uploaded_by, uploaded_at)
     values ('cert_1', $1, 'seal', 'B72877814', 'Talleres Ñandú SL', now(), now() + interval '20 days', $2, 'first',
       '\\x00', false, 'opk_1', now()) returning id`,
    [company.companyId, 'a'.repeat(64)],
  );
  const jobId = await one(
    "select id from graphile_worker.add_job('render_pdf', '{}'::json, max_attempts => 1)",
  );
  const failed = 'Error: the database was out of reach while the document was rendered';
  await pool.query('update graphile_worker._private_jobs set attempts = 1, last_error = $2 where id = $1', [
    jobId,
    failed,
  ]);
  const seriesId = await one(
    `insert into number_series (id, environment_id, prefix, type, yearly)
     values ('ns_free', $1, 'TIENDA', 'standard', true) returning id`,
    [environmentId],
  );
  const deliveryId = await failingWebhook(service, environmentId);
  return { keyId, certificateId, jobId, seriesId, deliveryId };
}

/** A draft, a schedule and a batch, of which nothing is issued. */
async function storeUnissued(service: TestService, key: string, long: string) {
  const invoice = { type: 'complete', recipient: { name: long }, line_items: [aLine({ description: long })] };
  const ticket = aSimplifiedInvoice({ line_items: [aLine({ description: long })] });
  const bodies = {
    drafts: { invoice },
    schedules: { invoice: ticket, frequency: 'monthly', starts_on: madridDay(clock.now()) },
    batches: { invoices: [aSimplifiedInvoice({ external_id: long })] },
  };
  const made = Object.entries(bodies).map(async ([group, body]) => {
    const answer = await service.call('POST', `/v1/invoice_${group}`, { key, body });
    return { path: `/${group}/`, id: answer.body.id as string };
  });
  return Promise.all(made);
}

/** An endpoint that refuses what it is sent, with what it answered; answers its delivery. */
async function failingWebhook({ db: { pool } }: TestService, environmentId: number): Promise<string> {
  await pool.query(
    `insert into webhook_endpoint (id, environment_id, url, event_types, status, reached_sequence, failing_since, created_at)
     values ('whe_failing', $1, 'https://a-shop-with-a-long-name.example.com/hooks/of/invoices/lacre', '{*}', 'active', 1, now(), now())`,
    [environmentId],
  );
  const answer = `<html>${'An error that goes on without a space'.replaceAll(' ', '_').repeat(20)}</html>`;
  const attempts = [
    {
      at: '2026-11-22T10:00:00.000Z',
      milliseconds: 15_000,
      status: null,
      error: 'no answer within 15 s',
      answer: null,
    },
    { at: '2026-11-22T10:05:00.000Z', milliseconds: 41, status: 500, error: null, answer },
  ];
  await pool.query(
    `insert into webhook_delivery (id, environment_id, endpoint_id, sequence, event_id, event_type, status, attempts, attempt_log, next_at, created_at)
     values ('whd_failing', $1, 'whe_failing', 1, 'evt_1', 'invoice.issued', 'pending', 2, $2, now() + interval '30 minutes', now())`,
    [environmentId, JSON.stringify(attempts)],
  );
  return 'whd_failing';
}
