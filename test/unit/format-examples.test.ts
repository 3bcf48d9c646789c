import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFile } from '../../packages/reader/src/read-file.ts';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { ciiOf } from '../../src/subjects/formats/en16931/cii.ts';
import { manyLines } from '../support/documents/invoice-cases.ts';
import { formatExamples } from '../support/formats/examples.ts';
import { done, formatSource, semanticInvoiceOf } from '../support/formats/format-source.ts';

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
  const lines = manyLines(500);
  const { content } = formatSource({ lines });
  const cii = done(ciiOf(semanticInvoiceOf({ lines })));
  const [plain, facturx] = [await renderInvoicePdf(content), await renderInvoicePdf(content, String(cii))];
  expect(facturx.length / plain.length).toBeLessThanOrEqual(1.3);
});
