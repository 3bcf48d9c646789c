import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { companyNif } from '../support/agency/registration.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import type { Visitor } from '../support/http/visitor.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { operatorIn } from '../support/pages/console.ts';

let service: TestService;
let ada: Visitor;
let bakery: TestCompany;
let garage: TestCompany;
beforeAll(async () => {
  service = await testService();
  [bakery, garage] = [
    await createCompany(service.db, { nif: companyNif(7_001), legalName: 'Panadería Ñandú SL' }),
    await createCompany(service.db, { nif: companyNif(7_002), legalName: 'Taller Ágil SA' }),
  ];
  ada = await operatorIn(service);
});
afterAll(() => service?.close());

async function issue(key: string): Promise<{ id: string; number: string }> {
  const { status, body } = await service.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() });
  expect(status).toBe(201);
  return body;
}

const search = async (text: string) => {
  const { status, text: page } = await ada.get(`/console/find?text=${encodeURIComponent(text)}`);
  return { status, page };
};

describe('the search', () => {
  test('opens the invoice of a number that only one has, and lists those of several, live ones first', async () => {
    const tested = await issue(bakery.test.key);
    const alone = await search(tested.number);
    expect(alone.page).toContain(`<h1><bdi>${tested.number}</bdi></h1>`);
    const sold = await issue(garage.live.key);
    expect(sold.number).toBe(tested.number);
    const { status, page } = await search(` ${sold.number} `);
    expect(status).toBe(200);
    const found = [...page.matchAll(/\/console\/invoices\/(inv_\w+)"/g)].map(([, id]) => id);
    expect(found).toEqual([sold.id, tested.id]);
    expect(page).toContain('Panadería Ñandú SL');
    expect(page).toContain('Taller Ágil SA');
  });

  test('finds the invoice of one company by its number and the NIF', async () => {
    const [one, other] = [await issue(bakery.live.key), await issue(garage.live.key)];
    const { page } = await search(`${one.number} ${companyNif(7_001).toLowerCase()}`);
    expect(page).toContain(one.id);
    expect(page).not.toContain(other.id);
  });

  test('finds chains, companies and ids as before', async () => {
    expect((await search(String(garage.live.chainId))).page).toContain(
      `<h1>Chain ${garage.live.chainId}</h1>`,
    );
    expect((await search('panad')).page).toContain('Panadería Ñandú SL');
    expect((await search(garage.companyId)).page).toContain(garage.companyId);
    expect((await search('nobody-has-this')).page).toContain('No company with this name or NIF.');
    expect((await search('x'.repeat(200))).status).toBe(200);
  });
});

describe('the pages of a company', () => {
  const links = (page: string, label: string) => {
    const [nav = ''] = new RegExp(`<nav class="[^"]*" aria-label="${label}">.*?</nav>`, 's').exec(page) ?? [];
    return [...nav.matchAll(/<a [^>]*?(aria-current="page")?>([^<]*)<\/a>/g)].map(([, current, name]) =>
      current === undefined ? name : `[${name}]`,
    );
  };

  test('are in four groups, of which the current one shows its pages', async () => {
    const { text } = await ada.get(`/console/companies/${bakery.companyId}/webhooks`);
    expect(links(text, 'Company')).toEqual(['Company', 'Invoicing', 'Settings', '[Access and connections]']);
    expect(links(text, 'Pages of the group')).toEqual(['Keys', 'Integrations', '[Webhooks]', 'Certificates']);
    const { text: first } = await ada.get(`/console/companies/${bakery.companyId}`);
    expect(links(first, 'Company')[0]).toBe('[Company]');
    expect(links(first, 'Pages of the group')).toEqual([]);
    // An invoice, and what is done with it, belong to its company's: the register book is one click away.
    const { id } = await issue(bakery.test.key);
    for (const page of [`/console/invoices/${id}`, `/console/invoices/${id}/void`]) {
      const { text: shown } = await ada.get(page);
      expect(links(shown, 'Company')[1]).toBe('[Invoicing]');
      expect(links(shown, 'Pages of the group')).toContain('Register book');
    }
  });
});
