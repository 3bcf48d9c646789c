import type { DocumentLanguage } from '../../../../generated/prisma/enums.ts';
import { unitLabel } from '../../../ground/lib/unit-labels.ts';
import { shortestPrice } from '../../taxes/line-amount.ts';
import type { InvoiceContent, PrintedLine } from '../content.ts';
import { wordingOf } from './wording.ts';

/** Quantity and price of a line as printed. */

const TAXES_INCLUDED: Readonly<Record<DocumentLanguage, string>> = {
  es: 'impuestos incluidos',
  en: 'taxes included',
  ca: 'impostos inclosos',
  gl: 'impostos incluídos',
  eu: 'zergak barne',
};

type Spoken = Pick<InvoiceContent, 'branding'>;

function counted(figure: string, { unit }: PrintedLine, { branding }: Spoken): string {
  const label = unit === null ? '' : unitLabel(unit, branding.language);
  return label === '' ? figure : `${figure}\u00a0${label}`;
}

/**
 * Quantity and net price of one unit. The law requires the price without taxes (RD 1619/2012 art. 6.1.f): that of a gross
 * price is rarely a whole cent, so it has as many decimals as a reader needs to multiply; `grossPrice` explains it.
 */
export function quantityAndPrice(line: PrintedLine, content: Spoken): [quantity: string, price: string] {
  const { format } = wordingOf(content);
  const { quantityDecimal, unitAmountDecimal, unitAmountGross } = line;
  const quantity = quantityDecimal === null ? format.count(line.quantity) : format.decimal(quantityDecimal);
  const price = unitAmountGross === null ? unitAmountDecimal : shortestPrice(line);
  return [
    counted(quantity, line, content),
    price === null ? format.amount(line.unitAmount) : format.price(price),
  ];
}

/** `3 × 12,10 € = 36,30 € (impuestos incluidos)`; null for a net price. */
export function grossPrice(
  line: PrintedLine,
  content: Spoken & Pick<InvoiceContent, 'currency'>,
): string | null {
  const { quantityDecimal, unitAmountGross, unitAmountGrossDecimal, total } = line;
  if (unitAmountGross === null || quantityDecimal === null) return null;
  const { format } = wordingOf(content);
  const { currency, branding } = content;
  const price =
    unitAmountGrossDecimal === null
      ? format.money(unitAmountGross, currency)
      : format.priceMoney(unitAmountGrossDecimal, currency);
  const quantity = counted(format.decimal(quantityDecimal), line, content);
  return `${quantity} × ${price} = ${format.money(total, currency)} (${TAXES_INCLUDED[branding.language]})`;
}
