import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeCheckpoints } from '../../src/subjects/journal/keep-checkpoints.ts';
import type { UnsentCompany } from '../support/agency/unsent-company.ts';
import type { TestService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';
import { faultsByAxe, hasBrowser } from '../support/pages/browser.ts';
import { type Dashboard, DESKTOP, heading, openDashboard, rows } from '../support/pages/dashboard.ts';

const PHONE = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };

describe.skipIf(!hasBrowser)('the example of a dashboard in Chromium, built as for production', () => {
  let dashboard: Dashboard;
  let service: TestService;
  let shop: UnsentCompany;
  let origin: string;
  const openPage: Dashboard['openPage'] = (...where) => dashboard.openPage(...where);
  beforeAll(async () => {
    dashboard = await openDashboard();
    ({ service, shop, origin } = dashboard);
    for (let sale = 1; sale <= 25; sale += 1) {
      await shop.issue({ line_items: [aLine({ description: `Sale ${sale}`, unit_amount: sale * 1_000 })] });
    }
    await shop.issue(
      aCompleteInvoice({
        line_items: [
          aLine({ description: 'Montaje', unit_amount: 30_000 }),
          aLine({ description: 'Libros', unit_amount: 12_000, tax_items: [{ type: 'vat', rate: 4 }] }),
        ],
      }),
    );
  });
  afterAll(() => dashboard?.close());

  test('lists, filters and pages, and the address contains filter and page', async () => {
    const { context, page, trouble, sent } = await openPage();
    await page.getByText('26 found').waitFor();
    expect(await rows(page).count()).toBe(20);
    await page.getByRole('link', { name: 'Next ›' }).click();
    await expect.poll(() => rows(page).count()).toBe(6);
    await page.getByRole('link', { name: '‹ Previous' }).click();
    await expect.poll(() => rows(page).count()).toBe(20);
    await page.getByLabel('Type').selectOption('complete');
    await page.getByText('1 found').waitFor();
    await page.reload();
    await page.getByText('1 found').waitFor();
    await page.getByLabel('Type').selectOption('');
    await page.getByText('26 found').waitFor();
    await page.getByLabel('Search', { exact: true }).fill('sale 17');
    await page.keyboard.press('Enter');
    await page.getByText('1 found').waitFor();
    await page.goBack();
    await page.getByText('26 found').waitFor();
    expect(trouble).toEqual([]);
    expect(sent.join('\n')).not.toContain(shop.company.live.key);
    expect(sent.some((request) => request.includes('Bearer at_'))).toBe(true);
    await context.close();
  });

  test('shows a change of an invoice without reloading the page', async () => {
    const { context, page, trouble } = await openPage();
    await page.getByText('26 found').waitFor();
    const { number } = await shop.issue({ line_items: [aLine({ description: 'Today' })] });
    const row = rows(page).filter({ hasText: number });
    await row.getByText('pending').waitFor();
    await shop.send();
    await row.getByText('registered', { exact: true }).waitFor();

    // So does a page of the invoice itself: its record, and the family that it gets.
    const other = await shop.issue(aCompleteInvoice({ line_items: [aLine({ unit_amount: 10_000 })] }));
    await rows(page).getByRole('link', { name: other.number }).click();
    const record = page.locator('.records li');
    await record.getByText('pending').waitFor();
    await shop.send();
    await record.getByText('registered', { exact: true }).waitFor();
    const rectifies = { invoice_id: other.id, method: 'substitution' };
    await shop.issue(aCompleteInvoice({ line_items: [aLine({ unit_amount: 8_000 })], rectifies }));
    await page.getByText('In force: €193.60').waitFor();
    await shop.send();
    expect(trouble).toEqual([]);
    await context.close();
  });

  test('issues an invoice, with errors shown beside their fields', async () => {
    const { context, page, trouble } = await openPage('#/new');
    await heading(page, 'New invoice');
    const description = page.getByLabel('Description');
    await description.fill('Desk');
    await page.getByLabel('Unit price (€)').fill('120,50');
    await page.getByText('€145.81').waitFor();
    await page.getByLabel('Name').fill('García López Ana');
    await page.getByLabel('NIF').fill('12345678A');
    await page.getByRole('button', { name: 'Issue the invoice' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Postal code').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Address').fill('Gran Vía 1');
    await page.getByLabel('Postal code').fill('28013');
    await page.getByLabel('City').fill('Madrid');
    await page.getByRole('button', { name: 'Issue the invoice' }).click();
    // Of the rules of the law it is told as of those of the form.
    const taxId = page.getByLabel('NIF');
    await page.getByRole('button', { name: 'NIF' }).waitFor();
    expect(await taxId.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBeNull();
    expect(await faultsByAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'NIF' }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('input.recipient.taxId');
    await taxId.fill('12345678Z');
    await page.getByRole('button', { name: 'Issue the invoice' }).click();
    await heading(page, /^F/);
    await page.getByText('Gran Vía 1').waitFor();
    expect(await page.locator('.sums div').last().innerText()).toContain('€145.81');
    expect(trouble.filter((message) => !/status of 4(00|22)/.test(message))).toEqual([]);
    await context.close();
  });

  test('rectifies one and its correction, and all show how they stand together at once', async () => {
    const issued = await shop.issue(aCompleteInvoice({ line_items: [aLine({ unit_amount: 10_000 })] }));
    await shop.send();
    const { context, page, trouble } = await openPage(`#/invoices/${issued.id}`);
    await heading(page, new RegExp(issued.number));
    expect(await page.getByRole('heading', { name: 'Corrections' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Rectify' }).click();
    await heading(page, `Rectify ${issued.number}`);
    await page.getByLabel('Unit price (€)').fill('80');
    await page.getByRole('button', { name: 'Issue the rectifying invoice' }).click();
    await page.getByText('In force: €193.60').waitFor();
    // The correction is corrected in turn.
    await shop.send();
    await page.getByRole('link', { name: 'Rectify' }).click();
    await heading(page, /^Rectify/);
    await page.getByLabel('Unit price (€)').fill('60');
    await page.getByRole('button', { name: 'Issue the rectifying invoice' }).click();
    await page.getByText('In force: €145.20').waitFor();
    // Nothing is asked again for it: the answer of the mutation says it of all of them.
    await page.route(`${service.url}/graphql`, (route) => route.abort());
    await page.getByRole('listitem').getByRole('link', { name: issued.number }).click();
    await heading(page, new RegExp(issued.number));
    await page.getByText('In force: €145.20').waitFor();
    expect(trouble).toEqual([]);
    await context.close();
  });

  test('shows beside the field why an invoice is not rectified, and issues it once that is corrected', async () => {
    const issued = await shop.issue(aCompleteInvoice({ line_items: [aLine({ unit_amount: 10_000 })] }));
    await shop.send();
    const { context, page, trouble } = await openPage(`#/invoices/${issued.id}/rectify`);
    await heading(page, `Rectify ${issued.number}`);
    await page.getByLabel('By differences').check();
    const [description, price] = [page.getByLabel('Description'), page.getByLabel('Unit price (€)')];
    await description.fill('Refund');
    await price.fill('-500');
    await page.getByRole('button', { name: 'Issue the rectifying invoice' }).click();
    await page.getByRole('button', { name: 'Lines' }).click();
    const lines = page.getByRole('group', { name: 'Lines' });
    await lines.getByText('The differences exceed the amount that is in force.').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('input.lineItems');
    await price.fill('none');
    await page.getByRole('button', { name: 'Issue the rectifying invoice' }).click();
    await page.getByRole('button', { name: 'Unit price (€) of line 1' }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('input.lineItems[0].unitAmount');
    expect(await price.getAttribute('aria-invalid')).toBe('true');
    expect(await faultsByAxe(page)).toEqual([]);
    await price.fill('-20');
    await page.getByRole('button', { name: 'Issue the rectifying invoice' }).click();
    await page.getByText('In force: €217.80').waitFor();
    expect(trouble.filter((message) => !/status of 4(00|22)/.test(message))).toEqual([]);
    await context.close();
  });

  test('shows the chain, and gives the proof once there is one', async () => {
    const issued = await shop.issue();
    await shop.send();
    const { context, page } = await openPage(`#/invoices/${issued.id}`);
    await heading(page, new RegExp(issued.number));
    await page.getByText(/A proof can be had once a checkpoint covers/).waitFor();
    const { body } = await service.call('GET', `/v1/invoices/${issued.id}`, { key: shop.company.live.key });
    expect(await page.locator('.records code').first().innerText()).toBe(body.verifactu.hash);
    await takeCheckpoints(service.services, 1);
    await page.reload();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the proof' }).click(),
    ]);
    expect(JSON.parse(readFileSync(await saved.path(), 'utf8'))).toMatchObject({
      entry: { subject_id: issued.id },
    });
    await context.close();
  });

  test('sums by month and by rate', async () => {
    const { context, page, trouble } = await openPage('#/totals');
    await page.getByRole('img', { name: /^Invoiced in each month/ }).waitFor();
    const rates = page.getByRole('region', { name: 'By rate of tax' });
    await rates.getByRole('img').waitFor();
    expect(await rates.getByRole('rowheader').allInnerTexts()).toEqual(['4 %', '21 %', 'Total']);
    // A month in which nothing was invoiced has its place on the axis, and the axis its zero.
    const months = page.getByRole('region', { name: 'By month' });
    const onAxes = await months.locator('.scale').allTextContents();
    expect(onAxes).toEqual(expect.arrayContaining(['€0', 'Jan']));
    expect(onAxes.filter((text) => /^[A-Z]/.test(text))).toHaveLength(new Date().getUTCMonth() + 1);
    expect(await months.getByRole('rowheader').count()).toBe(2);
    await page.getByLabel('Year').selectOption({ index: 3 });
    await page.getByText('Nothing was invoiced in this year.').waitFor();
    expect(trouble).toEqual([]);
    await context.close();
  });

  test.each([
    ['a phone with dark colours', { ...PHONE, colorScheme: 'dark' }],
    ['a desktop by day', { ...DESKTOP, colorScheme: 'light' }],
  ] as const)('is accessible, and fits, on %s', async (_what, options) => {
    const { id } = await shop.issue(aCompleteInvoice());
    const { context, page } = await openPage('', options);
    const shown: [hash: string, there: RegExp][] = [
      ['#/', /^Invoices/],
      [`#/invoices/${id}`, /^F/],
      [`#/invoices/${id}/rectify`, /^Rectify/],
      ['#/new', /^New invoice/],
      ['#/totals', /^Totals/],
    ];
    for (const [hash, there] of shown) {
      await page.goto(`${origin}/${hash}`);
      await heading(page, there);
      expect(await faultsByAxe(page), hash).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), hash).toBeLessThanOrEqual(
        options.viewport.width,
      );
    }
    await context.close();
  });
});
