import type { Cents } from '../../../ground/lib/money.ts';

/**
 * The text of a code that banks' apps read to fill in a transfer: EPC069-12, Quick Response Code: Guidelines to Enable
 * Data Capture for the Initiation of a SEPA Credit Transfer, version 002, which needs no BIC.
 */

/** Who is paid, on which account, how much, and what the payer is to name. */
export type Transfer = {
  readonly name: string;
  readonly iban: string;
  readonly amount: Cents;
  readonly remittance: string;
};

/** EUR 0.01 to EUR 999,999,999.99. */
const MOST: Cents = 99_999_999_999;
const LONGEST_NAME = 70;
const LONGEST_REMITTANCE = 140;
/** In UTF-8: so the code has at most 69 modules a side (version 13) at the level M that the guidelines want. */
const MAX_BYTES = 331;

/** Null when the amount, or so long a text in another script, fits no such code. */
export function epcText({ name, iban, amount, remittance }: Transfer): string | null {
  if (amount < 1 || amount > MOST) return null;
  const euros = `EUR${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
  const text = [
    ...['BCD', '002', '1', 'SCT', ''],
    ...[[...name].slice(0, LONGEST_NAME).join(''), iban, euros],
    // Neither a purpose nor a structured reference.
    ...['', ''],
    [...remittance].slice(0, LONGEST_REMITTANCE).join(''),
  ].join('\n');
  return Buffer.byteLength(text) > MAX_BYTES ? null : text;
}
