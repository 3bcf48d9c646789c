import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { Closing } from '../../src/startup/closing.ts';
import { monitorDatabase } from '../../src/startup/lineage.ts';
import { type DatabaseProxy, databaseProxy } from '../support/database/database-proxy.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { BALANCERS, type RunningBalancer, runBalancer } from '../support/processes/balancers.ts';
import { testLog } from '../support/processes/run-log.ts';
import { eventually } from '../support/processes/running-program.ts';

/** Three processes of one service, whose way to their database can be broken, and another process that is well. */
let proxy: DatabaseProxy;
let well: TestService;
let services: TestService[];
const watching = new Closing();
beforeAll(async () => {
  well = await testService();
  proxy = await databaseProxy(inject('postgresUrl'));
  services = await Promise.all(
    [1, 2, 3].map(() => testService({}, { beside: well, reachDatabase: (url) => proxy.through(url) })),
  );
  for (const { db } of services)
    await monitorDatabase({ db, log: testLog() }, { dataDir: null, issues: true }, watching);
});
afterEach(() => proxy.resume());
afterAll(async () => {
  await watching.run(testLog());
  for (const service of services) await service.close();
  await proxy.close();
  await well.close();
});

/** Checks after which every balancer has removed a process that it does not find ready, or taken it back. */
const CHECKS = 3;
/** Requests in progress at the same time. */
const CALLERS = 12;

type Seen = { readonly status: number; readonly retryAfter: string | null; readonly body: string };

for (const balancerKind of BALANCERS) {
  const isInstalled = existsSync(balancerKind.program);
  describe.skipIf(!isInstalled)(`behind ${balancerKind.name}`, () => {
    let balancer: RunningBalancer;
    beforeAll(async () => {
      const addresses = services.map(({ url }, index) => [`api${index + 1}`, new URL(url).host] as const);
      balancer = await runBalancer(balancerKind, new Map(addresses));
      await eventually(
        () => get().catch(() => null),
        (seen) => seen?.status === 200,
        60,
      );
    });
    afterAll(() => balancer?.end());

    const seenIn = async (response: Response): Promise<Seen> => ({
      ...{ status: response.status, retryAfter: response.headers.get('retry-after') },
      body: await response.text(),
    });
    const key = () => ({ authorization: `Bearer ${well.company.test.key}` });
    const get = async () => seenIn(await fetch(`${balancer.url}/v1/invoices?limit=1`, { headers: key() }));
    const issue = async () =>
      seenIn(
        await fetch(`${balancer.url}/v1/invoices`, {
          method: 'POST',
          headers: { ...key(), 'content-type': 'application/json', 'idempotency-key': randomUUID() },
          body: JSON.stringify(aSimplifiedInvoice()),
        }),
      );

    /** Until each process was checked so often. */
    async function untilChecked(): Promise<void> {
      const checks = services.map(() => 0);
      const counting = services.map(({ server }, index) => {
        const count = ({ url }: IncomingMessage) => {
          if (url?.startsWith('/readyz')) checks[index]! += 1;
        };
        server.server.on('request', count);
        return () => server.server.off('request', count);
      });
      await eventually(
        async () => Math.min(...checks),
        (least) => least >= CHECKS,
      );
      for (const stop of counting) stop();
    }

    /** What callers are answered while the database goes away, stays away and comes back. */
    async function seenDuringOutage(): Promise<Seen[]> {
      const seen: Seen[] = [];
      let isOver = false;
      const callers = Array.from({ length: CALLERS }, async (_, caller) => {
        while (!isOver) seen.push(await (caller % 2 === 0 ? get() : issue()));
      });
      await eventually(
        async () => seen.length,
        (answers) => answers >= CALLERS,
      );
      proxy.cut();
      await untilChecked();
      const before = seen.length;
      await eventually(
        async () => seen.length,
        (answers) => answers >= before + 5 * CALLERS,
      );
      proxy.resume();
      await untilChecked();
      isOver = true;
      await Promise.all(callers);
      return seen;
    }

    test('every answer during an outage of the database is the service’s own, with a time to retry', async () => {
      const seen = await seenDuringOutage();
      const refusals = seen.filter(({ status }) => status > 299);
      expect(refusals.length).toBeGreaterThan(5 * CALLERS);
      for (const { status, retryAfter, body } of refusals) {
        expect({ status, retryAfter, body }).toMatchObject({ status: 503, retryAfter: '5' });
        expect(JSON.parse(body)).toMatchObject({ code: 'service_unavailable' });
      }
      expect(await get()).toMatchObject({ status: 200 });
      expect(await issue()).toMatchObject({ status: 201 });
    });
  });
}

describe('/readyz?exclude=database', () => {
  const readiness = async (of: TestService) => {
    const { status, body } = await of.call('GET', '/readyz?exclude=database', { key: null });
    return { status, body };
  };

  test('leaves out whether the database is reachable, which /readyz does not', async () => {
    const [service] = services as [TestService];
    expect(await readiness(service)).toEqual({ status: 200, body: { status: 'ready' } });
    proxy.cut();
    const without = { status: 'not_ready', reason: 'no_database' };
    expect(await readiness(service)).toEqual({ status: 200, body: without });
    const strict = await service.call('GET', '/readyz', { key: null });
    expect([strict.status, strict.body]).toEqual([503, without]);
  });

  test('is answered within a balancer’s patience while the database is silent', async () => {
    const [service] = services as [TestService];
    proxy.deafen();
    const begun = performance.now();
    expect(await readiness(service)).toMatchObject({ status: 200, body: { reason: 'no_database' } });
    expect(performance.now() - begun).toBeLessThan(2_000);
    proxy.cut();
  });

  test('tells a process that stops, also without the database', async () => {
    const [service] = services as [TestService];
    proxy.cut();
    service.server.draining = true;
    expect(await readiness(service)).toEqual({
      status: 503,
      body: { status: 'not_ready', reason: 'stopping' },
    });
    service.server.draining = false;
  });

  test('tells a process whose schema the database does not have', async () => {
    const [service] = services as [TestService];
    await eventually(
      () => readiness(service),
      ({ body }) => body.status === 'ready',
    );
    const away =
      'delete from schema_migration where name = (select max(name) from schema_migration) returning *';
    const { rows } = await well.owner.query<{ name: string; sha256: string }>(away);
    expect(await readiness(service)).toEqual({
      status: 503,
      body: { status: 'not_ready', reason: 'schema' },
    });
    const { name, sha256 } = rows[0]!;
    await well.owner.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256]);
    expect(await readiness(service)).toMatchObject({ status: 200 });
  });
});
