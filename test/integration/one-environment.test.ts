import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OF_ALL } from '../../src/ground/db/rows.ts';
import {
  divideTables,
  foreignKeys,
  refusedKeys,
  triggersBesideShards,
} from '../support/database/divided-tables.ts';
import { Division, planOf, shardsOf } from '../support/database/one-environment.ts';
import { type Sent, sentDuring } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { aDeliverer, deliverAll } from '../support/webhooks/deliver-once.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { runDayOfWork } from './query-plan-workload.ts';
import { distinct } from './query-plans.ts';

/**
 * What a database needs to be divided by environments among servers, as by Citus: keys within an environment, and statements that
 * one server could run alone. Every run of the tests holds the statements of the service to that (`run-statements.ts`); here is what
 * would be found, and that the work of one company is that of one server.
 */

let service: TestService;
let client: pg.PoolClient;
const sent = new Map<string, Sent[]>();
beforeAll(async () => {
  service = await testService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  for (const [what, work] of await runDayOfWork(service))
    if (HOT.includes(what)) sent.set(what, await sentDuring(work));
  sent.set(DELIVERING, await sentDuring(deliverOne));
  client = await service.owner.connect();
});
afterAll(async () => {
  client?.release();
  await service?.close();
});

const HOT = [
  ...[
    'issuing',
    'issuing under an idempotency key with an external_id, and its replay',
    'reading one over REST',
  ],
  ...['listing over REST by nothing', 'registering'],
];
const DELIVERING = 'delivering webhooks';

/** An event for an endpoint of the company, from the journal to the receiver. */
async function deliverOne(): Promise<void> {
  const receiver = new Receiver();
  const { key, environmentId } = service.company.live;
  const body = { url: await receiver.open(), event_types: ['*'] };
  expect((await service.call('POST', '/v1/webhook_endpoints', { key, body })).status).toBe(201);
  await service.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() });
  await deliverAll(aDeliverer(service.services, service.db), environmentId);
  receiver.close();
  expect(receiver.types).toContain('invoice.issued');
}

test('on one server a group is one call of each function, for all of its environments', async () => {
  const companies = [service.company, await createCompany(service.db), await createCompany(service.db)];
  const environments = companies.flatMap(({ test, live }) => [test, live]);
  // More than there are lanes: those that arrive while a group is being committed are the next.
  const requests = Array.from({ length: 6 }, () => environments).flat();
  let most = 1;
  for (let round = 0; round < 20 && most === 1; round++) {
    const sent = await sentDuring(async () => {
      const answers = requests.map(({ key }) =>
        service.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() }),
      );
      for (const { status } of await Promise.all(answers)) expect(status).toBe(201);
    });
    const groups = sent.filter(({ text }) => text.includes('lock_chains('));
    for (const call of ['take_numbers(', 'write_invoices('])
      expect(sent.filter(({ text }) => text.includes(call))).toHaveLength(groups.length);
    most = Math.max(...groups.map(({ text }) => text.match(/"environment_id":/g)!.length));
  }
  expect(most).toBeGreaterThan(1);
});

test('where Citus divides the database, environments share a transaction once they are known to be on one server', async () => {
  const { db, owner, company } = service;
  const companies = [company, await createCompany(db), await createCompany(db)];
  // More than there are lanes: some are in the same.
  const environments = companies.flatMap(({ test, live }) => [test, live]);
  const environmentsOfGroups = async (each: number) => {
    const keys = Array.from({ length: each }, () => environments).flat();
    const sent = await sentDuring(async () => {
      const answers = keys.map(({ key }) =>
        service.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() }),
      );
      for (const { status } of await Promise.all(answers)) expect(status).toBe(201);
    });
    const calls = sent.map(({ text }) => environmentsOfCalls(text).size);
    return calls.filter((count) => count > 0);
  };
  // The chains of a group are then of a server that was examined.
  const [{ identity }] = (await owner.query('select server_identity() as identity')).rows as [
    { identity: string },
  ];
  const known = db.lineage.known;
  [db.lineage.divided, db.lineage.known] = [true, `${identity} 1:${identity}`];
  expect(Math.max(...(await environmentsOfGroups(1)))).toBe(1);
  // Those of a lane that arrive while another group is being committed.
  let most = 1;
  for (let round = 0; round < 20 && most === 1; round++) most = Math.max(...(await environmentsOfGroups(6)));
  expect(most).toBeGreaterThan(1);
  db.lineage.forgetWorkers(environments.map(({ environmentId }) => environmentId));
  expect(Math.max(...(await environmentsOfGroups(1)))).toBe(1);
  [db.lineage.divided, db.lineage.known] = [false, known];
});

/** The environments whose chains a text locks. */
function environmentsOfCalls(text: string): Set<string> {
  return new Set(text.match(/lock_chains\(\d+/g));
}

/** What a statement is, its text and values, and the fault that is found. */
const VIOLATIONS: readonly [what: string, text: string, values: readonly unknown[], fault: string][] = [
  [
    'that joins a table without its environment',
    'select 1 from invoice i join invoice_line l on l.invoice_id = i.id where i.environment_id = $1',
    [1],
    'more than one environment: invoice_line',
  ],
  [
    'with an empty select list',
    'select id from invoice where environment_id = $1 and exists (select from invoice_void where environment_id = $1)',
    [1],
    'an empty select list',
  ],
  [
    'that loads for two environments',
    `select invoice.id from unnest($1::int[], $2::text[]) as wanted (environment_id, id)
         join invoice on invoice.environment_id = wanted.environment_id and invoice.id = wanted.id`,
    [
      [1, 2],
      ['inv_1', 'inv_2'],
    ],
    'more than one environment: invoice',
  ],
  [
    'that names two environments',
    'select id from invoice where environment_id in ($1, $2)',
    [1, 2],
    'more than one environment: invoice',
  ],
  [
    'that writes whatever environment its values name',
    'insert into invoice_void select * from json_populate_record(null::invoice_void, $1)',
    ['{}'],
    'rows of any environment: invoice_void',
  ],
  [
    'that joins the queue',
    `select 1 from invoice_document d where environment_id = $1
          and not exists (select 1 from graphile_worker._private_jobs where key = d.invoice_id)`,
    [1],
    'invoice_document together with the queue',
  ],
  [
    'that appends to a journal among other things',
    `with kept as (delete from day_to_add where environment_id = $1 returning 1) select append_journal('[]') from kept`,
    [1],
    'day_to_add together with the queue',
  ],
  [
    'that joins the audit log of operators',
    'select 1 from invoice join audit_entry on subject = invoice.id where invoice.environment_id = $1',
    [1],
    'invoice together with audit_entry',
  ],
  [
    'that joins what operators have',
    'select 1 from chain, operator_key where chain.environment_id = $1',
    [1],
    'chain together with operator_key',
  ],
];

describe('divided by environments', () => {
  let division: Division;
  let keys: string[];
  beforeAll(async () => {
    keys = await foreignKeys(client);
    await client.query('begin');
    await divideTables(client);
    division = await Division.of(client);
  });
  beforeEach(() => client.query('savepoint divided'));
  afterEach(() => client.query('rollback to divided'));
  afterAll(() => client.query('rollback'));

  test('the work of one company looks in the shards of its environment alone', async () => {
    expect([...sent.keys()].sort()).toEqual([...HOT, DELIVERING].sort());
    for (const [what, statements] of sent) {
      const shards = new Set<number>();
      for (const statement of distinct(statements)) {
        if (statement.text.startsWith(OF_ALL)) continue;
        for (const [table, parts] of shardsOf(await planOf(client, statement)))
          if (table !== 'rate_limit') for (const part of parts) shards.add(part);
      }
      // Issuing looks in them by functions alone.
      expect([...shards], what).toHaveLength(what === 'issuing' ? 0 : 1);
    }
  });

  test('every key keeps within an environment, or leads to what each server has; none is lost', async () => {
    expect(await refusedKeys(client)).toEqual([]);
    expect(keys.length).toBeGreaterThan(50);
    expect(await foreignKeys(client)).toEqual(keys);
  });

  test('a key that did not would be detected', async () => {
    const planted = [
      'alter table audit_entry add foreign key (environment_id) references environment (id) on update cascade',
      'alter table invoice_line add foreign key (environment_id) references environment (id) on update cascade',
      'alter table environment add foreign key (id) references journal_head (environment_id)',
    ];
    await client.query(planted[0]!);
    expect(await refusedKeys(client)).toEqual([]);
    for (const key of planted.slice(1)) await client.query(key);
    expect(await refusedKeys(client)).toEqual([
      expect.stringContaining('reference to divided'),
      expect.stringContaining('divided to reference'),
    ]);
  });

  test('only shards have triggers, and every column of a sealed row stays sealed', async () => {
    expect(await triggersBesideShards(client)).toEqual([]);
    const changes = [
      'update invoice set number = number',
      'delete from journal_entry',
      'truncate tax_item cascade',
    ];
    for (const change of changes) {
      await expect(client.query(change), change).rejects.toThrow('rows are sealed');
      await client.query('rollback to divided');
    }
  });

  const faultsOf = (text: string, ...values: unknown[]) =>
    division.faults(client, { text, values, name: null });

  describe('a statement is refused', () => {
    test.each(VIOLATIONS)('%s', async (_what, text, values, fault) => {
      expect(await faultsOf(text, ...values)).toContain(fault);
    });
  });

  test('statements of one environment are not refused, nor those of all that say so', async () => {
    const one = `select 1 from invoice i join invoice_line l on l.environment_id = i.environment_id and l.invoice_id = i.id
       join environment e on e.id = i.environment_id where i.environment_id = $1`;
    expect(await faultsOf(one, 1)).toEqual([]);
    const correlated = `select (select json_agg(l.id) from invoice_line l where l.environment_id = i.environment_id and l.invoice_id = i.id)
       from invoice i where i.environment_id = $1`;
    expect(await faultsOf(correlated, 1)).toEqual([]);
    expect(await faultsOf('insert into day_to_add (environment_id, day) select $1, now()', 1)).toEqual([]);
    expect(await faultsOf(`${OF_ALL} select count(*) from invoice`)).toEqual([]);
    expect(await faultsOf('select count(*) from invoice')).not.toEqual([]);
  });
});
