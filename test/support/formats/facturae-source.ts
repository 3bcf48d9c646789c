import { type BasisPoints, type Cents, decimalAmount, percentOf } from '../../../src/ground/lib/money.ts';
import type { FacturaeSource, SourceLine, SourceTax } from '../../../src/subjects/formats/facturae/source.ts';

const details: Readonly<Record<string, SourceTax>> = Object.fromEntries(
  (
    [
      ['vat', '01', 'S1', null, null],
      ['igic', '03', 'S1', null, null],
      ['ipsi', '02', 'S1', null, null],
      ['other', '05', 'S1', null, null],
      ['es_exempt', '01', null, 'E1', 'Operación exenta del IVA (art. 20 LIVA)'],
      ['es_inversion_sujeto_pasivo', '01', 'S2', null, null],
      ['es_non_taxable', '01', 'N1', null, 'Operación no sujeta (art. 7 LIVA)'],
      ['es_non_taxable_localization', '01', 'N2', null, null],
      ['eu_oss', '01', 'N2', null, 'Ventanilla única'],
      ['eu_b2b', '01', null, 'E5', 'Entrega intracomunitaria exenta (art. 25 LIVA)'],
      ['eu_b2b_services', '01', 'N2', null, 'No sujeta (art. 69 LIVA)'],
      ['export', '01', null, 'E2', 'Exportación exenta (art. 21 LIVA)'],
    ] as const
  ).map(([type, agencyTax, operationClass, exemption, legalMention]) => [
    type,
    { type, agencyTax, regimeKey: '01', operationClass, exemption, legalMention },
  ]),
);

export const TAX_KINDS = Object.keys(details);

/** How a tax of that type is declared. */
export const declared = (type: string, more: Partial<SourceTax> = {}): SourceTax => ({
  ...details[type]!,
  ...more,
});

/** A line as it would be sealed. */
export function sourceLine(
  unitPrice: Cents,
  given: {
    readonly quantity?: number;
    readonly type?: string;
    readonly rate?: BasisPoints;
    readonly surcharge?: BasisPoints;
    readonly sku?: string;
    readonly unit?: string;
    readonly description?: string;
  } = {},
): SourceLine {
  const { quantity = 1, type = 'vat', rate = 2100, surcharge, sku, unit, description } = given;
  const subtotal = quantity * unitPrice;
  return {
    description: description ?? 'Servicio de mantenimiento',
    sku: sku ?? null,
    quantity: String(quantity),
    unitPrice: decimalAmount(unitPrice),
    unit: unit ?? null,
    subtotal,
    tax: { type, rate, amount: percentOf(subtotal, rate) },
    surcharge: surcharge === undefined ? null : { rate: surcharge, amount: percentOf(subtotal, surcharge) },
  };
}

export const COMPANY_BUYER: NonNullable<FacturaeSource['recipient']> = {
  name: 'Ana Müller García',
  companyName: 'Construcciones del Norte SA',
  taxId: 'A58818501',
  taxIdType: 'es_nif',
  taxIdCountry: 'ES',
  line1: 'Avenida de la Constitución 25',
  line2: '3.º B',
  postalCode: '33201',
  city: 'Gijón',
  country: 'ES',
};

/** An ordinary invoice between companies; breakdown and totals follow from its lines. */
export function facturaeSource(given: Partial<FacturaeSource> = {}): FacturaeSource {
  const lines = given.lines ?? [sourceLine(10_000)];
  const subtotal = lines.reduce((sum, line) => sum + line.subtotal, 0);
  const tax = lines.reduce((sum, line) => sum + line.tax.amount + (line.surcharge?.amount ?? 0), 0);
  return {
    environment: 'live',
    type: 'complete',
    kind: 'original',
    number: 'F-2026-17',
    language: 'es',
    issuedOn: '2026-07-01',
    operationOn: null,
    dueOn: null,
    issuer: {
      nif: 'B72877814',
      legalName: 'Talleres Ñandú & Cía SL',
      line1: 'Calle Mayor 1',
      line2: null,
      postalCode: '28001',
      city: 'Madrid',
      country: 'ES',
    },
    issuedBy: null,
    recipient: COMPANY_BUYER,
    breakdown: [...new Set(lines.map((line) => line.tax.type))].map((type) => declared(type)),
    withholding: null,
    disbursements: [],
    payment: null,
    references: { purchaseOrder: null, buyerReference: null, contract: null, project: null },
    delivery: null,
    notes: null,
    rectification: null,
    exchanged: [],
    imported: false,
    voidedOn: null,
    qrUrl:
      'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-17&fecha=01-07-2026&importe=121',
    ...given,
    lines,
    subtotal,
    tax,
    total: subtotal + tax,
  };
}
