import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '../support/processes/running-program.ts';

const ROOT = join(import.meta.dirname, '../..');
const SCRIPT = join(import.meta.dirname, 'machine.sh');
/** What the guide installs; Debian's server is found by its folder. */
const NEEDED = [
  'unshare',
  'nsenter',
  'ip',
  'pgbouncer',
  'haproxy',
  'pgbackrest',
  'pg_lsclusters',
  'jq',
  'curl',
  'openssl',
];
/** Where systemd may make groups of processes, by the two ways in which they are mounted. */
const GROUPS = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((path) =>
  existsSync(join(path, 'cgroup.procs')),
);

const NAMESPACES = ['-m', '-p', '-n', '-u', '-i', '-C', '-f', '--propagation', 'private'];
/** What machine.sh and systemd need to be allowed to do. */
const TRIED = `mount -t tmpfs try /mnt && mkdir /mnt/upper /mnt/work /mnt/disk && cd /mnt &&
  mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work try disk &&
  mount -t sysfs -o ro try disk/sys && mount -t cgroup2 try disk/sys/fs/cgroup &&
  mkdir disk/sys/fs/cgroup/lacre-try && rmdir disk/sys/fs/cgroup/lacre-try`;

/** Why a machine cannot be started here; null where it can. */
export function whyNoMachine(): string | null {
  if (process.getuid?.() !== 0) return 'it needs root';
  if (!existsSync('/lib/systemd/systemd')) return 'there is no systemd (Debian: apt-get install systemd)';
  const path = `${process.env['PATH']}:/usr/sbin:/sbin`;
  const isThere = (program: string) => path.split(':').some((folder) => existsSync(join(folder, program)));
  const missing = NEEDED.filter((program) => !isThere(program));
  if (missing.length > 0)
    return `there is no ${missing.join(', ')} (Debian: apt-get install postgresql pgbouncer haproxy pgbackrest jq)`;
  if (GROUPS === undefined) return 'there are no control groups of the second version';
  const tried = spawnSync('unshare', [...NAMESPACES, 'sh', '-c', TRIED], { encoding: 'utf8' });
  return tried.status === 0 ? null : `namespaces and mounts are not allowed: ${tried.stderr}`;
}

/** A machine under systemd, a copy of this one with a network of its own (machine.sh). */
export type Machine = {
  /** Runs a script of bash as root in the one shell of the machine, which keeps its variables and functions; its output. */
  run(script: string): Promise<string>;
  /** Ends all of its processes and removes its disk. */
  stop(): Promise<void>;
};

/** The script as it stands, in the shell that earlier ones left behind; what it sets is kept for the next one. */
const IN_ONE_SHELL = `touch /run/shell; source /run/shell; set -a; eval "$1"; export -p > /run/shell; declare -f >> /run/shell`;

/** Starts a machine and waits until systemd has started. */
export async function startMachine(): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'lacre-machine-'));
  const group = join(GROUPS!, basename(folder));
  mkdirSync(group);
  const outer = spawn(
    'sh',
    [
      '-c',
      'echo $$ > "$0/cgroup.procs" && exec unshare "$@"',
      group,
      ...NAMESPACES,
      '--kill-child',
      'sh',
      SCRIPT,
      folder,
      ROOT,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(outer, 'exit');
  const said = text(outer.stderr);
  const kill = () => outer.kill('SIGKILL');
  process.once('exit', kill);
  const machine: Machine = {
    run: (script) => runIn(outer, script),
    async stop() {
      process.off('exit', kill);
      kill();
      await ended;
      await eventually(async () => removed(group), Boolean);
      rmdirSync(folder);
    },
  };
  const started = eventually(
    () => runIn(outer, 'systemctl is-system-running').catch((error: Error) => error.message),
    (state) => /running|degraded/.test(state),
    300,
  );
  await Promise.race([started, ended.then(async () => Promise.reject(new Error(await said)))]);
  return machine;
}

async function runIn(outer: ChildProcess, script: string): Promise<string> {
  const children = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim();
  if (children === '') throw new Error('the machine does not run');
  const shell = ['bash', '--norc', '-e', '-u', '-o', 'pipefail', '-c', IN_ONE_SHELL, 'guide', script];
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    LANG: 'C.UTF-8',
  };
  const child = spawn('nsenter', ['-t', children, '-a', '-r', '-w', ...shell], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, complaint, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  if (status !== 0) throw new Error(`ended with ${status}\n${complaint}${output}`);
  return output;
}

/** Removes a control group with those in it; false while processes are ending there. */
function removed(group: string): boolean {
  try {
    for (const entry of readdirSync(group, { withFileTypes: true }))
      if (entry.isDirectory()) if (!removed(join(group, entry.name))) return false;
    rmdirSync(group);
    return true;
  } catch {
    return false;
  }
}
