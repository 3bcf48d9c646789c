import { renderInvoicePdf } from '../../../src/subjects/documents/layout/invoice.ts';
import { ciiOf } from '../../../src/subjects/formats/en16931/cii.ts';
import { semanticInvoice } from '../../../src/subjects/formats/en16931/invoice.ts';
import { ublOf } from '../../../src/subjects/formats/en16931/ubl.ts';
import { ublEsOf } from '../../../src/subjects/formats/en16931/ubl-es.ts';
import { facturaeOf, textOf } from '../../../src/subjects/formats/facturae/facturae.ts';
import { facturaeSource } from '../../../src/subjects/formats/facturae/sealed.ts';
import type { FormatSource } from '../../../src/subjects/formats/source.ts';
import { contentLine, vat } from '../documents/invoice-content.ts';
import { done, formatSource } from './format-source.ts';

function source(): FormatSource {
  const lines = [
    contentLine('Servicio de mantenimiento', 10_000, { quantity: 3 }),
    contentLine('Manual impreso', 1_950, { quantity: 2, taxes: [vat(400)] }),
    contentLine('Revisión anual', 24_990),
  ];
  return formatSource({ lines });
}

/**
 * One invoice in each format, by the names of the files in docs/formats. The signed Facturae is not among them: it is another one each time
 * it is signed.
 */
export async function formatExamples(): Promise<ReadonlyMap<string, Buffer>> {
  const of = source();
  const invoice = done(semanticInvoice(of));
  const cii = done(ciiOf(invoice));
  return new Map([
    ['invoice.ubl.xml', ublOf(invoice)],
    ['invoice.cii.xml', cii],
    ['invoice.ubl_es.xml', done(ublEsOf(of))],
    ['invoice.facturae.xml', Buffer.from(textOf(done(facturaeOf(facturaeSource(of)))))],
    ['invoice.facturx.pdf', await renderInvoicePdf(of.content, String(cii))],
  ]);
}
