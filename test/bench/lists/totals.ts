import { endPrograms } from '../../support/processes/running-program.ts';
import { type Filled, openDatabases } from '../millions/databases.ts';
import { type RunningService, startService } from '../workspace.ts';
import type { FilterInput } from './filters.ts';
import { inTurn, type P50 } from './measure.ts';
import { VARIED } from './varied.ts';

/** Totals of a company where it has few invoices and where it has many, in turn, in the databases of the lists. */

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

type TotalTimes = { readonly what: string; readonly p50: P50 };

type TotalsOfMillion = {
  readonly few: number;
  readonly many: number;
  readonly rounds: number;
  readonly totals: readonly TotalTimes[];
};

export async function totalsOfMillion(plan: {
  readonly directory: string;
  readonly few: number;
  readonly many: number;
  readonly rounds: number;
  readonly print: (line: string) => void;
}): Promise<TotalsOfMillion> {
  const { directory, rounds, print } = plan;
  const databases = await openDatabases(directory, plan, print, VARIED);
  try {
    const of = (filled: Filled) =>
      startService({ directory }, filled.url, { jobs: 'outside', profile: null });
    const sides = { few: await of(databases.few), many: await of(databases.many) };
    const totals: TotalTimes[] = [];
    for (const [what, question] of Object.entries(asked())) {
      const request = (side: 'few' | 'many') => () => answered(sides[side], databases[side], question);
      const p50 = await inTurn(rounds, { few: request('few'), many: request('many') });
      totals.push({ what, p50 });
      print(`${what}: ${p50.few?.toFixed(2)} / ${p50.many?.toFixed(2) ?? 'refused'} ms`);
    }
    for (const service of Object.values(sides)) await service.stop();
    return { few: databases.few.invoices, many: databases.many.invoices, rounds, totals };
  } finally {
    endPrograms();
    await databases.close();
  }
}

/** Null when it is refused because it takes too long. */
async function answered(
  service: RunningService,
  { companies }: Filled,
  { filter = {}, groupBy = [], fields = AMOUNTS }: Asked,
): Promise<object | null> {
  const query = `query Totals($filter: InvoiceFilter, $groupBy: [InvoiceTotalGroup!]) {
    invoiceTotals(filter: $filter, groupBy: $groupBy) { ${fields} }
  }`;
  const response = await fetch(`${service.baseUrl}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${companies[0]!.live.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { filter, groupBy } }),
  });
  const { data, errors } = (await response.json()) as {
    data?: object;
    errors?: readonly { readonly message: string }[];
  };
  if (errors?.every(({ message }) => message.includes('single invoices, which are too many'))) return null;
  if (errors !== undefined || data === undefined) throw new Error(JSON.stringify(errors));
  return data;
}

/** So much longer at most may they take of many invoices than of few, and so long at most those of a month. */
const [RATIO, MONTH_MS] = [1.3, 50];

/** The table of a run. */
export function totalLines({ few, many, rounds, totals }: TotalsOfMillion): string[] {
  const ratio = ({ p50 }: TotalTimes) =>
    p50.few === null || p50.many === null ? Number.POSITIVE_INFINITY : p50.many / p50.few;
  const within = totals.filter((total) => ratio(total) <= RATIO).length;
  const ofMonth = totals.filter(({ what }) => what.startsWith('a month'));
  const quick = ofMonth.filter(({ p50 }) => p50.many !== null && p50.many <= MONTH_MS).length;
  const ms = (value: number | null) => value?.toFixed(2) ?? 'refused';
  return [
    '',
    `totals over GraphQL, of a company with ${few} and of one with ${many} invoices, p50 in ms of ${rounds} requests a side in turn;`,
    `wanted ${RATIO} times or less: ${within} of ${totals.length}; of a month ${MONTH_MS} ms or less: ${quick} of ${ofMonth.length}`,
    ...totals.map((total) => {
      const { what, p50 } = total;
      const times = Number.isFinite(ratio(total)) ? ratio(total).toFixed(2) : '–';
      const mark = ratio(total) > RATIO ? '!' : ' ';
      return `  ${what.padEnd(34)}${`${ms(p50.few)} → ${ms(p50.many)}`.padStart(20)}${times.padStart(7)}${mark}`;
    }),
  ];
}
