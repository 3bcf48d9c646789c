import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INVOICE_ORDERS, type InvoiceFilter, type InvoiceOrder } from '../../src/subjects/invoices/filter.ts';
import { countInvoices, cursorsAt, filteredInvoices } from '../../src/subjects/invoices/store/list.ts';
import { type LargeCompany, largeCompany } from './large-company.ts';

/** Pages of the invoices with a text that all have, every sixtieth, one that lies beyond those looked through first, or none. */

const INVOICES = 1_300;
const PAGE = 10;

/** The recipient at a place in the order of issue, from 0. */
const nameAt = (place: number) =>
  place === 3 ? 'Zoraida Méndez' : place % 60 === 0 ? 'Begoña Ruiz' : `Cooperativa ${place}`;

const TEXTS: Readonly<Record<string, (name: string) => boolean>> = {
  // Of a description, and within a word.
  SESORÍ: () => true,
  'UIZ egon': (name) => name.startsWith('Begoña'),
  'mendez zor': (name) => name.startsWith('Zoraida'),
  'tiva 7': (name) => name.startsWith('Cooperativa'),
  'no such text': () => false,
};

let company: LargeCompany;
beforeAll(async () => {
  company = await largeCompany(INVOICES, { nameOf: nameAt });
});
afterAll(() => company?.close());

/** What the invoices themselves say, in an order. */
async function expectedIds(text: string, { field, direction }: InvoiceOrder): Promise<string[]> {
  const keys = {
    ISSUED_AT: ['issued_at'],
    NUMBER: ['series_year', 'series_number'],
    TOTAL: ['total', 'issued_at'],
    RECIPIENT_NAME: ['folded(recipient_name) collate "C"', 'issued_at'],
    DUE_ON: [`coalesce(due_date, 'infinity')`, 'issued_at'],
    AMOUNT_DUE: ['total', 'issued_at'],
  }[field];
  const { rows } = await company.client.query<{ id: string; name: string; number: string }>(
    `select id, recipient_name as name, number from invoice where environment_id = $1
      order by ${[...keys, 'id'].map((key) => `${key} ${direction}`).join(', ')}`,
    [company.environmentId],
  );
  const isMeant = ({ name, number }: { name: string; number: string }) =>
    TEXTS[text]!(name) && (text !== 'tiva 7' || `${number} ${name}`.includes('7'));
  return rows.filter(isMeant).map(({ id }) => id);
}

/** All pages, one after the other. */
async function idsOf(filter: InvoiceFilter, order: InvoiceOrder, backwards: boolean): Promise<string[]> {
  const { service, environmentId } = company;
  const { pool } = service.db;
  const found: string[] = [];
  for (;;) {
    const last = found.at(-1) ?? '';
    const place = (await cursorsAt(pool, environmentId, [last], order)).get(last) ?? null;
    const bounds = backwards ? { after: null, before: place } : { after: place, before: null };
    const range = { order, size: PAGE, backwards, ...bounds };
    const rows = await filteredInvoices(pool, environmentId, filter, range);
    found.push(...rows.map(({ id }) => id));
    if (rows.length < PAGE || found.length >= 6 * PAGE) return found;
  }
}

const ORDERS = INVOICE_ORDERS.flatMap((field) =>
  (['ASC', 'DESC'] as const).map((direction): [string, InvoiceOrder] => [
    `${field} ${direction}`,
    { field, direction },
  ]),
);

describe.each(Object.keys(TEXTS))('%s', (text) => {
  test.each(ORDERS)('by %s, from both ends', async (_what, order) => {
    const all = await expectedIds(text, order);
    const first = await idsOf({ text }, order, false);
    expect(first).toEqual(all.slice(0, first.length));
    const last = await idsOf({ text }, order, true);
    expect(last).toEqual(all.toReversed().slice(0, last.length));
    expect(first.length).toBe(Math.min(all.length, 6 * PAGE));
  });

  test('is counted, alone and beside other filters', async () => {
    const { service, environmentId } = company;
    const count = (filter: InvoiceFilter, max = 10_000) =>
      countInvoices(service.db.pool, environmentId, { text, ...filter }, max);
    const all = await expectedIds(text, { field: 'ISSUED_AT', direction: 'DESC' });
    expect(await count({})).toBe(all.length);
    expect(await count({}, 5)).toBe(Math.min(all.length, 5));
    expect(await count({ kinds: ['original'], inForce: true })).toBe(all.length);
    expect(await count({ statuses: ['voided'] })).toBe(0);
    // The beginning of the tax id of each, and of none.
    expect(await count({ recipientTaxId: '1' })).toBe(all.length);
    expect(await count({ recipientTaxId: 'B' })).toBe(0);
  });
});

test('letters have the form under which names are compared', async () => {
  const { rows } = await company.client.query(
    `select letter, folded(letter), without_accents(letter) from (select chr(n) as letter from generate_series(32, 10000) as n) as letters
      where folded(letter) <> letter and folded(letter) <> without_accents(letter)`,
  );
  expect(rows).toEqual([]);
});
