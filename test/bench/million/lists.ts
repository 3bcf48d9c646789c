import type pg from 'pg';
import type { filterOf } from '../../../src/faces/graphql/schema/invoice-filter.ts';
import type { InvoiceOrder } from '../../../src/subjects/invoices/filter.ts';

/** The filter of a list as a front end sends it. */
export type FilterInput = NonNullable<Parameters<typeof filterOf>[0]>;

/** What is listed: a filter, or an order. */
export type ListedBy = {
  readonly what: string;
  readonly filter: FilterInput;
  readonly orderBy: InvoiceOrder | null;
};

/** Invoices from the middle of a company's, by which single ones are looked for. */
type Middle = { readonly number: string; readonly externalId: string; readonly total: number };

const DAY_MS = 86_400_000;

const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

/** Every field of the filter, and the combinations that are frequent. */
function filtersFor(middle: readonly Middle[]): Readonly<Record<string, FilterInput>> {
  const [one] = middle;
  const since = (days: number) => new Date(Date.now() - days * DAY_MS);
  return {
    nothing: {},
    'status voided': { status: ['voided'] },
    'status issued': { status: ['issued'] },
    'type simplified': { type: ['simplified'] },
    'type complete': { type: ['complete'] },
    'kind original': { kind: ['original'] },
    'kind exchange': { kind: ['exchange'] },
    'two kinds': { kind: ['rectifying_differences', 'rectifying_substitution'] },
    registered: { registrationStatus: ['registered'] },
    rejected: { registrationStatus: ['rejected'] },
    'pending or skipped': { registrationStatus: ['pending', 'skipped'] },
    paid: { paymentStatus: ['paid'] },
    unpaid: { paymentStatus: ['unpaid'] },
    'partially paid': { paymentStatus: ['partially_paid'] },
    overdue: { paymentStatus: ['overdue'] },
    'paid or overdue': { paymentStatus: ['paid', 'overdue'] },
    'a recipient': { recipientTaxId: 'B00000007' },
    'a beginning of tax ids': { recipientTaxId: 'B000000' },
    'an amount due': { amountDue: { min: 50_000, max: 50_100 } },
    'a month of due days': { dueOn: { from: day(150), to: day(120) } },
    'three recipients': { recipientTaxIds: ['B00000007', 'B00000008', 'B00000033'] },
    'a name': { recipientName: 'cooperativa 42' },
    'eleven names': { recipientName: 'duero 7' },
    'a word of all names': { recipientName: 'cooperativa' },
    number: { number: one!.number },
    externalId: { externalId: one!.externalId },
    'ten externalIds': { externalIds: middle.map(({ externalId }) => externalId) },
    email: { email: 'facturas.42@duero.example' },
    'a text of many': { text: 'duero' },
    'a text of one in a hundred': { text: 'tiva 42' },
    'a series': { seriesId: 'ns_tenth' },
    'two series': { seriesIds: ['ns_tenth', 'ns_other'] },
    customerId: { customerId: 'cus_42' },
    externalCustomerId: { externalCustomerId: 'customer-42' },
    integrationId: { integrationId: 'int_even' },
    'a month': { issuedOn: { from: day(150), to: day(120) } },
    'an exact total': { total: { min: one!.total, max: one!.total } },
    'a euro of totals': { total: { min: 50_000, max: 50_100 } },
    'a fifth of totals': { total: { min: 50_000, max: 70_000 } },
    'changed since a day': { changedSince: since(1) },
    'changed since a month': { changedSince: since(30) },
    metadata: { metadata: [{ key: 'channel', value: ['shop-3'] }] },
    'in force': { inForce: true },
    'out of force': { inForce: false },
    'in force, simplified, of a month': {
      inForce: true,
      type: ['simplified'],
      issuedOn: { from: day(150), to: day(120) },
    },
    'unpaid of a customer': { paymentStatus: ['unpaid', 'overdue'], externalCustomerId: 'customer-40' },
    'overdue of a month': { paymentStatus: ['overdue'], issuedOn: { from: day(150), to: day(120) } },
    'rejected of a series': { registrationStatus: ['rejected'], seriesId: 'ns_tenth' },
  };
}

/** Every filter, each order, and nothing. */
export async function listsOf(pool: pg.Pool, environmentId: number): Promise<ListedBy[]> {
  const filters = filtersFor(await middleOf(pool, environmentId));
  const orders = (
    ['ISSUED_AT', 'NUMBER', 'TOTAL', 'RECIPIENT_NAME', 'DUE_ON', 'AMOUNT_DUE'] as const
  ).flatMap((field) => (['ASC', 'DESC'] as const).map((direction) => ({ field, direction })));
  return [
    ...Object.entries(filters).map(([what, filter]) => ({ what, filter, orderBy: null })),
    ...orders.map((orderBy) => {
      const what = `by ${orderBy.field.toLowerCase()}, ${orderBy.direction.toLowerCase()}`;
      return { what, filter: {}, orderBy };
    }),
    {
      what: 'simplified by total',
      filter: { type: ['simplified'] },
      orderBy: { field: 'TOTAL', direction: 'DESC' },
    },
    {
      what: 'a name by number',
      filter: { recipientName: 'cooperativa 42' },
      orderBy: { field: 'NUMBER', direction: 'DESC' },
    },
  ];
}

async function middleOf(pool: pg.Pool, environmentId: number): Promise<Middle[]> {
  const { rows } = await pool.query<Middle>(
    `select number, external_id as "externalId", total::int from invoice where environment_id = $1
      order by issued_at, id offset (select count(*) / 2 from invoice where environment_id = $1) limit 10`,
    [environmentId],
  );
  return rows;
}
