import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { buildServer } from '../../rest/server.ts';
import { writesRefused } from '../ground/db/condition/write-state.ts';
import { openRehearsal, type Rehearsal } from '../ground/db/rehearsal.ts';
import { inTransaction } from '../ground/db/transaction.ts';
import { isRefusal } from '../ground/errors/refusal.ts';
import { LIMITS } from '../ground/lib/limits.ts';
import { createLogger } from '../ground/lib/logger.ts';
import { untraced } from '../ground/lib/tracing.ts';
import type { Services } from '../services.ts';
import { createCompany, setCompanyFlags } from '../subjects/accounts/companies.ts';
import { createApiKey } from '../subjects/accounts/keys.ts';
import type { Registers } from '../subjects/recipients/registers/registers.ts';
import { isSpanishNif } from '../subjects/tax-ids/spanish-nif.ts';
import { assemble } from './assemble.ts';
import type { SimulatorPlace } from './simulator.ts';
import { uncounted } from './uncounted.ts';

/** Each Postgres session has its own catalog caches and plans; under the steady load of the benchmark four are used at once. */
const SESSIONS = 4;
/** V8 compiles a function when it has been called a few times, Postgres keeps a plan after the fifth. */
const ROUNDS = 6;

const INVOICE = JSON.stringify({
  type: 'complete',
  line_items: [
    { description: 'Servicio', quantity: 8, unit_amount: 6_500, tax_items: [{ type: 'vat', rate: 21 }] },
    {
      description: 'Manual',
      sku: 'M-1',
      quantity: 3,
      unit_amount: 2_450,
      tax_items: [{ type: 'vat', rate: 4 }],
    },
  ],
  recipient: {
    name: 'Ejemplo SL',
    tax_id: 'B12345674',
    address: { line1: 'Calle Mayor 1', postal_code: '28013', city: 'Madrid', country: 'ES' },
  },
});

/**
 * Rehearses what a process does most before it accepts requests: issuing, reading, listing and rendering, through the server itself,
 * in transactions that are rolled back. Otherwise its first second is slow: nothing is compiled, and new sessions of Postgres
 * know neither catalog nor plans. It is skipped while the database accepts no writes and ends at its limit; if it fails, the process starts cold.
 * `limitMs`: another limit than the service's, for tests.
 */
export async function warmUp(
  services: Services,
  simulator: SimulatorPlace,
  limitMs: number = LIMITS.warmUp.value,
): Promise<void> {
  const { db, log } = services;
  const begun = performance.now();
  const limit = AbortSignal.timeout(limitMs);
  try {
    if (db.lineage.away !== null || (await within(limit, writesRefused(db))) !== null) return;
    await untraced(() => uncounted(() => within(limit, rehearseAll(services, simulator, limit))));
    collectGarbage();
    log.debug({ milliseconds: Math.round(performance.now() - begun) }, 'warmed up');
  } catch (error) {
    log.debug({ reason: (error as Error).message }, 'not warmed up');
  }
}

/** What is left of the second server would be part of the heap by which V8 decides when to collect next: 30 MiB more under load. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Once its connections are closed, work ends at once; only a rendering may take longer. */
const ENDING_MS = 500;

/** Rejects when the limit is reached, and leaves the work a moment to end. */
async function within<T>(limit: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = work.catch(() => {});
  const reached = new Promise<never>((_, failed) => {
    limit.addEventListener('abort', () => failed(limit.reason), { once: true });
  });
  try {
    return await Promise.race([work, reached]);
  } finally {
    await Promise.race([ended, pause(ENDING_MS, undefined, { ref: false })]);
  }
}

/** Ends with the first failure, which the others would share, and at the limit. */
async function rehearseAll(services: Services, simulator: SimulatorPlace, limit: AbortSignal): Promise<void> {
  const rehearsal = openRehearsal(services.db);
  const { server, close } = await openRehearsedServer(services, rehearsal, simulator);
  const sessions = Math.min(SESSIONS, services.config.databaseConnections);
  const opened = await Promise.allSettled(Array.from({ length: sessions }, () => services.db.pool.connect()));
  const clients = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    for (const client of clients) await rehearsal.run(client, limit, () => rehearse(server, rehearsal));
    for (const client of clients) client.release();
  } catch (error) {
    // Whatever a session was doing is not used again.
    for (const client of clients) client.release(error as Error);
    throw error;
  } finally {
    await server.close();
    await close();
  }
}

/** The service as it is, but it tells nobody: no log, no mail, no bucket, no register. */
async function openRehearsedServer(services: Services, { db }: Rehearsal, simulator: SimulatorPlace) {
  const { renderer } = services;
  const agency = { ...services.config.agency, certificate: null };
  const config = { ...services.config, agency, objectStore: null, mail: null };
  const assembled = assemble({
    ...{ config, db, simulator, log: createLogger('silent') },
    renderer: { ...renderer, stop: async () => {} },
  });
  const registers: Registers = {
    identify: async () => null,
    validateTaxId: () => Promise.reject(new Error('a rehearsal asks no register')),
    close: () => {},
  };
  const server = await buildServer(
    { ...assembled.services, registers: { test: registers, live: registers } },
    { isMigrated: async () => true, exposition: { type: 'text/plain', text: async () => '' }, pages: [] },
  );
  return { server, close: assembled.close };
}

/** What most callers do all day, for a company that exists only in this transaction; in the environment for tests, whose records nobody sends. */
async function rehearse(server: FastifyInstance, rehearsal: Rehearsal): Promise<void> {
  await rehearsal.markInvoice();
  const authorization = `Bearer ${await inTransaction(rehearsal.db.pool, createKey)}`;
  const ask = async (method: 'GET' | 'POST', url: string, payload?: string): Promise<string> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await server.inject({
      method,
      url,
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    if (answer.statusCode >= 400)
      throw new Error(`${method} was answered ${answer.statusCode}: ${answer.body}`);
    return answer.body;
  };
  for (let round = 1; round <= ROUNDS; round++) {
    if (round > 1) await rehearsal.markInvoice();
    const { id, pdf_url } = JSON.parse(await ask('POST', '/v1/invoices', INVOICE)) as {
      id: string;
      pdf_url: string;
    };
    await ask('GET', `/v1/invoices/${id}`);
    await ask('GET', '/v1/invoices?limit=25');
    if (round === 1) {
      const { pathname, search } = new URL(pdf_url);
      await ask('GET', `${pathname}${search}`);
    }
  }
}

async function createKey(client: pg.PoolClient): Promise<string> {
  const company = await createCompany(client, {
    nif: inventedNif(),
    legalName: 'Ensayo SL',
    address: { line1: 'Calle Mayor 1', postalCode: '28013', city: 'Madrid' },
  });
  if (isRefusal(company)) throw new Error(company.detail);
  await setCompanyFlags(client, company.companyId, {
    ...{ mandateApproved: true, onboardingFinished: true, subscriptionActive: true },
  });
  const { environmentId } = company.test;
  return (await createApiKey(client, { environmentId, environment: 'test', name: 'rehearsal' })).key;
}

/** Another one each time: creating a company locks its NIF until the transaction ends. */
function inventedNif(): string {
  const digits = `B${String(randomInt(10_000_000)).padStart(7, '0')}`;
  return Array.from({ length: 10 }, (_, control) => `${digits}${control}`).find(isSpanishNif)!;
}
