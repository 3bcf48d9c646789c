import type pg from 'pg';
import { distribute } from '../../../src/ground/db/distribution/distribute.ts';
import { statementsOf } from '../../../src/ground/db/statement-time.ts';

/**
 * What of Citus can be had without it: functions under its names that divide a table by the hash of a column, as Postgres'
 * own partitions. Those demand of keys what Citus does, and a statement that is routed to one server looks in one of them.
 */
const STAND_INS = `
  create schema parts;
  set local search_path = public, parts;
  create table parts.pg_dist_partition (logicalrelid oid primary key, column_name text, of_reference boolean not null);

  create function create_reference_table(name regclass) returns void language sql as $$
    insert into pg_dist_partition values (name, null, true) $$;

  create function create_distributed_function(name regprocedure) returns void language sql as $$ select $$;
  create function create_distributed_function(name regprocedure, argument text, colocate_with text, force_delegation boolean) returns void language sql
    as $$ select $$;
  create function run_command_on_all_nodes(command text) returns void language sql as $$ select $$;

  create function create_distributed_table(name regclass, column_name text, colocate_with text) returns void language plpgsql as $$
  declare
    plain text := name::text;
    columns text;
    again record;
  begin
    -- Its counters and triggers outlive the table that is divided.
    for again in select format('alter sequence %s owned by none', d.objid::regclass) as statement from pg_depend d
      join pg_class c on c.oid = d.objid and c.relkind = 'S' where d.refobjid = name and d.deptype = 'a'
    loop execute again.statement; end loop;
    create temporary table kept_trigger on commit drop as
      select pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid = name and not tgisinternal;
    execute format('alter table %I rename to %I', plain, plain || '_whole');
    execute format('create table %I (like %I including all) partition by hash (%I)', plain, plain || '_whole', column_name);
    for remainder in 0..3 loop
      execute format('create table parts.%I partition of %I for values with (modulus 4, remainder %s)',
        plain || '_shard_' || remainder, plain, remainder);
    end loop;
    select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
     where attrelid = (plain || '_whole')::regclass and attnum > 0 and not attisdropped and attgenerated = '';
    execute format('insert into %I (%s) select %2$s from %I', plain, columns, plain || '_whole');
    execute format('drop table %I', plain || '_whole');
    for again in select definition from kept_trigger loop execute again.definition; end loop;
    drop table kept_trigger;
    insert into pg_dist_partition values (plain::regclass, column_name, false);
  end $$;`;

/** Divides the database as `lacre database distribute` does, with stand-ins for its functions. In the caller's transaction. */
export function divideTables(client: pg.ClientBase): Promise<void> {
  return statementsOf('maintenance', () => divide(client));
}

async function divide(client: pg.ClientBase): Promise<void> {
  await client.query(STAND_INS);
  // Views follow a table that Citus divides; they do not follow one that takes its place.
  const views = await takeAwayViews(client);
  await distribute(client);
  for (const text of views) await client.query(text);
  await client.query('analyze');
}

/** The statements that make them again, each after those that it looks at. */
async function takeAwayViews(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; text: string }>(
    `with recursive looks as (
       select distinct r.ev_class as view, d.refobjid as at from pg_rewrite r
         join pg_depend d on d.objid = r.oid and d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
        where d.refobjid <> r.ev_class
     ), depth (view, steps) as (
       select oid, 0 from pg_class where relkind = 'v' and relnamespace in ('public'::regnamespace, 'ops'::regnamespace)
       union select looks.view, steps + 1 from depth join looks on looks.at = depth.view
     )
     select view::regclass::text as name, format('create view %s as %s', view::regclass, pg_get_viewdef(view)) as text
       from depth group by view order by max(steps)`,
  );
  for (const { name } of rows.toReversed()) await client.query(`drop view ${name}`);
  return rows.map(({ text }) => text);
}

/** The triggers of tables that are not divided, as Citus allows them on shards alone. */
export async function triggersBesideShards(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%s on %s', tgname, tgrelid::regclass) as name from pg_trigger
       join pg_dist_partition d on d.logicalrelid = tgrelid and d.of_reference where not tgisinternal order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Every foreign key by its table and name. */
export async function foreignKeys(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `select format('%s: %s', conrelid::regclass, conname) as key from pg_constraint
      where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1`,
  );
  return rows.map(({ key }) => key);
}

/** Foreign keys that Citus refuses between tables that are divided, on every server, or on the coordinator alone. */
export async function refusedKeys(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(`
    with place as (
      select c.oid, case when d.of_reference then 'reference' when d.of_reference is null then 'local' else 'divided' end as kind
        from pg_class c left join pg_dist_partition d on d.logicalrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    ), key as (
      select conname, conrelid, confrelid, child.kind as child, parent.kind as parent, confupdtype, confdeltype,
             (select array_agg(attname order by n) from unnest(conkey) with ordinality k (attnum, n)
                join pg_attribute a on a.attrelid = conrelid and a.attnum = k.attnum) as columns,
             (select array_agg(attname order by n) from unnest(confkey) with ordinality k (attnum, n)
                join pg_attribute a on a.attrelid = confrelid and a.attnum = k.attnum) as targets
        from pg_constraint join place child on child.oid = conrelid join place parent on parent.oid = confrelid
       where contype = 'f'
    )
    select format('%s: %s to %s', conname, child, parent) as key from key
     where not case
       when child = 'divided' and parent = 'divided' then
         array_position(columns, 'environment_id') = array_position(targets, 'environment_id')
         and confupdtype in ('a', 'r') and confdeltype in ('a', 'r', 'c')
       when child = 'divided' and parent = 'reference' then confupdtype in ('a', 'r') and confdeltype in ('a', 'r', 'c')
       when child = 'reference' then parent = 'reference'
       else parent in ('reference', 'local') end
     order by 1`);
  return rows.map(({ key }) => key);
}
