import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { semanticInvoice } from '../../src/subjects/formats/en16931/invoice.ts';
import { ublOf } from '../../src/subjects/formats/en16931/ubl.ts';
import { breakDown } from '../../src/subjects/taxes/breakdown.ts';
import { defaultTaxCatalog } from '../../src/subjects/taxes/catalog.ts';
import { manyLines } from '../support/documents/invoice-cases.ts';
import { invoiceContent } from '../support/documents/invoice-content.ts';

const LINES = 500;
const TIMES = 51;

/**
 * Processor time of the document of the longest invoice, from what was read of it: the median, after as many to warm up.
 * What else the machine does is not in it.
 */
export function longInvoiceMillis(): number {
  const content = invoiceContent({ lines: manyLines(LINES) });
  const taxes = breakDown(content.lines as Parameters<typeof breakDown>[0], defaultTaxCatalog);
  const times: number[] = [];
  for (let turn = 0; turn < 2 * TIMES; turn += 1) {
    const before = process.cpuUsage();
    const invoice = semanticInvoice({ content, taxes });
    if (isRefusal(invoice)) throw new Error(invoice.detail);
    ublOf(invoice);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return times.slice(TIMES).sort((one, other) => one - other)[TIMES >> 1]!;
}
