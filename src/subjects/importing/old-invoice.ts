import { z } from 'zod';
import { dayIn, isExistingDay, startOfDay, today, zoneOfDays } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { day, fault, notBefore, optional, optionalText } from '../../ground/lib/request-fields.ts';
import { exactLine, printedNumber, printedParagraph } from '../../ground/lib/text.ts';
import { disbursements } from '../extensions/disbursements.ts';
import { issuedBy } from '../extensions/issued-by.ts';
import { qualifiedSimplified, recipientUnidentified } from '../extensions/recipient-forms.ts';
import { type Extensions, NO_EXTENSIONS, rulesOfExtensions } from '../extensions/request.ts';
import { lineItem } from '../issuing/line-request.ts';
import { requireNamedLines } from '../issuing/named-originals.ts';
import { cents, invoiceFields, MAX_LINES, recipientRequest } from '../issuing/request.ts';

/** Spain's VAT began on this day (Ley 30/1985): older invoices have no tax that we could name. */
const FIRST_DAY = '1986-01-01';
/** The longest number that the list can search, and that the agency would accept. */
const LONGEST_NUMBER = 60;

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

function refuse(check: z.core.$RefinementCtx, reason: string, message: string): never {
  check.addIssue({ code: 'custom', message, params: { reason } });
  return z.NEVER;
}

const requireExtensions = rulesOfExtensions([
  disbursements,
  qualifiedSimplified,
  recipientUnidentified,
  issuedBy,
]);

/** The time of issue: an instant, or a day, which means its beginning where the issuer is. */
const issuedAt = z.string().transform((text, check): { readonly at: string; readonly day: string } => {
  const isDay = isExistingDay(text);
  if (!isDay && !(INSTANT.test(text) && isExistingDay(text.slice(0, 10)))) {
    return refuse(check, 'invalid_format', 'must be a day, YYYY-MM-DD, or an instant, RFC 3339');
  }
  const instant = isDay ? startOfDay(zoneOfDays(), text) : new Date(text);
  if (Number.isNaN(instant.getTime())) return refuse(check, 'invalid_format', 'is no existing instant');
  if (instant > clock.now()) return refuse(check, 'too_big', 'must not be in the future');
  const issuedOn = isDay ? text : dayIn(zoneOfDays(), instant);
  if (issuedOn < FIRST_DAY) return refuse(check, 'too_small', `must not be before ${FIRST_DAY}`);
  return { at: instant.toISOString(), day: issuedOn };
});

const operationDate = day.superRefine((value, check) => {
  if (value < FIRST_DAY) refuse(check, 'too_small', `must not be before ${FIRST_DAY}`);
  else if (value > today()) refuse(check, 'too_big', 'must not be in the future');
});

/**
 * An invoice that another system issued. It is recorded as issued: its number and day, its recipient without
 * querying a register, its rates whatever they were.
 */
export const oldInvoice = z
  .strictObject({
    number: printedNumber(LONGEST_NUMBER).refine(
      (text) => text === text.trim(),
      'begins or ends with a blank',
    ),
    issuedAt,
    type: z.enum(['complete', 'simplified']),
    currency: optional(z.literal('eur')),
    recipient: optional(recipientRequest),
    operationDate: optional(operationDate),
    /** Any day: a due day may be years away. */
    dueDate: optional(notBefore(FIRST_DAY)),
    externalId: optional(exactLine(255)),
    externalCustomerId: optional(exactLine(255)),
    notes: optionalText(printedParagraph(2_000, 0)),
    withholding: invoiceFields.withholding,
    disbursements: invoiceFields.disbursements,
    displayCurrency: invoiceFields.displayCurrency,
    pricesIncludeTax: invoiceFields.pricesIncludeTax,
    qualifiedSimplified: invoiceFields.qualifiedSimplified,
    recipientUnidentified: invoiceFields.recipientUnidentified,
    issuedBy: invoiceFields.issuedBy,
    thirdParty: invoiceFields.thirdParty,
    lineItems: z.array(lineItem).min(1).max(MAX_LINES),
    subtotal: optional(cents),
    tax: optional(cents),
    total: optional(cents),
  })
  .superRefine((sent, check) => {
    requireExtensions(sent, check);
    if (sent.recipientUnidentified && sent.recipient?.taxId !== undefined)
      fault(check, ['recipient', 'taxId'], 'not_supported', 'is not supported with recipientUnidentified');
  })
  .superRefine(requireNamedLines)
  .superRefine(
    (
      { type, recipient, withholding: withheld, issuedAt: issued, operationDate: sold, dueDate: due },
      check,
    ) => {
      if (due !== undefined && isExistingDay(due) && due < (sold ?? issued.day))
        fault(check, ['dueDate'], 'too_small', 'must not be before the operation');
      if (type === 'simplified' && withheld !== undefined) {
        const [path, message] = [['withholding'], 'is not supported on a simplified invoice'];
        check.addIssue({ code: 'custom', path, message, params: { reason: 'not_supported' } });
      }
      if (type === 'simplified' || recipient?.name !== undefined || recipient?.companyName !== undefined)
        return;
      const message = 'is required on a complete invoice';
      check.addIssue({
        code: 'custom',
        path: ['recipient', 'name'],
        message,
        params: { reason: 'required' },
      });
    },
  );

export type OldInvoice = z.output<typeof oldInvoice>;

/** The extensions that an imported invoice can have. */
export function extensionsOfImported(old: OldInvoice): Extensions {
  const { withholding, disbursements, pricesIncludeTax, dueDate, displayCurrency } = old;
  const { qualifiedSimplified, recipientUnidentified, issuedBy, thirdParty } = old;
  return {
    ...{ ...NO_EXTENSIONS, dueDate, withholding, disbursements, pricesIncludeTax, displayCurrency },
    ...{ qualifiedSimplified, recipientUnidentified, issuedBy, thirdParty },
  };
}
