import type { FieldIssue } from '../../ground/errors/refusal.ts';
import { classificationFaults, TAX_NAMES } from './agency-matrix.ts';
import type { CatalogRow } from './catalog.ts';
import {
  AGENCY_TAXES,
  type AgencyTax,
  EXEMPTIONS,
  type Exemption,
  type OperationClass,
  type Said,
} from './types.ts';

/** The parts that are said, and no others. */
export function saidOf({ regimeKey, operationClass, exemption }: Said): Said | null {
  if (regimeKey == null && operationClass == null && exemption == null) return null;
  return {
    ...(regimeKey == null ? {} : { regimeKey }),
    ...(operationClass == null ? {} : { operationClass }),
    ...(exemption == null ? {} : { exemption }),
  };
}

/** Whether two lines say the same. */
export function saysTheSame(one: Said, other: Said): boolean {
  return (
    (one.regimeKey ?? null) === (other.regimeKey ?? null) &&
    (one.operationClass ?? null) === (other.operationClass ?? null) &&
    (one.exemption ?? null) === (other.exemption ?? null)
  );
}

/** The row of a line, or what the agency would reject of it. */
export type Classified = { readonly row: CatalogRow } | { readonly faults: readonly FieldIssue[] };

/** Rows of catalogs are few and what lines say is one of few combinations: each is checked once. */
const known = new WeakMap<CatalogRow, Map<string, Classified>>();

/** How a line is classified that says so much of itself, given the row of its type. */
export function classified(row: CatalogRow, said: Said | null): Classified {
  const key =
    said === null ? '' : `${said.regimeKey ?? ''} ${said.operationClass ?? ''} ${said.exemption ?? ''}`;
  let of = known.get(row);
  if (of === undefined) {
    of = new Map();
    known.set(row, of);
  }
  let found = of.get(key);
  if (found === undefined) {
    found = classify(row, said ?? {});
    of.set(key, found);
  }
  return found;
}

function classify(row: CatalogRow, { regimeKey, operationClass, exemption }: Said): Classified {
  const replaces = operationClass != null || exemption != null;
  const whole: CatalogRow = {
    ...row,
    regimeKey: regimeKey ?? row.regimeKey,
    operationClass: replaces ? (operationClass ?? null) : row.operationClass,
    exemption: replaces ? (exemption ?? null) : row.exemption,
  };
  const faults = classificationFaults(whole);
  if (faults.length > 0) return { faults };
  // The company's own words are for the cause that its row states.
  const mention = whole.exemption === row.exemption ? row.legalMention : null;
  return { row: { ...whole, legalMention: mention ?? exemptMention(whole) } };
}

/** The key and the class or cause of a detail of the breakdown, `08 N2`: what a line names that says its own. */
export function classifiedAs(detail: {
  readonly regimeKey: string | null;
  readonly operationClass: OperationClass | null;
  readonly exemption: Exemption | null;
}): string {
  return `${detail.regimeKey ?? '-'} ${detail.operationClass ?? detail.exemption}`;
}

/**
 * What is printed of an exemption whose row has no words of its own: RD 1619/2012 art. 6.1.j requires the provision or the statement that it is exempt.
 */
function exemptMention({ agencyTax, exemption }: CatalogRow): string | null {
  const provision = provisionOf(agencyTax, exemption);
  if (provision === null) return null;
  return printedOf(agencyTax, exemption!, provision);
}

function printedOf(agencyTax: AgencyTax, exemption: Exemption, provision: string): string {
  const words = agencyTax === '01' ? WORDS_OF_VAT[exemption] : undefined;
  return `${words ?? `Operación exenta del ${TAX_NAMES[agencyTax]}`} (${provision})`;
}

const WORDS_OF_VAT: Readonly<Partial<Record<Exemption, string>>> = {
  E2: 'Exportación exenta',
  E3: 'Operación asimilada a la exportación, exenta del IVA',
  E5: 'Entrega intracomunitaria exenta',
};

export type ExemptMention = {
  readonly agencyTax: AgencyTax;
  readonly exemption: Exemption;
  readonly provision: string;
};

/** The parts of what is printed of an exemption without a company's own words, for documents that say it in another language too; null for other words. */
export function partsOfMention(mention: string): ExemptMention | null {
  partsByMention ??= new Map(
    AGENCY_TAXES.flatMap((agencyTax) =>
      EXEMPTIONS.flatMap((exemption) => {
        const provision = provisionOf(agencyTax, exemption);
        return provision === null
          ? []
          : [[printedOf(agencyTax, exemption, provision), { agencyTax, exemption, provision }] as const];
      }),
    ),
  );
  return partsByMention.get(mention) ?? null;
}

let partsByMention: ReadonlyMap<string, ExemptMention> | undefined;

/** The provision that exempts an operation; null where the tax has no such cause. */
export function provisionOf(agencyTax: AgencyTax, exemption: Exemption | null): string | null {
  return exemption === null ? null : (PROVISIONS[agencyTax][exemption] ?? null);
}

const TEXT_OF_2025 = 'Decreto Legislativo 1/2025 de Canarias';

/** Validations v1.2.2 of 2026-04-08, 5.2.1 to 5.2.3. */
const PROVISIONS: Readonly<Record<AgencyTax, Readonly<Partial<Record<Exemption, string>>>>> = {
  '01': {
    E1: 'art. 20 LIVA',
    E2: 'art. 21 LIVA',
    E3: 'art. 22 LIVA',
    E4: 'arts. 23 y 24 LIVA',
    E5: 'art. 25 LIVA',
    E6: 'Ley 37/1992',
  },
  '02': {
    E1: 'art. 7 Ley 8/1991',
    E2: 'art. 8 Ley 8/1991',
    E3: 'art. 8 Ley 8/1991',
    E4: 'arts. 9 y 10 Ley 8/1991',
    E5: 'art. 8 Ley 8/1991',
    E6: 'Ley 8/1991',
  },
  '03': {
    E1: `capítulo I del ${TEXT_OF_2025}`,
    E2: 'art. 11 Ley 20/1991',
    E3: 'art. 12 Ley 20/1991',
    E4: 'art. 13 Ley 20/1991',
    E5: 'art. 25 Ley 19/1994',
    E6: 'art. 47 Ley 19/1994',
    E7: `art. 90 del ${TEXT_OF_2025}`,
    E8: 'Ley 20/1991',
  },
  '05': {},
};
