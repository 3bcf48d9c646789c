import { isRefusal, type Outcome, type Refusal } from '../../../ground/errors/refusal.ts';
import type { InvoiceContent, PrintedLine, PrintedTaxItem } from '../../documents/content.ts';
import { withholdingOf } from '../../extensions/payable.ts';
import { declaredDetail, type TaxDetail } from '../../taxes/breakdown.ts';
import type { AgencyTax } from '../../taxes/types.ts';
import { notApplicable } from '../format.ts';
import type { FormatSource } from '../source.ts';
import type { XmlChildren } from '../xml.ts';
import { semanticInvoice } from './invoice.ts';
import type { SemanticInvoice } from './terms.ts';
import { type UblAdditions, ublOf } from './ubl.ts';

/**
 * UBL with the Spanish extensions of Orden HAC/1028/2026, Annex I (docs/decisions/12-structured-invoices.md names the
 * source): its schemas and rules are not published. It is therefore provisional, and unknown parts are as in
 * EN 16931. Corrections are all of type 384, with their own signs, and state the record's type and method.
 */
export function ublEsOf(source: FormatSource): Outcome<Buffer> {
  const { content, taxes } = source;
  const refusal = scopeRefusal(content);
  if (refusal !== null) return refusal;
  const invoice = semanticInvoice(source, 'as_corrected');
  if (isRefusal(invoice)) return invoice;
  const regimes = regimesOf(content.lines, taxes, invoice);
  return isRefusal(regimes) ? regimes : ublOf(invoice, additionsOf(content, regimes));
}

const FORMAT = 'UBL of Orden HAC/1028/2026';

/** BT-24 and BT-23. */
const SPECIFICATION = {
  'cbc:CustomizationID': 'urn:cen.eu:en16931:2026#conformant#urn:aeat.es:spfe:1.0.0:extended',
  'cbc:ProfileID': 'urn:aeat:names:specification:ubl:schema:profile:B2B',
};

/** Invoices that the Order is not about, and what it has no published syntax for. */
function scopeRefusal({ type, recipient, extensions }: InvoiceContent): Refusal | null {
  // The obligation applies between businesses (RD 238/2026), and a ticket is exchanged for an invoice that names
  // its buyer.
  if (type === 'simplified') {
    return notApplicable(FORMAT, 'BT-3', 'a simplified invoice is not one of those that the Order is about');
  }
  const country = recipient?.country ?? recipient?.taxIdCountry ?? null;
  if (country !== null && country !== 'ES') {
    return notApplicable(FORMAT, 'BT-55', 'the Order is about buyers that are established in Spain');
  }
  if (withholdingOf(extensions) !== null) {
    return notApplicable(FORMAT, 'BT-113', 'there is no published syntax for a withheld tax');
  }
  return null;
}

/** Name of each tax (BT-ES-24), and the regime keys that a line may have under it (lists L3A, L3B and L3C). */
const VAT_KEYS = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '11', '14', '15'];
const REGIME_KEYS: Readonly<Record<AgencyTax, readonly [tax: string, keys: readonly string[]] | null>> = {
  '01': ['IVA', VAT_KEYS],
  '02': ['IPSI', ['01', '08', '11', '19', '20']],
  '03': ['IGIC', [...VAT_KEYS, '17', '18', '19']],
  // EN 16931 knows no other tax.
  '05': null,
};

type Regime = { readonly tax: string; readonly key: string };

/** The regime of each line. Refuses keys and categories that the Order does not have. */
function regimesOf(
  lines: readonly PrintedLine[],
  taxes: readonly TaxDetail[],
  invoice: SemanticInvoice,
): Outcome<Regime[]> {
  const regimes: Regime[] = [];
  for (const [index, { taxItems }] of lines.entries()) {
    if (invoice.lines[index]!.category.code === 'K') {
      const detail = `line ${index + 1} is an intra-Community supply, for which the Order has no category`;
      return notApplicable(FORMAT, 'BT-151', detail);
    }
    const declared = detailOf(taxItems[0], taxItems[1]?.rate ?? null, taxes);
    const key = declared?.regimeKey ?? null;
    const known = declared === null ? null : REGIME_KEYS[declared.agencyTax];
    if (known === null || key === null || !known[1].includes(key)) {
      const detail =
        key === null
          ? `line ${index + 1} has no regime key`
          : `line ${index + 1} has the regime key ${key}, which the Order does not admit`;
      return notApplicable(FORMAT, 'BT-161', detail);
    }
    regimes.push({ tax: known[0], key });
  }
  return regimes;
}

/** How a line was declared: the detail of its tax, or of the only key that there is where it joined another. */
function detailOf(
  tax: PrintedTaxItem | undefined,
  surcharge: number | null,
  taxes: readonly TaxDetail[],
): TaxDetail | null {
  if (tax?.classified != null) return declaredDetail(taxes, tax) ?? null;
  const type = tax?.type;
  const own = taxes.filter((detail) => detail.type === type);
  const exact = own.find((detail) => detail.surchargeRate === surcharge) ?? own[0];
  if (exact !== undefined) return exact;
  const keys = new Set(taxes.map(({ agencyTax, regimeKey }) => `${agencyTax} ${regimeKey}`));
  return keys.size === 1 ? taxes[0]! : null;
}

function additionsOf(content: InvoiceContent, regimes: readonly Regime[]): UblAdditions {
  return {
    specification: SPECIFICATION,
    // BT-32: the NIF itself, as a registration of the tax office and not of VAT.
    taxOffice: {
      'cbc:CompanyID': { '#text': content.issuer.nif, '@schemeID': 'FC' },
      'cac:TaxScheme': { 'cbc:ID': 'LOC' },
    },
    documents: correctionOf(content),
    // BT-160 and BT-161: the standard's place for attributes of a line's item.
    item: (index) => ({
      'cac:AdditionalItemProperty': {
        ...{ 'cbc:Name': 'REGI', 'cbc:Value': regimes[index]!.key },
        'cbc:ValueQualifier': regimes[index]!.tax,
      },
    }),
  };
}

/** The record's type (list L2) and method (L3) of a correction, by its reason. */
const RECORD_TYPES = {
  correction: 'R1',
  insolvency: 'R2',
  uncollectible: 'R3',
  other: 'R4',
  volume_discount: 'R1',
} as const;

/**
 * BG-24: what the record says of a correction, as references that it describes (lists L2.A and L2.B). Not as their
 * type, which the published rules forbid (UBL-SR-43).
 */
function correctionOf({ kind, rectification }: InvoiceContent): XmlChildren[] {
  if (rectification?.reason == null) return [];
  const method = kind === 'rectifying_substitution' ? 'S' : 'I';
  return [
    { 'cbc:ID': 'RECT:TIPO', 'cbc:DocumentDescription': RECORD_TYPES[rectification.reason] },
    { 'cbc:ID': 'RECT:MODALIDAD', 'cbc:DocumentDescription': method },
  ];
}
