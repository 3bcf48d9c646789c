import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantsOf } from '../../src/ground/db/roles/arrange.ts';
import { credentialsOf } from '../../src/ground/db/roles/credentials.ts';
import { READER_GRANTS, RUNTIME_GRANTS, SCHEMAS, SEALED } from '../../src/ground/db/roles/grants.ts';
import { unsafePrivilegesOf } from '../../src/ground/db/roles/privileges.ts';
import { Standby } from '../../src/ground/db/standby/standby.ts';
import { CUSTOMER_COLUMNS } from '../../src/subjects/customers/store/customers.ts';
import { COLUMNS as CATALOG_COLUMNS } from '../../src/subjects/taxes/store/read-catalog.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { fillEveryTable } from '../support/database/rows.ts';
import { createCompany } from '../support/invoices/company.ts';
import { testLog } from '../support/processes/run-log.ts';
import { addWrittenRights, type Rights } from './written-rights.ts';

let database: TestDatabase;
let superuser: string;
const made: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  superuser = credentialsOf(database.ownerUrl).role;
  const { live } = await createCompany(database.db);
  const client = await database.owner.connect();
  await fillEveryTable(client, live);
  client.release();
});
afterAll(async () => {
  for (const role of made) await database.owner.query(`drop owned by ${role}; drop role ${role}`);
  await database?.close();
});

/** A role of the test's own, which goes when the file ends, and the way to the database as that role. */
async function aRole(attributes = ''): Promise<{ role: string; url: string }> {
  const role = `role_${randomBytes(5).toString('hex')}`;
  await database.owner.query(`create role ${role} login password 'secret' ${attributes}`);
  made.push(role);
  const url = new URL(database.ownerUrl);
  Object.assign(url, { username: role, password: 'secret' });
  return { role, url: url.href };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** insufficient_privilege (PostgreSQL, appendix A). */
const REFUSED = '42501';

/** What works as the owner, or is no part of the service. */
const OTHERS = /^(?:agency-simulator|ground\/db\/migrate\.ts$)/;

/** The text of all modules in a folder whose statements the service itself runs. */
function sourcesIn(folder: string): string[] {
  const root = join(import.meta.dirname, '../..', folder);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !OTHERS.test(name))
    .map((name) => readFileSync(join(root, name), 'utf8'));
}

/** What statements write whose texts are put together, and what a library writes. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  // `update ${table}` (accounts/store/keys.ts).
  'public.api_key': ['update(revoked_at)'],
  'public.operator_key': ['update(revoked_at)'],
  // `set (${COLUMNS}, updated_at)` (taxes/store/catalog.ts).
  'public.tax_catalog_entry': CATALOG_COLUMNS.split(',').map((column) => `update(${column.trim()})`),
  // What is known of a customer, by the list that its statements are made of (customers/store/customers.ts).
  'public.customer': [...['insert', 'delete'], ...CUSTOMER_COLUMNS.map((column) => `update(${column})`)],
  // By rate-limiter-flexible.
  'public.rate_limit': ['insert', 'update(points)', 'update(expire)', 'delete'],
};

async function firstColumn(table: string): Promise<string> {
  const { rows } = await database.owner.query<{ name: string }>(
    'select attname as name from pg_attribute where attrelid = $1::regclass and attnum = 1',
    [table],
  );
  return rows[0]!.name;
}

/** All that is granted on what the service has, to whom and by whom. */
async function rights(): Promise<unknown> {
  const { rows } = await database.owner.query(
    `select oid::regclass::text as name, relacl::text, relowner::regrole::text as owner from pg_class
      where relnamespace::regnamespace::text = any($1)
     union all select nspname, nspacl::text, nspowner::regrole::text from pg_namespace
     union all select oid::regprocedure::text, proacl::text, proowner::regrole::text from pg_proc
      where pronamespace::regnamespace::text = any($1) order by 1`,
    [SCHEMAS],
  );
  return rows;
}

describe('the role that the service runs as is refused', () => {
  const onSealed = SEALED.flatMap((table) => [
    `update ${table} set COLUMN = COLUMN`,
    `delete from ${table}`,
    `truncate ${table}`,
    `drop table ${table}`,
    `alter table ${table} disable trigger sealed_row`,
    `alter table ${table} disable trigger all`,
    `drop trigger sealed_row on ${table}`,
    `do $$ begin lock table ${table} in access exclusive mode; end $$`,
  ]);
  const others = [
    'set session_replication_role = replica',
    "select set_config('session_replication_role', 'replica', false)",
    // What guards the rows.
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
    'drop function refuse_change() cascade',
    'alter function refuse_change() owner to current_user',
    'create function harmless() returns int language sql as $$ select 1 $$',
    'create function pg_temp.harmless() returns int language sql as $$ select 1 $$',
    'create trigger another before insert on invoice for each row execute function refuse_change()',
    'create rule silent as on insert to invoice do instead nothing',
    'create policy all_of_it on invoice using (true)',
    'alter table invoice enable row level security',
    'alter table invoice drop constraint invoice_adds_up',
    'alter table invoice add column more text',
    'alter table invoice alter column number drop not null',
    'alter table invoice rename to another',
    'alter table invoice set schema ops',
    'alter table invoice owner to current_user',
    'create index another on invoice (notes)',
    'drop index invoice_number_ci',
    'create table another (id int)',
    'create temporary table invoice (id int)',
    'create table another as table invoice',
    'create view another as select 1',
    'create schema another',
    'drop schema ops cascade',
    'create type another as enum ()',
    'alter sequence chain_id_seq restart',
    "select setval('chain_id_seq', 1)",
    // What only looks sealed by its trigger.
    "update number_series set prefix = 'X'",
    "update environment set kind = 'live'",
    "update company set nif = 'X'",
    "update api_key set hash = 'x'",
    "update operator_key set hash = 'x'",
    'update series_counter set year = 1',
    'delete from record_state',
    'update record_state set position = 1',
    'delete from chain',
    'delete from api_key',
    // What migrating leaves.
    "insert into schema_migration (name, sha256) values ('x', 'x')",
    'delete from schema_migration',
    'insert into graphile_worker.migrations (id) values (1000)',
    'create or replace view ops.verification as select 1',
    'drop view ops.verification',
    'alter function ops.jobs() reset all',
    // Other roles, and more rights.
    'set role SUPERUSER',
    'set session authorization SUPERUSER',
    'set role pg_write_all_data',
    'alter role current_user superuser',
    'alter role current_user createrole',
    'alter role current_user replication',
    'alter role current_user bypassrls',
    "alter role SUPERUSER password 'x'",
    'grant SUPERUSER to current_user',
    'grant pg_execute_server_program to current_user',
    'create role another',
    'reassign owned by SUPERUSER to current_user',
    'drop owned by SUPERUSER',
    'alter default privileges for role SUPERUSER grant all on tables to public',
    'grant set on parameter session_replication_role to current_user',
    'select * from pg_authid',
    'select * from pg_shadow',
    // The server, its files and its programs.
    "copy invoice to program 'true'",
    "copy api_key from program 'true'",
    "copy invoice to '/tmp/another'",
    "copy api_key from '/etc/passwd'",
    "select pg_read_file('/etc/passwd')",
    "select pg_read_binary_file('PG_VERSION')",
    "select pg_ls_dir('.')",
    "select pg_stat_file('PG_VERSION')",
    'select * from pg_hba_file_rules',
    "select lo_import('/etc/passwd')",
    "select lo_export(1, '/tmp/another')",
    "alter system set fsync = 'off'",
    'alter database DATABASE set session_replication_role = replica',
    'alter database DATABASE owner to current_user',
    'drop database DATABASE',
    'create database another',
    'select pg_reload_conf()',
    'select pg_switch_wal()',
    'select pg_promote()',
    "select pg_create_physical_replication_slot('another')",
    'create publication another for table invoice',
    "create subscription another connection '' publication another",
    'create event trigger another on ddl_command_end execute function refuse_change()',
    "create tablespace another location '/tmp'",
    'create language another handler refuse_change',
    "load 'another'",
    'checkpoint',
  ];
  let before: unknown;
  beforeAll(async () => {
    before = await rights();
  });

  test.each([...onSealed, ...others])('%s', async (act) => {
    const [, table] = /^update (\w+) set COLUMN/.exec(act) ?? [];
    const statement = act
      .replace('SUPERUSER', superuser)
      .replace('DATABASE', new URL(database.url).pathname.slice(1))
      .replaceAll('COLUMN', table === undefined ? '' : await firstColumn(table));
    await expect(database.db.pool.query(statement)).rejects.toMatchObject({ code: REFUSED });
  });

  test('and what Postgres only warns about changes nothing', async () => {
    for (const act of [
      'grant select, insert on invoice to public',
      'grant truncate, trigger on invoice to public',
      'grant create on schema public to current_user',
      'grant all on all tables in schema public to current_user',
      'revoke all on schema public from public',
      'vacuum full invoice',
    ]) {
      await database.db.pool.query(act).catch(() => {});
    }
    expect(await rights()).toEqual(before);
  });
});

describe('what is granted', () => {
  test('is as listed for every table, view and sequence', async () => {
    const runtime = credentialsOf(database.url).role;
    const reader = runtime.replace(/runtime$/, 'reader');
    const granted = await grantsOf(database.owner, [runtime, reader]);
    const sorted = (grants: Readonly<Record<string, readonly string[]>>, schemas: readonly string[]) =>
      Object.fromEntries([
        ...Object.entries(grants).map(([name, privileges]) => [name, [...privileges].sort()]),
        ...schemas.map((schema) => [schema, ['usage']]),
      ]);
    expect(Object.fromEntries(granted.get(runtime)!)).toEqual(sorted(RUNTIME_GRANTS, SCHEMAS));
    expect(Object.fromEntries(granted.get(reader)!)).toEqual(sorted(READER_GRANTS, ['ops']));
    // Who adds a table decides here what may be done with it.
    const { rows } = await database.owner.query<{ name: string }>(
      `select nspname || '.' || relname as name from pg_class c join pg_namespace n on n.oid = relnamespace
        where nspname = any($1) and relkind in ('r', 'p', 'v', 'm', 'f')
       union all select nspname || '.' || relname from pg_class c join pg_namespace n on n.oid = relnamespace
        where nspname = 'public' and relkind = 'S'`,
      [SCHEMAS],
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(RUNTIME_GRANTS).sort());
  });

  test('lets sealed tables take rows and nothing else, and they are those that triggers seal', async () => {
    const { rows } = await database.owner.query<{ name: string }>(
      `select tgrelid::regclass::text as name from pg_trigger where tgname = 'sealed_row' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([...SEALED].sort());
    for (const table of SEALED) expect(RUNTIME_GRANTS[`public.${table}`]).toEqual(['select', 'insert']);
  });

  test('permits deletion from these tables only, and nowhere changes of every column', () => {
    const tables = Object.entries(RUNTIME_GRANTS).filter(([name]) => name.startsWith('public.'));
    const having = (right: string) =>
      tables.filter(([, rights]) => rights.includes(right)).map(([name]) => name.slice('public.'.length));
    // What expires, waits, is made again or was set by somebody; and of batches and drafts what was issued stays.
    expect(having('delete').sort()).toEqual([
      ...[
        'access_suspension',
        'chain_comparison',
        'client_certificate',
        'console_session',
        'customer',
        'day_to_add',
        'day_total',
      ],
      ...[
        'idempotency_key',
        'invoice_batch',
        'invoice_draft',
        'number_series',
        'operations_sample',
        'portal_session',
        'portal_visit',
        'rate_limit',
      ],
      ...[
        'service_process',
        'taken_prefix',
        'tax_catalog_entry',
        'trusted_document',
        'webhook_delivery',
        'webhook_endpoint',
      ],
      ...['webhook_secret'],
    ]);
    expect(having('update')).toEqual([]);
    // No column that says which row it is, whose, or since when.
    const fixed = ['id', 'environment_id', 'company_id', 'account_id', 'created_at', 'nif', 'hash', 'kind'];
    const moved = tables.flatMap(([name, rights]) =>
      fixed.filter((column) => rights.includes(`update(${column})`)).map((column) => `${name}.${column}`),
    );
    // The head of a journal is its last hash; a key that has run out is taken anew, by whatever request.
    expect(moved.sort()).toEqual(['public.idempotency_key.created_at', 'public.journal_head.hash']);
  });

  test('for writing is what the statements of the service and its functions write, and no more', async () => {
    const used: Rights = new Map();
    for (const root of ['src', 'rest', 'jobs'])
      for (const text of sourcesIn(root)) addWrittenRights(text, used);
    const { rows } = await database.owner.query<{ prosrc: string }>(
      `select prosrc from pg_proc where pronamespace = 'public'::regnamespace and not prosecdef`,
    );
    for (const { prosrc } of rows) addWrittenRights(prosrc, used);
    const granted = Object.entries(RUNTIME_GRANTS)
      .filter(([name]) => name.startsWith('public.') && !name.endsWith('_seq'))
      .map(([name, rights]) => [name, rights.filter((right) => right !== 'select').sort()] as const);
    const needed = granted.map(([name]) => {
      const composed = COMPOSED[name];
      const read = [...(used.get(name) ?? [])].filter(
        (right) => composed === undefined || !right.includes('$'),
      );
      return [name, [...new Set([...read, ...(composed ?? [])])].sort()] as const;
    });
    expect(Object.fromEntries(granted)).toEqual(Object.fromEntries(needed));
  });

  test('is granted nothing to PUBLIC, and the role is member of none', async () => {
    const { rows } = await database.owner.query(
      `select relname from pg_class, aclexplode(relacl) acl
        where relnamespace::regnamespace::text = any($1) and acl.grantee = 0
       union all select rolname from pg_roles where pg_has_role($2, oid, 'member') and rolname <> $2`,
      [SCHEMAS, credentialsOf(database.url).role],
    );
    expect(rows).toEqual([]);
  });
});

test('reads are not asked of a standby as a role that could undo the seals', async () => {
  const reasons: string[] = [];
  const standby = new Standby(database.ownerUrl, database.db, {
    ...{ max: 1, unsafePrivilegesOf },
    log: testLog((line) => reasons.push((JSON.parse(line) as { reason: string }).reason), 'warn'),
  });
  await standby.start();
  // On a busy machine the first looks may not be answered in time.
  await expect.poll(() => reasons.at(-1)).toMatch(/^its role could undo the seals: it is a superuser/);
  expect(standby.isUsable).toBe(false);
  await standby.end();
});

test('an operator’s SQL role sees its views, including the queue, and nothing else', async () => {
  const reader = credentialsOf(database.url).role.replace(/runtime$/, 'reader');
  const { url } = await aRole(`in role ${reader}`);
  await database.owner.query(`select graphile_worker.add_job('render_pdf', '{}'::json)`);
  await withClient(url, async (client) => {
    for (const view of Object.keys(READER_GRANTS)) await client.query(`select * from ${view}`);
    const { rows } = await client.query('select task, due from ops.queue_health');
    expect(rows).toEqual([{ task: 'render_pdf', due: 1 }]);
    for (const act of [
      ...['select * from invoice', 'select * from api_key', 'select * from client_certificate'],
      ...['select * from graphile_worker.jobs', 'insert into audit_entry default values'],
      ...['create temporary table x ()', 'create or replace view ops.verification as select 1'],
    ]) {
      await expect(client.query(act), act).rejects.toMatchObject({ code: REFUSED });
    }
  });
  await database.owner.query('delete from graphile_worker._private_jobs');
});
