import type { StoredInvoice } from '../../src/subjects/invoices/rows.ts';
import type { Random } from '../simulation/random.ts';
import { TEXTS } from './random-requests.ts';

/** Rectificativas that do not correct one invoice: a credit of two of those issued, which are noted in `corrected`, or a volume discount; mostly neither. */
export function correctsOtherThanOne(
  dice: Random,
  name: string,
  drawn: object,
  free: { readonly own: readonly StoredInvoice[]; readonly corrected: Set<string> } | null,
): { readonly request: object; readonly ids: readonly string[] } {
  if (free === null) return { request: drawn, ids: [] };
  const together = dice.chance(0.1) ? correctableTogether(free.own, free.corrected) : [];
  if (together.length > 0)
    return { request: randomCredit(dice, name, together), ids: together.map(({ id }) => id) };
  return { request: (dice.chance(0.1) ? asVolumeDiscount(dice, drawn) : null) ?? drawn, ids: [] };
}

type Drawn = Readonly<Record<string, unknown>> & {
  readonly lineItems: readonly Readonly<Record<string, unknown>>[];
};

/**
 * The same invoice as a volume discount, if it is one that a discount can be: complete, with a recipient who is identified, and
 * no correction of an invoice elsewhere, which may bear rates that no operation of the period can.
 */
function asVolumeDiscount(dice: Random, drawn: object): object | null {
  const {
    operationDate: _day,
    issuedBy,
    thirdParty: _party,
    numberSeriesId: _series,
    disbursements: _paid,
    ...request
  } = drawn as Drawn;
  const { type, recipient, qualifiedSimplified, recipientUnidentified, rectifies, lineItems } =
    request as unknown as Drawn;
  const isPlain = [qualifiedSimplified, recipientUnidentified, issuedBy, rectifies].every(
    (form) => form === undefined,
  );
  if (type !== 'complete' || recipient === undefined || !isPlain) return null;
  const from = dice.pick(['2025-12-01', '2026-01-01', '2026-06-28']);
  return {
    ...request,
    lineItems: lineItems.map(negative),
    rectifies: { period: { from, to: '2026-06-28' }, method: 'differences', reason: 'volume_discount' },
  };
}

function negative(line: Readonly<Record<string, unknown>>): object {
  const { unitAmount, unitAmountDecimal } = line;
  return unitAmount === undefined
    ? { ...line, unitAmountDecimal: `-${String(unitAmountDecimal).replace('-', '')}` }
    : { ...line, unitAmount: -Math.abs(unitAmount as number) };
}

/** An invoice that is to be corrected together with others: a tax that it bears. */
type Together = { readonly id: string; readonly type: string; readonly tax: object };

/** Two that one rectificativa can correct, which are noted in `corrected`; none if there are no two. */
function correctableTogether(own: readonly StoredInvoice[], corrected: Set<string>): readonly Together[] {
  const free = own.filter(
    ({ invoice }) =>
      !corrected.has(invoice.id) &&
      invoice.kind === 'original' &&
      invoice.type === 'complete' &&
      invoice.total > 500 &&
      invoice.withholding_amount === null &&
      invoice.disbursements === null &&
      !invoice.qualified_simplified &&
      !invoice.recipient_unidentified &&
      invoice.issued_by === null,
  );
  const pair = [...Map.groupBy(free, ({ invoice }) => invoice.recipient_tax_id).values()]
    .find((group) => group.length > 1)
    ?.slice(0, 2);
  return (pair ?? []).map(({ invoice: { id, type }, taxItems }) => {
    corrected.add(id);
    const { type: tax, rate_basis_points: rate } = taxItems[0]!;
    return { id, type, tax: { type: tax, rate: rate / 100 } };
  });
}
/** A credit of a euro on each of the invoices. */
function randomCredit(dice: Random, name: string, invoices: readonly Together[]): object {
  return {
    ...{ type: invoices[0]!.type, externalId: name },
    lineItems: invoices.map(({ id, tax }) => ({
      ...{ description: dice.pick(TEXTS), quantity: 1, unitAmount: -100 },
      ...{ taxItems: [tax], rectifiesInvoiceId: id },
    })),
    rectifies: { invoiceIds: invoices.map(({ id }) => id), method: 'differences', reason: 'other' },
  };
}
