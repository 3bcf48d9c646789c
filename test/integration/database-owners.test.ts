import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/ground/config/config.ts';
import { ownMigrations } from '../../src/ground/db/migrate.ts';
import { arrangeRoles, grantsOf } from '../../src/ground/db/roles/arrange.ts';
import { credentialsOf, derivedUrl, roleNames } from '../../src/ground/db/roles/credentials.ts';
import { prepareDatabase } from '../../src/ground/db/roles/prepare.ts';
import { unsafePrivilegesOf } from '../../src/ground/db/roles/privileges.ts';
import { Closing } from '../../src/startup/closing.ts';
import { openServiceDatabase, openSharedDatabase } from '../../src/startup/database.ts';
import { COMMAND_WAITS_MS } from '../../src/startup/wait-for-database.ts';
import { testLog } from '../support/processes/run-log.ts';

/** Who may own the database that a service works with, and as whom the service then runs. */

const server = inject('postgresUrl');
const log = testLog();
const databases: string[] = [];
const roles: string[] = [];

async function asSuperuser<T extends pg.QueryResultRow>(statement: string, database = 'postgres') {
  return withClient(server.replace(/\/postgres$/, `/${database}`), (client) => client.query<T>(statement));
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

afterAll(async () => {
  for (const name of databases) await asSuperuser(`drop database ${name} with (force)`);
  for (const role of roles) await asSuperuser(`drop role if exists ${role}`);
});

type OwnedDatabase = {
  readonly name: string;
  readonly owner: string;
  readonly superuserUrl: string;
  readonly ownerUrl: string;
};

/** An empty database, and the ways to it of the server's superuser and of an owner who is none. */
async function aDatabase(attributes = ''): Promise<OwnedDatabase> {
  const owner = `owner_${randomBytes(5).toString('hex')}`;
  await asSuperuser(`create role ${owner} login password 'of the owner' ${attributes}`);
  return aDatabaseOf(owner, 'template0');
}

async function aDatabaseOf(owner: string, template: string): Promise<OwnedDatabase> {
  const name = `owned_${randomBytes(5).toString('hex')}`;
  await asSuperuser(`create database ${name} owner ${owner} template ${template}`);
  databases.push(name);
  const { runtime, reader } = roleNames(name);
  roles.push(runtime, reader, owner);
  const superuserUrl = server.replace(/\/postgres$/, `/${name}`);
  return { name, owner, superuserUrl, ownerUrl: as(superuserUrl, owner, 'of the owner') };
}

function as(url: string, username: string, password: string): string {
  return Object.assign(new URL(url), { username, password }).href;
}

const settings = (url: string, more: Record<string, string> = {}) =>
  readConfig({
    ...{ DATABASE_URL: url, DATA_DIR: '/nowhere', LINK_SECRETS: 'x'.repeat(32), ...more },
    CERTIFICATE_KEYS: `test:${Buffer.alloc(32).toString('base64')}`,
  });

/** As whom a service with these settings works, and what it could undo; everything is closed again. */
async function started(url: string, more: Record<string, string> = {}) {
  const closing = new Closing();
  try {
    const db = await openServiceDatabase(settings(url, more), log, closing);
    const { rows } = await db.pool.query<{ role: string }>('select current_user::text as role');
    await db.pool.query('select count(*) from invoice');
    const others = await asSuperuser<{ role: string }>(
      `select distinct usename::text as role from pg_stat_activity
        where datname = '${new URL(url).pathname.slice(1)}' and pid <> pg_backend_pid()`,
    );
    return {
      role: rows[0]!.role,
      unsafePrivileges: await unsafePrivilegesOf(db.pool),
      connected: others.rows.map(({ role }) => role),
    };
  } finally {
    await closing.run(log);
  }
}

describe('with a single DATABASE_URL', () => {
  test('with a superuser the service creates its own role, and stays connected only with that', async () => {
    const { name, superuserUrl } = await aDatabase();
    const role = `${name}_runtime`;
    expect(await started(superuserUrl)).toEqual({ role, unsafePrivileges: [], connected: [role] });
    // Another process, and another start.
    expect(await started(superuserUrl)).toEqual({ role, unsafePrivileges: [], connected: [role] });
  });

  test('with an owner who may create roles it does so too', async () => {
    const { name, ownerUrl } = await aDatabase('createrole');
    const role = `${name}_runtime`;
    expect(await started(ownerUrl)).toEqual({ role, unsafePrivileges: [], connected: [role] });
    expect(await started(ownerUrl)).toEqual({ role, unsafePrivileges: [], connected: [role] });
  });

  test('with an owner who may not, it prints what an administrator has to run', async () => {
    const { name, ownerUrl } = await aDatabase();
    await expect(started(ownerUrl)).rejects.toThrow(
      new RegExp(`create role "${name}_runtime" login password.*DATABASE_OWNER_URL.*createrole`, 's'),
    );
  });

  test('for a role that has too many rights but owns nothing, it names them', async () => {
    const { name, superuserUrl } = await aDatabase();
    await started(superuserUrl);
    await asSuperuser(`create role ${name}_much login password 'x'`);
    roles.push(`${name}_much`);
    await asSuperuser(`grant trigger, truncate on invoice to ${name}_much`, name);
    await expect(started(as(superuserUrl, `${name}_much`, 'x'))).rejects.toThrow(
      /which could undo the seals[\s\S]*may trigger on invoice[\s\S]*may truncate on invoice/,
    );
  });

  test('for a role that owns nothing, it requires that migrations have been run', async () => {
    const { name, superuserUrl } = await aDatabase();
    await asSuperuser(`create role ${name}_plain login password 'x'`);
    roles.push(`${name}_plain`);
    await expect(started(as(superuserUrl, `${name}_plain`, 'x'))).rejects.toThrow(
      /lacks migrations.*lacre database migrate/,
    );
  });
});

describe('with DATABASE_OWNER_URL', () => {
  test('the owner migrates and the service runs as configured, also later without the owner', async () => {
    const { name, ownerUrl } = await aDatabase();
    await asSuperuser(`create role ${name}_app login password 'p@ss: word'`);
    roles.push(`${name}_app`);
    const url = as(ownerUrl, `${name}_app`, encodeURIComponent('p@ss: word'));
    const expected = { role: `${name}_app`, unsafePrivileges: [], connected: [`${name}_app`] };
    expect(await started(url, { DATABASE_OWNER_URL: ownerUrl })).toEqual(expected);
    expect(await started(url)).toEqual(expected);
  });

  test('the role is made and given its password where the owner may', async () => {
    const { name, ownerUrl } = await aDatabase('createrole');
    for (const password of ['first', 'second']) {
      const url = as(ownerUrl, `${name}_runtime`, password);
      const { role } = await started(url, { DATABASE_OWNER_URL: ownerUrl });
      expect(role).toBe(`${name}_runtime`);
    }
  });

  test('a role that keeps another power is not accepted for the service either', async () => {
    const { name, ownerUrl } = await aDatabase();
    await asSuperuser(
      `create role ${name}_app login password 'x'; grant pg_read_server_files to ${name}_app`,
    );
    roles.push(`${name}_app`);
    await expect(started(as(ownerUrl, `${name}_app`, 'x'), { DATABASE_OWNER_URL: ownerUrl })).rejects.toThrow(
      /which could undo the seals.*pg_read_server_files/s,
    );
  });

  test('a role that owns anything is not accepted for the service', async () => {
    const { ownerUrl } = await aDatabase();
    await expect(started(ownerUrl, { DATABASE_OWNER_URL: ownerUrl })).rejects.toThrow(
      /a separate role that owns nothing/,
    );
    await expect(started(server, { DATABASE_OWNER_URL: server })).rejects.toThrow(
      /a separate role that owns nothing/,
    );
  });
});

describe('arranging', () => {
  test('run concurrently, or on an existing installation, it gives the same result', async () => {
    const { name, superuserUrl } = await aDatabase();
    const url = derivedUrl(superuserUrl, {
      ...{ ownerUrl: superuserUrl, database: name, secret: Buffer.alloc(0) },
    });
    const twice = [prepareDatabase(superuserUrl, url), prepareDatabase(superuserUrl, url)];
    expect((await Promise.all(twice)).flat()).toEqual(ownMigrations());
    const granted = () => withClient(superuserUrl, (client) => grantsOf(client, [`${name}_runtime`]));
    const right = await granted();
    expect(right.get(`${name}_runtime`)?.get('public.invoice')).toEqual(['insert', 'select']);

    await asSuperuser(
      `grant all on invoice, company to ${name}_runtime; revoke select on chain from ${name}_runtime;
       grant select on tax_item to ${name}_runtime with grant option; grant temporary on database ${name} to public;
       alter role ${name}_runtime password 'another'; grant create on schema public to public`,
      name,
    );
    expect(await granted()).not.toEqual(right);
    expect(await prepareDatabase(superuserUrl, url)).toEqual([]);
    expect(await granted()).toEqual(right);
    expect(await withClient(url, unsafePrivilegesOf)).toEqual([]);
    // It would be found before the table itself.
    await expect(
      withClient(url, (client) => client.query('create temporary table invoice (id int)')),
    ).rejects.toThrow(/permission denied to create temporary tables/);
    const { rows } = await asSuperuser(
      `select rolcanlogin as "mayLogIn" from pg_roles where rolname = '${name}_reader'`,
    );
    expect(rows).toEqual([{ mayLogIn: false }]);
  });

  test('corrects a single grant too much, of whichever kind', async () => {
    const { name, superuserUrl } = await aDatabase();
    await started(superuserUrl);
    const granted = () =>
      withClient(superuserUrl, (client) => grantsOf(client, [`${name}_runtime`, `${name}_reader`]));
    const right = await granted();
    for (const grant of [
      `grant select on tax_item to ${name}_runtime with grant option`,
      `grant update (number) on invoice to ${name}_runtime`,
      `grant create on schema ops to ${name}_runtime`,
      `revoke select on account from ${name}_runtime`,
      `grant select on invoice to ${name}_reader`,
    ]) {
      await asSuperuser(grant, name);
      expect(await granted(), grant).not.toEqual(right);
      await started(superuserUrl);
      expect(await granted(), grant).toEqual(right);
    }
  });

  test('sends no password in a statement, which Postgres may log', async () => {
    const { name, ownerUrl } = await aDatabase('createrole');
    const statements: string[] = [];
    await withClient(ownerUrl, async (client) => {
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      const noting = (text: string, ...rest: unknown[]) => {
        statements.push(text);
        return query(text, ...rest);
      };
      const role = as(ownerUrl, `${name}_runtime`, 'of the service');
      // Nothing is migrated yet, so there is nothing to grant: the role is made first.
      await arrangeRoles({ query: noting as typeof client.query }, role).catch(() => {});
      await withClient(role, (other) => other.query('select 1'));
    });
    const made = statements.filter((text) => text.startsWith(`create role "${name}_runtime"`));
    expect(made).toEqual([expect.stringContaining('SCRAM-SHA-256$')]);
    expect(statements.join()).not.toContain('of the service');
  });

  test('roles of the service that are missing are made again at the next start', async () => {
    const { name, superuserUrl } = await aDatabase();
    await started(superuserUrl);
    await asSuperuser(`drop owned by ${name}_runtime, ${name}_reader`, name);
    await asSuperuser(`drop role ${name}_runtime, ${name}_reader`);
    expect(await started(superuserUrl)).toMatchObject({ role: `${name}_runtime`, unsafePrivileges: [] });
  });

  test('a process other than the service may start first', async () => {
    const { name, superuserUrl } = await aDatabase();
    const closing = new Closing();
    const { pool } = await openSharedDatabase(
      settings(superuserUrl),
      { log, longestMs: COMMAND_WAITS_MS },
      closing,
    );
    const { rows } = await pool.query('select current_user::text as role');
    await closing.run(log);
    expect(rows).toEqual([{ role: `${name}_runtime` }]);
  });
});

describe('a role that could remove a seal is found, by', () => {
  const ways: [how: string, grant: string, found: string | RegExp][] = [
    ['being a superuser', 'alter role ROLE superuser', 'is a superuser'],
    ['making roles', 'alter role ROLE createrole', 'may create and alter roles (createrole)'],
    ['replicating', 'alter role ROLE replication', 'may replicate (replication)'],
    ['owning a sealed table', 'alter table invoice owner to ROLE', /^owns public\.invoice( |$)/],
    [
      'owning what seals',
      'alter function refuse_change() owner to ROLE',
      'owns the function public.refuse_change',
    ],
    ['owning a view', 'alter view ops.verification owner to ROLE', 'owns ops.verification'],
    ['owning a schema', 'alter schema ops owner to ROLE', 'owns the schema ops'],
    ['owning the database', 'alter database DATABASE owner to ROLE', 'owns the database'],
    ['membership in the owner', 'grant OWNER to ROLE', /^can become owner_\w+, which owns the database$/],
    [
      'membership that is neither inherited nor to be taken on, but passed on',
      'grant OWNER to ROLE with inherit false, set false, admin true',
      /^can become owner_\w+, which owns the database$/,
    ],
    ['writing files', 'grant pg_write_server_files to ROLE', /pg_write_server_files, which is a role/],
    ['running programs', 'grant pg_execute_server_program to ROLE', /pg_execute_server_program, which is/],
    ['reading files', 'grant pg_read_server_files to ROLE', /pg_read_server_files, which is a role/],
    ['writing all tables', 'grant pg_write_all_data to ROLE', /pg_write_all_data, which is a role/],
    ['subscribing to others', 'grant pg_create_subscription to ROLE', /pg_create_subscription, which is/],
    ['trigger', 'grant trigger on tax_item to ROLE', 'may trigger on tax_item'],
    ['truncate', 'grant truncate on tax_item to ROLE', 'may truncate on tax_item'],
    ['references', 'grant references on tax_item to ROLE', 'may references on tax_item'],
    ['update', 'grant update on tax_item to ROLE', 'may update on tax_item'],
    ['delete that everybody has', 'grant delete on tax_item to public', 'may delete on tax_item'],
    ['creating in a schema', 'grant create on schema public to public', 'may create in the schema public'],
    [
      'creating schemas',
      'grant create on database DATABASE to ROLE',
      'may create schemas and extensions in the database',
    ],
    [
      'the setting itself',
      'grant set on parameter session_replication_role to ROLE',
      'may set session_replication_role',
    ],
    [
      'settings of the server, which name programs',
      'grant alter system on parameter archive_command to ROLE',
      'may alter the setting archive_command of the server',
    ],
    [
      'a setting that it has already',
      'alter role ROLE set session_replication_role = replica',
      'has session_replication_role = replica, with which no trigger fires',
    ],
  ];
  // Migrated once, by an owner who owns every copy.
  let migrated: OwnedDatabase;
  beforeAll(async () => {
    migrated = await aDatabase();
    await asSuperuser(`create role ${migrated.name}_app login password 'x'`);
    roles.push(`${migrated.name}_app`);
    await prepareDatabase(migrated.ownerUrl, as(migrated.ownerUrl, `${migrated.name}_app`, 'x'));
  });

  test.each(ways)('%s', async (_how, grant, found) => {
    const { name, owner, ownerUrl } = await aDatabaseOf(migrated.owner, migrated.name);
    await asSuperuser(`create role ${name}_app login password 'x'`);
    const url = as(ownerUrl, `${name}_app`, 'x');
    await prepareDatabase(ownerUrl, url);
    expect(await withClient(url, unsafePrivilegesOf)).toEqual([]);
    const filled = grant
      .replaceAll('ROLE', `${name}_app`)
      .replaceAll('OWNER', owner)
      .replaceAll('DATABASE', name);
    await asSuperuser(filled, name);
    expect(await withClient(url, unsafePrivilegesOf)).toContainEqual(
      typeof found === 'string' ? found : expect.stringMatching(found),
    );
    // A superuser's way is an owner's, by which the service makes a role for itself.
    if (grant.includes('superuser')) expect((await started(url)).unsafePrivileges).toEqual([]);
    else await expect(started(url)).rejects.toThrow();
    roles.push(`${name}_app`);
    await asSuperuser(`revoke all on parameter session_replication_role, archive_command from ${name}_app`);
  });
});

test('credentials are parsed as pg parses them, and replaced in every position', () => {
  expect(credentialsOf('postgres://a%40b:c%3Ad@h/x')).toEqual({ role: 'a@b', password: 'c:d' });
  expect(credentialsOf('postgres://a:b@h/x?user=c&password=d')).toEqual({ role: 'c', password: 'd' });
  const derivation = { ownerUrl: 'postgres://a:b@h/x', database: 'x', secret: Buffer.alloc(0) };
  const password = credentialsOf(derivedUrl(derivation.ownerUrl, derivation)).password;
  expect(password).toMatch(/^[\w-]{32}$/);
  expect(credentialsOf(derivedUrl('postgres:///x?host=/run/postgresql', derivation))).toEqual({
    ...{ role: 'x_runtime', password },
  });
  expect(derivedUrl('postgres://a:b@pooler:6432/x?user=c', derivation)).toBe(
    `postgres://x_runtime:${password}@pooler:6432/x`,
  );
  // Nobody's password tells another's.
  const others = [
    { ...derivation, ownerUrl: 'postgres://a:c@h/x' },
    { ...derivation, database: 'y' },
    { ...derivation, ownerUrl: 'postgres://a@h/x' },
    { ...derivation, ownerUrl: 'postgres://a@h/x', secret: Buffer.from('x') },
  ].map((other) => credentialsOf(derivedUrl(derivation.ownerUrl, other)).password);
  expect(new Set([...others, password]).size).toBe(5);
});

test('names of roles fit into the limit of Postgres, and none is reserved by Postgres', () => {
  expect(roleNames('lacre')).toEqual({ runtime: 'lacre_runtime', reader: 'lacre_reader' });
  expect(roleNames('pg_mine').runtime).toBe('lacre_pg_mine_runtime');
  const long = ['a'.repeat(63), `${'a'.repeat(62)}b`].map((name) => roleNames(name).runtime);
  expect(new Set(long).size).toBe(2);
  for (const name of long) expect(name.length).toBeLessThanOrEqual(63);
});
