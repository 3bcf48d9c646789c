import { invalidField, Refusal } from '../../../ground/errors/refusal.ts';
import { percentageOf } from '../../../ground/lib/money.ts';
import type { InvoiceFilter } from '../../../subjects/invoices/filter.ts';
import {
  type PaymentTotal,
  type RateTotal,
  readPaymentTotals,
  readRateTotals,
  readRecipientNames,
  readTotals,
  type Total,
} from '../../../subjects/invoices/store/read-totals.ts';
import { haveMoreGroups, totalsInTime } from '../../../subjects/invoices/totals.ts';
import {
  type GroupKeys,
  TOTAL_GROUPS,
  type TotalGroup,
  type TotalsQuery,
} from '../../../subjects/invoices/totals-query.ts';
import { builder } from '../builder.ts';
import { charged } from '../charged-rows.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { FROM_STANDBY } from '../from-standby.ts';
import { GRAPHQL_LIMITS } from '../limits.ts';
import { runSearch } from '../run-search.ts';
import { InvoiceKindEnum, TaxTypeEnum } from './enums.ts';
import { filterFor, InvoiceFilterInput } from './invoice-filter.ts';
import { type PageOfGroupsArguments, pageOfGroups } from './total-pages.ts';

const TotalGroupEnum = builder.enumType('InvoiceTotalGroup', {
  description: 'The grouping of totals.',
  values: {
    DAY: { description: 'By day of issue.' },
    MONTH: { description: 'By month of issue.' },
    QUARTER: { description: 'By quarter of issue.' },
    TAX_RATE: { description: 'By the tax rate of the lines, without the surcharge.' },
    SERIES: { description: 'By series.' },
    KIND: { description: 'By kind: originals, rectificativas, exchange invoices.' },
    RECIPIENT: { description: 'The recipient’s tax id.' },
  } as const satisfies Record<TotalGroup, object>,
});

/** The sums of one group and its cursor, null without grouping; the rates, payments and names of all groups are read together when the first is requested. */
type Group = Total & {
  readonly cursor: string | null;
  readonly rates: () => Promise<ReadonlyMap<string, readonly RateTotal[]>>;
  readonly payments: () => Promise<ReadonlyMap<string, PaymentTotal>>;
  readonly names: () => Promise<ReadonlyMap<string, string>>;
};

/** Payments are read by a separate statement. */
const PAYMENTS = 20;
/** So are names, each by a lookup. */
const NAMES = 5;
const NOT_BY_RATE = 'Null with `TAX_RATE`, because payments are not divided by rate.';

const RateTotalType = builder.objectRef<RateTotal>('TaxRateTotal').implement({
  description: 'The base and the amount of one tax at one rate.',
  fields: (t) => ({
    type: t.expose('type', { type: TaxTypeEnum, description: 'The tax type.' }),
    rate: t.float({
      description: 'The percentage: 21 means 21 %.',
      resolve: ({ rate }) => percentageOf(rate),
    }),
    base: t.expose('base', { type: 'SafeInt', description: 'Net amount of the lines, in whole cents.' }),
    tax: t.expose('amount', { type: 'SafeInt', description: 'Tax of the lines, in whole cents.' }),
  }),
});

export const InvoiceTotal = builder.objectRef<Group>('InvoiceTotal').implement({
  description: 'The totals of a group of invoices. Fields that are not part of the grouping are null.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', {
      nullable: true,
      description: 'Identifies the group for `after`; null without `groupBy`.',
    }),
    day: t.expose('day', {
      type: 'Date',
      nullable: true,
      description: 'The day; null unless `groupBy` has `DAY`.',
    }),
    month: t.exposeString('month', {
      nullable: true,
      description: 'The month, `YYYY-MM`; null unless `groupBy` has `MONTH`.',
    }),
    quarter: t.exposeString('quarter', {
      nullable: true,
      description: 'The quarter, `YYYY-Q1` to `YYYY-Q4`; null unless `groupBy` has `QUARTER`.',
    }),
    taxRate: t.float({
      nullable: true,
      description: 'The percentage: 21 means 21 %. Null unless `groupBy` has `TAX_RATE`.',
      resolve: ({ taxRate }) => (taxRate === null ? null : percentageOf(taxRate)),
    }),
    seriesId: t.exposeID('seriesId', {
      nullable: true,
      description: 'The id of the series; null unless `groupBy` has `SERIES`.',
    }),
    kind: t.expose('kind', {
      type: InvoiceKindEnum,
      nullable: true,
      description: 'The kind of the invoices; null unless `groupBy` has `KIND`.',
    }),
    recipientTaxId: t.exposeString('recipientTaxId', {
      nullable: true,
      description: 'The recipient’s tax id; also null for invoices without one.',
    }),
    recipientName: t.string({
      nullable: true,
      complexity: NAMES,
      description:
        'The fiscal name under which the recipient was invoiced last; null unless `groupBy` has `RECIPIENT`.',
      resolve: async ({ names, recipientTaxId }) =>
        recipientTaxId === null ? null : (await names()).get(recipientTaxId) || null,
    }),
    count: t.exposeInt('count', {
      description: 'Number of invoices; with `TAX_RATE`, those with a line at that rate.',
    }),
    subtotal: t.expose('subtotal', { type: 'SafeInt', description: 'The net amount, in whole cents.' }),
    tax: t.expose('tax', { type: 'SafeInt', description: 'The tax, in whole cents.' }),
    total: t.expose('total', { type: 'SafeInt', description: 'The gross amount, in whole cents.' }),
    amountPaid: t.field({
      type: 'SafeInt',
      nullable: true,
      complexity: PAYMENTS,
      description: `The paid amounts, in whole cents. ${NOT_BY_RATE}`,
      resolve: async ({ payments, ...group }) => (await payments()).get(groupOf(group))?.paid ?? null,
    }),
    amountDue: t.field({
      type: 'SafeInt',
      nullable: true,
      complexity: PAYMENTS,
      description: `The amounts due less the amounts to be refunded, in whole cents. ${NOT_BY_RATE}`,
      resolve: async ({ payments, ...group }) => (await payments()).get(groupOf(group))?.due ?? null,
    }),
    byRate: t.field({
      type: [RateTotalType],
      complexity: { field: 20, multiplier: 3 },
      description:
        'The base and the tax for each tax and rate, with the equivalence surcharge in separate rows.',
      resolve: async ({ rates, ...group }, _args, context) => [
        ...charged(context, (await rates()).get(groupOf(group)) ?? []),
      ],
    }),
  }),
});

type Keyed = Omit<Total, 'count' | 'subtotal' | 'tax' | 'total'>;

/** The keys of a group by its groupings. */
function keysOf(group: Keyed, groupBy: readonly TotalGroup[]): GroupKeys {
  const { day, month, quarter, taxRate, seriesId, kind, recipientTaxId } = group;
  const keys: Record<TotalGroup, GroupKeys[number]> = {
    ...{ DAY: day, MONTH: month, QUARTER: quarter, TAX_RATE: taxRate },
    ...{ SERIES: seriesId, KIND: kind, RECIPIENT: recipientTaxId },
  };
  return groupBy.map((name) => keys[name]);
}

/** Identifies a group within an answer. */
function groupOf(group: Keyed): string {
  return JSON.stringify(keysOf(group, TOTAL_GROUPS));
}

/** Those of the invoices that count. What is out of force does not: nothing is voided and in force. */
function whatCounts(filter: InvoiceFilter): InvoiceFilter {
  return { ...filter, ...(filter.inForce === false && { statuses: ['voided'] }), inForce: true };
}

const MAX_GROUPS = GRAPHQL_LIMITS.totalGroups.value;

/** `invalid_request`: how to ask for more groups than an answer has. */
export function tooManyGroups(): Refusal {
  const detail = `There are more than ${GRAPHQL_LIMITS.totalGroups.value} groups. Page through them with \`first\` and \`after\`, narrow the filter, or group by less.`;
  return new Refusal('invalid_request', detail);
}

/** What totals cost before anything is read: a search, and a usual number of groups. Those that are there are charged. */
const USUAL_GROUPS = 50;

/** What the sums of each day tell, so that it is no search. */
const KEPT_BY_DAY = ['issuedOn', 'kind', 'type', 'seriesId', 'seriesIds', 'inForce'];

type Asked = {
  readonly filter?: Readonly<Record<string, unknown>> | null;
  readonly groupBy?: readonly TotalGroup[] | null;
};

/** Whether totals are read from many rows: of single invoices, or of all recipients for groups in another order than theirs. */
function isSearch({ filter, groupBy }: Asked): boolean {
  const present = Object.entries(filter ?? {}).filter(([, value]) => value != null);
  const areKept = present.every(([name, value]) => KEPT_BY_DAY.includes(name) && value !== false);
  return !areKept || (groupBy ?? []).indexOf('RECIPIENT') > 0;
}

builder.queryField('invoiceTotals', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: [InvoiceTotal],
    complexity: { field: 100, multiplier: USUAL_GROUPS },
    extensions: {
      work: (args: Asked) => (isSearch(args) ? 'search' : null),
      ...FROM_STANDBY,
    },
    description: `The totals of the invoices that match the filter, by the rules of a VAT register: voided, replaced and exchanged invoices do not count. At most ${MAX_GROUPS} groups, in the order of their keys; \`first\` and \`after\` page through more. Sums of each day are kept by series, kind, type, tax rate and recipient; totals filtered by anything else than period, series, kind and type are added up from single invoices, and refused with \`invalid_request\` if these are too many.`,
    args: {
      filter: t.arg({ type: InvoiceFilterInput, description: 'Only invoices that match this filter.' }),
      groupBy: t.arg({
        type: [TotalGroupEnum],
        description:
          'The grouping; without it, one total of all invoices. Groups are sorted by their keys in its order, recipients without a tax id last. Pages of many recipients need `RECIPIENT` first: in another order they may be refused with `invalid_request`.',
      }),
      first: t.arg.int({
        description: `The maximum number of groups, 1 to ${MAX_GROUPS}: a page with fewer is the last one. Without it, all groups, which are refused with \`invalid_request\` if there are more than ${MAX_GROUPS}.`,
      }),
      after: t.arg.string({
        description:
          'Only groups after the one with this `cursor`, which is valid for the same filter and `groupBy` alone.',
      }),
      ...environmentArguments,
    },
    resolve: async (_root, { filter, groupBy, first, after, ...args }, context) => {
      const environmentId = await environmentFromArguments(context, args);
      const asked = await filterFor(context, environmentId, filter);
      return totalsOf(context, environmentId, asked, { groupBy: groupBy ?? [], first, after });
    },
  }),
);

type TotalsRequest = PageOfGroupsArguments & { readonly groupBy: readonly TotalGroup[] };

/** The totals of an environment's invoices that match the filter; throws the refusals of `invoiceTotals`. */
export async function totalsOf(
  context: Context,
  environmentId: number,
  filter: InvoiceFilter,
  { groupBy: asked, ...page }: TotalsRequest,
): Promise<Group[]> {
  if (asked.length > TOTAL_GROUPS.length) {
    const detail = `must have at most ${TOTAL_GROUPS.length} elements`;
    return valueOrThrow<Group[]>(invalidField('groupBy', 'too_big', detail));
  }
  const groupBy = [...new Set(asked)];
  const { first, after, cursorOf } = pageOfGroups(page, filter, groupBy);
  const sums = { filter: whatCounts(filter), groupBy, after };
  const { pool } = context.services.db;
  const search: Search = (read) =>
    runSearch(context, () => totalsInTime(pool, environmentId, sums, read)).then((found) =>
      valueOrThrow(found),
    );
  const most = GRAPHQL_LIMITS.totalGroups.value;
  const isPage = first !== null || after !== null;
  const areMore = !isPage && (await search(() => haveMoreGroups(pool, environmentId, sums, most)));
  const max = first ?? most + 1;
  const totals = areMore ? [] : await search(() => readTotals(pool, environmentId, { ...sums, max, isPage }));
  if (areMore || totals.length > most) return valueOrThrow<Group[]>(tooManyGroups());
  charged(context, totals);
  const last = totals.length === first ? totals.at(-1) : undefined;
  const range = { ...sums, upTo: last === undefined ? null : keysOf(last, groupBy) };
  const details = detailsOf(context, environmentId, range, totals, search);
  return totals.map((total) => ({
    ...total,
    ...details,
    cursor: groupBy.length === 0 ? null : cursorOf(keysOf(total, groupBy)),
  }));
}

type Search = <T>(read: () => Promise<T>) => Promise<T>;

/** What is read of these groups when it is first asked for, of all together. */
function detailsOf(
  context: Context,
  environmentId: number,
  range: TotalsQuery,
  totals: readonly Total[],
  search: Search,
): Pick<Group, 'rates' | 'payments' | 'names'> {
  const { pool } = context.services.db;
  let rateTotals: ReturnType<Group['rates']> | null = null;
  let paid: ReturnType<Group['payments']> | null = null;
  let named: ReturnType<Group['names']> | null = null;
  return {
    rates() {
      const request = { ...range, max: MAX_GROUPS * MAX_RATES };
      rateTotals ??= search(() => readRateTotals(pool, environmentId, request)).then((rows) =>
        Map.groupBy(rows, groupOf),
      );
      return rateTotals;
    },
    payments() {
      if (range.groupBy.includes('TAX_RATE')) return Promise.resolve(new Map<string, PaymentTotal>());
      paid ??= search(() => readPaymentTotals(pool, environmentId, range)).then(
        (rows) => new Map(rows.map((row) => [groupOf(row), row])),
      );
      return paid;
    },
    names() {
      named ??= search(() => readRecipientNames(pool, environmentId, taxIdsOf(totals)));
      return named;
    },
  };
}

function taxIdsOf(totals: readonly Total[]): string[] {
  const ids = totals.map(({ recipientTaxId }) => recipientTaxId).filter((id) => id !== null);
  return [...new Set(ids)];
}

/** No group has more: there are thirteen taxes, of which few have several rates. */
const MAX_RATES = 40;
