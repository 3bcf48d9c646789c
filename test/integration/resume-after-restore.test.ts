import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobHelpers } from 'graphile-worker';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compareTask } from '../../jobs/compare-with-agency.ts';
import { madridDay, yearsBefore } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { examineOnce } from '../../src/startup/lineage.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { type Compared, compareWithAgency } from '../../src/subjects/registration/resume-after-restore.ts';
import { submitChain } from '../../src/subjects/registration/submit.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { backUp, restore } from '../support/database/database.ts';
import { type Answer, type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { testLog } from '../support/processes/run-log.ts';

const log = testLog();

let simulator: TestSimulator;
let service: TestService;
let operator: string;
let dataDir: string;
let company: TestCompany;
let companies = 900;
beforeAll(async () => {
  simulator = await testSimulator({ queryPageSize: 2 });
  service = await testService({}, { simulator });
  operator = (await createOperatorKey(service.db.pool, 'Ada')).key;
  dataDir = mkdtempSync(join(tmpdir(), 'lacre-mark-'));
});
beforeEach(async () => {
  await simulator.control({ mode: 'ok', enforce_wait: false });
  companies += 1;
  company = await createCompany(service.db, { nif: companyNif(companies) });
  await examine();
});
afterAll(async () => {
  await service?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What the service does at its start and every minute. */
const examine = () => examineOnce({ db: service.db, log }, dataDir);

const issue = (headers: Record<string, string> = {}): Promise<Answer> =>
  service.call('POST', '/v1/invoices', { key: company.live.key, body: aSimplifiedInvoice(), headers });

async function issued(count: number): Promise<string[]> {
  const numbers: string[] = [];
  for (let i = 0; i < count; i++) {
    const { status, body } = await issue();
    expect(status, JSON.stringify(body)).toBe(201);
    numbers.push(body.number);
  }
  return numbers;
}

async function send(): Promise<void> {
  const { rows } = await service.db.pool.query('select id from chain where environment_id = $1 order by id', [
    company.live.environmentId,
  ]);
  for (const { id } of rows) {
    const chain = { environmentId: company.live.environmentId, chainId: id as number };
    await service.db.pool.query(
      "update chain_dispatch set next_send_at = now() - interval '1 second' where chain_id = $1",
      [id],
    );
    const agency = await service.services.agencyClients.clientFor(chain.environmentId);
    await submitChain({ db: service.db, log, agency }, chain);
  }
}

/** The database goes back to what it was when the work began; the process is started anew and knows of nothing. */
async function losing(work: () => Promise<unknown>): Promise<void> {
  await losingUnderway(work);
  service.db.lineage.acknowledged.clear();
}

/** The same under a process that goes on. */
async function losingUnderway(work: () => Promise<unknown>): Promise<void> {
  const backup = await backUp(service.databaseUrl);
  await work();
  await restore(service.databaseUrl, backup);
}

async function compare(): Promise<Compared> {
  const { environmentId, chainId } = company.live;
  const agency = await service.services.agencyClients.clientFor(environmentId);
  const { software } = service.services.config;
  return compareWithAgency({ db: service.db, log, agency, software }, { environmentId, chainId });
}

async function chainNow() {
  const { rows } = await service.db.pool.query(
    `select id, hold::text, held_at is not null as held, installation_number as installation
       from chain where environment_id = $1 and closed_at is null`,
    [company.live.environmentId],
  );
  return rows[0] as { id: number; hold: string | null; held: boolean; installation: string };
}

const states = async () => {
  const { rows } = await service.db.pool.query(
    `select invoice.number, status::text from record_state state
       join registration_record record on record.id = state.record_id
       join invoice on invoice.id = record.invoice_id
      where state.environment_id = $1 order by state.chain_id, state.position`,
    [company.live.environmentId],
  );
  return rows.map(({ number, status }) => `${number} ${status}`);
};

const OPEN = `mutation ($environmentId: Int!, $reason: String!) {
  openNewInstallation(environmentId: $environmentId, reason: $reason) {
    closedChainId chainId installationNumber jumps { from to year }
  }
}`;
const open = async (reason = 'the restore lost two invoices') => {
  const variables = { environmentId: company.live.environmentId, reason };
  return (await service.graphql(OPEN, variables, { key: operator })).body;
};

/** The invoices that the agency holds and a forked chain lacks. */
async function lostNumbers(chainId: number): Promise<string[]> {
  const { rows: forks } = await service.db.pool.query('select * from chain_fork where chain_id = $1', [
    chainId,
  ]);
  expect(forks).toHaveLength(1);
  const lost = (forks[0].records as { number: string }[]).map(({ number }) => number);
  expect(forks[0].record_count).toBe(lost.length);
  return lost.sort();
}

test('a database that continues where it was needs no examination', async () => {
  await issued(1);
  await examine();
  await examine();
  expect(await chainNow()).toMatchObject({ hold: null, held: false });
});

describe('a database that lost what the agency holds', () => {
  test('issues nothing until an operator opens a new installation, and then gives no number twice', async () => {
    const year = new Date().getFullYear();
    const numbers = await issued(3);
    await send();
    const before = await chainNow();
    await losing(async () => {
      expect(await issued(2)).toEqual([`F-${year}-4`, `F-${year}-5`]);
      await send();
    });

    await examine();
    expect(await chainNow()).toMatchObject({ id: before.id, hold: 'restored', held: true });
    const refused = await issue({ 'idempotency-key': 'after-restore' });
    expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('60');
    // Which numbers are lost is not known yet.
    expect((await open()).errors[0].extensions).toMatchObject({ code: 'invalid_request' });

    expect(await compare()).toBe('forked');
    expect(await chainNow()).toMatchObject({ id: before.id, hold: 'forked' });
    expect((await issue()).status).toBe(503);
    expect(await lostNumbers(before.id)).toEqual([`F-${year}-4`, `F-${year}-5`]);

    const { data } = await open();
    expect(data.openNewInstallation).toMatchObject({
      ...{ closedChainId: before.id, jumps: [{ from: 4, to: 5, year }] },
    });
    // The refusal left the key free.
    const retried = await issue({ 'idempotency-key': 'after-restore' });
    expect(retried).toMatchObject({ status: 201, body: { number: `F-${year}-6` } });
    const after = await chainNow();
    expect(after).toMatchObject({ id: data.openNewInstallation.chainId, hold: null });
    expect(after.installation).not.toBe(before.installation);
    await send();
    expect(await states()).toEqual([...numbers, `F-${year}-6`].map((number) => `${number} registered`));
    const { rows } = await service.db.pool.query('select xml from registration_record where chain_id = $1', [
      after.id,
    ]);
    expect(rows[0].xml).toContain('<sf:PrimerRegistro>S</sf:PrimerRegistro>');
    expect(rows[0].xml).toContain(`<sf:NumeroInstalacion>${after.installation}<`);
    // The numbers that were passed over are explained.
    const { environmentId } = company.live;
    expect(await verifyEnvironment(service.db.pool, environmentId)).toMatchObject({
      records: 4,
      findings: [],
    });
    const { rows: acts } = await service.db.pool.query(
      "select actor, reason, subject from audit_entry where environment_id = $1 and action = 'open_installation'",
      [environmentId],
    );
    expect(acts).toEqual([
      {
        ...{ actor: expect.stringMatching(/^opk_/), reason: 'the restore lost two invoices' },
        subject: `chain ${before.id}`,
      },
    ]);
  });

  test('is found out by a rectificativa of an old operation alone, which the agency files under its month', async () => {
    const sold = yearsBefore(madridDay(new Date()), 3);
    const correct = async (number: string) => {
      const line_items = [aLine({ quantity: 1, unit_amount: -100 })];
      const rectifies = { external: { number, issued_on: sold }, method: 'differences' };
      const body = aSimplifiedInvoice({ line_items, rectifies });
      const { status } = await service.call('POST', '/v1/invoices', { key: company.live.key, body });
      expect(status).toBe(201);
      await send();
    };
    await correct('OLD-1');
    await losing(() => correct('OLD-2'));
    await examine();
    expect(await compare()).toBe('forked');
    expect(await lostNumbers((await chainNow()).id)).toEqual([expect.stringMatching(/^R-\d{4}-2$/)]);
  });

  test('and issued others in their place: the same number with another fingerprint is a fork too', async () => {
    await issued(1);
    await send();
    await losing(async () => {
      await issued(1);
      await send();
    });
    // Nobody issues before it was examined; but an operator may have let issuing go on, and with the hold lifted by hand
    // it does. Within the same second the two records could not be told apart.
    clock.shift(2_000);
    expect((await issue()).status).toBe(503);
    await examine();
    await service.db.pool.query('update chain set hold = null, held_at = null');
    await issued(1);
    clock.reset();
    await service.db.pool.query("update chain set hold = 'restored', held_at = now() where id = $1", [
      company.live.chainId,
    ]);
    expect(await compare()).toBe('forked');
    const { data } = await open();
    expect(data.openNewInstallation.jumps).toEqual([]);
    expect((await issued(1))[0]).toMatch(/-3$/);
  });

  test('and were acknowledged: the numbers that a process remembers are skipped, in test environments too', async () => {
    const test = { key: company.test.key, body: aSimplifiedInvoice() };
    const year = new Date().getFullYear();
    await issued(1);
    await losingUnderway(async () => {
      await issued(2);
      expect((await service.call('POST', '/v1/invoices', test)).body?.number).toBe(`F-${year}-1`);
    });
    await examine();
    expect((await service.call('POST', '/v1/invoices', test)).body?.number).toBe(`F-${year}-2`);
    expect(await compare()).toBe('sound');
    expect(await issued(1)).toEqual([`F-${year}-4`]);
    for (const { environmentId } of [company.test, company.live]) {
      expect(await verifyEnvironment(service.db.pool, environmentId)).toMatchObject({ findings: [] });
    }
  });

  test('but had not sent it: this cannot be known, and nothing is held for ever', async () => {
    await issued(1);
    await send();
    await losing(() => issued(1));
    await examine();
    expect(await compare()).toBe('sound');
    expect(await chainNow()).toMatchObject({ hold: null });
  });
});

describe('a database that was restored without losing anything', () => {
  beforeEach(async () => {
    await issued(2);
    await send();
    await losing(async () => {});
    await examine();
  });

  test('accepts records again as soon as the agency was queried', async () => {
    expect((await issue()).status).toBe(503);
    expect(await compare()).toBe('sound');
    expect(await issued(1)).toEqual([expect.stringMatching(/-3$/)]);
    await examine();
    expect(await chainNow()).toMatchObject({ hold: null });
  });

  test('stays held while the agency does not answer', async () => {
    await simulator.control({ mode: 'down' });
    expect(await compare()).toBe('unreachable');
    await simulator.control({ mode: 'fault' });
    expect(await compare()).toBe('unreachable');
    expect(await chainNow()).toMatchObject({ hold: 'restored' });
    await simulator.control({ mode: 'ok' });
    expect(await compare()).toBe('sound');
  });

  test('is compared by a job, which is repeated until the agency answers', async () => {
    const { environmentId, chainId } = company.live;
    const work = compareTask({ ...service.services, log });
    const run = () => work({ environmentId, chainId }, {} as JobHelpers);
    const waiting = async () => {
      const { rows } = await service.db.pool.query(
        'select run_at > now() as later from graphile_worker.jobs where key = $1',
        [`compare:${chainId}`],
      );
      return rows;
    };
    expect(await waiting()).toEqual([{ later: false }]);
    await simulator.control({ mode: 'down' });
    await run();
    expect(await waiting()).toEqual([{ later: true }]);
    expect(await chainNow()).toMatchObject({ hold: 'restored' });
    await simulator.control({ mode: 'ok' });
    await run();
    expect(await chainNow()).toMatchObject({ hold: null });
    // One that runs again does no harm.
    await run();
    expect(await chainNow()).toMatchObject({ hold: null });
  });

  test('leaves test environments alone and gives each live chain its job', async () => {
    const ticket = { key: company.test.key, body: aSimplifiedInvoice() };
    expect((await service.call('POST', '/v1/invoices', ticket)).status).toBe(201);
    const { rows } = await service.db.pool.query(
      "select key from graphile_worker.jobs where task_identifier = 'compare_with_agency' and key = $1",
      [`compare:${company.live.chainId}`],
    );
    expect(rows).toHaveLength(1);
    await compare();
  });
});

describe('how a restored database is detected', () => {
  const held = async () => (await chainNow()).hold !== null;
  beforeEach(async () => {
    await examine();
    await service.db.pool.query('update chain set hold = null, held_at = null');
  });

  test('by a count below the stored mark, once', async () => {
    await service.db.pool.query('update database_lineage set beat = 0');
    await examine();
    expect(await held()).toBe(true);
    await service.db.pool.query('update chain set hold = null, held_at = null');
    await examine();
    expect(await held()).toBe(false);
  });

  test('by a different server, timeline or database', async () => {
    // Commits waited for a standby: nothing but its identity tells that it is another one.
    service.db.lineage.unsynchronised = false;
    await service.db.pool.query("update database_lineage set identity = '1/00000001/1', synchronous = true");
    expect(await examine()).toMatchObject({
      kind: 'restored',
      doubt: expect.stringMatching(/^it was at 1\/00000001\/1 and is at [^;]+$/),
    });
    expect(await held()).toBe(true);
  });

  test('not by a mark of another database, nor without one', async () => {
    await service.owner.query("update database_lineage set origin = 'another', beat = 1");
    await examine();
    expect(await held()).toBe(false);
    const elsewhere = mkdtempSync(join(tmpdir(), 'lacre-mark-'));
    await examineOnce({ db: service.db, log }, elsewhere);
    rmSync(elsewhere, { recursive: true });
    expect(await held()).toBe(false);
  });

  test('or by an operator', async () => {
    const { body } = await service.graphql(
      'mutation { checkAfterRestore(reason: "whole machine restored") { heldChains } }',
      {},
      { key: operator },
    );
    expect(body.data.checkAfterRestore.heldChains).toBeGreaterThan(0);
    expect(await held()).toBe(true);
    const merchants = await service.graphql('mutation { checkAfterRestore(reason: "x") { heldChains } }');
    expect(merchants.body.errors[0].extensions.code).toBe('forbidden');
    await service.db.pool.query('update chain set hold = null, held_at = null');
  });
});
