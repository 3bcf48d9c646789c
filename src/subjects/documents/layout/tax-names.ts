import type { InvoiceContent, PrintedLine } from '../content.ts';
import { printable } from './printable.ts';
import { spanish, wordingOf } from './wording.ts';

/** The names of taxes as printed. They are recorded in Spanish; in another language those of the initial tax catalog are translated. */

type Tax = PrintedLine['taxItems'][number];
type Spoken = Pick<InvoiceContent, 'branding'>;

const RATE = / [\d,]+%$/;

/** Only rated taxes have their rate in their name (`IVA 21%`). */
export const isRated = ({ name }: Tax): boolean => name.endsWith('%');

/** The name that the document's language has for it; null if that is the recorded one, as for a name of the company's own. */
function translation(tax: Tax, content: Spoken): string | null {
  const recorded = tax.name.replace(RATE, '');
  const type = tax.type as keyof typeof spanish.texts.law.taxes;
  if (spanish.texts.law.taxes[type] !== recorded) return null;
  const own = wordingOf(content).texts.law.taxes[type];
  return own === recorded ? null : own;
}

/** `VAT 21%`: as on a line. */
export function taxName(tax: Tax, content: Spoken): string {
  const own = translation(tax, content);
  if (own === null) return printable(tax.name);
  return isRated(tax) ? `${own} ${wordingOf(content).format.rate(tax.rate)}` : own;
}

/** `VAT`: the name without the rate, in the document's language alone. */
export function bareTaxName(tax: Tax, content: Spoken): string {
  return translation(tax, content) ?? printable(tax.name.replace(RATE, ''));
}

/**
 * `VAT (IVA)`: the same as in the breakdown, with the word of the law beside its translation, and
 * what exempts it, where lines say different causes.
 */
export function lawfulTaxName(tax: Tax, content: Spoken): string {
  const recorded = printable(tax.name.replace(RATE, ''));
  const own = translation(tax, content);
  const beside = [own === null ? [] : recorded, tax.provision ?? []].flat().map(printable).join(', ');
  return `${own ?? recorded}${beside === '' ? '' : ` (${beside})`}`;
}
