import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
export const CLIENT = join(ROOT, 'packages/client');

/** Makes a folder somebody else's project in which the package is installed as it is published. */
export async function installPublished(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@lacre'), { recursive: true });
  const build = [join(CLIENT, 'build.ts'), '--out', join(modules, '@lacre/client')];
  await promisify(execFile)(process.execPath, build, { cwd: ROOT });
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(packageOf(name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
}

/** Where a package of the client's is: beside it, or among all. */
function packageOf(name: string): string {
  const places = [join(CLIENT, 'node_modules', name), join(ROOT, 'node_modules', name)];
  return places.find((place) => existsSync(place))!;
}
