import type { Cents } from '../../ground/lib/money.ts';
import type { TaxType } from '../taxes/types.ts';
import type { InvoiceContent } from './content.ts';
import type { Texts } from './texts/texts.ts';

/**
 * The amounts that a substitution replaces, and by how much it changes them: a rectificativa that states amounts as they are
 * after it states that too (RD 1619/2012 art. 15.5). Labels and texts of one language; empty for other invoices.
 */
export function rectifiedAmounts(
  content: InvoiceContent,
  { rectification: words }: Pick<Texts, 'rectification'>,
  money: (cents: Cents) => string,
): [label: string, text: string][] {
  const { base = null, tax = null, surcharge = null } = content.rectification ?? {};
  if (base === null || tax === null) return [];
  const now = declaredAmounts(content);
  const before = { base, tax, surcharge: surcharge ?? 0 };
  const change = {
    base: now.base - before.base,
    tax: now.tax - before.tax,
    surcharge: now.surcharge - before.surcharge,
  };
  const hasSurcharge = surcharge !== null || now.surcharge !== 0;
  const text = (one: typeof before) =>
    words.amountsText({
      ...{ base: money(one.base), tax: money(one.tax) },
      surcharge: hasSurcharge ? money(one.surcharge) : null,
      total: money(one.base + one.tax + one.surcharge),
    });
  return [
    [words.amounts, text(before)],
    [words.difference, text(change)],
  ];
}

/** In the terms of those that are replaced: tax of another member state is part of the base, the surcharge apart. */
function declaredAmounts({ lines, subtotal, tax }: InvoiceContent) {
  const items = lines.flatMap(({ taxItems }) => taxItems);
  const taxOf = (type: TaxType) =>
    items.reduce((sum, item) => (item.type === type ? sum + item.amount : sum), 0);
  const [foreign, surcharge] = [taxOf('eu_oss'), taxOf('es_recargo_equivalencia')];
  return { base: subtotal + foreign, tax: tax - foreign - surcharge, surcharge };
}
