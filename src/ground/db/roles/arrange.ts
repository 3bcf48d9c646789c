import pg from 'pg';
import { z } from 'zod';
import type { Queryable } from '../queryable.ts';
import { singleClient } from '../reachable-client.ts';
import { readOneRow, readRows } from '../rows.ts';
import { credentialsOf, roleNames, scramVerifier } from './credentials.ts';
import { READER_GRANTS, READER_SCHEMAS, RUNTIME_GRANTS, SCHEMAS } from './grants.ts';

/** A required role cannot be created, or is not suitable: the message states what an administrator has to do. */
export class RoleError extends Error {
  override readonly name = 'Error';
}

/**
 * Ensures, as the owner, that the role of `runtimeUrl` can log in and has exactly the rights that the service needs, and
 * that there is a role that may read `ops`. Changes only what differs. Must be called with the schema locked (`migrate`).
 * Throws `RoleError`.
 */
export async function arrangeRoles(client: Queryable, runtimeUrl: string): Promise<void> {
  const { role: runtime, password } = credentialsOf(runtimeUrl);
  const before = await readState(client, runtime);
  refuseOwner(before, runtime);
  await makeRole(client, before, { runtimeUrl, runtime, password });
  const { reader } = before;
  if (!before.readerExists && before.mayCreate) await client.query(`create role ${quoted(reader)} nologin`);
  const readerExists = before.readerExists || before.mayCreate;
  const changes = [
    ...before.cleaning,
    ...(holds(before, runtime, RUNTIME_GRANTS, SCHEMAS) ? [] : granting(runtime, RUNTIME_GRANTS, SCHEMAS)),
    ...(!readerExists || holds(before, reader, READER_GRANTS, READER_SCHEMAS)
      ? []
      : granting(reader, READER_GRANTS, READER_SCHEMAS)),
  ];
  // Sent as one string they are one transaction, so running processes never lack a right.
  if (changes.length > 0) await client.query(changes.join(';\n'));
}

type State = {
  readonly database: string;
  readonly owner: string;
  readonly reader: string;
  /** Whether the current role may create roles. */
  readonly mayCreate: boolean;
  readonly runtimeExists: boolean;
  readonly readerExists: boolean;
  /** Whether the runtime role is a superuser, or owns anything of the service. */
  readonly runtimeOwns: boolean;
  /** What is granted to both: by role, and by table, schema or database. */
  readonly granted: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** Statements that revoke rights of PUBLIC. */
  readonly cleaning: readonly string[];
};

const ownership = z.object({ database: z.string(), owner: z.string() });
const existingRoles = z.object({
  mayCreate: z.boolean(),
  runtimeExists: z.boolean(),
  readerExists: z.boolean(),
  runtimeOwns: z.boolean(),
});
const cleaning = z.object({ statement: z.string() });
const grant = z.object({ role: z.string(), name: z.string(), privileges: z.array(z.string()) });

async function readState(client: Queryable, runtime: string): Promise<State> {
  const { database, owner } = await readOneRow(
    client,
    ownership,
    'select current_database() as database, current_user::text as owner',
  );
  const { reader } = roleNames(database);
  const roles = await readOneRow(
    client,
    existingRoles,
    `select (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as "mayCreate",
       exists (select 1 from pg_roles where rolname = $1) as "runtimeExists",
       exists (select 1 from pg_roles where rolname = $2) as "readerExists",
       exists (select 1 from pg_roles r where rolname = $1 and (rolsuper or exists (select 1 from pg_class c
         where c.relowner = r.oid and c.relnamespace in (select oid from pg_namespace where nspname = any($3))))
       ) as "runtimeOwns"`,
    [runtime, reader, SCHEMAS],
  );
  const granted = await grantsOf(client, [runtime, reader]);
  return { database, owner, reader, ...roles, granted, cleaning: await cleaningOf(client, database) };
}

/**
 * The grants to roles in the service's schemas: by role and table, the privileges in order. The right to use a schema is
 * under the name of the schema.
 */
export async function grantsOf(
  client: Queryable,
  roles: readonly string[],
): Promise<Map<string, Map<string, string[]>>> {
  const rows = await readRows(
    client,
    grant,
    `with part as (select oid, nspname, nspacl, nspowner from pg_namespace where nspname = any($2)),
     acl (name, suffix, item) as (
       select nspname || '.' || relname, '', aclexplode(relacl) from pg_class c join part on part.oid = relnamespace
       union all select nspname || '.' || relname, '(' || attname || ')', aclexplode(attacl)
         from pg_attribute a join pg_class c on c.oid = attrelid join part on part.oid = relnamespace
       union all select nspname::text, '', aclexplode(nspacl) from part
     )
     select rolname as role, name, array_agg(lower((item).privilege_type) || suffix ||
         case when (item).is_grantable then ' with grant option' else '' end) as privileges
       from acl join pg_roles r on r.oid = (item).grantee where rolname = any($1) group by 1, 2`,
    [roles, SCHEMAS],
  );
  const granted = new Map(roles.map((role) => [role, new Map<string, string[]>()]));
  for (const { role, name, privileges } of rows) granted.get(role)?.set(name, privileges.sort());
  return granted;
}

/**
 * By default everybody could create temporary tables, and before Postgres 15 tables in `public`; the queue shows its rows
 * only to their owner.
 */
async function cleaningOf(client: Queryable, database: string): Promise<string[]> {
  const rows = await readRows(
    client,
    cleaning,
    `select 'revoke create on schema public from public' as statement from pg_namespace, aclexplode(nspacl) acl
      where nspname = 'public' and acl.grantee = 0 and acl.privilege_type = 'CREATE'
        and pg_has_role(current_user, nspowner, 'usage')
     union all
     select format('revoke temporary on database %I from public', datname)
       from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) acl
      where datname = $1 and acl.grantee = 0 and acl.privilege_type = 'TEMPORARY'
        and pg_has_role(current_user, datdba, 'usage')
     union all
     select format('alter table %I.%I disable row level security', nspname, relname)
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where nspname = 'graphile_worker' and relrowsecurity`,
    [database],
  );
  return rows.map(({ statement }) => statement);
}

function refuseOwner({ runtimeOwns, owner, database }: State, runtime: string): void {
  if (runtime !== '' && runtime !== owner && !runtimeOwns) return;
  throw new RoleError(
    `DATABASE_URL must log in as a separate role that owns nothing; it logs in as ${runtime === '' ? 'nobody that it names' : runtime}. ` +
      `Give it another role, such as ${roleNames(database).runtime}.`,
  );
}

async function makeRole(
  client: Queryable,
  { runtimeExists, mayCreate, owner }: State,
  { runtimeUrl, runtime, password }: { runtimeUrl: string; runtime: string; password: string },
): Promise<void> {
  if (runtimeExists && (await canLogIn(runtimeUrl))) return;
  if (!mayCreate) throw new RoleError(instructions(runtime, owner));
  const secret = password === '' ? '' : ` password ${pg.escapeLiteral(scramVerifier(password))}`;
  await client.query(`${runtimeExists ? 'alter' : 'create'} role ${quoted(runtime)} login${secret}`);
  if (await canLogIn(runtimeUrl)) return;
  throw new RoleError(
    `the role ${runtime} cannot log in although it was just given its password: check pg_hba.conf and, if a pooler ` +
      'is in front of the database, its list of users',
  );
}

function instructions(runtime: string, owner: string): string {
  return [
    `the service does not run as ${owner}, which could undo the seals, and ${owner} may not create a role for it.`,
    'As an administrator of the server, run',
    `  create role ${quoted(runtime)} login password '…';`,
    'and start with these settings (only migrations need the second):',
    `  DATABASE_URL        as before, but as ${runtime} with that password`,
    '  DATABASE_OWNER_URL  what DATABASE_URL is now',
    `or allow it to create the role itself:`,
    `  alter role ${quoted(owner)} createrole;`,
  ].join('\n');
}

/** SQLSTATE class of login errors: no such role, a wrong password, not permitted by pg_hba.conf. */
const LOGIN_FAILED = '28';

export async function canLogIn(url: string): Promise<boolean> {
  const client = singleClient(url);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith(LOGIN_FAILED)) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

type Grants = Readonly<Record<string, readonly string[]>>;

/** Whether exactly that is granted to the role. */
function holds({ granted }: State, role: string, grants: Grants, schemas: readonly string[]): boolean {
  const has = new Map(granted.get(role));
  const all = { ...grants, ...Object.fromEntries(schemas.map((schema) => [schema, ['usage']])) };
  const same = Object.entries(all).every(
    ([name, privileges]) => [...privileges].sort().join() === has.get(name)?.join(),
  );
  return same && has.size === Object.keys(all).length;
}

function granting(role: string, grants: Grants, schemas: readonly string[]): string[] {
  const to = quoted(role);
  const all = SCHEMAS.join(', ');
  const kinds = ['tables', 'sequences', 'functions'];
  return [
    `revoke all on schema ${all} from ${to}`,
    ...kinds.map((kind) => `revoke all on all ${kind} in schema ${all} from ${to}`),
    `grant usage on schema ${schemas.join(', ')} to ${to}`,
    ...Object.entries(grants).map(([name, privileges]) => {
      const kind = name.endsWith('_seq') ? 'sequence' : 'table';
      return `grant ${privileges.join(', ')} on ${kind} ${name} to ${to}`;
    }),
  ];
}

function quoted(name: string): string {
  return pg.escapeIdentifier(name);
}
