import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unusedPort } from '../support/processes/ports.ts';
import { eventually } from '../support/processes/running-program.ts';

const HAPROXY = '/usr/sbin/haproxy';
const CADDY = process.env['CADDY'] ?? '/usr/bin/caddy';
const deployed = (name: string) => join(import.meta.dirname, '../../deploy', name);

/** A balancer: how its configuration is checked, started, and led to processes of a test. */
type Balancer = {
  readonly name: string;
  readonly program: string;
  readonly config: string;
  readonly check: (file: string) => string[];
  readonly run: (file: string) => string[];
  /** The text of the file with addresses of ours, listening on a port of ours. */
  readonly rewritten: (text: string, addresses: ReadonlyMap<string, string>, port: number) => string;
};

const BALANCERS: readonly Balancer[] = [
  {
    ...{ name: 'HAProxy', program: HAPROXY, config: deployed('haproxy.cfg') },
    check: (file) => ['-c', '-f', file],
    run: (file) => ['-db', '-f', file],
    rewritten: (text, addresses, port) =>
      [...addresses].reduce(
        (lines, [name, address]) =>
          lines.replace(new RegExp(`server ${name} \\S+`), `server ${name} ${address}`),
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
        .replace('lb_policy least_conn', 'lb_policy header Authorization'),
  },
];
for (const { name, program } of BALANCERS)
  if (!existsSync(program)) console.warn(`${name} is not installed: its rule is not tried out`);

/** A process as the balancer sees it. */
type Process = { readonly name: string; readonly server: Server; isReady: boolean };

describe.each(BALANCERS)(
  'the rule by which $name leads requests to API processes',
  ({ name: who, program, config, ...how }) => {
    if (!existsSync(program)) {
      test.skip(`${who} is not installed`, () => expect.unreachable());
      return;
    }

    const processes: Process[] = [];
    let folder: string;
    let file: string;
    let env: NodeJS.ProcessEnv;
    let port: number;
    let balancer: ChildProcess;
    beforeAll(async () => {
      for (const name of ['api1', 'api2', 'api3']) {
        const upstream: Process = {
          ...{ name, isReady: true },
          server: createServer((request, response) => {
            response.statusCode = request.url === '/readyz' && !upstream.isReady ? 503 : 200;
            response.end(name);
          }),
        };
        await new Promise<void>((listening) => upstream.server.listen(0, '127.0.0.1', listening));
        processes.push(upstream);
      }
      port = await unusedPort();
      folder = mkdtempSync(join(tmpdir(), 'lacre-balancer-'));
      const addresses = new Map(
        processes.map(({ name, server }) => [name, `127.0.0.1:${(server.address() as AddressInfo).port}`]),
      );
      file = join(folder, basename(config));
      writeFileSync(file, how.rewritten(readFileSync(config, 'utf8'), addresses, port));
      // Where Caddy keeps what it remembers.
      env = {
        ...process.env,
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        DOMAIN: 'localhost',
      };
      balancer = spawn(program, how.run(file), { stdio: 'ignore', env });
      await eventually(
        () => answerFor('key').catch(() => ''),
        (answer) => answer.startsWith('api'),
        60,
      );
    });
    afterAll(() => {
      balancer?.kill('SIGKILL');
      for (const { server } of processes) {
        server.closeAllConnections();
        server.close();
      }
      rmSync(folder, { recursive: true, force: true });
    });

    async function answerFor(key: string | null): Promise<string> {
      const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
      const response = await fetch(`http://127.0.0.1:${port}/v1/invoices`, { headers });
      return response.text();
    }

    const keys = Array.from({ length: 60 }, (_, n) => `lk_live_${n}`);
    const places = async () => {
      const found = new Map<string, string>();
      for (const key of keys) found.set(key, await answerFor(key));
      return found;
    };

    test('is one that it takes', () => {
      for (const checked of [config, file])
        expect(() => execFileSync(program, how.check(checked), { stdio: 'ignore', env })).not.toThrow();
    });

    test('gives each key one process, every process keys, and requests without a key an answer', async () => {
      const first = await places();
      expect(await places()).toEqual(first);
      expect(new Set(first.values()).size).toBe(3);
      expect(await answerFor(null)).toMatch(/^api/);
    });

    test('routes nothing to a process that is not ready, and keeps the keys of the others in place', async () => {
      const before = await places();
      const [stopped] = processes as [Process];
      stopped.isReady = false;
      const lost = keys.find((key) => before.get(key) === stopped.name)!;
      await expect.poll(() => answerFor(lost)).not.toBe(stopped.name);
      const during = await places();
      for (const [key, place] of before) {
        if (place === stopped.name) expect(during.get(key), key).not.toBe(stopped.name);
        else expect(during.get(key), key).toBe(place);
      }
      stopped.isReady = true;
      await expect.poll(() => answerFor(lost)).toBe(stopped.name);
      expect(await places()).toEqual(before);
    });
  },
);
