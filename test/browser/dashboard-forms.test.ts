import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UnsentCompany } from '../support/agency/unsent-company.ts';
import type { TestService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { type Dashboard, heading, openDashboard, rows } from '../support/pages/dashboard.ts';

/** Presses Tab until the field of a label has the focus. */
async function tabTo(page: Page, label: string): Promise<void> {
  const name = `[document.activeElement.labels?.[0]?.firstChild?.textContent, document.activeElement.textContent]`;
  for (let pressed = 0; pressed < 60; pressed += 1) {
    if ((await page.evaluate<string[]>(name)).includes(label)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${label} cannot be reached by the keyboard`);
}

describe.skipIf(!hasBrowser)('the forms of the dashboard', () => {
  let dashboard: Dashboard;
  let service: TestService;
  let shop: UnsentCompany;
  const openPage: Dashboard['openPage'] = (...where) => dashboard.openPage(...where);
  beforeAll(async () => {
    dashboard = await openDashboard();
    ({ service, shop } = dashboard);
    await shop.issue();
    await shop.issue(aCompleteInvoice());
  });
  afterAll(() => dashboard?.close());

  const invoice = async (id: string) =>
    (await service.call('GET', `/v1/invoices/${id}`, { key: shop.company.live.key })).body;
  const shownId = (page: Page) => new URL(page.url()).hash.split('/')[2]!;

  test('filter by the keyboard alone: the field keeps the focus, and a date is applied once its year is whole', async () => {
    const { context, page, trouble } = await openPage();
    await page.getByText('2 found').waitFor();
    await tabTo(page, 'Type');
    await page.keyboard.press('ArrowDown');
    await page.getByText('1 found').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByText('2 found').waitFor();
    await tabTo(page, 'From');
    // The same day in every order of its parts.
    await page.keyboard.type('02022001');
    await page.waitForURL(/from=2001-02-02/);
    expect(await page.evaluate('document.activeElement.labels[0].firstChild.textContent')).toBe('From');
    await page.goBack();
    await expect.poll(() => page.getByLabel('From').inputValue()).toBe('');
    expect(page.url()).not.toContain('from=');
    expect(trouble).toEqual([]);
    await context.close();
  });

  test('issue by the keyboard alone, with a quantity and a price of more decimals than a cent', async () => {
    const { context, page } = await openPage();
    await tabTo(page, 'New invoice');
    await page.keyboard.press('Enter');
    await heading(page, 'New invoice');
    expect(await page.title()).toBe('New invoice');
    await tabTo(page, 'Type');
    await page.keyboard.press('ArrowDown');
    for (const [label, text] of [
      ['Description', 'Cable'],
      ['Quantity', '2,5'],
      ['Unit price (€)', '0.125'],
    ] as const) {
      await tabTo(page, label);
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/invoices\/inv_/);
    const { number, line_items: lines } = await invoice(shownId(page));
    expect(lines).toMatchObject([{ quantity_decimal: '2.5', unit_amount_decimal: '12.5', subtotal: 31 }]);
    await heading(page, number);
    await rows(page).getByText('€0.125').waitFor();
    await context.close();
  });

  test('say beside the field that a quantity is none, and that a decimal one has too many places', async () => {
    const { context, page } = await openPage('#/new');
    await page.getByLabel('Type').selectOption('simplified');
    await page.getByLabel('Description').fill('Cable');
    await page.getByLabel('Unit price (€)').fill('1');
    const quantity = page.getByLabel('Quantity');
    for (const text of ['3 m', '1.12345678']) {
      await quantity.fill(text);
      await page.getByRole('button', { name: 'Issue the invoice' }).click();
      await page.getByRole('button', { name: 'Quantity of line 1' }).click();
      expect(await quantity.getAttribute('aria-invalid')).toBe('true');
      expect(await page.evaluate('document.activeElement.id')).toBe('input.lineItems[0].quantity');
    }
    // The fault of a line does not stay at its place when it is another line's.
    await page.getByRole('button', { name: 'Add a line' }).click();
    await page.getByRole('button', { name: 'Remove Cable' }).click();
    expect(await quantity.getAttribute('aria-invalid')).toBeNull();
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });

  test('correct an invoice of another system, with its totals in another currency too', async () => {
    const { context, page } = await openPage('#/new');
    await page.getByRole('link', { name: 'Correct an invoice of another system' }).click();
    for (const [label, text] of [
      ...([
        ['Number', 'A-17'],
        ['Issued on', '2025-03-04'],
        ['Name', 'García Pérez Ana'],
      ] as const),
      ...([
        ['NIF', '12345678Z'],
        ['Address', 'Calle Mayor 1'],
        ['Postal code', '28001'],
      ] as const),
      ...([
        ['City', 'Madrid'],
        ['Description', 'Silla'],
        ['Unit price (€)', '-10'],
      ] as const),
    ])
      await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByRole('button', { name: 'Totals in another currency too' }).click();
    await page.getByLabel('Currency', { exact: true }).fill('usd');
    await page.getByLabel('Units for one euro').fill('1,0837');
    const issueIt = () => page.getByRole('button', { name: 'Issue the rectifying invoice' }).click();
    // What is refused is another request once it is mended, also outside of the lines.
    await page.getByLabel('Issued on', { exact: true }).fill('2099-03-04');
    await issueIt();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Issued on', { exact: true }).fill('2025-03-04');
    await issueIt();
    await page.waitForURL(/invoices\/inv_/);
    expect(await invoice(shownId(page))).toMatchObject({
      ...{ kind: 'rectifying_differences', total: -1_210 },
      rectifies: [{ external: { number: 'A-17', issued_on: '2025-03-04' } }],
      display_currency: { code: 'usd', rate: '1.0837' },
    });
    await context.close();
  });

  test.each([
    [
      'gross prices, decimals, units and a tax that the form does not offer',
      {
        line_items: [
          aLine({ description: 'Gas', quantity: 2, unit_amount: 1_210, prices_include_tax: true }),
          {
            ...aLine({ description: 'Cable', sku: 'C-1', unit: 'MTR' }),
            quantity: undefined,
            quantity_decimal: '2.5',
          },
          aLine({ description: 'Curso', tax_items: [{ type: 'es_exempt' }] }),
        ],
      },
    ],
    ['a withholding', { withholding: { rate: 15 } }],
    ['the equivalence surcharge', { recargo_equivalencia: true }],
  ])('rectify an invoice by substitution as it is, with %s', async (_what, parts) => {
    const issued = await shop.issue(aCompleteInvoice(parts));
    await shop.send();
    const { context, page } = await openPage(`#/invoices/${issued.id}/rectify`);
    await heading(page, `Rectify ${issued.number}`);
    await page.getByRole('button', { name: 'Issue the rectifying invoice' }).click();
    await page.waitForURL((url) => !url.hash.includes(issued.id));
    const [before, after] = [await invoice(issued.id), await invoice(shownId(page))];
    const same = ({ line_items, total, tax, withholding }: typeof before) => ({
      ...{ total, tax, withholding },
      lines: line_items.map(({ id: _id, ...line }: { id: string }) => line),
    });
    expect(same(after)).toEqual(same(before));
    await context.close();
  });

  test('are not offered where nothing was found, and say so', async () => {
    const { context, page } = await openPage('#/invoices?text=zzzz');
    await page.getByText('No invoice matches.').waitFor();
    await page.goto(`${dashboard.origin}/#/invoices/inv_none`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await page.getByText('Loading…').count()).toBe(0);
    // A filter that is refused can be corrected.
    await page.goto(`${dashboard.origin}/#/invoices?from=tomorrow`);
    await page.getByRole('alert').waitFor();
    await page.getByLabel('From').fill('2001-01-01');
    await page.getByText(/found$/).waitFor();
    await context.close();
  });
});
