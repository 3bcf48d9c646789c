import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UnsentCompany } from '../support/agency/unsent-company.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';
import { faultsByAxe, hasBrowser } from '../support/pages/browser.ts';
import { type Dashboard, DESKTOP, heading, openDashboard } from '../support/pages/dashboard.ts';

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const notRefused = (message: string) => !/status of (400|409|422|503)/.test(message);

describe.skipIf(!hasBrowser)('what the dashboard corrects beside issuing', () => {
  let dashboard: Dashboard;
  let shop: UnsentCompany;
  beforeAll(async () => {
    dashboard = await openDashboard();
    ({ shop } = dashboard);
  });
  afterAll(() => dashboard?.close());
  const openPage: Dashboard['openPage'] = (...where) => dashboard.openPage(...where);
  const invoice = async (id: string) =>
    (await dashboard.service.call('GET', `/v1/invoices/${id}`, { key: shop.company.live.key })).body;

  test('voids an invoice for a reason, and what it had corrected is in force again at once', async () => {
    const issued = await shop.issue(aCompleteInvoice({ line_items: [aLine({ unit_amount: 10_000 })] }));
    await shop.send();
    const rectifies = { invoice_id: issued.id, method: 'substitution' };
    const wrong = await shop.issue(
      aCompleteInvoice({ line_items: [aLine({ unit_amount: 8_000 })], rectifies }),
    );
    const { context, page, trouble } = await openPage(`#/invoices/${issued.id}`);
    await page.getByText('In force: €193.60').waitFor();
    await page.getByRole('listitem').getByRole('link', { name: wrong.number }).click();
    await page.getByRole('link', { name: 'Void' }).click();
    await heading(page, `Void ${wrong.number}`);
    expect(await faultsByAxe(page)).toEqual([]);
    const send = page.getByRole('button', { name: 'Void the invoice' });
    // Without a reason it is refused beside the field; while its record is under way, as a whole.
    await send.click();
    await page.getByRole('button', { name: 'Reason' }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('reason');
    await page.getByLabel('Reason').fill('Issued twice');
    await send.click();
    await page
      .getByRole('alert')
      .getByText(/is still being registered/)
      .waitFor();
    await shop.send();
    await send.click();
    await heading(page, new RegExp(wrong.number));
    await page.locator('h1').getByText('voided').waitFor();
    expect(await page.getByRole('link', { name: 'Void' }).count()).toBe(0);
    expect((await invoice(wrong.id)).status).toBe('voided');
    // Nothing is asked again for what it corrected.
    await page.route(`${dashboard.service.url}/graphql`, (route) => route.abort());
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await heading(page, new RegExp(issued.number));
    await page.getByText('Still due: €242.00').waitFor();
    expect(trouble.filter(notRefused)).toEqual([]);
    await context.close();
  });

  test('amends a record that was rejected, and says why one is not amended', async () => {
    const flagged = await shop.issue(
      aCompleteInvoice({ line_items: [aLine({ description: 'SIMULATE-FLAG montaje' })] }),
    );
    await shop.send();
    const { context, page, trouble } = await openPage(`#/invoices/${flagged.id}`);
    await page.getByRole('link', { name: 'Amend the record' }).click();
    await heading(page, `Amend the record of ${flagged.number}`);
    expect(await faultsByAxe(page)).toEqual([]);
    await page.getByLabel('Reason').fill('Flagged');
    await page.getByLabel('Name of the recipient').fill('Ruiz Soler Marta');
    const send = page.getByRole('button', { name: 'Send the amended record' });
    await send.click();
    await page.getByRole('button', { name: 'Name of the recipient, in another spelling' }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('input.recipient.name');
    await page.getByLabel('Name of the recipient').fill('');
    await page.getByLabel('Description of the operation').fill('Montaje');
    await send.click();
    await heading(page, new RegExp(flagged.number));
    await expect.poll(() => page.locator('.records > li').count()).toBe(2);
    await shop.send();
    await page.locator('h1').getByText('registered', { exact: true }).waitFor();
    expect(trouble.filter(notRefused)).toEqual([]);
    await context.close();
  });

  test('states a simplified invoice of another system anew, with the amounts that it had', async () => {
    const { context, page, trouble } = await openPage('#/correct?external=1');
    await heading(page, 'Correct an invoice of another system');
    await page.getByLabel('Number', { exact: true }).fill('TPV-17');
    await page.getByLabel('Issued on').fill('2026-01-15');
    await page.getByLabel('By substitution').check();
    await page.getByLabel('Type').selectOption('simplified');
    await page.getByLabel('Description').fill('Lamp');
    await page.getByLabel('Unit price (€)').fill('80');
    const send = page.getByRole('button', { name: 'Issue the rectifying invoice' });
    await send.click();
    await page.getByRole('button', { name: 'The amounts that it had' }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe(
      'input.rectifies.external.rectifiedAmounts',
    );
    await page.getByLabel('Base (€)').fill('100');
    await page.getByLabel('Tax (€)', { exact: true }).fill('21');
    expect(await faultsByAxe(page)).toEqual([]);
    await send.click();
    await heading(page, /^R/);
    const id = new URL(page.url()).hash.split('/')[2]!;
    expect(await invoice(id)).toMatchObject({
      ...{ type: 'simplified', kind: 'rectifying_substitution', total: 9_680 },
      rectifies: [{ external: { number: 'TPV-17', issued_on: '2026-01-15' } }],
    });
    expect(trouble.filter(notRefused)).toEqual([]);
    await context.close();
  });

  test('offers voiding and amending to an owner alone', async () => {
    const { id } = await shop.issue();
    await shop.send();
    for (const as of ['luis', 'marta']) {
      const { context, page } = await openPage(`#/invoices/${id}/void`, { ...DESKTOP, as });
      await page.getByRole('heading', { name: 'Records and proof' }).waitFor();
      expect(await page.getByRole('link', { name: /^(Void|Amend the record)$/ }).count()).toBe(0);
      await context.close();
    }
  });

  test.each([
    ['a phone by day', { ...PHONE, colorScheme: 'light' }],
    ['a desktop with dark colours', { ...DESKTOP, colorScheme: 'dark' }],
  ] as const)('has these forms in Spanish, accessible and fitting, on %s', async (_what, options) => {
    const issued = await shop.issue(aCompleteInvoice());
    const { context, page } = await openPage('', { ...options, locale: 'es-ES' });
    for (const [hash, title] of [
      [`#/invoices/${issued.id}/void`, `Anular ${issued.number}`],
      [`#/invoices/${issued.id}/amend`, `Subsanar el registro de ${issued.number}`],
      ['#/correct?external=1', 'Rectificar una factura de otro sistema'],
    ] as const) {
      await page.goto(`${dashboard.origin}/${hash}`);
      await heading(page, title);
      if (hash.includes('external')) await page.getByLabel('Por sustitución').check();
      expect(await faultsByAxe(page), hash).toEqual([]);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect(wide, hash).toBeLessThanOrEqual(options.viewport.width);
    }
    await page.goto(`${dashboard.origin}/#/invoices/${issued.id}/void`);
    await page.getByLabel('Motivo').fill('Repetida');
    await page.getByRole('button', { name: 'Anular la factura' }).click();
    await page
      .getByRole('alert')
      .getByText(/todavía se está registrando|registrándose|registrando/)
      .waitFor();
    await context.close();
  });
});
