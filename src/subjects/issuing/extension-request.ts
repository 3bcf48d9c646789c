import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { z } from 'zod';
import { basisPointsOf, type Cents } from '../../ground/lib/money.ts';
import { day, fault, notBefore, optional } from '../../ground/lib/request-fields.ts';
import { printedLine } from '../../ground/lib/text.ts';
import { metadata } from '../invoices/metadata-request.ts';
import type { ExtensionColumns } from '../invoices/rows.ts';
import { DOCUMENT_LANGUAGES, PAYMENT_MEANS } from '../invoices/types.ts';
import { withhold } from '../taxes/withholding.ts';

/** The extensions of an invoice in a request. */

/** The first day that the contract accepts for operations, and therefore for due days. */
export const FIRST_OPERATION_DAY = '2025-01-01';

/** The longest IBAN has 34 characters (ISO 13616), and eight spaces when written in groups of four. */
const LONGEST_IBAN = 42;

/** Stored without spaces and in capitals, as banks exchange it. */
const iban = z
  .string()
  .max(LONGEST_IBAN)
  .transform((text) => electronicFormatIBAN(text) ?? '')
  .refine(isValidIBAN, {
    error: 'must be an IBAN with its right check digits',
    params: { reason: 'invalid_format' },
    when: ({ issues }) => issues.length === 0,
  });

/** The length that a transfer can have (SEPA remittance information, unstructured). */
const LONGEST_REMITTANCE = 140;

const payment = z
  .strictObject({
    means: z.enum(PAYMENT_MEANS),
    iban: optional(iban),
    reference: optional(printedLine(LONGEST_REMITTANCE)),
    terms: optional(printedLine(500)),
  })
  .meta({ id: 'PaymentTermsInput' });

const references = z
  .strictObject({
    purchaseOrder: optional(printedLine(100)),
    buyerReference: optional(printedLine(100)),
    contract: optional(printedLine(100)),
    project: optional(printedLine(100)),
  })
  .superRefine((request, check) => {
    if (Object.values(request).some((value) => value !== undefined)) return;
    fault(check, [], 'too_small', 'must name at least one reference');
  })
  .meta({ id: 'InvoiceReferencesInput' });

const delivery = z
  .strictObject({ from: day, to: day })
  .superRefine(({ from, to }, check) => {
    if (to < from) fault(check, ['to'], 'too_small', 'must not be before its beginning');
  })
  .meta({ id: 'DeliveryPeriodInput' });

/** No rate of withheld income tax was ever higher; the law's go from 1 to 47 %. */
const HIGHEST_WITHHOLDING = 50;

/** The law's lowest rate is 1 % (RD 439/2007 art. 95.4), of which a reduction leaves 40 %. Anything below is a fraction: 0.15 for 15 %. */
const LOWEST_WITHHOLDING = 0.4;

/** The income tax withheld by the recipient; for a correction by differences, of the difference. */
const withholding = z
  .strictObject({
    rate: z
      .number()
      .superRefine((percentage, check) => {
        if (percentage >= LOWEST_WITHHOLDING) return;
        const message = `must be at least ${LOWEST_WITHHOLDING}, as a percentage: 15 for 15 %, not 0.15`;
        fault(check, [], 'too_small', message);
      })
      .max(HIGHEST_WITHHOLDING)
      .refine(hasTwoDecimals, {
        error: 'must have at most two decimals',
        params: { reason: 'invalid_format' },
      })
      .meta({ minimum: LOWEST_WITHHOLDING }),
  })
  .meta({ id: 'WithholdingInput' });

/** A value out of range gets that error only. */
function hasTwoDecimals(percentage: number): boolean {
  return (
    percentage < LOWEST_WITHHOLDING || percentage > HIGHEST_WITHHOLDING || basisPointsOf(percentage) !== null
  );
}

export const extensionFields = {
  dueDate: optional(notBefore(FIRST_OPERATION_DAY)),
  withholding: optional(withholding),
  pricesIncludeTax: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
  payment: optional(payment),
  language: optional(z.enum(DOCUMENT_LANGUAGES)),
  references: optional(references),
  delivery: optional(delivery),
  metadata: optional(metadata),
};

/** The field with the due day. */
export const DUE_DAY = 'dueDate';
/** The same in the spelling of files and columns. */
export const DUE_DAY_COLUMN = 'due_date';

export type Extensions = z.output<z.ZodObject<typeof extensionFields>>;

/** For an invoice whose request cannot contain extensions. */
export const NO_EXTENSIONS: Extensions = z.object(extensionFields).parse({});

/** The extensions of a request as columns of the invoice's row; `subtotal`: the sum of its lines. */
export function extensionsAsColumns(
  extensions: Extensions,
  { subtotal }: { readonly subtotal: Cents },
): Omit<ExtensionColumns, 'draft_id'> {
  const { dueDate, withholding, pricesIncludeTax, payment, language, references, delivery } = extensions;
  const withheld = withholding === undefined ? null : withhold(withholding, subtotal);
  return {
    due_date: dueDate ?? null,
    withholding_rate: withheld?.rate ?? null,
    withholding_base: withheld?.base ?? null,
    withholding_amount: withheld?.amount ?? null,
    prices_include_tax: pricesIncludeTax || null,
    payment: payment ?? null,
    language: language ?? null,
    references: references === undefined ? null : referencesAsColumn(references),
    delivery: delivery ?? null,
  };
}

function referencesAsColumn({ purchaseOrder, buyerReference, ...same }: z.output<typeof references>) {
  return { purchase_order: purchaseOrder, buyer_reference: buyerReference, ...same };
}

type RequestFields = Extensions & {
  readonly type: 'complete' | 'simplified';
  readonly operationDate?: string | undefined;
};

/** The rules of extensions that depend on other fields. */
export function requireApplicableExtensions(request: RequestFields, check: z.RefinementCtx): void {
  requireDueDate(request, check);
  requireWithholder(request, check);
}

/**
 * Nothing is due before the sale. The current day is not used: a request that is repeated the next day must stay
 * valid.
 */
function requireDueDate({ dueDate, operationDate }: RequestFields, check: z.RefinementCtx): void {
  if (dueDate === undefined || operationDate === undefined || dueDate >= operationDate) return;
  fault(check, ['dueDate'], 'too_small', 'must not be before the operation');
}

/** A recipient without identification cannot have withheld a tax. */
function requireWithholder({ type, withholding }: RequestFields, check: z.RefinementCtx): void {
  if (type === 'complete' || withholding === undefined) return;
  fault(check, ['withholding'], 'not_supported', 'is not supported on a simplified invoice');
}
