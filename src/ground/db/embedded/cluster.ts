import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeFileAtomically } from '../../lib/write-file.ts';
import { canAccess, type Identity, type Installation, REACHABLE_BY_ALL } from './installation.ts';

/**
 * The creation of the databases of the service’s own Postgres at the first start (initdb). It takes a second, and half a
 * minute on a slow disk.
 */
const CLUSTER_CREATION = 120_000;

/**
 * The directory of the database cluster under `dataDir`, created by initdb if it does not exist. If the unprivileged user
 * that must own it cannot enter `dataDir`, it is under /var/tmp and `dataDir/postgres` links to it.
 */
export async function openCluster(
  installation: Installation,
  dataDir: string,
  password: string,
): Promise<string> {
  const directory = join(dataDir, 'postgres');
  if (existsSync(join(directory, 'PG_VERSION'))) return realpathSync(directory);
  const { identity } = installation;
  if (identity === null || canAccess(identity, dataDir)) {
    await initialise(installation, directory, password);
    return realpathSync(directory);
  }
  const reachable = mkdtempSync(join(REACHABLE_BY_ALL, 'lacre-data-'));
  chownSync(reachable, identity.uid, identity.gid);
  try {
    await initialise(installation, join(reachable, 'postgres'), password);
  } catch (error) {
    rmSync(reachable, { recursive: true, force: true });
    throw error;
  }
  rmSync(directory, { force: true });
  symlinkSync(join(reachable, 'postgres'), directory);
  return realpathSync(directory);
}

/** The superuser's password: generated at the first start and stored beside the databases, readable only by the owner. */
export function clusterPassword(dataDir: string): string {
  const file = join(dataDir, 'postgres-password');
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (stored !== '') return stored;
  // A new password would not open databases that were created with the lost one.
  if (existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) {
    throw new Error(`${file} is missing or empty: restore it from the backup of ${dataDir}`);
  }
  const generated = randomBytes(24).toString('base64url');
  writeFileAtomically(file, generated);
  return generated;
}

/**
 * Created in a temporary directory and moved into place, so that an interrupted initdb is never taken for a complete
 * cluster.
 */
async function initialise(installation: Installation, directory: string, password: string): Promise<void> {
  const workshop = `${directory}.new`;
  rmSync(workshop, { recursive: true, force: true });
  mkdirSync(workshop, { mode: 0o700 });
  const passwordFile = join(workshop, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [workshop, passwordFile]) handOver(path, installation.identity);
  try {
    await initdb(installation, join(workshop, 'cluster'), passwordFile);
    renameSync(join(workshop, 'cluster'), directory);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/**
 * Removes from initdb's file the settings that the server is started with. Otherwise Postgres takes the file's
 * `max_connections` for a change that needs a restart, and logs an error with each reload, although the command line
 * decides.
 */
export function commentOut({ identity }: Installation, cluster: string, names: readonly string[]): void {
  const file = join(cluster, 'postgresql.conf');
  const before = readFileSync(file, 'utf8');
  const after = before.replace(/^(\w+)\s*=/gm, (line, name: string) =>
    names.includes(name) ? `#${line}` : line,
  );
  if (after === before) return;
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, after, { mode: 0o600, flush: true });
  handOver(unfinished, identity);
  renameSync(unfinished, file);
}

function handOver(path: string, identity: Identity | null): void {
  if (identity !== null) chownSync(path, identity.uid, identity.gid);
}

/** Creates a cluster in the directory. It is killed if it takes too long, and ends with this process. */
export async function initdb(
  installation: Installation,
  directory: string,
  passwordFile: string,
  timeMs: number = CLUSTER_CREATION,
): Promise<void> {
  const options = ['-D', directory, '-U', 'postgres', `--pwfile=${passwordFile}`];
  const fixed = ['-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-instructions'];
  const creating = promisify(execFile)(
    join(installation.directory, 'bin', 'initdb'),
    [...options, ...fixed],
    {
      ...installation.identity,
      cwd: installation.directory,
      env: { LC_ALL: 'C' },
      timeout: timeMs,
      killSignal: 'SIGKILL',
    },
  );
  const endWithService = () => creating.child.kill('SIGKILL');
  process.once('exit', endWithService);
  try {
    await creating;
  } catch (error) {
    const { killed, stderr = '' } = error as { killed?: boolean; stderr?: string };
    const reason = killed === true ? `it took longer than ${timeMs / 1_000} s` : stderr;
    throw new Error(`initdb failed: ${reason}`.trim(), { cause: error });
  } finally {
    process.off('exit', endWithService);
  }
}
