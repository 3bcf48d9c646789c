import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { unusedPort } from './ports.ts';

const HAPROXY = '/usr/sbin/haproxy';
const CADDY = process.env['CADDY'] ?? '/usr/bin/caddy';
const deployed = (name: string) => join(import.meta.dirname, '../../../deploy', name);

/** A balancer of deploy/: how its configuration is checked, started, and led to processes of a test. */
export type Balancer = {
  readonly name: string;
  readonly program: string;
  readonly config: string;
  readonly check: (file: string) => string[];
  readonly run: (file: string) => string[];
  /** The text of the file with addresses of ours, listening on a port of ours. */
  readonly rewritten: (text: string, addresses: ReadonlyMap<string, string>, port: number) => string;
};

export const BALANCERS: readonly Balancer[] = [
  {
    ...{ name: 'HAProxy', program: HAPROXY, config: deployed('haproxy.cfg') },
    check: (file) => ['-c', '-f', file],
    run: (file) => ['-db', '-f', file],
    rewritten: (text, addresses, port) =>
      [...addresses].reduce(
        (lines, [name, address]) =>
          lines.replaceAll(new RegExp(`(server ${name}(?:-unready)?) \\S+`, 'g'), `$1 ${address}`),
        text.replace('bind *:8080', `bind 127.0.0.1:${port}`),
      ),
  },
  {
    ...{ name: 'Caddy', program: CADDY, config: deployed('Caddyfile') },
    check: (file) => ['validate', '--adapter', 'caddyfile', '--config', file],
    run: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    // As docs/guides/scaling-out.md has it: by the key, not by the fewest connections.
    rewritten: (text, addresses, port) =>
      `{\n\tadmin off\n}\n${text}`
        .replace('{$DOMAIN}', `http://127.0.0.1:${port}`)
        .replace(/reverse_proxy .+ \{/, `reverse_proxy ${[...addresses.values()].join(' ')} {`)
        .replace('lb_policy least_conn', 'lb_policy header Authorization')
        .replace('lb_try_duration 10s', 'lb_try_duration 1s'),
  },
];

/** A balancer that runs with its shipped configuration before these processes. */
export type RunningBalancer = {
  readonly url: string;
  /** Its configuration with our addresses, and the environment in which it is read. */
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  end(): void;
};

/** Starts a balancer before processes, by their names in its configuration and their addresses. */
export async function runBalancer(
  { program, config, run, rewritten }: Balancer,
  addresses: ReadonlyMap<string, string>,
): Promise<RunningBalancer> {
  const port = await unusedPort();
  const folder = mkdtempSync(join(tmpdir(), 'lacre-balancer-'));
  const file = join(folder, basename(config));
  writeFileSync(file, rewritten(readFileSync(config, 'utf8'), addresses, port));
  // Where Caddy keeps what it remembers.
  const kept = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const env = { ...process.env, ...kept, DOMAIN: 'localhost' };
  const balancer: ChildProcess = spawn(program, run(file), { stdio: 'ignore', env });
  return {
    ...{ url: `http://127.0.0.1:${port}`, file, env },
    end() {
      balancer.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
