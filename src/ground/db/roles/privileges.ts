import { z } from 'zod';
import type { Queryable } from '../queryable.ts';
import { readRows } from '../rows.ts';
import { SCHEMAS, SEALED } from './grants.ts';

const power = z.object({ power: z.string() });

/**
 * The privileges of the current role, or of a role that it could become, that would let it bypass a sealed table's triggers:
 * each as a phrase, none if it may run the service. Examines the current database, migrated or not. Settings of the server
 * count, because some of them name programs that Postgres runs.
 */
export async function unsafePrivilegesOf(client: Queryable): Promise<string[]> {
  const rows = await readRows(client, power, QUERY, [SEALED, SCHEMAS]);
  return rows.map(({ power }) => power);
}

/**
 * Postgres' own roles that can access files and programs of the server regardless of grants (its manual, Predefined Roles),
 * or write anything into tables.
 */
const PREDEFINED = [
  ...['pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files', 'pg_write_all_data'],
  'pg_create_subscription',
];

/** Membership counts whether it is inherited, can be assumed or only granted: each of them leads to the others. */
const QUERY = `
with me as materialized (
  select r.oid, r.rolname, r.rolsuper, r.rolcreaterole, r.rolreplication
    from pg_roles r join pg_roles own on own.rolname = current_user
   where r.oid = own.oid or (not own.rolsuper and pg_has_role(own.oid, r.oid, 'member'))
), part as materialized (
  select oid, nspname from pg_namespace where nspname = any($2)
), guarded as materialized (
  select c.oid, c.relname from pg_class c join part on part.oid = c.relnamespace
   where part.nspname = 'public' and c.relname = any($1)
), power (rank, role, power) as (
  select 1, rolname, 'is a superuser' from me where rolsuper
  union all select 2, rolname, 'may create and alter roles (createrole)' from me where rolcreaterole
  union all select 3, rolname, 'may replicate (replication)' from me where rolreplication
  union all select 4, me.rolname, 'is a role of Postgres that bypasses grants' from me
   where rolname = any('{${PREDEFINED.join(',')}}')
  union all select 5, me.rolname, 'owns the database' from me join pg_database on datdba = me.oid
   where datname = current_database()
  union all select 6, me.rolname, 'owns the schema ' || nspname from me join pg_namespace n on n.nspowner = me.oid
   where nspname = any($2)
  union all select 7, me.rolname, 'owns ' || min(part.nspname || '.' || c.relname)
      || case count(*) when 1 then '' else ' and ' || count(*) - 1 || ' more' end
    from me join pg_class c on c.relowner = me.oid join part on part.oid = c.relnamespace group by me.rolname
  union all select 8, me.rolname, 'owns the function ' || min(part.nspname || '.' || p.proname)
      || case count(*) when 1 then '' else ' and ' || count(*) - 1 || ' more' end
    from me join pg_proc p on p.proowner = me.oid join part on part.oid = p.pronamespace group by me.rolname
  union all select 9, me.rolname, 'may ' || privilege || ' on ' || string_agg(relname, ', ' order by relname)
    from me, guarded, unnest('{trigger,truncate,references,update,delete}'::text[]) privilege
   where not rolsuper and has_table_privilege(me.oid, guarded.oid, privilege) group by me.rolname, privilege
  union all select 10, me.rolname, 'may create in the schema ' || nspname from me, part
   where not rolsuper and has_schema_privilege(me.oid, part.oid, 'create')
  union all select 11, me.rolname, 'may create schemas and extensions in the database' from me
   where not rolsuper and has_database_privilege(me.oid, current_database(), 'create')
  union all select 12, me.rolname, 'may set session_replication_role' from me
   where not rolsuper and has_parameter_privilege(me.oid, 'session_replication_role', 'set')
  union all select 13, me.rolname, 'may alter the setting ' || string_agg(distinct parname, ', ' order by parname) || ' of the server'
    from me, pg_parameter_acl, aclexplode(paracl) acl
   where acl.privilege_type = 'ALTER SYSTEM' and acl.grantee in (0, me.oid) group by me.rolname
  union all select 14, current_user, 'has session_replication_role = replica, with which no trigger fires'
   where current_setting('session_replication_role') = 'replica'
)
select case role when current_user then '' else 'can become ' || quote_ident(role) || ', which ' end || power as power
  from power order by role <> current_user, role, rank, power`;
