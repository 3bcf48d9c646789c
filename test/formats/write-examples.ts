import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatExamples } from '../support/formats/examples.ts';

/** `npm run format-examples`: an invoice in each format, into docs/formats. */

const FOLDER = join(import.meta.dirname, '../../docs/formats');
mkdirSync(FOLDER, { recursive: true });
for (const [name, bytes] of await formatExamples()) {
  writeFileSync(join(FOLDER, name), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}
