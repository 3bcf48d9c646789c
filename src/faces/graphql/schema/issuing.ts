import type { GraphQLResolveInfo } from 'graphql';
import { fieldsOfInvoice, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { type FieldIssue, isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { percentageOf } from '../../../ground/lib/money.ts';
import { type Caller, issuingCaller } from '../../../subjects/accounts/entry/caller.ts';
import { atEnvironmentTime } from '../../../subjects/accounts/entry/environment-time.ts';
import { COMPUTED_ANSWERS } from '../../../subjects/extensions/answers.ts';
import { issueInvoice } from '../../../subjects/issuing/issue-invoice.ts';
import { type PartialRequest, parsePartially } from '../../../subjects/issuing/partial-request.ts';
import { externalOriginal, type InvoiceRequest, invoiceRequest } from '../../../subjects/issuing/request.ts';
import { type ValidatedInvoice, validateInvoice } from '../../../subjects/issuing/validate-invoice.ts';
import { rulesOf } from '../../../subjects/rectifying/rules-of.ts';
import { type SoldTerms, soldTerms } from '../../../subjects/taxes/line-amount.ts';
import type { PricedLine, PricedTaxItem } from '../../../subjects/taxes/pricing.ts';
import { type TaxSummaryRow, taxSummary } from '../../../subjects/taxes/summary.ts';
import { builder } from '../builder.ts';
import { chargeRows, isOnly } from '../charged-rows.ts';
import { countRequest, refusedError, textOfIssue, valueOrThrow } from '../errors.ts';
import { keyOf } from '../idempotency.ts';
import { inputType } from '../input-type.ts';
import { READS_NOTHING } from '../null-at-own-path.ts';
import { answerFields, saidFields } from '../output-type.ts';
import type { AuthContexts } from '../permissions.ts';
import { issuedInvoice, pdfToken, type ShownInvoice } from '../shown-invoice.ts';
import { InvoiceKindEnum, InvoiceTypeEnum, TaxTypeEnum } from './enums.ts';
import { Invoice } from './invoice.ts';
import './invoice-extensions.ts';

inputType(externalOriginal, 'ExternalInvoiceInput');

export const IssueInvoiceInput = inputType(invoiceRequest, 'IssueInvoiceInput');

/** A request for an invoice: as it was sent, in the operation's names, and as its schema parsed it. */
export type AcceptedInvoice = { readonly sent: object; readonly request: InvoiceRequest };

function acceptInput(caller: Caller, sent: object): AcceptedInvoice {
  const parse = () => parseRequest(invoiceRequest, sent);
  return { sent, request: valueOrThrow(atEnvironmentTime(caller, parse)) };
}

/** Issues what was accepted, once for its key; throws the refusals of issuing. */
export async function issueAccepted(
  context: AuthContexts['scope'],
  { sent, request }: AcceptedInvoice,
  key: string | null,
): Promise<ShownInvoice> {
  const { caller, services } = context;
  const { shares, eventLoop } = services;
  const { length: lines } = request.lineItems;
  if (lines >= 50) shares.charge(caller.environmentId, 'issuing', Math.floor(lines / 50));
  await eventLoop.waitIfLarge(caller.environmentId, lines);
  const { outcome, replayed } = await issueInvoice(services, issuingCaller(caller), request, {
    ...{ key, sent, check: rulesOf(request) },
    sign: ({ invoice }) => pdfToken(context, { environmentId: invoice.environment_id, id: invoice.id }),
  });
  context.replayed = replayed;
  // Those that were committed together go on together.
  await eventLoop.waitIfLarge(caller.environmentId, lines);
  if (isRefusal(outcome))
    throw refusedError(withFieldsOf<never>(fieldsOfInvoice(request.rectifies), outcome));
  return issuedInvoice(outcome, caller);
}

builder.mutationField('issueInvoice', (t) =>
  t.withAuth({ scope: 'issue' }).field({
    type: Invoice,
    description:
      'Issues an invoice. Once answered, the invoice exists legally: it cannot be edited, only corrected.',
    args: {
      input: t.arg({ type: IssueInvoiceInput, required: true }),
      idempotencyKey: t.arg.string({
        description: 'An idempotency key: 1 to 255 printable ASCII characters, kept for 24 hours.',
      }),
    },
    resolve: async (_root, { input, idempotencyKey }, context) => {
      const key = valueOrThrow(keyOf(context, idempotencyKey));
      return issueAccepted(context, acceptInput(context.caller, input), key);
    },
  }),
);

const ValidatedTaxItem = builder.objectRef<PricedTaxItem>('ValidatedTaxItem').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    type: t.expose('type', { type: TaxTypeEnum }),
    rate: t.float({ resolve: (item) => percentageOf(item.rate) }),
    amount: t.expose('amount', { type: 'SafeInt' }),
    ...saidFields(t),
  }),
});

const ValidatedLineItem = builder.objectRef<PricedLine & SoldTerms>('ValidatedLineItem').implement({
  fields: (t) => ({
    description: t.exposeString('description'),
    sku: t.exposeString('sku', { nullable: true }),
    quantity: t.exposeInt('quantity'),
    unitAmount: t.expose('unitAmount', { type: 'SafeInt' }),
    quantityDecimal: t.expose('quantityDecimal', {
      type: 'Decimal',
      nullable: true,
      description:
        'The quantity of a line with a decimal quantity or price, or a gross price, as it was sent; otherwise null.',
    }),
    unitAmountDecimal: t.expose('unitAmountDecimal', {
      type: 'Decimal',
      nullable: true,
      description:
        'The exact net price of one unit in cents, of a gross price the subtotal ÷ the quantity, rounded to six decimals; null without `quantityDecimal`.',
    }),
    unitAmountGross: t.expose('unitAmountGross', {
      type: 'SafeInt',
      nullable: true,
      description: 'The unit price including taxes, rounded to a cent; null for a net price.',
    }),
    unitAmountGrossDecimal: t.expose('unitAmountGrossDecimal', {
      type: 'Decimal',
      nullable: true,
      description: 'The unit price including taxes in cents, if it was sent with decimals; otherwise null.',
    }),
    unit: t.exposeString('unit', {
      nullable: true,
      description: 'The unit of measure, a code of UN/ECE Recommendation 20; null if none was sent.',
    }),
    subtotal: t.expose('subtotal', { type: 'SafeInt' }),
    tax: t.expose('tax', { type: 'SafeInt' }),
    total: t.expose('total', { type: 'SafeInt' }),
    taxItems: t.field({
      type: [ValidatedTaxItem],
      complexity: { multiplier: 2 },
      resolve: (item) => [...item.taxItems],
    }),
  }),
});

/** The lines of a validated invoice as they would be sold. */
export function soldLines({ lines }: ValidatedInvoice) {
  return lines.map((line) => ({ ...line, ...soldTerms(line) }));
}

/** Its base and tax for each tax and rate, in order of appearance. */
export function breakdownOf({ lines }: ValidatedInvoice): TaxSummaryRow[] {
  return taxSummary(lines);
}

export const TaxBreakdownItem = builder.objectRef<TaxSummaryRow>('TaxBreakdownItem').implement({
  fields: (t) => ({
    type: t.expose('type', { type: TaxTypeEnum }),
    name: t.exposeString('name'),
    rate: t.float({ resolve: (row) => percentageOf(row.rate) }),
    base: t.expose('base', { type: 'SafeInt' }),
    amount: t.expose('amount', { type: 'SafeInt' }),
    ...saidFields(t),
  }),
});

const ValidationIssue = builder.objectRef<FieldIssue>('ValidationIssue').implement({
  description: 'What a validated invoice lacks, or what in it is likely wrong.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The field, such as `lineItems[0].quantity`.' }),
    code: t.exposeString('code', { description: 'A short reason.' }),
    message: t.string({ description: 'The same as text.', resolve: textOfIssue, extensions: READS_NOTHING }),
  }),
});

const ValidatedInvoiceType = builder.objectRef<ValidatedInvoice>('ValidatedInvoice').implement({
  description: 'The amounts that the invoice would have. Nothing was persisted and no number was used.',
  fields: (t) => ({
    type: t.expose('type', { type: InvoiceTypeEnum }),
    kind: t.expose('kind', { type: InvoiceKindEnum }),
    currency: t.exposeString('currency'),
    subtotal: t.expose('subtotal', { type: 'SafeInt' }),
    tax: t.expose('tax', { type: 'SafeInt' }),
    total: t.expose('total', { type: 'SafeInt' }),
    lineItems: t.field({
      type: [ValidatedLineItem],
      complexity: { multiplier: 10 },
      resolve: soldLines,
    }),
    taxBreakdown: t.field({
      type: [TaxBreakdownItem],
      complexity: { multiplier: 2 },
      resolve: breakdownOf,
    }),
    errors: t.field({
      type: [ValidationIssue],
      complexity: { multiplier: 5 },
      description: 'With `partial`: what is wrong with the recipient, for which issuing would be refused.',
      resolve: ({ errors }) => [...(errors ?? [])],
    }),
    warnings: t.field({
      type: [ValidationIssue],
      complexity: { multiplier: 5 },
      description: 'What is lawful and yet likely wrong; issuing refuses none of it.',
      resolve: ({ warnings }) => [...warnings],
    }),
    ...answerFields(t, COMPUTED_ANSWERS, ({ total, extensions }: ValidatedInvoice) => ({
      total,
      ...extensions,
    })),
  }),
});

const validating = {
  type: ValidatedInvoiceType,
  description: 'The same checks as `issueInvoice`, with nothing persisted. Limited per key and minute.',
};

/** A request to be validated as far as it goes, or whole. */
export const parseForValidation = (sent: unknown, partial: boolean): Outcome<PartialRequest> => {
  if (partial) return parsePartially(sent);
  const request = parseRequest(invoiceRequest, sent);
  return isRefusal(request) ? request : { request, faults: null };
};

async function validate(
  { input, partial }: { readonly input: object; readonly partial: boolean },
  context: AuthContexts['scope'],
  info: GraphQLResolveInfo,
): Promise<ValidatedInvoice> {
  const { caller } = context;
  valueOrThrow(await countRequest(context, caller, 'validate_invoice'));
  const parsed = valueOrThrow(atEnvironmentTime(caller, () => parseForValidation(input, partial)));
  await chargeRows(context, parsed.request.lineItems.length, isOnly(info));
  return validateAccepted(context, parsed);
}

/** What the accepted invoice would be; throws the refusals of issuing. Nothing is stored. */
export async function validateAccepted(
  { caller, services }: AuthContexts['scope'],
  parsed: PartialRequest,
): Promise<ValidatedInvoice> {
  const { shares, eventLoop } = services;
  const { request } = parsed;
  const { length: lines } = request.lineItems;
  shares.charge(caller.environmentId, 'reading', Math.floor(lines / 10));
  await eventLoop.waitIfLarge(caller.environmentId, lines);
  const outcome = await validateInvoice(services, issuingCaller(caller), parsed, rulesOf(request));
  await eventLoop.waitIfLarge(caller.environmentId, lines);
  return valueOrThrow(withFieldsOf(fieldsOfInvoice(request.rectifies), outcome));
}

builder.queryField('validateInvoice', (t) =>
  t.withAuth({ scope: 'issue' }).field({
    ...validating,
    args: {
      input: t.arg({ type: IssueInvoiceInput, required: true }),
      partial: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to answer the amounts although the recipient is missing or faulty.',
      }),
    },
    resolve: (_root, { input, partial }, context, info) =>
      validate({ input, partial: partial ?? false }, context, info),
  }),
);
