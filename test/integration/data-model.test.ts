import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SEALED } from '../../src/ground/db/roles/grants.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { fillEveryTable } from '../support/database/rows.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { sqlOfPrismaSchema } from './schema-sql.ts';

let database: TestDatabase;
let company: TestCompany;

beforeAll(async () => {
  database = await testDatabase();
  company = await createCompany(database.db);
  const client = await database.owner.connect();
  await fillEveryTable(client, company.live);
  client.release();
});
afterAll(() => database.close());

/** What both ways of making the tables must agree on, one sortable line a fact. */
const FACTS = `
  select format('column %s.%s %s %s %s default %s', table_name, column_name, udt_name,
      coalesce(character_maximum_length, datetime_precision), is_nullable, coalesce(column_default, 'none')) as fact
    from information_schema.columns where table_schema = 'public' and table_name <> 'schema_migration'
  union all
  -- Prisma cannot write an index over an expression or over a part of the rows: those are in the SQL alone.
  select pg_get_indexdef(indexrelid) from pg_index
    where indrelid in (select c.oid from pg_class c where c.relnamespace = 'public'::regnamespace
        and c.relname <> 'schema_migration')
      and indpred is null and indexprs is null
  union all
  select format('constraint %s on %s %s', conname, conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f')
      and conrelid <> coalesce(to_regclass('public.schema_migration'), 0)
  union all
  select format('enum %s %s', enumtypid::regtype, string_agg(enumlabel, ' ' order by enumsortorder)) from pg_enum
    group by enumtypid`;

async function factsOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ fact: string }>(FACTS);
  return rows.map((row) => row.fact).sort();
}

describe('schema.prisma and the migrations', () => {
  let fromPrisma: TestDatabase;
  beforeAll(async () => {
    fromPrisma = await testDatabase({ template: 'template1' });
    await fromPrisma.owner.query(await sqlOfPrismaSchema(fromPrisma.ownerUrl));
  });
  afterAll(() => fromPrisma.close());

  test('make the same tables, keys, indexes and enumerations', async () => {
    const wanted = await factsOf(fromPrisma.owner);
    expect(wanted.length).toBeGreaterThan(200);
    expect(await factsOf(database.owner)).toEqual(wanted);
  });

  test('are reported as different when a column, an index or a key differs', async () => {
    const wanted = await factsOf(fromPrisma.owner);
    for (const change of [
      'alter table invoice alter column number drop not null',
      'alter table invoice alter column currency type char(4)',
      'drop index invoice_rectifies_id_idx',
      'alter table record_state drop constraint record_state_environment_id_submission_id_fkey',
      "alter type registration_status add value 'lost'",
      'create table extra (id int)',
    ]) {
      const client = await fromPrisma.owner.connect();
      await client.query('begin');
      await client.query(change);
      const { rows } = await client.query<{ fact: string }>(FACTS);
      await client.query('rollback');
      client.release();
      expect(rows.map((row) => row.fact).sort(), change).not.toEqual(wanted);
    }
  });
});

/** Runs statements in a transaction that is always rolled back; returns the last one's error, or null. */
async function attempt(...statements: string[]): Promise<pg.DatabaseError | null> {
  const client = await database.owner.connect();
  try {
    await client.query('begin');
    const last = statements.pop() ?? '';
    for (const statement of statements) await client.query(statement);
    return await client.query(last).then(
      () => null,
      (error: pg.DatabaseError) => error,
    );
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const RESTRICT_VIOLATION = '23001';
const FOREIGN_KEY_VIOLATION = '23503';

describe('what was issued never changes and never vanishes', () => {
  const sealed: Record<(typeof SEALED)[number], string> = {
    invoice: 'notes',
    invoice_line: 'description',
    tax_item: 'name',
    registration_record: 'xml',
    invoice_amendment: 'reason',
    invoice_void: 'reason',
    invoice_exchange: 'ticket_id',
    invoice_payment: 'reference',
    invoice_payment_removal: 'removed_by',
    invoice_email: 'message',
    audit_entry: 'reason',
    journal_entry: 'content',
    counter_jump: 'series_id',
    software_declaration: 'text',
    environment_audit_entry: 'reason',
    branding: 'accent_colour',
  };
  test.each(Object.entries(sealed))('%s', async (table, column) => {
    for (const statement of [
      `update ${table} set ${column} = 'another'`,
      `update ${table} set ${column} = ${column}`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ]) {
      const error = await attempt(statement);
      expect(error?.code, statement).toBe(RESTRICT_VIOLATION);
      expect(error?.message, statement).toMatch(/rows are sealed/);
    }
  });

  test('a number series is immutable', async () => {
    const error = await attempt(`update number_series set prefix = 'X'`);
    expect(error?.code).toBe(RESTRICT_VIOLATION);
  });

  test('a series with invoices cannot be deleted', async () => {
    const error = await attempt(`delete from number_series where id = '${company.live.standardSeriesId}'`);
    // Postgres 18 tells a reference that restricts from any other.
    expect([RESTRICT_VIOLATION, FOREIGN_KEY_VIOLATION]).toContain(error?.code);
  });

  test('a counter never goes back, and never to another series or year', async () => {
    for (const change of ['last_number = last_number - 1', 'year = 2027', "series_id = 'ns_x'"]) {
      const error = await attempt(`update series_counter set ${change}`);
      expect(error?.code, change).toBe(RESTRICT_VIOLATION);
    }
    expect(await attempt('update series_counter set last_number = last_number + 1')).toBeNull();
  });

  test('the head of a journal never goes back, and is that of no other journal', async () => {
    const of = `where environment_id = ${company.live.environmentId}`;
    for (const change of ['position = position - 1', "origin = 'another'"]) {
      const error = await attempt(`update journal_head set ${change} ${of}`);
      expect(error?.code, change).toBe(RESTRICT_VIOLATION);
    }
    expect(await attempt(`update journal_head set position = position + 1 ${of}`)).toBeNull();
  });
});

type ForeignKey = { name: string; child: string; parent: string; columns: string[]; targets: string[] };

/** The foreign keys between two tables that both belong to an environment. */
async function keysInsideEnvironments(): Promise<ForeignKey[]> {
  const columns = (table: string, numbers: string) => `
    (select array_agg(a.attname::text order by k.n) from unnest(${numbers}) with ordinality k (attnum, n)
      join pg_attribute a on a.attrelid = ${table} and a.attnum = k.attnum)`;
  const carriesEnvironment = (table: string) => `
    exists (select from pg_attribute a where a.attrelid = ${table} and a.attname = 'environment_id')`;
  const { rows } = await database.owner.query<ForeignKey>(`
    select conname as name, conrelid::regclass::text as child, confrelid::regclass::text as parent,
      ${columns('conrelid', 'conkey')} as columns, ${columns('confrelid', 'confkey')} as targets
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
      and ${carriesEnvironment('conrelid')} and ${carriesEnvironment('confrelid')}
    order by conname`);
  return rows;
}

/** Statements after which no other key of the child, and no key that points at it, can stand in the way. */
async function rowsOfOnly(key: ForeignKey): Promise<string[]> {
  const { rows } = await database.owner.query<{ drop: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop from pg_constraint
     where contype = 'f' and conname <> $1 and ($2::regclass in (conrelid, confrelid))`,
    [key.name, key.child],
  );
  return [...rows.map((row) => row.drop), `alter table ${key.child} disable trigger user`];
}

describe('a reference across environments is impossible', () => {
  test('every key between tables of an environment carries the environment on both sides', async () => {
    const keys = await keysInsideEnvironments();
    expect(keys.length).toBeGreaterThanOrEqual(20);
    for (const key of keys) {
      expect(key.columns, key.name).toContain('environment_id');
      expect(key.targets.indexOf('environment_id'), key.name).toBe(key.columns.indexOf('environment_id'));
    }
  });

  test('each of them refuses a row of another environment', async () => {
    for (const key of await keysInsideEnvironments()) {
      const error = await attempt(
        ...(await rowsOfOnly(key)),
        // Of what an environment has one of, the other has its own.
        `delete from ${key.child} where environment_id = ${company.test.environmentId}`,
        `update ${key.child} set environment_id = ${company.test.environmentId} where ctid = (
           select ctid from ${key.child} where environment_id = ${company.live.environmentId}
             and ${key.columns.map((column) => `${column} is not null`).join(' and ')} limit 1)`,
      );
      expect(error?.code, key.name).toBe(FOREIGN_KEY_VIOLATION);
      expect(error?.constraint, key.name).toBe(key.name);
    }
  });
});
