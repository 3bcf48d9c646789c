import type { FieldIssue } from '../../ground/errors/refusal.ts';
import { TAX_TYPES, type TaxType, taxTypes } from './types.ts';

/** The agency's Impuesto: IVA, IPSI, IGIC, others (list L1 of Orden HAC/1177/2024). */
export const AGENCY_TAXES = ['01', '02', '03', '05'] as const;
export type AgencyTax = (typeof AGENCY_TAXES)[number];
const TAX_NAMES: Readonly<Record<AgencyTax, string>> = {
  '01': 'IVA',
  '02': 'IPSI',
  '03': 'IGIC',
  '05': 'others',
};
/** The agency's CalificacionOperacion: taxed, reverse charge, not subject, not subject by place of supply (L9). */
export const OPERATION_CLASSES = ['S1', 'S2', 'N1', 'N2'] as const;
export type OperationClass = (typeof OPERATION_CLASSES)[number];
/** The agency's OperacionExenta (L10); E7 and E8 exist for IGIC only. */
export const EXEMPTIONS = ['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'] as const;
export type Exemption = (typeof EXEMPTIONS)[number];

/** How one tax type of a company is declared to the agency, and how it is printed. */
export type CatalogRow = {
  readonly taxType: TaxType;
  readonly agencyTax: AgencyTax;
  /** ClaveRegimen; null only where the agency forbids one (other taxes, code 1260). */
  readonly regimeKey: string | null;
  /** Exactly one of class and exemption is set (codes 1195 and 1196). */
  readonly operationClass: OperationClass | null;
  readonly exemption: Exemption | null;
  /** Printed on the line; on rated types the rate follows. */
  readonly label: string;
  /** Printed below the breakdown when the tax occurs. */
  readonly legalMention: string | null;
};

/** The tax classification of a company. A type without a row cannot be invoiced (`invalid_tax_data`). */
export type TaxCatalog = ReadonlyMap<TaxType, CatalogRow>;

type Treatment = OperationClass | Exemption;

/** The allowed values of a tax type; the first of each list is the default. */
type Shape = {
  readonly taxes: readonly AgencyTax[];
  readonly treatments: readonly Treatment[];
  /** The keys that the type may take; left out: whatever the agency allows for the tax and the treatment. */
  readonly keys?: readonly string[];
  readonly defaultKey: string | null;
  readonly mention: string | null;
};

/** Validations v1.2.2 of 2026-04-08, 3.1.3.15; FAQ v1.3 answers 23 and 24 for services abroad and intra-EU trade. */
const shapes: Readonly<Record<TaxType, Shape>> = {
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
    treatments: ['E1', 'E2', 'E3', 'E4', 'E6', 'E7', 'E8'],
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
 * IPSI (3.1.3.15.6). Left out on purpose: 03, 05 and 09, whose base is a margin and not the line's total; 06, which
 * needs a base at cost (1202); 14, which needs an operation date after the issue (1147).
 */
const KEYS: Readonly<Record<AgencyTax, readonly string[]>> = {
  '01': ['01', '02', '04', '07', '08', '10', '11', '15', '17', '18', '19', '20'],
  '02': ['01', '08', '11', '18', '19', '20'],
  '03': ['01', '02', '04', '07', '08', '10', '11', '15', '17', '18', '19', '20', '21'],
  '05': [],
};

type Pair = {
  readonly taxes: readonly AgencyTax[];
  readonly key: string;
  readonly allowed: readonly Treatment[];
};

const VAT_AND_IGIC: readonly AgencyTax[] = ['01', '03'];

/** The treatments that a key allows (validations 3.1.3.15.5 and 15.6.1 to 15.6.11); a key not listed allows all. */
const pairs: readonly Pair[] = [
  // 1199: exports and the like have their own key.
  { taxes: VAT_AND_IGIC, key: '01', allowed: ['S1', 'S2', 'N1', 'N2', 'E1', 'E4', 'E5', 'E6', 'E7', 'E8'] },
  { taxes: VAT_AND_IGIC, key: '02', allowed: EXEMPTIONS },
  { taxes: VAT_AND_IGIC, key: '04', allowed: ['S2', ...EXEMPTIONS] },
  { taxes: VAT_AND_IGIC, key: '07', allowed: ['S1', 'E1', 'E6', 'E7', 'E8'] },
  { taxes: VAT_AND_IGIC, key: '08', allowed: ['N2'] },
  { taxes: VAT_AND_IGIC, key: '10', allowed: ['N1'] },
  // 1206: only 21 %, so nothing without a rate.
  { taxes: ['01'], key: '11', allowed: ['S1'] },
  { taxes: ['01'], key: '17', allowed: ['N2'] },
  // The IGIC regimes of the small trader and of art. 25 Ley 19/1994 are exemptions.
  { taxes: ['03'], key: '18', allowed: EXEMPTIONS },
  { taxes: ['03'], key: '19', allowed: EXEMPTIONS },
  { taxes: ['03'], key: '20', allowed: ['N2'] },
  // IPSI: operations subject to another tax, and domestic exempt ones.
  { taxes: ['02'], key: '08', allowed: ['N1', 'N2'] },
  { taxes: ['02'], key: '19', allowed: EXEMPTIONS },
];

/** Printed on a line of a table: longer labels do not fit its column. */
const LONGEST_LABEL = 60;
/** Printed as one paragraph. */
const LONGEST_MENTION = 300;

/** The initial row of every company for a type. */
function defaultRow(taxType: TaxType): CatalogRow {
  const shape = shapes[taxType];
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

function isExemption(treatment: Treatment): treatment is Exemption {
  return treatment.startsWith('E');
}

/** The classification that a new company gets: a row for each of the thirteen types. */
export const defaultTaxCatalog: TaxCatalog = new Map(TAX_TYPES.map((type) => [type, defaultRow(type)]));

const fault = (field: string, code: string, message: string): FieldIssue => ({ field, code, message });
const oneOf = (values: readonly string[]) =>
  `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;

/**
 * What is wrong with an edited row: everything that the agency would reject on every invoice that uses it, and
 * labels that cannot be printed. Empty when the row is valid.
 */
export function catalogRowFaults(row: CatalogRow): FieldIssue[] {
  return [...classificationFaults(row), ...textFaults(row)];
}

function classificationFaults(row: CatalogRow): FieldIssue[] {
  const shape = shapes[row.taxType];
  if (!shape.taxes.includes(row.agencyTax)) {
    const taxes = shape.taxes.map((code) => `${code} ${TAX_NAMES[code]}`);
    return [fault('agencyTax', 'invalid_value', oneOf(taxes))];
  }
  const faults = keyFaults(row, shape);
  if ((row.operationClass === null) === (row.exemption === null)) {
    return [
      ...faults,
      fault('operationClass', 'invalid_value', 'exactly one of class and exemption must be set'),
    ];
  }
  const field = row.operationClass === null ? 'exemption' : 'operationClass';
  const treatment = (row.operationClass ?? row.exemption)!;
  if (!shape.treatments.includes(treatment)) {
    faults.push(fault(field, 'invalid_value', `of ${row.taxType} ${oneOf(shape.treatments)}`));
  } else if ((treatment === 'E7' || treatment === 'E8') && row.agencyTax !== '03') {
    faults.push(fault(field, 'invalid_value', 'E7 and E8 exist for IGIC only'));
  }
  const pair = pairs.find(({ taxes, key }) => key === row.regimeKey && taxes.includes(row.agencyTax));
  if (faults.length === 0 && pair !== undefined && !pair.allowed.includes(treatment)) {
    faults.push(fault('regimeKey', 'invalid_value', `${row.regimeKey} does not admit ${treatment}`));
  }
  return faults;
}

function keyFaults({ taxType, agencyTax, regimeKey }: CatalogRow, shape: Shape): FieldIssue[] {
  if (agencyTax === '05') {
    return regimeKey === null ? [] : [fault('regimeKey', 'invalid_value', 'must be absent for other taxes')];
  }
  if (regimeKey === null) return [fault('regimeKey', 'required', 'is required')];
  const allowed = KEYS[agencyTax].filter((key) => shape.keys === undefined || shape.keys.includes(key));
  if (allowed.includes(regimeKey)) return [];
  return [fault('regimeKey', 'invalid_value', `of ${taxType} ${oneOf(allowed)}`)];
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
