import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPort } from '../support/processes/ports.ts';
import { eventually } from '../support/processes/running-program.ts';

const HAPROXY = '/usr/sbin/haproxy';
const CONFIG = join(import.meta.dirname, '../../deploy/haproxy.cfg');
if (!existsSync(HAPROXY)) console.warn('HAProxy is not installed: its rule is not tried out');

/** A process as the balancer sees it. */
type Process = { readonly name: string; readonly server: Server; isReady: boolean };

describe.skipIf(!existsSync(HAPROXY))('the rule by which HAProxy leads requests to API processes', () => {
  const processes: Process[] = [];
  let folder: string;
  let port: number;
  let balancer: ChildProcess;
  beforeAll(async () => {
    for (const name of ['api1', 'api2', 'api3']) {
      const process: Process = {
        ...{ name, isReady: true },
        server: createServer((request, response) => {
          response.statusCode = request.url === '/readyz' && !process.isReady ? 503 : 200;
          response.end(name);
        }),
      };
      await new Promise<void>((listening) => process.server.listen(0, '127.0.0.1', listening));
      processes.push(process);
    }
    port = await aPort();
    folder = mkdtempSync(join(tmpdir(), 'lacre-balancer-'));
    const text = processes.reduce(
      (lines, { name, server }) =>
        lines.replace(
          new RegExp(`server ${name} \\S+`),
          `server ${name} 127.0.0.1:${(server.address() as AddressInfo).port}`,
        ),
      readFileSync(CONFIG, 'utf8').replace('bind *:8080', `bind 127.0.0.1:${port}`),
    );
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, text);
    balancer = spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' });
    await eventually(
      () => ask('key').catch(() => ''),
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

  async function ask(key: string | null): Promise<string> {
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
    const response = await fetch(`http://127.0.0.1:${port}/v1/invoices`, { headers });
    return response.text();
  }

  const keys = Array.from({ length: 60 }, (_, n) => `lk_live_${n}`);
  const places = async () => {
    const found = new Map<string, string>();
    for (const key of keys) found.set(key, await ask(key));
    return found;
  };

  test('is one that HAProxy takes', () => {
    expect(() => execFileSync(HAPROXY, ['-c', '-f', CONFIG])).not.toThrow();
  });

  test('gives each key one process, every process keys, and requests without a key an answer', async () => {
    const first = await places();
    expect(await places()).toEqual(first);
    expect(new Set(first.values()).size).toBe(3);
    expect(await ask(null)).toMatch(/^api/);
  });

  test('routes nothing to a process that is not ready, and keeps the keys of the others in place', async () => {
    const before = await places();
    const [gone] = processes as [Process];
    gone.isReady = false;
    const lost = keys.find((key) => before.get(key) === gone.name)!;
    await expect.poll(() => ask(lost)).not.toBe(gone.name);
    const during = await places();
    for (const [key, place] of before) {
      if (place === gone.name) expect(during.get(key), key).not.toBe(gone.name);
      else expect(during.get(key), key).toBe(place);
    }
    gone.isReady = true;
    await expect.poll(() => ask(lost)).toBe(gone.name);
    expect(await places()).toEqual(before);
  });
});
