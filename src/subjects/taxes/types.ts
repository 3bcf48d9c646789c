/** The tax types of the contract (docs/contract.md#lines), in its order. */
export const TAX_TYPES = [
  'vat',
  'igic',
  'ipsi',
  'es_recargo_equivalencia',
  'es_exempt',
  'es_inversion_sujeto_pasivo',
  'es_non_taxable',
  'es_non_taxable_localization',
  'eu_oss',
  'eu_b2b',
  'eu_b2b_services',
  'export',
  'other',
] as const;

export type TaxType = (typeof TAX_TYPES)[number];

/** The properties of a tax type, independent of the merchant's catalog. */
export type TaxTypeRules = {
  /** A rated type requires a rate; the others have none, or 0. */
  readonly rated: boolean;
  /** Its operation cannot be declared without a recipient (agency code 1197; law of intra-EU supplies). */
  readonly needsIdentifiedRecipient: boolean;
  /** Its printed name unless the catalog has another; on rated types the rate follows. */
  readonly printedName: string;
};

const rated = (printedName: string): TaxTypeRules => ({
  rated: true,
  needsIdentifiedRecipient: false,
  printedName,
});
const free = (printedName: string): TaxTypeRules => ({
  rated: false,
  needsIdentifiedRecipient: false,
  printedName,
});
const freeForIdentified = (printedName: string): TaxTypeRules => ({
  rated: false,
  needsIdentifiedRecipient: true,
  printedName,
});

/**
 * The rules of each type. Exports and services located abroad do not need an identified recipient: the agency does
 * not request one, and a tourist's export is an everyday ticket.
 */
export const taxTypes: Readonly<Record<TaxType, TaxTypeRules>> = {
  vat: rated('IVA'),
  igic: rated('IGIC'),
  ipsi: rated('IPSI'),
  es_recargo_equivalencia: rated('R.E.'),
  es_exempt: free('Exento'),
  es_inversion_sujeto_pasivo: freeForIdentified('Inversión del sujeto pasivo'),
  es_non_taxable: free('No sujeto'),
  es_non_taxable_localization: free('No sujeto por reglas de localización'),
  eu_oss: rated('IVA OSS'),
  eu_b2b: freeForIdentified('Entrega intracomunitaria'),
  eu_b2b_services: freeForIdentified('Servicio intracomunitario'),
  export: free('Exportación'),
  other: rated('Impuesto'),
};

/** The agency's Impuesto: IVA, IPSI, IGIC, others (list L1 of Orden HAC/1177/2024). */
export const AGENCY_TAXES = ['01', '02', '03', '05'] as const;
export type AgencyTax = (typeof AGENCY_TAXES)[number];

/** The agency's CalificacionOperacion: taxed, reverse charge, not subject, not subject by place of supply (L9). */
export const OPERATION_CLASSES = ['S1', 'S2', 'N1', 'N2'] as const;
export type OperationClass = (typeof OPERATION_CLASSES)[number];

/** The agency's OperacionExenta (L10); E7 and E8 exist for IGIC only. */
export const EXEMPTIONS = ['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'] as const;
export type Exemption = (typeof EXEMPTIONS)[number];

/** The agency's ClaveRegimen as its schema lists them (IdOperacionesTrascendenciaTributariaType): what a key means depends on the tax (L8A, L8B). */
export const REGIME_KEYS = [
  ...(['01', '02', '03', '04', '05', '06', '07', '08', '09'] as const),
  ...(['10', '11', '14', '15', '17', '18', '19', '20', '21'] as const),
] as const;

/** What a line says of its own classification, instead of its type's row of the catalog. A class or an exemption replaces both of the row's. */
export type Said = {
  readonly regimeKey?: string | null | undefined;
  readonly operationClass?: OperationClass | null | undefined;
  readonly exemption?: Exemption | null | undefined;
};
