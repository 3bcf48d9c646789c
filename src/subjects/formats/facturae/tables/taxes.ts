import { declaredDetail } from '../../../taxes/breakdown.ts';
import type { SourceLine, SourceTax } from '../source.ts';

/** TaxTypeCodeType of the schema: IVA, IPSI, IGIC, IRPF, others. */
export type FacturaeTax = '01' | '02' | '03' | '04' | '05';

export const INCOME_TAX: FacturaeTax = '04';

/** The agency's Impuesto (list L1) has the same numbers for the same three taxes, and 05 for others. */
const BY_AGENCY_TAX: Readonly<Record<SourceTax['agencyTax'], FacturaeTax>> = {
  '01': '01',
  '02': '02',
  '03': '03',
  '05': '05',
};

/**
 * SpecialTaxableEventCode: 01 subject and exempt, 02 not subject. None where the tax is due, including when the
 * buyer owes it (reverse charge, class S2), which the format expresses in text only.
 */
export type SpecialEvent = '01' | '02' | null;

/** The code of a line's tax. */
export type Treatment = {
  readonly code: FacturaeTax;
  readonly event: SpecialEvent;
  /** Why it is exempt or not subject. */
  readonly reason: string;
};

const TAX_NAMES: Readonly<Record<'01' | '02', string>> = {
  '01': 'Operación exenta',
  '02': 'Operación no sujeta',
};

/** The format's code for the tax of a detail of the breakdown. */
export function treatmentOf({
  type,
  agencyTax,
  operationClass,
  exemption,
  legalMention,
}: SourceTax): Treatment {
  // VAT of another member state cannot be deducted by a Spanish recipient; it is not subject here, but charged.
  if (type === 'eu_oss') return { code: '05', event: null, reason: '' };
  const isNotSubject = operationClass === 'N1' || operationClass === 'N2';
  const event = exemption !== null ? '01' : isNotSubject ? '02' : null;
  const reason = event === null ? '' : (legalMention ?? TAX_NAMES[event]);
  return { code: BY_AGENCY_TAX[agencyTax], event, reason };
}

/** The declared type when the breakdown has combined it with another type that the agency does not distinguish. */
const CLASSES: Readonly<Record<string, (detail: SourceTax) => boolean>> = {
  es_exempt: ({ exemption }) => exemption !== null,
  es_inversion_sujeto_pasivo: ({ operationClass }) => operationClass === 'S2',
  es_non_taxable: ({ operationClass }) => operationClass === 'N1',
  es_non_taxable_localization: ({ operationClass }) => operationClass === 'N2',
  eu_oss: ({ operationClass }) => operationClass === 'N2',
  eu_b2b: ({ exemption }) => exemption === 'E5',
  eu_b2b_services: ({ operationClass }) => operationClass === 'N2',
  export: ({ exemption }) => exemption === 'E2' || exemption === 'E3',
};

/**
 * The detail of the breakdown that contains the lines of a type. Undefined in a breakdown that does not match its
 * lines.
 */
export function detailOf(tax: SourceLine['tax'], breakdown: readonly SourceTax[]): SourceTax | undefined {
  const { type } = tax;
  const own = declaredDetail(breakdown, tax);
  return own ?? breakdown.find((detail) => CLASSES[type]?.(detail) === true);
}
