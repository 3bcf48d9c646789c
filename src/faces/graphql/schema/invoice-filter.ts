import { z } from 'zod';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { endOfDay, isExistingDay, startOfDay, type TimeZone } from '../../../ground/lib/calendar.ts';
import { exactLine, line, searchedLine, taxIdLine } from '../../../ground/lib/text.ts';
import { readEnvironmentTime } from '../../../subjects/accounts/entry/environment-time.ts';
import {
  type INVOICE_ORDERS,
  type InvoiceFilter,
  type InvoiceOrder,
  isEmpty,
  NEWEST_FIRST,
} from '../../../subjects/invoices/filter.ts';
import { isPlaceIn } from '../../../subjects/invoices/list.ts';
import { PAYMENT_STATUSES } from '../../../subjects/invoices/types.ts';
import { normaliseTaxId } from '../../../subjects/tax-ids/tax-id.ts';
import { builder } from '../builder.ts';
import { type Cursors, cursorsOf } from '../connections.ts';
import type { Context } from '../context.ts';
import { valueOrThrow } from '../errors.ts';
import { GRAPHQL_LIMITS } from '../limits.ts';
import {
  InvoiceKindEnum,
  InvoiceStatusEnum,
  InvoiceTypeEnum,
  PaymentStatusEnum,
  RegistrationStatusEnum,
} from './enums.ts';

/** The filter and order of invoices in GraphQL. */

const DayRange = builder.inputType('DayRange', {
  description: 'A range of days, inclusive; a missing bound leaves that side open.',
  fields: (t) => ({
    from: t.field({ type: 'Date', description: 'The first day.' }),
    to: t.field({ type: 'Date', description: 'The last day.' }),
  }),
});

const AmountRange = builder.inputType('AmountRange', {
  description: 'A range of amounts in whole cents, inclusive; a missing bound leaves that side open.',
  fields: (t) => ({
    min: t.field({ type: 'SafeInt', description: 'The minimum.' }),
    max: t.field({ type: 'SafeInt', description: 'The maximum.' }),
  }),
});

const MetadataMatch = builder.inputType('MetadataMatch', {
  description: 'A condition on metadata.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'The key.' }),
    value: t.stringList({ required: true, description: 'The value: any of these texts, exact.' }),
  }),
});

export const InvoiceFilterInput = builder.inputType('InvoiceFilter', {
  description: 'The filters of a list of invoices: all must match; for a list of values, any one of them.',
  fields: (t) => ({
    status: t.field({ type: [InvoiceStatusEnum], description: 'Only issued or voided invoices.' }),
    type: t.field({ type: [InvoiceTypeEnum], description: 'Complete or simplified invoices.' }),
    kind: t.field({
      type: [InvoiceKindEnum],
      description: 'Only originals, rectificativas or exchange invoices.',
    }),
    registrationStatus: t.field({
      type: [RegistrationStatusEnum],
      description: 'The status that `verifactu.status` shows; excludes imported invoices.',
    }),
    paymentStatus: t.field({
      type: [PaymentStatusEnum],
      description: 'The payment status today; excludes invoices that are not payable.',
    }),
    recipientTaxId: t.string({
      description: 'The beginning of the recipient’s tax id; spaces, dots, hyphens and case do not matter.',
    }),
    recipientTaxIds: t.stringList({ description: 'Any of these tax ids of recipients.' }),
    recipientName: t.string({
      description:
        'Each word begins a word of the recipient’s fiscal name, in any case, with or without accents and the dot of a double l.',
    }),
    number: t.string({ description: 'Exact, in any case.' }),
    externalId: t.string({ description: 'Exact: the caller’s own id of the invoice.' }),
    externalIds: t.stringList({ description: 'Any of these external ids.' }),
    email: t.string({
      description: 'Exact, in any case and in both spellings of an internationalised domain.',
    }),
    text: t.string({
      description:
        'Words in any order, each in the number, the order, the external id, the recipient’s name or the description of a line, or the beginning of the recipient’s tax id; ignores case and accents.',
    }),
    seriesId: t.id({ description: 'Only invoices of this series.' }),
    seriesIds: t.idList({ description: 'Only invoices of any of these series.' }),
    customerId: t.id({ description: 'Only invoices of this customer of an integration.' }),
    externalCustomerId: t.string({
      description: 'Only invoices of the customer with this id in the integration.',
    }),
    integrationId: t.id({ description: 'Only invoices of this integration.' }),
    issuedOn: t.field({ type: DayRange, description: 'Only invoices issued on one of these days.' }),
    dueOn: t.field({
      type: DayRange,
      description: 'Only invoices with a due day in this range; those without one do not match.',
    }),
    amountDue: t.field({
      type: AmountRange,
      description:
        'Only invoices with an `amountDue` in this range; those of which nothing is to be paid do not match.',
    }),
    total: t.field({ type: AmountRange, description: 'Only invoices with a total in this range.' }),
    changedSince: t.field({
      type: 'DateTime',
      description: 'Issued or changed at or after this instant: registered, corrected, voided, exchanged.',
    }),
    metadata: t.field({
      type: [MetadataMatch],
      description: 'Only invoices whose metadata matches all of these.',
    }),
    inForce: t.boolean({
      description:
        'True for invoices whose amounts count: neither voided, nor replaced by a substitution, nor exchanged. False for the others.',
    }),
  }),
});

const InvoiceOrderField = builder.enumType('InvoiceOrderField', {
  description: 'The sort key of invoices. Ties are broken by time of issue, then by id.',
  values: {
    ISSUED_AT: { description: 'By time of issue.' },
    NUMBER: { description: 'By number, numerically: F-2026-9 comes before F-2026-10.' },
    TOTAL: { description: 'By total.' },
    RECIPIENT_NAME: {
      description:
        'By the recipient’s fiscal name, ignoring case and accents; invoices without one come first.',
    },
    AMOUNT_DUE: {
      description:
        'By `amountDue`; invoices of which nothing is to be paid, such as voided ones, are not listed.',
    },
    DUE_ON: { description: 'By due day; invoices without one come after every day.' },
  } as const satisfies Record<(typeof INVOICE_ORDERS)[number], object>,
});

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of a sort order.',
  values: { ASC: { description: 'Ascending.' }, DESC: { description: 'Descending.' } } as const,
});

export const InvoiceOrderInput = builder.inputType('InvoiceOrder', {
  description: 'The order of a list of invoices.',
  fields: (t) => ({
    field: t.field({ type: InvoiceOrderField, required: true, description: 'The compared value.' }),
    direction: t.field({ type: OrderDirection, required: true, description: 'The direction.' }),
  }),
});

const taxId = taxIdLine(60).transform(normaliseTaxId);

/** Something of a tax id: what begins with nothing is every invoice. */
const taxIdStart = taxId.refine((start) => start !== '', { message: 'holds nothing to look for' });

/** Beyond the values of an enumeration there is nothing to add. */
const someOf = <Value extends z.ZodType>(value: Value) => z.array(value).min(1).max(10).nullish();

/** Of texts, as many as one looks for at once. */
const someTexts = <Value extends z.ZodType>(value: Value) =>
  z.array(value).min(1).max(GRAPHQL_LIMITS.filterValues.value).nullish();

const day = z.string().refine(isExistingDay, { message: 'must be a day, YYYY-MM-DD' }).nullish();

/** A range whose end is before its beginning matches nothing, which is a mistake of the page that asks. */
export const EMPTY_RANGE = 'is before the beginning of the range, so nothing can match';

const dayRange = z
  .strictObject({ from: day, to: day })
  // A day that is none is refused by itself.
  .refine(({ from, to }) => ![from, to].every((end) => end != null && isExistingDay(end)) || from! <= to!, {
    ...{ path: ['to'], error: EMPTY_RANGE, params: { reason: 'empty_range' } },
  })
  .nullish();

const amount = z.int().nullish();

const amountRange = z
  .strictObject({ min: amount, max: amount })
  .refine(({ min, max }) => min == null || max == null || min <= max, {
    ...{ path: ['max'], error: EMPTY_RANGE, params: { reason: 'empty_range' } },
  })
  .nullish();

/** Texts that metadata can contain and the database can store. */
const noted = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => text.isWellFormed() && !text.includes('\u0000'), {
      error: 'must not contain control characters',
      params: { reason: 'invalid_characters' },
    });

/** The filters of lists of invoices and of their changes. */
export const stateFilterFields = {
  status: someOf(z.enum(['issued', 'voided'])),
  type: someOf(z.enum(['complete', 'simplified'])),
  kind: someOf(z.enum(['original', 'rectifying_differences', 'rectifying_substitution', 'exchange'])),
  registrationStatus: someOf(
    z.enum(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped']),
  ),
};

const filterRequest = z.strictObject({
  ...stateFilterFields,
  paymentStatus: someOf(z.enum(PAYMENT_STATUSES)),
  recipientTaxId: taxIdStart.nullish(),
  recipientTaxIds: someTexts(taxId),
  recipientName: searchedLine(120).nullish(),
  number: line(60).nullish(),
  externalId: exactLine(255).nullish(),
  externalIds: someTexts(exactLine(255)),
  email: exactLine(254).nullish(),
  text: searchedLine(200).nullish(),
  seriesId: exactLine(60).nullish(),
  seriesIds: someTexts(exactLine(60)),
  customerId: exactLine(60).nullish(),
  externalCustomerId: exactLine(255).nullish(),
  integrationId: exactLine(60).nullish(),
  issuedOn: dayRange,
  dueOn: dayRange,
  amountDue: amountRange,
  total: amountRange,
  changedSince: z.date().nullish(),
  metadata: z
    .array(z.strictObject({ key: noted(40), value: z.array(noted(500)).min(1).max(10) }))
    .min(1)
    .max(10)
    .nullish(),
  inForce: z.boolean().nullish(),
});

/** A refusal names each field under `filter`. */
const filterUnderName = z.strictObject({ filter: filterRequest });

/**
 * The filter that a caller gives of invoices of an environment, whose days begin where its issuer is; `invalid_request`
 * with each faulty field of it under `filter`.
 */
export async function filterFor(
  context: Context,
  environmentId: number,
  input: object | null | undefined,
): Promise<InvoiceFilter> {
  const { caller, services } = context;
  if (caller?.kind === 'merchant') return filterOf(input, caller.timeZone);
  const { timeZone } = await readEnvironmentTime(services.db.pool, environmentId);
  return filterOf(input, timeZone);
}

/** The same where the environment's time zone is known. */
export function filterOf(input: object | null | undefined, zone: TimeZone): InvoiceFilter {
  const { filter } = valueOrThrow(parseRequest(filterUnderName, { filter: input ?? {} }));
  const { issuedOn, dueOn, amountDue, total } = filter;
  return {
    statuses: filter.status ?? undefined,
    types: filter.type ?? undefined,
    kinds: filter.kind ?? undefined,
    registrationStatuses: filter.registrationStatus ?? undefined,
    paymentStatuses: filter.paymentStatus ?? undefined,
    recipientTaxId: filter.recipientTaxId ?? undefined,
    recipientTaxIds: filter.recipientTaxIds ?? undefined,
    recipientName: filter.recipientName ?? undefined,
    number: filter.number ?? undefined,
    externalId: filter.externalId ?? undefined,
    externalIds: filter.externalIds ?? undefined,
    email: filter.email ?? undefined,
    text: filter.text ?? undefined,
    seriesId: filter.seriesId ?? undefined,
    seriesIds: filter.seriesIds ?? undefined,
    customerId: filter.customerId ?? undefined,
    externalCustomerId: filter.externalCustomerId ?? undefined,
    integrationId: filter.integrationId ?? undefined,
    issuedFrom: issuedOn?.from == null ? undefined : startOfDay(zone, issuedOn.from),
    issuedBefore: issuedOn?.to == null ? undefined : endOfDay(zone, issuedOn.to),
    dueFrom: dueOn?.from ?? undefined,
    dueTo: dueOn?.to ?? undefined,
    amountDueFrom: amountDue?.min ?? undefined,
    amountDueTo: amountDue?.max ?? undefined,
    totalFrom: total?.min ?? undefined,
    totalTo: total?.max ?? undefined,
    changedSince: filter.changedSince ?? undefined,
    metadata: filter.metadata?.map(({ key, value }) => ({ key, values: value })) ?? undefined,
    inForce: filter.inForce ?? undefined,
  };
}

/** How the cursors of a list name its invoices. */
export function cursorsOfInvoices(filter: InvoiceFilter, order: InvoiceOrder): Cursors {
  const isNewest = order === NEWEST_FIRST && isEmpty(filter);
  return cursorsOf(isNewest ? null : [filter, order], (text) => isPlaceIn(order, text));
}
