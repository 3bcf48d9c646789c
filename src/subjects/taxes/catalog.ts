import type { FieldIssue } from '../../ground/errors/refusal.ts';
import { type Classification, classificationFaults, isExemption, SHAPES } from './agency-matrix.ts';
import { TAX_TYPES, type TaxType, taxTypes } from './types.ts';

/** How one tax type of a company is declared to the agency, and how it is printed. */
export type CatalogRow = Classification & {
  /** Printed on the line; on rated types the rate follows. */
  readonly label: string;
  /** Printed below the breakdown when the tax occurs; null where none is needed, or for the article of the exemption. */
  readonly legalMention: string | null;
};

/** The tax classification of a company. A type without a row cannot be invoiced (`invalid_tax_data`). */
export type TaxCatalog = ReadonlyMap<TaxType, CatalogRow>;

/** Printed on a line of a table: longer labels do not fit its column. */
const LONGEST_LABEL = 60;
/** Printed as one paragraph. */
const LONGEST_MENTION = 300;

/** The initial row of every company for a type. */
function defaultRow(taxType: TaxType): CatalogRow {
  const shape = SHAPES[taxType];
  const treatment = shape.treatments[0]!;
  return {
    taxType,
    agencyTax: shape.taxes[0]!,
    regimeKey: shape.defaultKey,
    ...(isExemption(treatment)
      ? { operationClass: null, exemption: treatment }
      : { operationClass: treatment, exemption: null }),
    label: taxTypes[taxType].printedName,
    legalMention: shape.mention,
  };
}

/** The classification that a new company gets: a row for each of the thirteen types. */
export const defaultTaxCatalog: TaxCatalog = new Map(TAX_TYPES.map((type) => [type, defaultRow(type)]));

const fault = (field: string, code: string, message: string): FieldIssue => ({ field, code, message });

/**
 * What is wrong with an edited row: everything that the agency would reject on every invoice that uses it, and
 * labels that cannot be printed. Empty when the row is valid.
 */
export function catalogRowFaults(row: CatalogRow): FieldIssue[] {
  return [...classificationFaults(row), ...textFaults(row)];
}

function textFaults({ label, legalMention }: CatalogRow): FieldIssue[] {
  const faults: FieldIssue[] = [];
  if (label.trim() === '' || label.length > LONGEST_LABEL) {
    faults.push(fault('label', 'invalid_value', `must have 1 to ${LONGEST_LABEL} characters`));
  }
  if (legalMention !== null && (legalMention.trim() === '' || legalMention.length > LONGEST_MENTION)) {
    faults.push(fault('legalMention', 'invalid_value', `must have 1 to ${LONGEST_MENTION} characters`));
  }
  for (const [field, text] of [
    ['label', label],
    ['legalMention', legalMention ?? ''],
  ] as const) {
    if (/\p{Cc}/u.test(text))
      faults.push(fault(field, 'invalid_characters', 'control characters are not allowed'));
  }
  return faults;
}
