import type { FilterInput } from './lists.ts';

/** Totals of a company with many invoices. */

type Asked = {
  readonly filter?: FilterInput;
  readonly groupBy?: readonly string[];
  readonly fields?: string;
};

const AMOUNTS = 'count subtotal tax total';
const PAID = `${AMOUNTS} amountPaid amountDue`;
const RATES = `${AMOUNTS} byRate { type rate base tax }`;

const DAY_MS = 86_400_000;
const day = (instant: Date) => instant.toISOString().slice(0, 10);

/** A month that is over: four months ago. */
function aMonth(): FilterInput {
  const now = new Date();
  const first = (ago: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1);
  return { issuedOn: { from: day(new Date(first(4))), to: day(new Date(first(3) - DAY_MS)) } };
}

const GROUPED: Readonly<Record<string, Asked>> = {
  '': {},
  ', paid': { fields: PAID },
  ', rates': { fields: RATES },
  ' by rate': { groupBy: ['TAX_RATE'] },
  ' by series': { groupBy: ['SERIES'] },
  ' by kind': { groupBy: ['KIND'] },
  ' by recipient': { groupBy: ['RECIPIENT'] },
  ' by recipient, paid': { groupBy: ['RECIPIENT'], fields: PAID },
  ' by recipient, rates': { groupBy: ['RECIPIENT'], fields: RATES },
  ' by recipient and rate': { groupBy: ['RECIPIENT', 'TAX_RATE'] },
  ', simplified': { filter: { type: ['simplified'] } },
  ', simplified, paid': { filter: { type: ['simplified'] }, fields: PAID },
  ', simplified, rates': { filter: { type: ['simplified'] }, fields: RATES },
  ', two kinds': { filter: { kind: ['rectifying_differences', 'exchange'] } },
};

const groupedOf = (what: string, filter: FilterInput) =>
  Object.entries(GROUPED).map(([how, asked]): [string, Asked] => [
    `${what}${how}`,
    { ...asked, filter: { ...filter, ...asked.filter } },
  ]);

function asked(): Readonly<Record<string, Asked>> {
  const today = { issuedOn: { from: day(new Date()) } };
  return {
    ...Object.fromEntries([...groupedOf('all', {}), ...groupedOf('a month', aMonth())]),
    'all by month': { groupBy: ['MONTH'] },
    'all by month, paid': { groupBy: ['MONTH'], fields: PAID },
    'all by month and rate': { groupBy: ['MONTH', 'TAX_RATE'] },
    'simplified by month': { filter: { type: ['simplified'] }, groupBy: ['MONTH'] },
    today: { filter: today },
    'today, rates': { filter: today, fields: RATES },
    'a recipient by month': { filter: { recipientTaxId: 'B00000007' }, groupBy: ['MONTH'] },
    'a customer by month': { filter: { externalCustomerId: 'customer-42' }, groupBy: ['MONTH'] },
    'unpaid by month': { filter: { paymentStatus: ['unpaid'] }, groupBy: ['MONTH'] },
    'overdue by recipient': { filter: { paymentStatus: ['overdue'] }, groupBy: ['RECIPIENT'] },
    'metadata of a month': { filter: { ...aMonth(), metadata: [{ key: 'channel', value: ['shop-3'] }] } },
  };
}

export type Question = { readonly what: string; readonly query: string; readonly variables: object };

/** As many groups as an answer may have. */
const PAGE = 1_000;

/** Every total that a company is asked for, by itself and grouped. */
export function totalsAsked(): Question[] {
  return Object.entries(asked()).map(([what, of]) => questionOf(what, of));
}

/** The same by recipient as pages: the first one, and `deep` those after a group, whose cursor is made of that of the first. */
export function totalPagesAsked(): { readonly first: Question; deep(cursor: string): Question }[] {
  const byRecipient = Object.entries(asked()).filter(([, { groupBy }]) => groupBy?.[0] === 'RECIPIENT');
  return byRecipient.map(([what, of]) => ({
    first: questionOf(`${what}, first page`, of, { first: PAGE }),
    deep: (after) => questionOf(`${what}, deep`, of, { first: PAGE, after }),
  }));
}

type Page = { readonly first?: number; readonly after?: string };

function questionOf(
  what: string,
  { filter = {}, groupBy = [], fields = AMOUNTS }: Asked,
  page: Page = {},
): Question {
  return {
    what: `totals: ${what}`,
    query: `query Totals($filter: InvoiceFilter, $groupBy: [InvoiceTotalGroup!], $first: Int, $after: String) {
      invoiceTotals(filter: $filter, groupBy: $groupBy, first: $first, after: $after) { cursor ${fields} }
    }`,
    variables: { filter, groupBy, ...page },
  };
}
