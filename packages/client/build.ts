/** `npm run build -w @lacre/client`: writes the package as it is published into `dist`. */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';

const HERE = import.meta.dirname;
const { out } = parseArgs({ options: { out: { type: 'string', default: join(HERE, 'dist') } } }).values;

rmSync(out, { recursive: true, force: true });
const tsc = join(HERE, '../../node_modules/typescript/bin/tsc');
execFileSync(
  process.execPath,
  [
    ...[tsc, '-p', HERE, '--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', out],
    ...['--allowImportingTsExtensions', 'false', '--rewriteRelativeImportExtensions'],
  ],
  { stdio: 'inherit' },
);
// What is imported and what is required: with all that it depends on, so that nothing else need be installed.
const bundle = await rolldown({ input: join(HERE, 'src/index.ts'), platform: 'neutral' });
await bundle.write({ file: join(out, 'index.js'), format: 'esm' });
await bundle.write({ file: join(out, 'cjs/index.js'), format: 'cjs' });
await bundle.close();
writeFileSync(join(out, 'cjs/package.json'), '{ "type": "commonjs" }\n');
for (const file of globSync('**/*.d.ts', { cwd: out })) {
  mkdirSync(dirname(join(out, 'cjs', file)), { recursive: true });
  cpSync(join(out, file), join(out, 'cjs', file));
}
cpSync(join(HERE, 'README.md'), join(out, 'README.md'));
const { name, version, description, license, type, sideEffects, engines } = JSON.parse(
  readFileSync(join(HERE, 'package.json'), 'utf8'),
) as Record<string, unknown>;
const published = {
  ...{ name, version, description, license, type, sideEffects, engines },
  main: './cjs/index.js',
  types: './index.d.ts',
  exports: {
    '.': {
      import: { types: './index.d.ts', default: './index.js' },
      require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
    },
  },
};
writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
