/**
 * Writes the command line as others install it into a folder: `lacre-cli.tgz`, the commands that work over REST, without the service. The
 * service does so when somebody first asks for it (src/faces/docs/downloads.ts), and its image when it is built.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../..');
const { out } = parseArgs({
  options: { out: { type: 'string', default: join(ROOT, 'generated/downloads') } },
}).values;

/** Where the program has its place, so that what it reads beside itself (its version, the guides) is where a checkout has it. */
const PROGRAM = 'src/faces/cli/main.js';
/** What has no place in it. */
const SERVICE = /^(src\/(ground\/(db|queue)|startup|subjects\/[^/]+\/store)|rest|jobs|generated)\//;

const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  license: string;
};

mkdirSync(out, { recursive: true });
const work = mkdtempSync(join(resolve(out), '.cli-'));
try {
  const built = join(work, 'package');
  const bundle = await rolldown({
    input: { main: join(ROOT, 'src/faces/cli/remote/main.ts') },
    platform: 'node',
    cwd: ROOT,
    // Of a module only what is used.
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundle.write({
    dir: join(built, dirname(PROGRAM)),
    format: 'esm',
    banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
  });
  await bundle.close();
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  const files = modules.filter((id) => id.startsWith(ROOT)).map((id) => relative(ROOT, id));
  const misplaced = files.filter((file) => SERVICE.test(file));
  if (misplaced.length > 0)
    throw new Error(`the package would carry parts of the service: ${misplaced.join(', ')}`);
  writeFileSync(join(built, 'LICENSES.txt'), licences(files));
  // For agents, which read the guides in English.
  const guides = globSync('docs/guides/*.md', { cwd: ROOT });
  for (const guide of guides) cpSync(join(ROOT, guide), join(built, guide));
  cpSync(join(HERE, 'README.md'), join(built, 'README.md'));
  const description = 'The command line of Lacre: issues and follows Spanish VERI*FACTU invoices over REST.';
  const published = {
    ...{ name: '@lacre/cli', version, description, license, type: 'module' },
    ...{ bin: { lacre: PROGRAM }, engines: { node: '>=20' } },
  };
  writeFileSync(join(built, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', work], { cwd: built });
  renameSync(join(work, packed.toString('utf8').trim()), join(out, 'lacre-cli.tgz'));
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The notices of the packages of others that are a part of it. */
function licences(files: readonly string[]): string {
  const names = files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(names)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
      ) as Record<'name' | 'version' | 'license', string>;
      const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE']
        .map((each) => join(ROOT, folder, each))
        .find((each) => existsSync(each));
      return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(file, 'utf8')}`;
    })
    .join('\n');
}
