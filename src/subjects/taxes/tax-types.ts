import type { Day } from '../../ground/lib/calendar.ts';
import { type BasisPoints, percentageOf } from '../../ground/lib/money.ts';
import { type Classification, classificationFaults } from './agency-matrix.ts';
import type { CatalogRow, TaxCatalog } from './catalog.ts';
import { listedRates } from './rates.ts';
import { joinsSurcharge, SURCHARGE, surchargeRate } from './surcharge.ts';
import { EXEMPTIONS, OPERATION_CLASSES, REGIME_KEYS, TAX_TYPES, type TaxType, taxTypes } from './types.ts';

/** What a line may say of its classification, and whether that is what a line that says nothing gets. */
type OfferedTreatment = Pick<Classification, 'regimeKey' | 'operationClass' | 'exemption'> & {
  readonly isDefault: boolean;
};

/** What lines of a tax type may say: percentages (none of a type without tax, null for any), with the surcharge that joins each, and how they are declared. */
export type OfferedTax = {
  readonly type: TaxType;
  readonly rates: readonly number[] | null;
  readonly surcharges: readonly { readonly rate: number; readonly surcharge: number }[] | null;
  readonly treatments: readonly OfferedTreatment[];
};

const DECLARED = [
  ...OPERATION_CLASSES.map((operationClass) => ({ operationClass, exemption: null })),
  ...EXEMPTIONS.map((exemption) => ({ operationClass: null, exemption })),
];

/** The tax types of a company's catalog with what is accepted of each on that day. */
export function offeredTaxes(catalog: TaxCatalog, day: Day): OfferedTax[] {
  return TAX_TYPES.flatMap((type) => {
    const row = catalog.get(type);
    return row === undefined ? [] : [offered(row, day)];
  });
}

function offered(row: CatalogRow, day: Day): OfferedTax {
  const { taxType: type } = row;
  const pairs = surchargesOn(day);
  return {
    type,
    rates: ratesOf(type, day, pairs),
    surcharges: joinsSurcharge(type) ? pairs : null,
    treatments: treatmentsOf(row),
  };
}

type Pair = { readonly rate: number; readonly surcharge: number };

function ratesOf(type: TaxType, day: Day, pairs: readonly Pair[]): readonly number[] | null {
  if (!taxTypes[type].rated) return [];
  if (type === SURCHARGE) return ascending(pairs.map(({ surcharge }) => surcharge));
  const listed = listedRates(type, day);
  return listed === null ? null : ascending(listed.map(percentageOf));
}

/** The rates of vat that have a surcharge, each with it. */
function surchargesOn(day: Day): Pair[] {
  return [...(listedRates('vat', day) ?? [])].flatMap((rate: BasisPoints) => {
    const surcharge = surchargeRate('vat', rate, day);
    return surcharge === null ? [] : [{ rate: percentageOf(rate), surcharge: percentageOf(surcharge) }];
  });
}

const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

/** Each key with each class and exemption that the agency takes of the tax that the company declares the type as. */
function treatmentsOf(row: CatalogRow): OfferedTreatment[] {
  return [...REGIME_KEYS, null]
    .flatMap((regimeKey) => DECLARED.map((declared) => ({ regimeKey, ...declared })))
    .filter((said) => classificationFaults({ ...row, ...said }).length === 0)
    .map((said) => ({
      ...said,
      isDefault:
        said.regimeKey === row.regimeKey &&
        said.operationClass === row.operationClass &&
        said.exemption === row.exemption,
    }));
}
