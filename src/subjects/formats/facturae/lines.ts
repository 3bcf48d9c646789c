import { decimalAmount } from '../../../ground/lib/money.ts';
import { lengthOf } from '../../../ground/lib/text.ts';
import { element, leaf, type XmlElement } from './canonical-xml.ts';
import type { Fields } from './fields.ts';
import type { SourceLine } from './source.ts';
import type { Treatment } from './tables/taxes.ts';
import { unitCode } from './tables/units.ts';
import { type TaxGroup, taxesOutputs } from './tax-groups.ts';

/** A line with the code of its tax. */
export type TreatedLine = {
  readonly line: SourceLine;
  readonly treatment: Treatment;
  readonly tax: TaxGroup;
};

/**
 * Group Items. A line's cost and gross amount are its sealed subtotal, quantity times price rounded to the cent.
 */
export function items(lines: readonly TreatedLine[], fields: Fields): XmlElement {
  return element(
    'Items',
    lines.map((line, index) => invoiceLine(line, index + 1, fields)),
  );
}

const MAX_ARTICLE_CODE_LENGTH = 20;

function invoiceLine({ line, treatment, tax }: TreatedLine, position: number, fields: Fields): XmlElement {
  const { description, sku, quantity, unitPrice, unit, subtotal } = line;
  const fits = sku === null || lengthOf(sku) <= MAX_ARTICLE_CODE_LENGTH;
  const cost = decimalAmount(subtotal);
  return element('InvoiceLine', [
    leaf('SequenceNumber', String(position)),
    fields.text('Items/InvoiceLine', 'ItemDescription', description, 2_500),
    leaf('Quantity', quantity),
    leaf('UnitOfMeasure', unitCode(unit)),
    leaf('UnitPriceWithoutTax', unitPrice),
    leaf('TotalCost', cost),
    leaf('GrossAmount', cost),
    taxesOutputs([tax]),
    fits ? null : leaf('AdditionalLineItemInformation', `Ref. ${sku}`),
    specialEvent(treatment),
    fits ? leaf('ArticleCode', sku) : null,
  ]);
}

/** The reason begins with the code of its tax (SpecialTaxableEventReason in the schema). */
function specialEvent({ code, event, reason }: Treatment): XmlElement | null {
  if (event === null) return null;
  return element('SpecialTaxableEvent', [
    leaf('SpecialTaxableEventCode', event),
    leaf('SpecialTaxableEventReason', `${code} ${reason}`),
  ]);
}
