import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { ciiOf } from '../../src/subjects/formats/en16931/cii.ts';
import { semanticInvoice } from '../../src/subjects/formats/en16931/invoice.ts';
import { readFile } from '../../src/subjects/formats/reading/read-file.ts';
import { breakDown } from '../../src/subjects/taxes/breakdown.ts';
import { defaultTaxCatalog } from '../../src/subjects/taxes/catalog.ts';
import { manyLines } from '../support/documents/invoice-cases.ts';
import { invoiceContent } from '../support/documents/invoice-content.ts';
import { formatExamples } from '../support/formats/examples.ts';

const FOLDER = join(import.meta.dirname, '../../docs/formats');

test('the committed examples are what is made now, byte for byte, and break no rule', async () => {
  const examples = await formatExamples();
  const committed = readdirSync(FOLDER).filter((name) => name !== 'README.md');
  expect(committed.sort()).toEqual([...examples.keys()].sort());
  for (const [name, bytes] of examples) {
    expect(readFileSync(join(FOLDER, name)).equals(bytes), `${name}: npm run format-examples`).toBe(true);
    const { documents } = await readFile(name, bytes);
    expect(
      documents.flatMap(({ findings }) => findings),
      name,
    ).toEqual([]);
  }
});

test('Factur-X of the longest invoice is at most 1.3 times its PDF, the CII counted', async () => {
  const content = invoiceContent({ lines: manyLines(500) });
  const taxes = breakDown(content.lines as Parameters<typeof breakDown>[0], defaultTaxCatalog);
  const invoice = semanticInvoice({ content, taxes });
  const cii = 'code' in invoice ? invoice : ciiOf(invoice);
  if ('code' in cii) throw new Error(cii.detail);
  const [plain, facturx] = [await renderInvoicePdf(content), await renderInvoicePdf(content, String(cii))];
  expect(facturx.length / plain.length).toBeLessThanOrEqual(1.3);
});
