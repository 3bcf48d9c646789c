import type { VariablesOf } from 'gql.tada';
import type { InvoiceList } from './documents.ts';

type Variables = VariablesOf<typeof InvoiceList>;
type Filter = NonNullable<Variables['filter']>;
type Order = NonNullable<Variables['orderBy']>;
type OneOf<Name extends keyof Filter> =
  NonNullable<Filter[Name]> extends readonly (infer Value)[] ? Value : never;

const PAGE = 20;
export const TYPES: readonly OneOf<'type'>[] = ['complete', 'simplified'];
export const REGISTRATIONS: readonly OneOf<'registrationStatus'>[] = [
  ...(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped'] as const),
];
export const PAYMENTS: readonly OneOf<'paymentStatus'>[] = [
  ...(['unpaid', 'partially_paid', 'overdue', 'paid', 'credited'] as const),
];
export const ORDERS: Readonly<Record<string, Order>> = {
  newest: { field: 'ISSUED_AT', direction: 'DESC' },
  oldest: { field: 'ISSUED_AT', direction: 'ASC' },
  largest: { field: 'TOTAL', direction: 'DESC' },
  recipient: { field: 'RECIPIENT_NAME', direction: 'ASC' },
  due_first: { field: 'DUE_ON', direction: 'ASC' },
  most_due: { field: 'AMOUNT_DUE', direction: 'DESC' },
};

/** What is chosen stands in the address: a list can be kept, sent to somebody and come back to. */
export function listVariables(chosen: URLSearchParams): Variables {
  const value = (name: string) => chosen.get(name) || null;
  const from = value('from');
  const to = value('to');
  const type = TYPES.find((each) => each === value('type'));
  const registration = REGISTRATIONS.find((each) => each === value('registration'));
  const payment = PAYMENTS.find((each) => each === value('payment'));
  const filter: Filter = {
    ...(value('text') === null ? {} : { text: value('text') }),
    ...(type === undefined ? {} : { type: [type] }),
    ...(registration === undefined ? {} : { registrationStatus: [registration] }),
    ...(payment === undefined ? {} : { paymentStatus: [payment] }),
    ...(from === null && to === null ? {} : { issuedOn: { from, to } }),
  };
  const before = value('before');
  const page = before === null ? { first: PAGE, after: value('after') } : { last: PAGE, before };
  return { filter, orderBy: ORDERS[value('order') ?? 'newest'] ?? null, ...page };
}
