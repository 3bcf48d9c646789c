import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { isSameName } from '../../ground/lib/same-name.ts';
import type { DeclaredTax } from '../chain/record-xml.ts';
import { fiscalName, type Recipient } from '../recipients/recipient.ts';
import type { Registers } from '../recipients/registers/registers.ts';

/**
 * What an amendment may not change: whatever would make the record contradict the paper, which takes a rectificativa
 * instead (validations v1.2.2 of 2026-04-08, section 4.3.1; AEAT FAQ v1.3, answer 17).
 */

/** The invoice as printed, and whether the agency holds a record of it, so that it can be rectified. */
type Paper = { readonly number: string; readonly recipient: Recipient; readonly held: boolean };

/**
 * `amendment_needs_rectification` for a recipient who is not the printed one: with another tax id or country, or under a
 * name that is neither the printed one in another spelling nor what the census answers to it. The kind of id may change:
 * one that was declared as not registered to the NIF that it is. Refuses with the codes of the register too.
 */
export async function recipientRefusal(
  registers: Pick<Registers, 'identify' | 'validateTaxId'>,
  environmentId: number,
  { recipient: printed, ...paper }: Paper,
  amended: Recipient,
): Promise<Refusal | null> {
  if (amended.taxId !== printed.taxId || amended.taxIdCountry !== printed.taxIdCountry) {
    return needsRectification(paper, 'recipient.taxId', 'names another tax id');
  }
  const name = fiscalName(amended) ?? '';
  const before = fiscalName(printed) ?? '';
  if (isSameName(name, before)) return null;
  const known = await nameInCensus(registers, environmentId, { ...amended, name: before, companyName: null });
  if (isRefusal(known)) return known;
  if (known !== null && isSameName(name, known)) return null;
  return needsRectification(paper, 'recipient.name', 'names another recipient');
}

/** The census's own spelling of the printed name of a NIF, the same or a similar one; null when it does not know them together. */
async function nameInCensus(
  registers: Pick<Registers, 'identify' | 'validateTaxId'>,
  environmentId: number,
  recipient: Recipient,
): Promise<Outcome<string | null>> {
  const { taxId, taxIdType, name } = recipient;
  if (taxId === null || taxIdType !== 'es_nif') return null;
  const answer = await registers.validateTaxId({ taxId, taxIdType, name }, environmentId);
  if (isRefusal(answer) || answer.registeredName !== null)
    return isRefusal(answer) ? answer : answer.registeredName;
  const evidence = await registers.identify(recipient, environmentId);
  if (isRefusal(evidence)) return evidence.code === 'tax_id_validation_unavailable' ? evidence : null;
  return evidence?.registeredName ?? null;
}

/**
 * `amendment_needs_rectification` for a breakdown that differs in more than regime keys and causes of exemption: in a tax,
 * a class, a rate or an amount.
 */
export function taxesRefusal(
  paper: Omit<Paper, 'recipient'>,
  declared: readonly DeclaredTax[],
  amended: readonly DeclaredTax[],
): Refusal | null {
  if (amountsOf(declared) === amountsOf(amended)) return null;
  return needsRectification(paper, 'reclassify', 'declares other taxes or amounts');
}

function amountsOf(breakdown: readonly DeclaredTax[]): string {
  const sums = new Map<string, { base: number; tax: number; surcharge: number }>();
  for (const { agencyTax, operationClass, rate, surchargeRate, base, tax, surcharge } of breakdown) {
    const key = JSON.stringify([agencyTax, operationClass, rate, surchargeRate]);
    const sum = sums.get(key) ?? { base: 0, tax: 0, surcharge: 0 };
    sums.set(key, {
      base: sum.base + base,
      tax: sum.tax + (tax ?? 0),
      surcharge: sum.surcharge + (surcharge ?? 0),
    });
  }
  return JSON.stringify([...sums].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function needsRectification(
  { number, held }: Omit<Paper, 'recipient'>,
  field: string,
  contradiction: string,
): Refusal {
  const way = held
    ? 'correct the invoice with a rectificativa'
    : 'the agency holds no record of it, so void it (its cancellation is declared with SinRegistroPrevio) and issue a new invoice';
  const detail = `The amendment ${contradiction} than invoice ${number} prints: ${way}.`;
  return new Refusal('amendment_needs_rectification', detail).about(field);
}
