/**
 * Writes the package as composer takes it from a folder of packages (its repositories of type `artifact`): `lacre-client-php.zip`. The service
 * does so when somebody first asks for it (src/faces/docs/downloads.ts), and its image when it is built. The same sources give the same bytes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeZip } from '../shared/zip.ts';
import { sources } from './generate.ts';

const HERE = import.meta.dirname;
const { out } = parseArgs({
  options: { out: { type: 'string', default: join(HERE, '../../generated/downloads') } },
}).values;

const { version } = JSON.parse(readFileSync(join(HERE, '../client/package.json'), 'utf8')) as {
  version: string;
};
const described = JSON.parse(readFileSync(join(HERE, 'composer.json'), 'utf8')) as object;

const files: Record<string, string> = {
  // A package that is no checkout states its version.
  'composer.json': `${JSON.stringify({ ...described, version }, null, 2)}\n`,
  'README.md': readFileSync(join(HERE, 'README.md'), 'utf8'),
};
for (const name of readdirSync(join(HERE, 'src')).sort())
  files[`src/${name}`] = readFileSync(join(HERE, 'src', name), 'utf8');
for (const [name, text] of Object.entries(sources())) files[`src/${name}`] = text;

await writeZip(join(out, 'lacre-client-php.zip'), files);
