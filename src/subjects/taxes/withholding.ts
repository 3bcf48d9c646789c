import { Refusal } from '../../ground/errors/refusal.ts';
import { type BasisPoints, basisPointsOf, type Cents, percentOf } from '../../ground/lib/money.ts';
import type { TaxIdType } from '../tax-ids/types.ts';

/**
 * The income tax (IRPF) that whoever pays an invoice keeps back and hands to the Treasury for the issuer: of what is
 * paid without the indirect taxes (Ley 35/2006 arts. 99 and 101; its regulation, RD 439/2007, arts. 75, 95 and 100). It is
 * no part of what an invoice must say (RD 1619/2012 art. 6), nor of the record, whose total knows indirect taxes alone.
 */
export type Withholding = { readonly rate: BasisPoints; readonly base: Cents; readonly amount: Cents };

/** What a request says of it: the rate as a percentage, which its schema holds to two decimals. */
export type WithholdingInput = { readonly rate: number };

/** The withholding of an invoice of that net amount, rounded half away from zero to a cent. */
export function withhold({ rate: percentage }: WithholdingInput, subtotal: Cents): Withholding {
  const rate = basisPointsOf(percentage);
  if (rate === null) throw new Error('a rate of a withholding has more than two decimals');
  return { rate, base: subtotal, amount: percentOf(subtotal, rate) };
}

/** The kinds of tax id that those have who are obliged to withhold, in Spain or through an establishment there. */
const WITHHOLDERS: ReadonlySet<TaxIdType> = new Set(['es_nif', 'not_registered']);

/**
 * `invalid_tax_data` for a withholding by somebody whom the law does not oblige to it: a recipient from abroad, without
 * the NIF that an establishment in Spain has (RD 439/2007 art. 76.1). Null while it is not known who the recipient is.
 */
export function withholdingRefusal(
  withholding: WithholdingInput | undefined,
  recipientTaxIdType: TaxIdType | null,
): Refusal | null {
  if (withholding === undefined || recipientTaxIdType === null || WITHHOLDERS.has(recipientTaxIdType)) {
    return null;
  }
  const detail = 'Only a recipient with a Spanish NIF withholds income tax: leave the withholding out.';
  return new Refusal('invalid_tax_data', detail).about('withholding');
}
