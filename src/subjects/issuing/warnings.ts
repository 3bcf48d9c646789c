import type { FieldIssue } from '../../ground/errors/refusal.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import { basisPointsOf, type Cents, decimalAmount } from '../../ground/lib/money.ts';
import { buyerOf } from '../recipients/recipient.ts';
import type { Pricing } from '../taxes/pricing.ts';
import { isWithholdingRate } from '../taxes/withholding.ts';
import type { InvoiceRequest } from './request.ts';

/** The most that a simplified invoice may come to outside the activities of RD 1619/2012 art. 4.2 (art. 4.1.a). */
const ORDINARY_TICKET: Cents = 40_000;

/** A postal code begins with its province, 01 to 52 as the Instituto Nacional de Estadística numbers them. */
const OF_PROVINCE = /^(0[1-9]|[1-4]\d|5[0-2])\d{3}$/;

/** Las Palmas, Santa Cruz de Tenerife, Ceuta and Melilla are outside the territory of IVA (LIVA art. 3.Dos.1), so goods are exported there. */
const OUTSIDE_VAT = /^(35|38|51|52)/;

type Facts = {
  readonly request: Pick<
    InvoiceRequest,
    'type' | 'qualifiedSimplified' | 'recipient' | 'dueDate' | 'withholding'
  >;
  readonly pricing: Pick<Pricing, 'lines' | 'breakdown' | 'total'>;
  /** Where the issuer is. */
  readonly today: Day;
};

const warning = (field: string, code: string, message: string): FieldIssue => ({ field, code, message });

/** What of an invoice is lawful and yet likely wrong, in the operations' spelling; empty if nothing is. */
export function warningsOf(facts: Facts): FieldIssue[] {
  return [
    exportToSpain(facts),
    largeTicket(facts),
    pastDueDay(facts),
    oddRate(facts),
    noProvince(facts),
  ].filter((one) => one !== null);
}

/** Exports of the Canary Islands (IGIC) go to the rest of Spain, too (Ley 20/1991 art. 11). */
function exportToSpain({ request, pricing: { lines, breakdown } }: Facts): FieldIssue | null {
  const { country, postalCode } = buyerOf(request.recipient ?? {});
  if (country !== 'ES' || postalCode === null || OUTSIDE_VAT.test(postalCode)) return null;
  if (!breakdown.some(({ type, agencyTax }) => type === 'export' && agencyTax === '01')) return null;
  const index = lines.findIndex(({ taxItems }) => taxItems[0]?.type === 'export');
  return warning(
    `lineItems[${index}].taxItems`,
    'export_within_spain',
    'the recipient has a Spanish address where IVA applies: goods are exported to 35, 38, 51 and 52 alone',
  );
}

function largeTicket({
  request: { type, qualifiedSimplified },
  pricing: { total },
}: Facts): FieldIssue | null {
  if ((type !== 'simplified' && !qualifiedSimplified) || total <= ORDINARY_TICKET) return null;
  return warning(
    'lineItems',
    'simplified_above_400',
    `a simplified invoice of ${decimalAmount(total)} EUR is lawful only for the activities of RD 1619/2012 art. 4.2; for others up to 400.00`,
  );
}

function pastDueDay({ request: { dueDate }, today }: Facts): FieldIssue | null {
  if (dueDate === undefined || dueDate >= today) return null;
  return warning('dueDate', 'due_date_past', 'is past already: the invoice would be overdue at once');
}

function oddRate({ request: { withholding } }: Facts): FieldIssue | null {
  if (withholding === undefined || isWithholdingRate(basisPointsOf(withholding.rate)!)) return null;
  return warning(
    'withholding.rate',
    'unknown_withholding_rate',
    'is no rate of the withholding of income tax',
  );
}

function noProvince({ request: { recipient } }: Facts): FieldIssue | null {
  const { country, postalCode } = buyerOf(recipient ?? {});
  if (country !== 'ES' || postalCode === null || OF_PROVINCE.test(postalCode)) return null;
  return warning('recipient.address.postalCode', 'unknown_postal_code', 'is of no Spanish province');
}
