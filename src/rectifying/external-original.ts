import { Refusal } from '../errors/refusal.ts';
import { isExistingDay, madridDay } from '../lib/calendar.ts';
import { clock } from '../lib/clock.ts';

/** The agency's limits of a number (XSD, validations 1130 and 1287): printable ASCII, none of " ' < > =. */
const LONGEST_NUMBER = 60;
const NUMBER_PATTERN = /^[ -!#-&(-;?-~]+$/;

/**
 * Why a reference to an invoice issued elsewhere is malformed (`external_reference_invalid`), or null. The day must
 * exist and not lie in the future; there is no first day, as the original may be older than the regime.
 */
export function externalReferenceRefusal(external: { number: string; issuedOn: string }): Refusal | null {
  const { number, issuedOn } = external;
  const refuse = (why: string): Refusal =>
    new Refusal('external_reference_invalid', `The external reference is malformed: ${why}.`);
  if (number === '') return refuse('number is empty');
  if (number.length > LONGEST_NUMBER) return refuse(`number has more than ${LONGEST_NUMBER} characters`);
  if (!NUMBER_PATTERN.test(number))
    return refuse('number holds characters that the tax agency does not take');
  if (number !== number.trim()) return refuse('number begins or ends with a space');
  if (!isExistingDay(issuedOn)) return refuse('issued_on is not an existing day');
  if (issuedOn > madridDay(clock.now())) return refuse('issued_on lies in the future');
  return null;
}
