import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UnsentCompany } from '../support/agency/unsent-company.ts';
import { aLine } from '../support/invoices/invoices.ts';
import { faultsByAxe, hasBrowser } from '../support/pages/browser.ts';
import { type Dashboard, DESKTOP, heading, openDashboard } from '../support/pages/dashboard.ts';

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

async function fillRecipient(page: Page, name: string, taxId: string): Promise<void> {
  for (const [label, text] of [
    ...[['Name', name] as const, ['NIF', taxId] as const, ['Address', 'Gran Vía 1'] as const],
    ...[['Postal code', '28013'] as const, ['City', 'Madrid'] as const],
  ])
    await page.getByLabel(label, { exact: true }).fill(text);
}

describe.skipIf(!hasBrowser)('a ticket that is exchanged in the dashboard', () => {
  let dashboard: Dashboard;
  let shop: UnsentCompany;
  beforeAll(async () => {
    dashboard = await openDashboard();
    ({ shop } = dashboard);
  });
  afterAll(() => dashboard?.close());
  const openPage: Dashboard['openPage'] = (...where) => dashboard.openPage(...where);
  const aTicket = async () => {
    const ticket = await shop.issue({
      line_items: [
        aLine({ description: 'Lamp', unit_amount: 5_000 }),
        aLine({ description: 'Bulb', unit_amount: 500 }),
      ],
    });
    await shop.send();
    return ticket;
  };
  const exchange = (page: Page) => page.getByRole('region', { name: 'Exchange for a complete invoice' });

  test('has a complete invoice, then what is returned, and the right recipient, all shown together', async () => {
    const ticket = await aTicket();
    const { context, page, trouble } = await openPage(`#/invoices/${ticket.id}`);
    await page.getByRole('link', { name: 'Exchange the ticket' }).click();
    await heading(page, `Exchange ${ticket.number}`);
    await fillRecipient(page, 'García López Ana', '12345678Z');
    await page.getByRole('button', { name: 'Issue the complete invoice' }).click();
    await exchange(page).getByRole('link', { name: ticket.number }).waitFor();
    expect(await page.getByRole('link', { name: 'Rectify' }).count()).toBe(0);
    await page.getByText('Still due: €133.10').waitFor();
    await shop.send();

    await page.getByRole('link', { name: 'Take back what is returned' }).click();
    await page.getByText('In force: €133.10').waitFor();
    await page.getByRole('button', { name: 'Remove Lamp' }).click();
    // Without a reason it is refused beside the field.
    await page.getByRole('button', { name: 'Issue both invoices' }).click();
    await page.getByRole('button', { name: 'Reason' }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('input.reason');
    await page.getByLabel('Reason').fill('The bulb is broken');
    await page.getByRole('button', { name: 'Issue both invoices' }).click();
    await expect.poll(() => exchange(page).locator('tbody tr').count()).toBe(2);
    await exchange(page).getByRole('row', { name: ticket.number }).getByRole('link').last().click();
    await page.getByText('Still due: €121.00').waitFor();
    await shop.send();

    await page.getByRole('link', { name: 'Make it out to another recipient' }).click();
    await fillRecipient(page, 'Ejemplo SL', 'B72877814');
    await page.getByLabel('Reason').fill('Another company');
    await page.getByRole('button', { name: 'Issue the invoices' }).click();
    await expect.poll(() => exchange(page).getByRole('cell', { name: 'Ejemplo SL' }).count()).toBe(2);
    await page.getByText('Still due: €121.00').waitFor();
    await shop.send();
    // The wrong one says that it is out of force, and offers nothing any more.
    await page.goBack();
    await page.goBack();
    await page.getByText('This one is out of force').waitFor();
    expect(await page.getByRole('link', { name: 'Take back what is returned' }).count()).toBe(0);
    expect(trouble.filter((message) => !/status of 4(00|22)/.test(message))).toEqual([]);
    await context.close();
  });

  test('is given back or made out anew by who may correct, and exchanged by who may issue', async () => {
    const ticket = await aTicket();
    const staff = await openPage(`#/invoices/${ticket.id}`, { ...DESKTOP, as: 'luis' });
    await staff.page.getByRole('link', { name: 'Exchange the ticket' }).click();
    await fillRecipient(staff.page, 'García López Ana', '12345678Z');
    await staff.page.getByRole('button', { name: 'Issue the complete invoice' }).click();
    await exchange(staff.page).waitFor();
    const complete = new URL(staff.page.url()).hash;
    expect(await staff.page.getByRole('link', { name: 'Take back what is returned' }).count()).toBe(0);
    await staff.page.goto(`${dashboard.origin}/${complete}/return`);
    await exchange(staff.page).waitFor();
    await staff.context.close();
    await shop.send();
    const owner = await openPage(complete);
    await owner.page.getByRole('link', { name: 'Make it out to another recipient' }).waitFor();
    await owner.context.close();
  });

  test.each([
    ['a phone by day', { ...PHONE, colorScheme: 'light' }],
    ['a desktop with dark colours', { ...DESKTOP, colorScheme: 'dark' }],
  ] as const)('has Spanish forms that are accessible and fit, on %s', async (_what, options) => {
    const ticket = await aTicket();
    const recipient = {
      ...{ name: 'García López Ana', tax_id: '12345678Z' },
      address: { line1: 'Gran Vía 1', postal_code: '28013', city: 'Madrid', country: 'ES' },
    };
    const { body } = await dashboard.service.call('POST', '/v1/exchanges', {
      key: shop.company.live.key,
      body: { ticket_ids: [ticket.id], recipient },
    });
    await shop.send();
    const { context, page } = await openPage('', { ...options, locale: 'es-ES' });
    for (const [hash, title] of [
      [`#/invoices/${body.id}`, body.number],
      [`#/invoices/${body.id}/return`, `Devolución de ${body.number}`],
      [`#/invoices/${body.id}/replace`, `Expedir ${body.number} a otro destinatario`],
      [`#/invoices/${ticket.id}/exchange`, `Canjear ${ticket.number}`],
    ] as const) {
      await page.goto(`${dashboard.origin}/${hash}`);
      await heading(page, title);
      await expect.poll(() => page.getByText('Cargando…').count()).toBe(0);
      expect(await faultsByAxe(page), hash).toEqual([]);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect(wide, hash).toBeLessThanOrEqual(options.viewport.width);
    }
    // What the service refuses is Spanish too.
    await page.getByRole('button', { name: 'Expedir la factura completa' }).click();
    await page.getByRole('alert').getByText('se canjeó por una completa').waitFor();
    await context.close();
  });
});
