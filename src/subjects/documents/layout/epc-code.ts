import type { Cents } from '../../../ground/lib/money.ts';

/**
 * The text of a code with which banking apps fill in a transfer: EPC069-12, Quick Response Code: Guidelines to
 * Enable Data Capture for the Initiation of a SEPA Credit Transfer, version 002, which needs no BIC.
 */

/** The payee, the account, the amount, and the reference for the payer. */
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
/**
 * In UTF-8: with this many bytes the code has at most 69 modules a side (version 13) at the level M that the
 * guidelines require.
 */
const MAX_BYTES = 331;

/** Null when the amount, or a long text in another script, does not fit into such a code. */
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
