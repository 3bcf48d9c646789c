import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { madridDay, plusDays } from '../../src/ground/lib/calendar.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { computeDayTotalsOf } from '../../src/subjects/invoices/compute-day-totals.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { ANA, differences, issueWith, operatorOf, substitution } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, anOldLine, importFiles } from '../support/invoices/old-invoices.ts';

/**
 * Totals in each combination of groups are, group by group, what the lines of the invoices in force add up to, computed here
 * from the list of invoices.
 */

type Tax = { readonly type: string; readonly rate: number; readonly amount: number };
type Line = {
  readonly subtotal: number;
  readonly tax: number;
  readonly total: number;
  readonly taxItems: Tax[];
};
type Listed = {
  readonly id: string;
  readonly invoiceDate: string;
  readonly kind: string;
  readonly recipientTaxId: string | null;
  readonly series: { readonly id: string };
  readonly lineItems: readonly Line[];
};
type Rate = { type: string; rate: number; base: number; tax: number };
type Group = Record<string, unknown> & { count: number; byRate: Rate[] };

const files = importFiles();
let service: TestService;

/** At the last and the first moments of months, quarters and years in Madrid, one of them in summer. */
const MOMENTS = [
  ...['2011-12-31T23:59:59+01:00', '2012-01-01T00:00:00+01:00', '2012-03-31T23:30:00+02:00'],
  ...['2012-04-01T00:30:00+02:00', '2013-02-28T23:59:59+01:00', '2013-03-01T00:00:00+01:00'],
];

beforeAll(async () => {
  service = await testService();
  const rows = MOMENTS.map((issued_at, n) =>
    anOldInvoice(`OLD-${n}`, {
      issued_at,
      line_items: [
        anOldLine({ unit_amount: 101 + n }),
        ...(n % 2 === 0 ? [anOldLine({ tax_items: [{ type: 'vat', rate: 8 }] })] : []),
      ],
    }),
  );
  const { environmentId } = service.company.test;
  const imported = await importInvoices(service.db, {
    ...{ environmentId, file: files.jsonLines(rows), actor: 'opk_1' },
  });
  if (isRefusal(imported)) throw new Error(imported.detail);
  await issueOfEachKind();
});
afterAll(async () => {
  await service.close();
  files.remove();
});

/** Of both series, with several rates, a surcharge and no tax at all; some of them out of force. */
async function issueOfEachKind(): Promise<void> {
  const operator = await operatorOf(service);
  const line = (unit_amount: number, type: string, rate?: number) =>
    aLine({ unit_amount, tax_items: [{ type, ...(rate === undefined ? {} : { rate }) }] });
  const issue = (body: object) => issueWith(service, body, 'test');
  const { body: series } = await service.call('POST', '/v1/number_series', {
    body: { prefix: 'SHOP', type: 'standard' },
  });
  const mixed = [line(333, 'vat', 21), line(777, 'vat', 10), line(1_001, 'vat', 21), line(55, 'es_exempt')];
  const complete = await issue(aCompleteInvoice({ line_items: mixed }));
  await issue(aCompleteInvoice({ line_items: [line(999, 'vat', 21)], recargo_equivalencia: true }));
  await issue(aSimplifiedInvoice({ line_items: mixed, number_series_id: series.id }));
  await issue(differences(complete, -150));
  const replaced = await issue(aSimplifiedInvoice());
  await issue(substitution(replaced, 4_321));
  const exchanged = await issue(aSimplifiedInvoice({ line_items: [line(2_222, 'vat', 4)] }));
  expect(
    (await operator.exchangeInvoices({ ticketIds: [exchanged.id], recipient: ANA })).errors,
  ).toBeUndefined();
  const mistaken = await issue(aSimplifiedInvoice());
  expect((await operator.voidInvoice(mistaken.id)).errors).toBeUndefined();
}

const KEYS = {
  DAY: ['day', ({ invoiceDate }: Listed) => madridDay(new Date(invoiceDate))],
  MONTH: ['month', ({ invoiceDate }: Listed) => madridDay(new Date(invoiceDate)).slice(0, 7)],
  QUARTER: [
    'quarter',
    ({ invoiceDate }: Listed) => {
      const [year, month] = madridDay(new Date(invoiceDate)).split('-');
      return `${year}-Q${Math.ceil(Number(month) / 3)}`;
    },
  ],
  TAX_RATE: ['taxRate', (_invoice: Listed, { taxItems }: Line) => taxItems[0]?.rate ?? null],
  SERIES: ['seriesId', ({ series }: Listed) => series.id],
  KIND: ['kind', ({ kind }: Listed) => kind],
  RECIPIENT: ['recipientTaxId', ({ recipientTaxId }: Listed) => recipientTaxId],
} as const;
type Grouping = keyof typeof KEYS;
const GROUPINGS = Object.keys(KEYS) as Grouping[];

/** Every set of groups, the empty one first. */
const COMBINATIONS = Array.from({ length: 2 ** GROUPINGS.length }, (_, chosen) =>
  GROUPINGS.filter((_group, at) => Math.floor(chosen / 2 ** at) % 2 === 1),
);

async function inForce(): Promise<Listed[]> {
  const { body } = await service.graphql(`{ invoices(filter: { inForce: true }, first: 100) { edges { node {
    id invoiceDate kind recipientTaxId series { id } lineItems { subtotal tax total taxItems { type rate amount } } } } } }`);
  expect(body.errors).toBeUndefined();
  return body.data.invoices.edges.map(({ node }: { node: Listed }) => node);
}

function expectedGroups(invoices: readonly Listed[], groupBy: readonly Grouping[]): Group[] {
  const groups = new Map<string, { group: Group; ids: Set<string> }>();
  for (const invoice of invoices) {
    for (const line of invoice.lineItems) {
      const keys = Object.entries(KEYS).map(([name, [field, of]]) => [
        field,
        groupBy.includes(name as Grouping) ? of(invoice, line) : null,
      ]);
      const place = JSON.stringify(keys);
      const empty = { ...Object.fromEntries(keys), count: 0, subtotal: 0, tax: 0, total: 0, byRate: [] };
      const { group, ids } = groups.get(place) ?? { group: empty as Group, ids: new Set<string>() };
      groups.set(place, { group, ids: ids.add(invoice.id) });
      group.count = ids.size;
      for (const sum of ['subtotal', 'tax', 'total'] as const)
        group[sum] = (group[sum] as number) + line[sum];
      for (const { type, rate, amount } of line.taxItems)
        addTo(group.byRate, { type, rate, base: line.subtotal, tax: amount });
    }
  }
  return [...groups.values()].map(({ group }) => group);
}

function addTo(rates: Rate[], { type, rate, base, tax }: Rate): void {
  const known = rates.find((one) => one.type === type && one.rate === rate);
  if (known === undefined) rates.push({ type, rate, base, tax });
  else Object.assign(known, { base: known.base + base, tax: known.tax + tax });
}

async function totalsBy(groupBy: readonly Grouping[]): Promise<Group[]> {
  const { body } = await service.graphql(
    `query ($groupBy: [InvoiceTotalGroup!]) { invoiceTotals(groupBy: $groupBy) {
      day month quarter taxRate seriesId kind recipientTaxId count subtotal tax total byRate { type rate base tax } } }`,
    { groupBy },
  );
  expect(body.errors).toBeUndefined();
  return body.data.invoiceTotals;
}

const byText = (groups: readonly Group[]) =>
  groups
    .map(({ byRate, ...group }) => JSON.stringify([group, byRate.map((rate) => JSON.stringify(rate)).sort()]))
    .sort();

describe.each(['single invoices', 'the sums of days'])('from %s', (source) => {
  let invoices: Listed[];
  beforeAll(async () => {
    invoices = await inForce();
    const { environmentId } = service.company.test;
    if (source === 'the sums of days')
      await computeDayTotalsOf(service.db, environmentId, { before: plusDays(madridDay(new Date()), 1) });
  });

  test('there is something in each dimension', () => {
    for (const grouping of GROUPINGS)
      expect(expectedGroups(invoices, [grouping]).length, grouping).toBeGreaterThan(1);
  });

  test.each(COMBINATIONS.map((groupBy) => [groupBy]))('by %j', async (groupBy) => {
    const totals = await totalsBy(groupBy);
    expect(byText(totals)).toEqual(byText(expectedGroups(invoices, groupBy)));
    expect(await totalsBy([...groupBy, ...groupBy].slice(0, GROUPINGS.length))).toEqual(totals);
  });
});

test('groups of recipients have the name under which each was invoiced last', async () => {
  const party = aCompleteInvoice();
  for (const name of ['Ana García', 'Ana García Pérez'])
    await issueWith(service, { ...party, recipient: { ...party.recipient, name } }, 'test');
  const { body } = await service.graphql(
    '{ invoiceTotals(groupBy: [RECIPIENT]) { recipientTaxId recipientName } whole: invoiceTotals { recipientName } }',
  );
  const { invoiceTotals, whole } = body.data;
  const names = Object.fromEntries(
    invoiceTotals.map((group: Record<string, string | null>) => [
      group['recipientTaxId'],
      group['recipientName'],
    ]),
  );
  expect(names[party.recipient.tax_id]).toBe('Ana García Pérez');
  expect(names['null']).toBeNull();
  expect(whole).toEqual([{ recipientName: null }]);
});

test('a grouping that there is not is refused, and so are more than there are', async () => {
  for (const groupBy of [['WEEK'], Array(1_000).fill('MONTH')]) {
    const { body } = await service.graphql(
      'query ($groupBy: [InvoiceTotalGroup!]) { invoiceTotals(groupBy: $groupBy) { count } }',
      { groupBy },
    );
    expect(body.errors[0].extensions).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: expect.stringMatching(/^groupBy/) }],
    });
  }
});
