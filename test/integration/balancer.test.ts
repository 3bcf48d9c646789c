import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BALANCERS, type RunningBalancer, runBalancer } from '../support/processes/balancers.ts';
import { eventually } from '../support/processes/running-program.ts';

for (const { name, program } of BALANCERS)
  if (!existsSync(program)) console.warn(`${name} is not installed: its rule is not tried out`);

/** A process as the balancer sees it. */
type Process = { readonly name: string; readonly server: Server; isReady: boolean };

describe.each(BALANCERS)('the rule by which $name leads requests to API processes', (kind) => {
  const { name: who, program, config, check } = kind;
  if (!existsSync(program)) {
    test.skip(`${who} is not installed`, () => expect.unreachable());
    return;
  }

  const processes: Process[] = [];
  let balancer: RunningBalancer;
  beforeAll(async () => {
    for (const name of ['api1', 'api2', 'api3']) {
      const upstream: Process = {
        ...{ name, isReady: true },
        server: createServer((request, response) => {
          response.statusCode = request.url?.startsWith('/readyz') && !upstream.isReady ? 503 : 200;
          response.end(name);
        }),
      };
      await new Promise<void>((listening) => upstream.server.listen(0, '127.0.0.1', listening));
      processes.push(upstream);
    }
    balancer = await runBalancer(
      kind,
      new Map(
        processes.map(({ name, server }) => [name, `127.0.0.1:${(server.address() as AddressInfo).port}`]),
      ),
    );
    await eventually(
      () => answerFor('key').catch(() => ''),
      (answer) => answer.startsWith('api'),
      60,
    );
  });
  afterAll(() => {
    balancer?.end();
    for (const { server } of processes) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function answerFor(key: string | null): Promise<string> {
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
    const response = await fetch(`${balancer.url}/v1/invoices`, { headers });
    return response.text();
  }

  const keys = Array.from({ length: 60 }, (_, n) => `lk_live_${n}`);
  const places = async () => {
    const found = new Map<string, string>();
    for (const key of keys) found.set(key, await answerFor(key));
    return found;
  };

  test('is one that it takes', () => {
    const { file, env } = balancer;
    for (const checked of [config, file])
      expect(() => execFileSync(program, check(checked), { stdio: 'ignore', env })).not.toThrow();
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

  test('answers as the service does when a process ends without an answer, and when nobody listens', async () => {
    // On a connection of its own: on one that was used before, HAProxy lets the caller's client repeat the request.
    const unanswered = () =>
      new Promise<{ status: number | undefined; body: unknown }>((resolve, failed) => {
        get(`${balancer.url}/v1/invoices`, { agent: false }, async (response) => {
          const { statusCode: status, headers } = response;
          expect(headers['retry-after']).toBe('5');
          expect(headers['content-type']).toBe('application/json');
          expect(headers['x-request-id']).toMatch(/^req_[\da-f-]{36}$/);
          resolve({ status, body: await json(response) });
        }).on('error', failed);
      });
    const body = {
      code: 'service_unavailable',
      detail: 'The service did not answer. Send the request again, with the same Idempotency-Key.',
      errors: [],
      doc_url: expect.stringMatching(/^https:.*\/docs\/errors#service_unavailable$/),
    };
    for (const { server } of processes) server.prependListener('request', ({ socket }) => socket.destroy());
    expect(await unanswered()).toEqual({ status: 502, body });
    for (const { server } of processes) server.close();
    await expect.poll(async () => (await unanswered()).status).toBe(503);
    expect(await unanswered()).toEqual({ status: 503, body });
  });
});
