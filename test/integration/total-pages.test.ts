import { beforeAll, describe, expect, test } from 'vitest';
import { sentDuring } from '../support/database/statements.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';
import { ACTS, issue, issued, operator, service, startTotalsHistories } from './totals-histories.ts';

/** All pages of the groups of totals, one after the other, are the groups of the whole answer. */

startTotalsHistories();

const TAX_IDS = ['B50000009', 'X1', 'X2'];
const address = { line1: 'Calle Mayor 1', postal_code: '50001', city: 'Zaragoza', country: 'ES' };
const RATES = [['vat', 21], ['vat', 10], ['vat', 4], ['es_exempt']] as const;

/** Of several recipients, of none, of an old day, of each rate; paid, corrected, and some of them after the last day with sums. */
async function issueOfMany(): Promise<void> {
  for (const [which, tax_id] of TAX_IDS.entries()) {
    for (const [type, rate] of RATES.slice(which)) {
      const taxed = aLine({ unit_amount: 1_000 + which, tax_items: [{ type, ...(rate && { rate }) }] });
      const recipient = {
        name: `Cliente ${which}`,
        tax_id,
        tax_id_type: 'passport',
        tax_id_country: 'US',
        address,
      };
      const { length } = issued;
      await issue(aCompleteInvoice({ recipient, line_items: [taxed] }));
      expect(issued, tax_id).toHaveLength(length + 1);
    }
  }
  await ACTS.import(0);
  await ACTS.issue(0);
  await ACTS.pay(1);
  await ACTS.credit(2);
}

beforeAll(async () => {
  await issueOfMany();
  await ACTS.nextDay(0);
  await ACTS.laterToday(1);
  await ACTS.addUpDays();
  await ACTS.pay(3);
  await issueOfMany();
  const { rows } = await service.owner.query(
    'select count(*)::int as days from day_total where of_recipient',
  );
  expect(rows[0].days, 'something was added up').toBeGreaterThan(5);
});

const GROUP = 'day month quarter taxRate seriesId kind recipientTaxId recipientName count subtotal tax total';
const FIELDS = `cursor ${GROUP} amountPaid amountDue byRate { type rate base tax }`;

async function groups(args: string): Promise<readonly { readonly cursor: string }[]> {
  const { body } = await service.graphql(`{ invoiceTotals(${args}) { ${FIELDS} } }`);
  expect(body.errors, args).toBeUndefined();
  return body.data.invoiceTotals;
}

async function pages(args: string, first: number) {
  const read: { readonly cursor: string }[] = [];
  for (let after = ''; ; after = `, after: "${read.at(-1)!.cursor}"`) {
    const page = await groups(`${args}, first: ${first}${after}`);
    read.push(...page);
    if (page.length < first) return read;
  }
}

const GROUPINGS = [
  ...['RECIPIENT', 'RECIPIENT, TAX_RATE', 'RECIPIENT, DAY, KIND', 'RECIPIENT, RECIPIENT, SERIES'],
  ...['RECIPIENT, DAY, TAX_RATE', 'RECIPIENT, TAX_RATE, DAY, SERIES'],
  ...['TAX_RATE', 'TAX_RATE, RECIPIENT', 'MONTH, RECIPIENT', 'DAY, SERIES, KIND, QUARTER'],
];

describe.each(['', 'filter: { type: [complete] }, ', 'filter: { total: { min: 0 } }, '])('%s', (filter) => {
  test.each(GROUPINGS)('by %s', async (groupBy) => {
    const args = `${filter}groupBy: [${groupBy}]`;
    const all = await groups(args);
    expect(all.length).toBeGreaterThan(1);
    for (const size of [1, 2, 3, all.length - 1, all.length, 1_000])
      expect(await pages(args, size), `pages of ${size}`).toEqual(all);
    const [first, ...others] = all;
    expect(await groups(`${args}, after: "${first!.cursor}"`), 'all others').toEqual(others);
  });
});

const recipientOf = (group: object) => (group as { recipientTaxId: string | null }).recipientTaxId;

test('recipients are in the order of their tax ids, and who has none is the last', async () => {
  const ids = (await groups('groupBy: [RECIPIENT]')).map(recipientOf);
  expect(ids.at(-1)).toBe(null);
  expect(ids.slice(0, -1)).toEqual(ids.slice(0, -1).toSorted());
  expect(ids).toEqual(expect.arrayContaining(TAX_IDS));
});

test('a page after a group that is gone begins with the next one', async () => {
  const all = await groups('groupBy: [RECIPIENT]');
  const gone = all.find((group) => recipientOf(group) === TAX_IDS.at(-1))!;
  const query = `{ invoices(filter: { recipientTaxId: "${recipientOf(gone)}", inForce: true }) { edges { node { id } } } }`;
  const { edges } = (await service.graphql(query)).body.data.invoices;
  for (const { node } of edges) expect((await operator.voidInvoice(node.id)).errors).toBeUndefined();
  const left = await groups('groupBy: [RECIPIENT]');
  expect(left.map(recipientOf)).not.toContain(recipientOf(gone));
  const page = await groups(`groupBy: [RECIPIENT], after: "${gone.cursor}", first: 1000`);
  expect(page).toEqual(left.slice(all.indexOf(gone)));
});

test('a page finds its recipients first, and reads the details of its own groups alone', async () => {
  const sent = await sentDuring(() => groups('groupBy: [RECIPIENT], first: 2'));
  const statements = sent.map(({ text }) => text);
  expect(statements.filter((text) => text.includes('with invoices as materialized'))).toHaveLength(1);
  const ofDetails = statements.filter((text) => /sum\((amount|due)\)/.test(text));
  expect(ofDetails).toHaveLength(2);
  for (const text of ofDetails) expect(text).toMatch(/collate "C"\) <= \(\$\d+::text\)/);
});

describe('is refused', () => {
  const cursorOf = async (args: string) => (await groups(`${args}, first: 1`))[0]!.cursor;
  const refusal = async (args: string) => {
    const { body } = await service.graphql(`{ invoiceTotals(${args}) { count } }`);
    return body.errors?.map(({ extensions }: { extensions: object }) => extensions);
  };
  const of = (field: string) => [{ code: 'invalid_request', errors: [{ field }] }];

  test('a cursor of another filter or grouping, and what is none', async () => {
    const byRate = await cursorOf('groupBy: [TAX_RATE]');
    const byRecipient = await cursorOf('groupBy: [RECIPIENT]');
    const [key, mark] = byRate.split('.');
    expect(await refusal(`groupBy: [TAX_RATE], after: "${byRate}"`)).toBeUndefined();
    const others = [byRecipient, '', 'x', mark, `${key}.${key}.${mark}`, 'A'.repeat(2_001)];
    const nul = Buffer.from('21\0').toString('base64url');
    for (const after of [...others, `${nul}.${mark}`])
      expect(await refusal(`groupBy: [TAX_RATE], after: "${after}"`), after).toMatchObject(of('after'));
    const filtered = `filter: { type: [complete] }, groupBy: [TAX_RATE], after: "${byRate}"`;
    expect(await refusal(filtered)).toMatchObject(of('after'));
    const [, markOfRecipients] = byRecipient.split('.');
    expect(await refusal(`groupBy: [RECIPIENT], after: "${nul}.${markOfRecipients}"`)).toMatchObject(
      of('after'),
    );
  });

  test('a size out of bounds, and pages of what has no groups', async () => {
    expect(await refusal('groupBy: [KIND], first: 0')).toMatchObject(of('first'));
    expect(await refusal('groupBy: [KIND], first: 1001')).toMatchObject(of('first'));
    expect(await refusal('first: 1')).toMatchObject(of('first'));
    expect(await refusal('after: "x"')).toMatchObject(of('after'));
  });
});
