import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A row of a file of old invoices, good unless the parts say otherwise. */
export function anOldInvoice(number: string, parts: Record<string, unknown> = {}) {
  return {
    number,
    issued_at: '2011-03-04',
    type: 'complete',
    recipient: {
      name: 'García Pérez Ana',
      tax_id: '12345678Z',
      address: { line1: 'Calle Mayor 1', postal_code: '28001', city: 'Madrid', country: 'ES' },
    },
    line_items: [anOldLine()],
    ...parts,
  };
}

/** With a rate that was in force until August 2012. */
export function anOldLine(parts: Record<string, unknown> = {}) {
  return {
    description: 'Mantenimiento',
    quantity: 2,
    unit_amount: 5_000,
    tax_items: [{ type: 'vat', rate: 18 }],
    ...parts,
  };
}

/** A directory for a test's files. Call `remove` when done. */
export function importFiles() {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-import-'));
  let files = 0;
  const write = (ending: string, content: string | Buffer): string => {
    files += 1;
    const file = join(directory, `old-${files}.${ending}`);
    writeFileSync(file, content);
    return file;
  };
  return {
    /** A file of JSON lines; a text stands as it is. */
    jsonLines: (rows: readonly (object | string)[]): string =>
      write('jsonl', rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('')),
    csv: (content: string | Buffer): string => write('csv', content),
    write,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
