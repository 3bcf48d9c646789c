import { NOT_SUPPORTED } from '../../ground/errors/not-supported.ts';
import type { FieldIssue } from '../../ground/errors/refusal.ts';
import { type AgencyTax, EXEMPTIONS, type Exemption, type OperationClass, type TaxType } from './types.ts';

/**
 * What goes together in a detail of the agency's breakdown: one set of rules for the rows of a company's catalog and for what a line says of itself.
 */

/** The taxes as people call them. */
export const TAX_NAMES: Readonly<Record<AgencyTax, string>> = {
  '01': 'IVA',
  '02': 'IPSI',
  '03': 'IGIC',
  '05': 'others',
};

/** How a line is declared: the tax, its regime, and its class or the cause of its exemption. */
export type Classification = {
  readonly taxType: TaxType;
  readonly agencyTax: AgencyTax;
  /** ClaveRegimen; null only where the agency forbids one (other taxes, code 1260). */
  readonly regimeKey: string | null;
  /** Exactly one of class and exemption is set (codes 1195 and 1196). */
  readonly operationClass: OperationClass | null;
  readonly exemption: Exemption | null;
};

/** How an operation is declared: by its class, or by the cause of its exemption. */
export type Treatment = OperationClass | Exemption;

/** The allowed values of a tax type; the first of each list is the default. */
export type Shape = {
  readonly taxes: readonly AgencyTax[];
  readonly treatments: readonly Treatment[];
  /** The keys that the type may take; left out: whatever the agency allows for the tax and the treatment. */
  readonly keys?: readonly string[];
  readonly defaultKey: string | null;
  readonly mention: string | null;
};

/** Validations v1.2.2 of 2026-04-08, 3.1.3.15; FAQ v1.3 answers 23 and 24 for services abroad and intra-EU trade. */
export const SHAPES: Readonly<Record<TaxType, Shape>> = {
  vat: {
    taxes: ['01'],
    treatments: ['S1'],
    keys: ['01', '07', '11', '15', '18', '19', '20'],
    defaultKey: '01',
    mention: null,
  },
  igic: {
    taxes: ['03'],
    treatments: ['S1'],
    keys: ['01', '07', '11', '15', '17', '21'],
    defaultKey: '01',
    mention: null,
  },
  // The agency accepts an IPSI detail without key with error 2009, and rejects it from 2027-01-01.
  ipsi: {
    taxes: ['02'],
    treatments: ['S1'],
    keys: ['01', '11', '18', '20'],
    defaultKey: '01',
    mention: null,
  },
  // Charging the surcharge to a retailer is the general regime of the one who charges; key 18 states that the issuer
  // itself is under it. The surcharge joins the detail of its vat.
  es_recargo_equivalencia: {
    taxes: ['01'],
    treatments: ['S1'],
    keys: ['01'],
    defaultKey: '01',
    mention: null,
  },
  es_exempt: {
    taxes: ['01', '03', '02'],
    // E5, E7 and E8 not for every tax: `treatmentFault`.
    treatments: EXEMPTIONS,
    defaultKey: '01',
    mention: 'Operación exenta del IVA (art. 20 LIVA)',
  },
  es_inversion_sujeto_pasivo: {
    taxes: ['01', '03', '02'],
    treatments: ['S2'],
    keys: ['01', '04'],
    defaultKey: '01',
    mention: 'Inversión del sujeto pasivo',
  },
  es_non_taxable: {
    taxes: ['01', '03', '02'],
    treatments: ['N1'],
    defaultKey: '01',
    mention: 'Operación no sujeta (art. 7 LIVA)',
  },
  es_non_taxable_localization: {
    taxes: ['01', '03', '02'],
    treatments: ['N2'],
    defaultKey: '01',
    mention: 'Operación no sujeta por reglas de localización (arts. 68 a 70 LIVA)',
  },
  eu_oss: {
    taxes: ['01'],
    treatments: ['N2'],
    keys: ['17'],
    defaultKey: '17',
    mention: 'Régimen especial de ventanilla única (OSS): IVA del Estado miembro de consumo',
  },
  eu_b2b: {
    taxes: ['01'],
    treatments: ['E5'],
    keys: ['01'],
    defaultKey: '01',
    mention: 'Entrega intracomunitaria exenta (art. 25 LIVA)',
  },
  // Not subject here rather than reversed (FAQ 24, case 4): the customer accounts for the VAT in its own country.
  eu_b2b_services: {
    taxes: ['01'],
    treatments: ['N2'],
    keys: ['01'],
    defaultKey: '01',
    mention: 'Operación no sujeta por reglas de localización (art. 69 LIVA). Inversión del sujeto pasivo',
  },
  export: {
    taxes: ['01', '03'],
    treatments: ['E2', 'E3'],
    keys: ['02'],
    defaultKey: '02',
    mention: 'Exportación exenta (art. 21 LIVA)',
  },
  other: { taxes: ['05'], treatments: ['S1'], defaultKey: null, mention: null },
};

/**
 * The regime keys that can be declared: lists L8A (IVA) and L8B (IGIC, plus 20 and 21), and the agency's own list for
 * IPSI (3.1.3.15.6). Left out on purpose: `UNSUPPORTED_KEYS`.
 */
const KEYS: Readonly<Record<AgencyTax, readonly string[]>> = {
  '01': ['01', '02', '04', '07', '08', '10', '11', '15', '17', '18', '19', '20'],
  '02': ['01', '08', '11', '18', '19', '20'],
  '03': ['01', '02', '04', '07', '08', '10', '11', '15', '17', '18', '19', '20', '21'],
  '05': [],
};

/**
 * Keys that no invoice here can have, with what they are for and why (docs/guides/taxes.md#not-supported): the base of 03, 05 and 09 is a margin or a
 * commission and not the line's total, 06 needs a base at cost (agency code 1202), 14 an operation date after the issue (1147).
 */
const UNSUPPORTED_KEYS: Readonly<Record<string, string>> = {
  '03': 'used goods and works of art, taxed by the margin (LIVA arts. 135 to 139)',
  '05': 'travel agencies, taxed by the margin (LIVA arts. 141 to 147)',
  '06': 'groups of entities at the advanced level (LIVA art. 163 octies)',
  '09': 'travel agencies that invoice for others (RD 1619/2012, additional provision 4)',
  '14': 'works for public bodies whose tax is not due yet (LIVA art. 75.Uno.2 bis)',
};

type Pair = {
  readonly taxes: readonly AgencyTax[];
  readonly key: string;
  readonly allowed: readonly Treatment[];
  /** Which rule says so: a section of the validations. */
  readonly source: string;
};

const VAT_AND_IGIC: readonly AgencyTax[] = ['01', '03'];

/** The treatments that a key allows (validations 3.1.3.15.5 and 15.6.1 to 15.6.11); a key not listed allows all. */
const PAIRS: readonly Pair[] = [
  // 1199: exports and the like have their own key.
  {
    taxes: VAT_AND_IGIC,
    key: '01',
    allowed: ['S1', 'S2', 'N1', 'N2', 'E1', 'E4', 'E5', 'E6', 'E7', 'E8'],
    source: '15.5',
  },
  { taxes: VAT_AND_IGIC, key: '02', allowed: EXEMPTIONS, source: '15.6.1' },
  { taxes: VAT_AND_IGIC, key: '04', allowed: ['S2', ...EXEMPTIONS], source: '15.6.3' },
  { taxes: VAT_AND_IGIC, key: '07', allowed: ['S1', 'E1', 'E6', 'E7', 'E8'], source: '15.6.5' },
  { taxes: VAT_AND_IGIC, key: '08', allowed: ['N2'], source: '15.6.6' },
  { taxes: VAT_AND_IGIC, key: '10', allowed: ['N1'], source: '15.6.7' },
  // 1206: only 21 %, so nothing without a rate.
  { taxes: ['01'], key: '11', allowed: ['S1'], source: '15.6.8' },
  { taxes: ['01'], key: '17', allowed: ['N2'], source: '15.6' },
  // The IGIC regimes of the small trader and of art. 25 Ley 19/1994 are exemptions.
  { taxes: ['03'], key: '18', allowed: EXEMPTIONS, source: '15.6' },
  { taxes: ['03'], key: '19', allowed: EXEMPTIONS, source: '15.6' },
  { taxes: ['03'], key: '20', allowed: ['N2'], source: '15.6.10' },
  // IPSI: operations subject to another tax, and domestic exempt ones.
  { taxes: ['02'], key: '08', allowed: ['N1', 'N2'], source: '15.6' },
  { taxes: ['02'], key: '19', allowed: EXEMPTIONS, source: '15.6' },
];

export function isExemption(treatment: Treatment): treatment is Exemption {
  return treatment.startsWith('E');
}

const fault = (field: string, message: string): FieldIssue => ({ field, code: 'invalid_value', message });
const oneOf = (values: readonly string[]) =>
  `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;

/** What the agency would reject of such a line, whatever its amounts and its invoice; empty if nothing. */
export function classificationFaults(row: Classification): FieldIssue[] {
  const shape = SHAPES[row.taxType];
  if (!shape.taxes.includes(row.agencyTax)) {
    return [fault('agencyTax', oneOf(shape.taxes.map((code) => `${code} ${TAX_NAMES[code]}`)))];
  }
  const faults = keyFaults(row);
  if ((row.operationClass === null) === (row.exemption === null)) {
    return [...faults, fault('operationClass', 'exactly one of class and exemption must be set')];
  }
  const treatment = (row.operationClass ?? row.exemption)!;
  const unfit = treatmentFault(row, shape, treatment);
  if (unfit !== null) {
    return [...faults, fault(row.operationClass === null ? 'exemption' : 'operationClass', unfit)];
  }
  const pair = PAIRS.find(({ taxes, key }) => key === row.regimeKey && taxes.includes(row.agencyTax));
  if (faults.length === 0 && pair !== undefined && !pair.allowed.includes(treatment)) {
    const admitted = `${row.regimeKey} does not admit ${treatment}, only ${pair.allowed.join(', ')}`;
    return [fault('regimeKey', `${admitted} (validations 3.1.3.${pair.source})`)];
  }
  return faults;
}

function keyFaults({ taxType, agencyTax, regimeKey }: Classification): FieldIssue[] {
  if (agencyTax === '05') {
    return regimeKey === null
      ? []
      : [fault('regimeKey', 'must be absent for other taxes (validations 3.1.3.15.6)')];
  }
  if (regimeKey === null) return [{ ...fault('regimeKey', 'is required'), code: 'required' }];
  const allowed = KEYS[agencyTax].filter((key) => isKeyOf(taxType, agencyTax, key));
  if (allowed.includes(regimeKey)) return [];
  const meaning = UNSUPPORTED_KEYS[regimeKey];
  const unsupported =
    meaning === undefined
      ? ''
      : `${regimeKey} is for ${meaning}, which is not supported (${NOT_SUPPORTED}); it `;
  return [fault('regimeKey', `${unsupported}${oneOf(allowed)} of ${taxType} (${TAX_NAMES[agencyTax]})`)];
}

function isKeyOf(taxType: TaxType, agencyTax: AgencyTax, key: string): boolean {
  // Art. 25 Ley 19/1994 (IGIC) and domestic exemptions (IPSI); 19 of IVA is the regime of farmers, whose sales are not exempt (LIVA art. 130).
  if (taxType === 'es_exempt' && agencyTax === '01' && key === '19') return false;
  const { keys } = SHAPES[taxType];
  return keys === undefined || keys.includes(key);
}

/** Validations 3.1.3.15.5 and 5.2; E5 of IVA is an intra-EU supply, whose buyer has no NIF (1289): the type `eu_b2b`. */
function treatmentFault(
  { taxType, agencyTax }: Classification,
  { treatments }: Shape,
  treatment: Treatment,
): string | null {
  const ofTax = treatments.filter((one) => {
    if (one === 'E7' || one === 'E8') return agencyTax === '03';
    return one !== 'E5' || taxType === 'eu_b2b' || agencyTax !== '01';
  });
  if (ofTax.includes(treatment)) return null;
  return `${oneOf(ofTax)} of ${taxType} (${TAX_NAMES[agencyTax]}; validations 3.1.3.15.5 and 5.2)`;
}
