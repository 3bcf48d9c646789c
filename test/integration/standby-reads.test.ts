import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { derivedUrl } from '../../src/ground/db/roles/credentials.ts';
import { prepareDatabase } from '../../src/ground/db/roles/prepare.ts';
import { unsafePrivilegesOf } from '../../src/ground/db/roles/privileges.ts';
import { Standby } from '../../src/ground/db/standby/standby.ts';
import { endOfMadridDay, madridDay, startOfMadridDay } from '../../src/ground/lib/calendar.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import type { OpenRegister } from '../../src/subjects/invoices/store/read-register.ts';
import { verifyDue } from '../../src/subjects/operations/verification.ts';
import { openSteadyRegister } from '../../src/subjects/register-books/steady-register.ts';
import { type ClusterOfTwo, startCluster } from '../failover/cluster.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { Visitor } from '../support/http/visitor.ts';
import { createCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { aLink, aSale, aShop } from '../support/pages/portal.ts';
import { type CommandLine, commandLineOn } from '../support/processes/command-line.ts';
import { testLog } from '../support/processes/run-log.ts';

/** Which reads a standby answers that has everything. */

const folder = mkdtempSync(join(tmpdir(), 'lacre-standby-reads-'));
const log = testLog();
let cluster: ClusterOfTwo;
let owner: pg.Pool;
let primary: Db;
let standby: Standby;
let service: TestService;
let operator: string;
let lacre: CommandLine;
let visitor: Visitor;

beforeAll(async () => {
  cluster = await startCluster();
  const derivation = { ownerUrl: cluster.url, database: 'lacre', secret: randomBytes(32) };
  const databaseUrl = derivedUrl(cluster.url, derivation);
  await prepareDatabase(cluster.url, databaseUrl);
  owner = new pg.Pool({ connectionString: cluster.url });
  primary = openDb(databaseUrl, { max: 4, log });
  const company = await createCompany(primary);
  standby = new Standby(derivedUrl(cluster.standbyUrl()!, derivation), primary, {
    ...{ max: 4, log, unsafePrivilegesOf },
  });
  await standby.start();
  const beside = { databaseUrl, owner, ownerUrl: cluster.url, company };
  service = await testService({}, { beside: beside as TestService, standby });
  operator = (await createOperatorKey(primary.pool, 'Ada')).key;
  const config = () => service.services.config;
  lacre = commandLineOn({ config, database: async () => primary, standby: async () => standby });
  const { status } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  expect(status).toBe(201);
  const shop = await aShop(service);
  await aSale(service, shop, 'ana');
  visitor = await new Visitor(service.url).enter(await aLink(service, shop, 'ana'));
});
afterAll(async () => {
  await service?.close();
  await standby?.end();
  if (primary !== undefined) await closeDb(primary);
  await owner?.end();
  await cluster?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const get = async (path: string) => {
  const { status, body } = await service.call('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
};
const query = async (text: string, key?: string) => {
  const { body } = await service.graphql(text, {}, key === undefined ? {} : { key });
  expect(body.errors).toBeUndefined();
};
const command = async (words: string[]) => {
  const { exit, stderr } = await lacre(words);
  expect(exit, stderr).toBe(0);
};
const TODAY = madridDay(new Date());
const period = () => ['--company', service.company.companyId, '--from', TODAY, '--to', TODAY];

const READS: Readonly<Record<string, () => Promise<unknown>>> = {
  'a list over REST': () => get('/v1/invoices'),
  'a list over GraphQL': () => query('{ invoices(first: 5) { totalCount } }'),
  totals: () => query('{ invoiceTotals { count total } }'),
  events: () => get('/v1/events'),
  'the portal’s list': async () => expect((await visitor.get('/portal')).status).toBe(200),
  'a register book': async () => {
    const { body } = await service.graphql(
      `{ registerBook(from: "${TODAY}", to: "${TODAY}", format: csv) { downloadUrl } }`,
    );
    const file = new URL(body.data.registerBook.downloadUrl);
    const answer = await fetch(new URL(file.pathname + file.search, service.url));
    expect(await answer.text()).toContain('Tipo de Factura');
  },
  'a verification by an operator': () =>
    query(`{ verifyChain(environmentId: ${service.company.test.environmentId}) { complete } }`, operator),
  'the verification of each night': () => verifyDue(service.services),
  'a verification at the command line': () =>
    command(['verify', '--environment', String(service.company.test.environmentId)]),
  'a register book at the command line': () =>
    command(['books', 'export', ...period(), '--format', 'csv', '--out', join(folder, 'book.csv')]),
  'an export of records': () =>
    command(['records', 'export', ...period(), '--out', join(folder, 'records.xml')]),
};

test.each(Object.keys(READS))('%s is read from a standby that has everything', async (name) => {
  // Operators and jobs read from it when it has replayed all that there is.
  await expect.poll(() => standby.covers(null)).toBe(true);
  let taken = 0;
  const count = () => {
    taken += 1;
  };
  standby.db.pool.on('acquire', count);
  await READS[name]!();
  standby.db.pool.off('acquire', count);
  expect(taken).toBeGreaterThan(0);
});

describe('a register book whose standby hangs in the middle', () => {
  const readAll = async (register: OpenRegister) => {
    const numbers: string[] = [];
    for (let page = await register.next(2); page.length > 0; page = await register.next(2))
      numbers.push(...page.map(({ number }) => number));
    return numbers;
  };
  /** On the standby, with two invoices read. */
  async function openedThere() {
    await expect.poll(() => standby.covers(null)).toBe(true);
    const day = { from: startOfMadridDay(TODAY), before: endOfMadridDay(TODAY) };
    const period = { environmentId: service.company.test.environmentId, ...day };
    const whole = await openSteadyRegister({ db: primary, standby: null }, period);
    const numbers = await readAll(whole);
    await whole.close();
    const register = await openSteadyRegister({ db: primary, standby }, period);
    onTestFinished(() => register.close());
    const first = await register.next(2);
    expect(first.map(({ number }) => number)).toEqual(numbers.slice(0, 2));
    return { register, numbers };
  }
  const issue = async () => {
    const { status, body } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    expect(status).toBe(201);
    return body as { id: string; number: string };
  };
  beforeAll(async () => {
    for (let n = 0; n < 4; n++) await issue();
  });
  afterEach(() => cluster.hangStandby('SIGCONT'));

  test('goes on with the primary, with what was issued meanwhile at its end', async () => {
    const { register, numbers } = await openedThere();
    const { number } = await issue();
    cluster.hangStandby('SIGSTOP');
    expect(await readAll(register)).toEqual([...numbers.slice(2), number]);
    expect(register.count).toBe(numbers.length + 1);
    await register.close();
    await expect.poll(() => primary.pool.totalCount - primary.pool.idleCount).toBe(0);
  });

  test('fails if the primary has something else in place of what was read', async () => {
    const { register, numbers } = await openedThere();
    const { rows } = await primary.pool.query<{ id: string }>('select id from invoice where number = $1', [
      numbers[0],
    ]);
    await query(
      `mutation { voidInvoice(invoiceId: "${rows[0]!.id}", reason: "never happened") { id } }`,
      operator,
    );
    cluster.hangStandby('SIGSTOP');
    await expect(readAll(register)).rejects.toThrow();
    await register.close();
    await expect.poll(() => primary.pool.totalCount - primary.pool.idleCount).toBe(0);
  });

  test('leaves nothing open when it is closed at the same time', async () => {
    const { register } = await openedThere();
    cluster.hangStandby('SIGSTOP');
    const reading = readAll(register).catch((error: unknown) => error);
    await register.close();
    await reading;
    await expect.poll(() => primary.pool.idleCount).toBe(primary.pool.totalCount);
  });
});

test('a single invoice and a change are not asked of it', async () => {
  await expect.poll(() => standby.covers(null)).toBe(true);
  let taken = 0;
  standby.db.pool.on('acquire', () => {
    taken += 1;
  });
  const { status, body } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  expect(status).toBe(201);
  await get(`/v1/invoices/${body.id}`);
  expect(taken).toBe(0);
});
