import { Refusal } from '../../ground/errors/refusal.ts';
import { type Day, isExistingDay } from '../../ground/lib/calendar.ts';
import { undrawable } from '../../ground/lib/drawable.ts';
import { lengthOf } from '../../ground/lib/text.ts';
import type { Amounts, ExternalOriginal } from './family.ts';

/** The width of the agency's field (XSD, TextoIDFacturaType). */
const LONGEST_NUMBER = 60;
/**
 * Other systems use any characters in numbers, including `Ñ`: the agency requires ASCII only for the issued
 * invoice's own number (validations 3.1.3.1). Refused are the five characters that the contract forbids (1287) and
 * those that cannot be printed.
 */
const BANNED = /["'<>=]/;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * Why a reference to an invoice issued elsewhere is malformed (`external_reference_invalid`), or null. The day must
 * exist and not lie in the future; there is no first day, as the original may be older than the regime.
 */
export function malformedReference({ number, issuedOn }: ExternalOriginal, today: Day): Refusal | null {
  const fault = faultOfNumber(number);
  if (fault !== null) return invalidReference('number', `malformed: number ${fault}`);
  const malformedDay = (detail: string): Refusal =>
    invalidReference('issuedOn', `malformed: issued_on ${detail}`);
  if (!isExistingDay(issuedOn)) return malformedDay('is not an existing day');
  if (issuedOn > today) return malformedDay('lies in the future');
  return null;
}

function faultOfNumber(number: string): string | null {
  if (number === '') return 'is empty';
  if (lengthOf(number) > LONGEST_NUMBER) return `has more than ${LONGEST_NUMBER} characters`;
  if (BANNED.test(number)) return 'holds one of " \' < > =, which the tax agency does not take';
  if (UNPRINTABLE.test(number)) return 'holds characters that do not print';
  if (undrawable(number) !== null) return 'holds characters that no document could print';
  return number === number.trim() ? null : 'begins or ends with a space';
}

/** `external_reference_invalid`, naming which part of the reference is at fault. */
export function invalidReference(
  part: keyof Omit<ExternalOriginal, 'amounts'> | 'operationDate' | 'rectifiedAmounts',
  detail: string,
): Refusal {
  const refusal = new Refusal('external_reference_invalid', `The external reference is ${detail}.`);
  return refusal.about(`rectifies.external.${part}`);
}

/** What of it is corrected already, by whoever named it by number and day. */
export function correctedRefusal(
  { number }: ExternalOriginal,
  corrections: readonly { readonly kind: string }[],
): Refusal | null {
  if (corrections.some(({ kind }) => kind === 'rectifying_substitution')) {
    return new Refusal('invoice_already_replaced', `Invoice ${number} was replaced by a substitution.`);
  }
  return corrections.length === 0
    ? null
    : new Refusal('invoice_not_family_tip', `Invoice ${number} was already corrected.`);
}

/** Whether two are equal; no surcharge is one of nothing. */
export function areEqual(one: Amounts, other: Amounts): boolean {
  return one.base === other.base && one.tax === other.tax && (one.surcharge ?? 0) === (other.surcharge ?? 0);
}
