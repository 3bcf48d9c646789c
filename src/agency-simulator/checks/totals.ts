import { centsOf } from '../amounts.ts';
import type { Submitted } from '../submitted.ts';
import { textAt } from '../xml.ts';
import { detailsOf, MARGIN } from './breakdown.ts';
import { type Finding, finding } from './finding.ts';

/** Under these keys the base is not the amount of the operation, so the sums prove nothing (validations 16, 17). */
const UNSUMMED = new Set(['03', '05', '06', '08', '09']);

/** Highest base plus quota of a simplified invoice, 3,000.00 euros in cents (validations 15.8). */
const SIMPLIFIED_LIMIT = 300_000;

/** The two totals against the breakdown, and the limit of simplified invoices. */
export function* checkTotals(record: Submitted): Generator<Finding> {
  const { element } = record;
  const quotaTotal = centsOf(textAt(element, 'CuotaTotal'));
  const total = centsOf(textAt(element, 'ImporteTotal'));
  if (quotaTotal === null) yield finding(isTooLong(textAt(element, 'CuotaTotal')) ? 1266 : 1100);
  if (total === null) yield finding(isTooLong(textAt(element, 'ImporteTotal')) ? 1267 : 1100);
  const details = detailsOf(record);
  const taxed = details.reduce((sum, { base, quota }) => sum + base + (quota ?? 0), 0);
  const quotas = details.reduce((sum, { quota, surcharge }) => sum + (quota ?? 0) + (surcharge ?? 0), 0);
  const surcharges = details.reduce((sum, { surcharge }) => sum + (surcharge ?? 0), 0);
  const exempt = textAt(element, 'FacturaSinIdentifDestinatarioArt61d') === 'S';
  const agreed = (textAt(element, 'NumRegistroAcuerdoFacturacion') ?? '') !== '';
  const limited = record.invoiceType === 'F2' && !exempt && !agreed;
  if (limited && taxed > SIMPLIFIED_LIMIT + MARGIN) yield finding(1150);
  if (details.some(({ regime }) => UNSUMMED.has(regime ?? ''))) return;
  if (Math.abs((quotaTotal ?? 0) - quotas) > MARGIN) yield finding(2006);
  if (Math.abs((total ?? 0) - taxed - surcharges) > MARGIN) yield finding(2005);
}

function isTooLong(text: string | null): boolean {
  return /^[+-]?\d{13,}(\.\d*)?$/.test(text ?? '');
}
