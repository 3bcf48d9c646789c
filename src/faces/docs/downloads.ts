import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What can be installed from a running service, so that its clients are of its version. */

export const DOWNLOADS = '/downloads';

const PACKAGES = new URL('../../../packages/', import.meta.url);
/** Where the image has them, and a checkout keeps them. */
const FOLDER = new URL('../../../generated/downloads/', import.meta.url);
/** A few seconds on an idle machine. */
const LONGEST_MS = 120_000;

const { version } = JSON.parse(readFileSync(new URL('client/package.json', PACKAGES), 'utf8')) as {
  version: string;
};

export type Package = {
  readonly file: string;
  readonly type: string;
  /** Writes it, from what an image does not have. */
  readonly pack: URL;
};

export const CLIENT: Package = {
  file: `lacre-client-${version}.tgz`,
  type: 'application/gzip',
  pack: new URL('client/pack.ts', PACKAGES),
};
/** Has no version in its name: it is installed once for a machine, by an address that guides may state. */
export const COMMAND_LINE: Package = {
  file: 'lacre-cli.tgz',
  type: 'application/gzip',
  pack: new URL('cli/pack.ts', PACKAGES),
};
/** Python spells a version before the release in its own way (PEP 440). */
export const WHEEL: Package = {
  file: `lacre-${version.replace(/-rc$/, 'rc0')}-py3-none-any.whl`,
  type: 'application/zip',
  pack: new URL('python/pack.ts', PACKAGES),
};

/** As composer takes it from a folder, where the version stands within. */
export const PHP: Package = {
  file: 'lacre-client-php.zip',
  type: 'application/zip',
  pack: new URL('php/pack.ts', PACKAGES),
};

export const DOWNLOADABLE: readonly Package[] = [CLIENT, COMMAND_LINE, WHEEL, PHP];

/** The bytes of a package; in a checkout made of its sources. Null where it was not made and cannot be: what makes it is missing. */
export async function packageBytes({ file, pack }: Package): Promise<Buffer | null> {
  try {
    if (existsSync(pack))
      await promisify(execFile)(process.execPath, [fileURLToPath(pack)], { timeout: LONGEST_MS });
    return await readFile(new URL(file, FOLDER));
  } catch {
    return null;
  }
}
