/**
 * Writes the package as others install it into a folder: `lacre-client-<version>.tgz`, unless what is there was made of the same sources. The
 * service does so when somebody first asks for it (src/faces/docs/downloads.ts), and its image when it is built.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const HERE = import.meta.dirname;
const { out } = parseArgs({
  options: { out: { type: 'string', default: join(HERE, '../../generated/downloads') } },
}).values;

const sources = ['package.json', 'README.md', 'build.ts', ...globSync('src/**/*.ts', { cwd: HERE }).sort()];
const hash = createHash('sha256');
for (const file of sources)
  hash
    .update(file)
    .update('\0')
    .update(readFileSync(join(HERE, file)))
    .update('\0');
const stamp = hash.digest('hex');
const { version } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8')) as { version: string };
const file = join(out, `lacre-client-${version}.tgz`);
const stampFile = join(out, '.client-stamp');
const isMade = existsSync(file) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
if (!isMade) {
  mkdirSync(out, { recursive: true });
  const work = mkdtempSync(join(resolve(out), '.client-'));
  try {
    const built = join(work, 'package');
    execFileSync(process.execPath, [join(HERE, 'build.ts'), '--out', built], { stdio: 'inherit' });
    execFileSync('npm', ['pack', '--silent', '--pack-destination', work], { cwd: built, stdio: 'ignore' });
    renameSync(join(work, `lacre-client-${version}.tgz`), file);
    writeFileSync(stampFile, stamp);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
