import { z } from 'zod';
import { NOT_SUPPORTED } from '../../ground/errors/not-supported.ts';
import { type Day, isExistingDay, today, yearsBefore } from '../../ground/lib/calendar.ts';
import { emailAddressOrEmpty } from '../../ground/lib/email.ts';
import { LARGEST_AMOUNT } from '../../ground/lib/money.ts';
import { day, fault, flag, id, notBefore, optional, optionalText } from '../../ground/lib/request-fields.ts';
import { exactLine, printedLine, printedParagraph, reference, taxIdLine } from '../../ground/lib/text.ts';
import { type Extensions, extensionFields, requireApplicableExtensions } from '../extensions/request.ts';
import { FIRST_OPERATION_DAY } from '../extensions/table.ts';
import { metadata } from '../invoices/metadata-request.ts';
import { address, country } from '../recipients/recipient-request.ts';
import { needsCountry } from '../tax-ids/tax-id.ts';
import { TAX_ID_TYPES } from '../tax-ids/types.ts';
import { extendedAmount } from '../taxes/line-amount.ts';
import { isOversized } from '../taxes/pricing.ts';
import { lineItem } from './line-request.ts';
import { inheritsRecipient, namesOne, requireNamedLines } from './named-originals.ts';

/**
 * A request to issue or to validate an invoice, in the operations' spelling (REST uses the same names in
 * snake_case). The schema covers every rule that is independent of the database: its refusals are 400
 * `invalid_request`. An optional field that is null counts as absent.
 */

/** Lines of an invoice at most, so that it stays one record and one document of readable size (docs/contract.md#issuing). */
export const MAX_LINES = 500;

/** Invoices that one rectificativa corrects at most: more would be a list that nobody reads, and take lines for each. */
const MAX_CORRECTED = 100;

/** An amount that fits the agency's fields. */
export const cents = z.int().min(-LARGEST_AMOUNT).max(LARGEST_AMOUNT);

/** What is said of an earlier sale, whose invoice can only be corrected. */
export const EARLIER_SALE = `: correct the invoice of an earlier operation as external (${NOT_SUPPORTED})`;

const operationDate = notBefore(FIRST_OPERATION_DAY, EARLIER_SALE).superRefine((value, check) => {
  if (!isExistingDay(value) || value <= today()) return;
  fault(check, [], 'too_big', 'must not be in the future');
});

export const recipientRequest = z
  .strictObject({
    name: optional(printedLine(200)).describe(
      'Name of the person, or of the company if `companyName` is omitted.',
    ),
    companyName: optionalText(printedLine(200, 0)).describe('The fiscal name when it is not `name`.'),
    givenName: optional(printedLine(100)).describe(
      'The given name of a natural person, for documents that divide the name. Not declared nor validated; with `surnames`.',
    ),
    surnames: optional(printedLine(100)).describe('The surnames of a natural person, first one first.'),
    taxId: optional(taxIdLine(50)).describe(
      'Spaces, dots and hyphens do not matter. Its type is determined from the format if omitted.',
    ),
    taxIdType: optional(z.enum(TAX_ID_TYPES)).describe(
      'The type of `taxId`, needed where its format and the country do not determine it.',
    ),
    taxIdCountry: optional(country).describe(
      'The country, ISO 3166-1 alpha-2. Needed for `passport`, `official_document`, `residence_certificate` and `other`.',
    ),
    email: optionalText(emailAddressOrEmpty).describe(
      'Stored with the invoice and used as a filter; the invoice is sent to it on request. The domain may be internationalised, in either spelling.',
    ),
    address: optional(address).describe('All its fields are required on a complete invoice.'),
  })
  .meta({
    id: 'RecipientInput',
    description: 'The recipient of an invoice. Simplified invoices need none.',
  });

const rectifiedAmounts = z
  .strictObject({
    base: cents.describe('The net amount, in cents.'),
    tax: cents.describe('The tax without the surcharge, in cents.'),
    surcharge: optional(cents).describe('The equivalence surcharge, in cents.'),
  })
  .meta({
    id: 'RectifiedAmountsInput',
    description: 'The amounts of an invoice issued elsewhere, in whole cents.',
  });

/** As many years back the agency takes the day of an operation (validations v1.2.2 of 2026-04-08, 3.1.3.7, code 1134). */
const OPERATION_YEARS = 20;

/** The first day of an operation that a record of today may declare. */
export function firstDeclaredOperation(on: Day): Day {
  return yearsBefore(on, OPERATION_YEARS);
}

/** The days of an operation that was invoiced elsewhere: it lies before its invoice, and the agency must take it (1134, 1146). */
const rectifiedOperation = day.superRefine((value, check) => {
  if (!isExistingDay(value)) return;
  const first = firstDeclaredOperation(today());
  if (value < first) fault(check, [], 'too_small', `must not be before ${first}`);
  if (value > today()) fault(check, [], 'too_big', 'must not be in the future');
});

/** Malformed references have a code of their own (`external_reference_invalid`); only lengths are checked here. */
export const externalOriginal = z
  .strictObject({
    // Composed (NFC), so that one number in two Unicode forms is the same invoice.
    number: z
      .string()
      .meta({ minLength: 1, maxLength: 60, pattern: '^[^"\'<>=]+$' })
      .transform((number) => number.normalize())
      .describe('Its number: printable characters without " \' < > =.'),
    issuedOn: z.string().meta({ format: 'date', description: 'The day on which it was issued.' }),
    operationDate: optional(rectifiedOperation).describe(
      'The day of its operation, at most twenty years ago; default `issuedOn`. It decides which tax rates exist, and is declared to the agency.',
    ),
    rectifiedAmounts: optional(rectifiedAmounts).describe(
      'Its amounts, in cents; required for a substitution.',
    ),
  })
  .superRefine(({ issuedOn, operationDate: sold }, check) => {
    if (sold === undefined || !isExistingDay(issuedOn) || sold <= issuedOn || sold > today()) return;
    fault(check, ['operationDate'], 'too_big', 'must not be after the invoice');
  })
  .meta({ id: 'ExternalOriginalInput', description: 'An invoice that was issued by another system.' });

/** Whether its end is past is known where the company is (`check-rectification.ts`). */
const period = z
  .strictObject({
    from: day.describe('The first day.'),
    to: day.describe('The last day: today, or before.'),
  })
  .superRefine(({ from, to }, check) => {
    if (isExistingDay(from) && isExistingDay(to) && to < from)
      fault(check, ['to'], 'too_small', 'must not be before from');
  })
  .meta({ id: 'RectifiedPeriodInput', description: 'The days whose sales a volume discount reduces.' });

const rectifies = z
  .strictObject({
    invoiceId: optional(id).describe(
      'The invoice of this service that is corrected: the last of its family.',
    ),
    invoiceIds: optional(z.array(id).min(2).max(MAX_CORRECTED)).describe(
      'The invoices of this service that are corrected together, of one recipient; every line names its `rectifiesInvoiceId`.',
    ),
    external: optional(externalOriginal).describe('The invoice of another system that is corrected.'),
    period: optional(period).describe(
      'The days whose sales a volume discount (rappel) reduces; it names no invoice.',
    ),
    method: z
      .enum(['differences', 'substitution'])
      .describe(
        '`differences`: the lines state the change. `substitution`: they state the whole corrected invoice.',
      ),
    reason: z
      .enum(['correction', 'insolvency', 'uncollectible', 'other', 'volume_discount'])
      .nullish()
      .transform((value) => value ?? 'correction')
      .describe(
        'The reason, one of the grounds of the law; default `correction`. `volume_discount` goes with `period`.',
      ),
  })
  .meta({
    id: 'RectifiesInput',
    description: 'What is corrected: exactly one of `invoiceId`, `external`, `invoiceIds` and `period`.',
  });

/** The fields of an invoice, wherever it comes from. */
export const invoiceFields = {
  lineItems: z
    .array(lineItem)
    .min(1)
    .max(MAX_LINES)
    .describe('The invoiced lines; for a rectificativa by differences, the change.'),
  type: z
    .enum(['complete', 'simplified'])
    .describe(
      '`complete` names its recipient; `simplified` is a ticket: with its taxes at most 400 EUR (RD 1619/2012 art. 4.1), or 3,000 EUR for the activities of art. 4.2, such as retail and hospitality. Only the 3,000 EUR are checked.',
    ),
  recipient: optional(recipientRequest).describe(
    'Required on a complete invoice, unless a rectificativa inherits it. A simplified one takes no `taxId`.',
  ),
  externalId: optional(reference(255)).describe(
    'Your own reference: permanently unique in the environment, even after a void.',
  ),
  operationDate: optional(operationDate).describe(
    'The day of the sale in Madrid when it is not today; from 2025-01-01 on. Not with `rectifies`.',
  ),
  recargoEquivalencia: flag.describe(
    'True adds the equivalence surcharge to every line; each must carry one `vat` of 21, 10 or 4 %.',
  ),
  notes: optionalText(printedParagraph(2_000, 0)).describe(
    'Printed at the bottom of the PDF. Line breaks are kept.',
  ),
  ...extensionFields,
  metadata: optional(metadata).describe(
    'At most 50 texts of at most 500 characters under your own keys of at most 40. Not printed, and the only field that can be changed.',
  ),
};

/** The customer of an invoice that is no order's. */
export const customerReference = {
  externalCustomerId: optional(exactLine(255)).describe(
    'Your own id of the customer, who is kept with the recipient’s data, or updated. A linked rectificativa inherits it.',
  ),
  integrationId: optional(id).describe(
    'The integration of the customer; required if the environment has several.',
  ),
};

const requested = z.strictObject({
  ...invoiceFields,
  ...customerReference,
  numberSeriesId: optional(id).describe(
    'A series of the environment and of the right type; default: the default series of that type.',
  ),
  rectifies: optional(rectifies).describe(
    'Turns the request into a rectificativa of the invoice that it names.',
  ),
});

export const invoiceRequest = requested
  .superRefine((request, check) => {
    requireWhole(request, check);
    requireFitting(request, check);
  })
  .meta({ id: 'InvoiceRequest', description: 'An invoice to be issued, or validated.' });

/** The same of a request whose recipient may still lack anything. */
export const requestWithoutRecipient = requested.superRefine((request, check) => {
  requireSound(request, check);
  requireFitting(request, check);
});

export type InvoiceRequest = z.output<typeof invoiceRequest>;

type Request = Pick<InvoiceRequest, 'lineItems' | 'type' | 'recipient' | 'operationDate'> &
  Extensions & {
    readonly rectifies?: InvoiceRequest['rectifies'];
  };

/** The rules across fields: taxes and amount of each line, the recipient that the type requires, the days. */
export function requireWhole(request: Request, check: z.RefinementCtx): void {
  requireSound(request, check);
  requireRecipient(request, check);
}

function requireSound(request: Request, check: z.RefinementCtx): void {
  if (request.rectifies === undefined) requireTaxes(request, check);
  requireAmounts(request, check);
  if (request.rectifies === undefined && request.type === 'simplified') requireSale(request, check);
  if (request.rectifies?.period !== undefined) requireReductions(request, check);
  if (
    request.rectifies !== undefined ||
    request.lineItems.some(({ rectifiesInvoiceId }) => rectifiesInvoiceId !== undefined)
  )
    requireNamedLines(request, check);
  requireApplicableExtensions(request, check);
}

/** What does not go together beside the fields of every invoice. */
function requireFitting(request: InvoiceRequest, check: z.RefinementCtx): void {
  if (request.integrationId !== undefined && request.externalCustomerId === undefined) {
    fault(check, ['externalCustomerId'], 'required', 'is required with an integration');
  }
  if (request.rectifies !== undefined && request.operationDate !== undefined) {
    fault(check, ['operationDate'], 'not_supported', 'is not supported together with rectifies');
  }
}

/** An ordinary line declares its tax; a missing one in a rectificativa has a code of its own, checked later. */
function requireTaxes(request: Request, check: z.RefinementCtx): void {
  for (const [index, { taxItems }] of request.lineItems.entries()) {
    const path = ['lineItems', index, 'taxItems'];
    if (taxItems === undefined) fault(check, path, 'required', 'is required');
    else if (taxItems.length === 0) fault(check, path, 'too_small', 'must hold a tax');
  }
}

/** No amount may exceed the agency's fields, nor the range of exact numbers. */
function requireAmounts({ lineItems }: Request, check: z.RefinementCtx): void {
  for (const [index, item] of lineItems.entries()) {
    if (isOversized(item))
      fault(check, ['lineItems', index], 'too_big', 'must not come to more than twelve digits of euros');
  }
}

/**
 * A ticket that takes money back and sells nothing corrects an earlier one, and so is a rectificativa; a return may be set off in a later sale
 * (RD 1619/2012 art. 15.1 and 15.2). Without a positive line the sign of the lines is that of the total.
 */
function requireSale({ lineItems }: Request, check: z.RefinementCtx): void {
  const amounts = lineItems.map(extendedAmount);
  if (amounts.some((amount) => amount > 0) || !amounts.some((amount) => amount < 0)) return;
  const message =
    'must not come to less than zero on a ticket that sells nothing: name the invoice that is taken back in rectifies';
  fault(check, ['lineItems'], 'negative_total', message);
}

/** A volume discount reduces what was sold (LIVA art. 80.Uno.2): none of its lines adds to it. */
function requireReductions({ rectifies, lineItems }: Request, check: z.RefinementCtx): void {
  if (rectifies === undefined || !namesOne(rectifies)) return;
  lineItems.forEach((item, index) => {
    if (extendedAmount(item) < 0) return;
    const message = 'must come to less than zero in a volume discount';
    fault(check, ['lineItems', index], 'too_big', message);
  });
}

/** A complete invoice requires the whole recipient, unless it inherits that of the corrected invoice. */
function requireRecipient(request: Request, check: z.RefinementCtx): void {
  const { recipient, rectifies } = request;
  // Naming several of the kinds of originals, or none, has a code of its own: until the original is known, nothing is known about the
  // recipient.
  if (rectifies !== undefined && !namesOne(rectifies)) return;
  if (request.type === 'simplified' || request.recipientUnidentified) {
    const form = request.type === 'simplified' ? 'on a simplified invoice' : 'with recipientUnidentified';
    for (const field of ['taxId', 'taxIdType', 'taxIdCountry'] as const) {
      if (recipient?.[field] !== undefined)
        fault(check, ['recipient', field], 'not_supported', `is not supported ${form}`);
    }
    if (request.type === 'simplified') return;
  }
  if (recipient?.taxIdType !== undefined && recipient.taxIdCountry === undefined) {
    const field = ['recipient', 'taxIdCountry'];
    if (needsCountry(recipient.taxIdType))
      fault(check, field, 'required', 'is required with this kind of id');
  }
  if (rectifies !== undefined && inheritsRecipient(rectifies)) return;
  if (recipient === undefined) {
    fault(check, ['recipient'], 'required', 'is required on a complete invoice');
    return;
  }
  const required = request.recipientUnidentified
    ? (['name', 'address'] as const)
    : (['name', 'taxId', 'address'] as const);
  for (const field of required) {
    if (recipient[field] === undefined) fault(check, ['recipient', field], 'required', 'is required');
  }
  for (const field of ['line1', 'postalCode', 'city', 'country'] as const) {
    if (recipient.address !== undefined && recipient.address[field] === undefined) {
      fault(check, ['recipient', 'address', field], 'required', 'is required');
    }
  }
}
