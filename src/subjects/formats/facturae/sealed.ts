import type { PrintedLine } from '../../documents/content.ts';
import { netPrice } from '../net-price.ts';
import type { FormatSource } from '../source.ts';
import type { FacturaeSource, SourceLine } from './source.ts';

/** The source of a Facturae document, from the sealed invoice. */
export function facturaeSource({ content, taxes }: FormatSource): FacturaeSource {
  const { rectification, extensions } = content;
  const { payment, references } = extensions;
  const { withholding_rate: rate, withholding_base: base, withholding_amount: amount } = extensions;
  return {
    environment: content.environment,
    type: extensions.qualified_simplified ? 'simplified' : content.type,
    kind: content.kind,
    number: content.number,
    language: content.branding.language,
    issuedOn: content.issuedOn,
    operationOn: content.operationOn,
    dueOn: extensions.due_date,
    issuer: content.issuer,
    issuedBy: extensions.issued_by,
    recipient: content.recipient,
    lines: content.lines.map(lineOf),
    breakdown: taxes,
    subtotal: content.subtotal,
    tax: content.tax,
    total: content.total,
    withholding: rate === null || base === null || amount === null ? null : { rate, base, amount },
    disbursements: extensions.disbursements ?? [],
    payment:
      payment === null
        ? null
        : {
            means: payment.means,
            iban: payment.iban ?? null,
            reference: payment.reference ?? null,
            terms: payment.terms ?? null,
          },
    references: {
      purchaseOrder: references?.purchase_order ?? null,
      buyerReference: references?.buyer_reference ?? null,
      contract: references?.contract ?? null,
      project: references?.project ?? null,
    },
    delivery: extensions.delivery,
    notes: content.notes,
    rectification:
      rectification === null
        ? null
        : {
            corrected: rectification.references,
            reason: rectification.reason,
            period: rectification.period ?? null,
          },
    exchanged: content.exchanged,
    imported: content.imported,
    voidedOn: content.voidedOn,
    qrUrl: content.qrUrl,
  };
}

function lineOf(line: PrintedLine): SourceLine {
  const { description, sku, subtotal, taxItems } = line;
  const { quantity, price, unit } = netPrice(line);
  const [tax, surcharge] = taxItems;
  // Lines of a rectificativa have one too: issuing refuses lines without.
  if (tax === undefined) throw new Error('a sealed line bears no tax');
  return {
    description,
    sku,
    ...{ quantity, unitPrice: price, unit },
    subtotal,
    tax,
    surcharge: surcharge === undefined ? null : { rate: surcharge.rate, amount: surcharge.amount },
  };
}
