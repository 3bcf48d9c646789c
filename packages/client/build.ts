/** `npm run build -w @lacre/client`: writes the package as it is published into `dist`. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const HERE = import.meta.dirname;
const { out } = parseArgs({ options: { out: { type: 'string', default: join(HERE, 'dist') } } }).values;

rmSync(out, { recursive: true, force: true });
const tsc = join(HERE, '../../node_modules/typescript/bin/tsc');
execFileSync(
  process.execPath,
  [
    ...[tsc, '-p', HERE, '--noEmit', 'false', '--declaration', '--outDir', out],
    ...['--allowImportingTsExtensions', 'false', '--rewriteRelativeImportExtensions'],
  ],
  { stdio: 'inherit' },
);
cpSync(join(HERE, 'README.md'), join(out, 'README.md'));
const { name, version, description, license, type, sideEffects, engines, dependencies } = JSON.parse(
  readFileSync(join(HERE, 'package.json'), 'utf8'),
) as Record<string, unknown>;
const published = {
  ...{ name, version, description, license, type, sideEffects, engines, dependencies },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
};
writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
