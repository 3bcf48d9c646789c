import { type GraphQLEnumType, isEnumType } from 'graphql';
import { schema } from '../graphql/schema.ts';
import type { EnumOf } from '../graphql/typed-documents.ts';
import { stored } from './query.ts';
import { say } from './words.ts';

type TaxType = EnumOf<'TaxType'>;

/** How one tax type of a company is declared, as GraphQL gives it. */
export type TaxRow = {
  readonly taxType: TaxType;
  readonly agencyTax: EnumOf<'AgencyTax'>;
  readonly regimeKey: string | null;
  readonly operationClass: string | null;
  readonly exemption: string | null;
  readonly label: string;
  readonly legalMention: string | null;
};

export const TAX_CATALOG = stored(`query ConsoleTaxCatalog($companyId: ID!) {
  taxCatalog(companyId: $companyId) {
    taxType agencyTax regimeKey operationClass exemption label legalMention
  }
}`);

const types: GraphQLEnumType | undefined = [schema.getType('TaxType')].find(isEnumType);

/** Every tax type that there is. */
export const TAX_TYPES: readonly string[] = types!.getValues().map(({ name }) => name);

export function isTaxType(text: string): text is TaxType {
  return TAX_TYPES.includes(text);
}

/** Impuesto, list L1 of Orden HAC/1177/2024. */
export const AGENCY_TAXES = [
  ['vat', '01 IVA'],
  ['ipsi', '02 IPSI'],
  ['igic', '03 IGIC'],
  ['other', '05 Others'],
] as const;

/** What a tax is called, with its key. */
export function agencyTaxName(tax: TaxRow['agencyTax']): string {
  return say(AGENCY_TAXES.find(([key]) => key === tax)![1]);
}

/** CalificacionOperacion, list L9. */
export const CLASSES = [
  ['', 'None: exempt'],
  ['S1', 'S1 taxed'],
  ['S2', 'S2 reverse charge'],
  ['N1', 'N1 not subject'],
  ['N2', 'N2 not subject by place of supply'],
] as const;

/** OperacionExenta, list L10. */
export const EXEMPTIONS = [
  ['', 'None: not exempt'],
  ['E1', 'E1 by art. 20 LIVA'],
  ['E2', 'E2 by art. 21'],
  ['E3', 'E3 by art. 22'],
  ['E4', 'E4 by arts. 23 and 24'],
  ['E5', 'E5 by art. 25'],
  ['E6', 'E6 by others'],
  ['E7', 'E7 (IGIC)'],
  ['E8', 'E8 (IGIC)'],
] as const;
