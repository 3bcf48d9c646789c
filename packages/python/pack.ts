/**
 * Writes the package as others install it into a folder: `lacre-<version>-py3-none-any.whl` (PEP 427). The service does so when somebody first asks
 * for it (src/faces/docs/downloads.ts), and its image when it is built. The same sources give the same bytes.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeZip } from '../shared/zip.ts';
import { modules } from './generate.ts';

const HERE = import.meta.dirname;
const SOURCES = join(HERE, 'src/lacre');
const { out } = parseArgs({
  options: { out: { type: 'string', default: join(HERE, '../../generated/downloads') } },
}).values;

const { version: released } = JSON.parse(readFileSync(join(HERE, '../client/package.json'), 'utf8')) as {
  version: string;
};
/** As Python spells it: 1.0.0rc0 (PEP 440). */
const version = released.replace(/-rc$/, 'rc0');
const info = `lacre-${version}.dist-info`;

const METADATA = `Metadata-Version: 2.3
Name: lacre
Version: ${version}
Summary: The client of Lacre: issues, corrects and follows Spanish VERI*FACTU invoices over REST.
Requires-Python: >=3.11
Requires-Dist: httpx>=0.27,<1
Description-Content-Type: text/markdown

${readFileSync(join(HERE, 'README.md'), 'utf8')}`;

const files: Record<string, string> = {};
for (const name of readdirSync(SOURCES).sort())
  if (/\.(py|typed)$/.test(name)) files[`lacre/${name}`] = readFileSync(join(SOURCES, name), 'utf8');
for (const [name, text] of Object.entries(modules())) files[`lacre/${name}`] = text;
files[`${info}/METADATA`] = METADATA;
files[`${info}/WHEEL`] = 'Wheel-Version: 1.0\nGenerator: lacre\nRoot-Is-Purelib: true\nTag: py3-none-any\n';
const recorded = Object.entries(files).map(([name, text]) => {
  const digest = createHash('sha256').update(text).digest('base64url');
  return `${name},sha256=${digest},${Buffer.byteLength(text)}\n`;
});
files[`${info}/RECORD`] = `${recorded.join('')}${info}/RECORD,,\n`;

await writeZip(join(out, `lacre-${version}-py3-none-any.whl`), files);
