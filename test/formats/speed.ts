import { semanticInvoice } from '../../src/subjects/formats/en16931/invoice.ts';
import { ublOf } from '../../src/subjects/formats/en16931/ubl.ts';
import { manyLines } from '../support/documents/invoice-cases.ts';
import { done, formatSource } from '../support/formats/format-source.ts';

const LINES = 500;
const TIMES = 51;

/**
 * Processor time of the document of the longest invoice, from what was read of it: the median, after as many to warm up.
 * What else the machine does is not in it.
 */
export function longInvoiceMillis(): number {
  const source = formatSource({ lines: manyLines(LINES) });
  const times: number[] = [];
  for (let turn = 0; turn < 2 * TIMES; turn += 1) {
    const before = process.cpuUsage();
    ublOf(done(semanticInvoice(source)));
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return times.slice(TIMES).sort((one, other) => one - other)[TIMES >> 1]!;
}
