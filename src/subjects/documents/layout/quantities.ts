import type { DocumentLanguage } from '../../../../generated/prisma/enums.ts';
import { unitLabel } from '../../../ground/lib/unit-labels.ts';
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
 * Quantity and net price of one unit. The law requires the price without taxes (RD 1619/2012 art. 6.1.f): that of a
 * gross price is rarely a whole cent, so such a line is printed as one unit at its net amount, and `grossPrice`
 * explains it.
 */
export function quantityAndPrice(line: PrintedLine, content: Spoken): [quantity: string, price: string] {
  const { format } = wordingOf(content);
  const { quantityDecimal, unitAmountDecimal } = line;
  if (line.unitAmountGross !== null) return [format.count(1), format.amount(line.unitAmount)];
  return [
    counted(
      quantityDecimal === null ? format.count(line.quantity) : format.decimal(quantityDecimal),
      line,
      content,
    ),
    unitAmountDecimal === null ? format.amount(line.unitAmount) : format.price(unitAmountDecimal),
  ];
}

/** `3 × 12,10 € = 36,30 € (impuestos incluidos)`; null for a net price. */
export function grossPrice(
  line: PrintedLine,
  content: Spoken & Pick<InvoiceContent, 'currency'>,
): string | null {
  const { quantityDecimal, unitAmountDecimal, unitAmountGross, total } = line;
  if (unitAmountGross === null || quantityDecimal === null) return null;
  const { format } = wordingOf(content);
  const { currency, branding } = content;
  const price =
    unitAmountDecimal === null
      ? format.money(unitAmountGross, currency)
      : format.priceMoney(unitAmountDecimal, currency);
  const quantity = counted(format.decimal(quantityDecimal), line, content);
  return `${quantity} × ${price} = ${format.money(total, currency)} (${TAXES_INCLUDED[branding.language]})`;
}
