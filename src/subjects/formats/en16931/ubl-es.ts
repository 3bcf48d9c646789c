import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { type Cents, decimalAmount, decimalRate } from '../../../ground/lib/money.ts';
import type { InvoiceContent } from '../../documents/content.ts';
import { withholdingOf } from '../../extensions/payable.ts';
import type { TaxDetail } from '../../taxes/breakdown.ts';
import { notApplicable } from '../format.ts';
import type { FormatSource } from '../source.ts';
import type { XmlChildren } from '../xml.ts';
import { semanticInvoice } from './invoice.ts';
import { type UblAdditions, ublOf } from './ubl.ts';

/**
 * UBL with the Spanish extensions of Orden HAC/1028/2026, Annex I, as far as known from quotations: its schemas,
 * rules and specification identifier (BT-24) are not published. It is therefore provisional, and unknown parts are
 * as in EN 16931. Corrections are all of type 384, with their own signs, and state the record's type and method.
 */
export function ublEsOf(source: FormatSource): Outcome<Buffer> {
  const { content, taxes } = source;
  // The obligation applies between businesses (RD 238/2026), and a ticket is exchanged for an invoice that names
  // its buyer.
  if (content.type === 'simplified') {
    return notApplicable(FORMAT, 'BT-3', 'a simplified invoice is not one of those that the Order is about');
  }
  const invoice = semanticInvoice(source, 'as_corrected');
  return isRefusal(invoice) ? invoice : ublOf(invoice, additionsOf(content, taxes));
}

const FORMAT = 'UBL of Orden HAC/1028/2026';

function additionsOf(content: InvoiceContent, taxes: readonly TaxDetail[]): UblAdditions {
  const keys = content.lines.map(({ taxItems }) =>
    regimeKeyOf(taxItems[0]?.type, taxItems[1]?.rate ?? null, taxes),
  );
  return {
    // BT-32: the NIF itself, as a registration of the tax office and not of VAT.
    taxOffice: {
      'cbc:CompanyID': { '#text': content.issuer.nif, '@schemeID': 'FC' },
      'cac:TaxScheme': { 'cbc:ID': 'LOC' },
    },
    ...withholdingElements(content),
    preceding: recordOf(content),
    // BG-32: the standard's place for attributes of a line's item.
    item: (index) => {
      const key = keys[index];
      return key == null
        ? undefined
        : { 'cac:AdditionalItemProperty': { 'cbc:Name': 'ClaveRegimen', 'cbc:Value': key } };
    },
  };
}

/** IRPF as a withheld tax (scheme WTH). */
function withholdingElements({ extensions, currency }: InvoiceContent): UblAdditions {
  const withheld = withholdingOf(extensions);
  if (withheld === null) return {};
  const money = (cents: Cents) => ({ '#text': decimalAmount(cents), '@currencyID': currency.toUpperCase() });
  return {
    withholding: {
      'cbc:TaxAmount': money(withheld.amount),
      'cac:TaxSubtotal': {
        'cbc:TaxableAmount': money(withheld.base),
        'cbc:TaxAmount': money(withheld.amount),
        'cac:TaxCategory': {
          'cbc:Percent': decimalRate(withheld.rate),
          'cac:TaxScheme': { 'cbc:ID': 'WTH' },
        },
      },
    },
  };
}

/** The regime key that a line was declared with: that of its tax, or of the detail that joined it. */
function regimeKeyOf(
  type: string | undefined,
  surcharge: number | null,
  taxes: readonly TaxDetail[],
): string | null {
  const own = taxes.filter((detail) => detail.type === type);
  const exact = own.find((detail) => detail.surchargeRate === surcharge) ?? own[0];
  if (exact !== undefined) return exact.regimeKey;
  const keys = new Set(taxes.map(({ regimeKey }) => regimeKey));
  return keys.size === 1 ? [...keys][0]! : null;
}

/** The record's type (list L2) and method (L3) of a correction, by its reason. */
const RECORD_TYPES = { correction: 'R1', insolvency: 'R2', uncollectible: 'R3', other: 'R4' } as const;

function recordOf({ kind, rectification }: InvoiceContent): XmlChildren {
  if (rectification?.reason == null) return {};
  return {
    'cbc:DocumentTypeCode': RECORD_TYPES[rectification.reason],
    'cbc:DocumentDescription': kind === 'rectifying_substitution' ? 'S' : 'I',
  };
}
