import { z } from 'zod';
import type { Queryable } from '../queryable.ts';
import { readOneRow, readRows } from '../rows.ts';
import { BY_ENVIRONMENT, BY_ENVIRONMENT_FUNCTIONS, REFERENCE, SERVER_FUNCTIONS } from './places.ts';

/** How far a distribution has come. */
export type ShowStep = (done: number, total: number, what: string) => void;

/** One step, a transaction of its own: a distribution that is broken off goes on with the first that is not done. */
type Step = { readonly what: string; readonly sql: string };

/**
 * Divides a migrated database of one server by environments among the workers of its coordinator, with Citus (docs/guides/
 * scaling-out.md): reference tables on every server, the rest by environment, issuing as one remote command. What was done before is
 * not done again. The session must be a superuser's, as Citus creates roles on the workers, and nobody else may use the database
 * (`distributionFaults`).
 */
export async function distribute(client: Queryable, show: ShowStep = () => {}): Promise<void> {
  // Triggers of shards refuse changes of sealed rows, and write what lists and totals need into tables of the same environment, which
  // are on the same server.
  await client.query('set citus.enable_unsafe_triggers = on');
  const { released, placed } = await readOneRow(client, stateRow, STATE);
  const tables = placements().filter(({ table }) => !placed.includes(table));
  const before: Step[] =
    released || placed.length > 0 ? [] : [{ what: 'foreign keys and triggers', sql: RELEASE }];
  const functions = [...BY_ENVIRONMENT_FUNCTIONS, ...SERVER_FUNCTIONS].map(placeFunction);
  const steps = [SETTINGS, ...before, ...tables.flatMap(placeTable), ...functions];
  await run(client, steps, show);
  await run(client, await restoringSteps(client), show);
  await client.query('drop table if exists citus_released');
}

async function run(client: Queryable, steps: readonly Step[], show: ShowStep): Promise<void> {
  for (const [done, { what, sql }] of steps.entries()) {
    show(done, steps.length, what);
    await client.query(sql);
  }
  show(steps.length, steps.length, 'done');
}

const stateRow = z.object({ released: z.boolean(), placed: z.array(z.string()) });
const STATE = `select to_regclass('citus_released') is not null as released,
  array(select logicalrelid::regclass::text from pg_dist_partition where logicalrelid::regclass::text not like '%.%') as placed`;

/**
 * For every later session of the service: triggers of shards may write colocated tables, limits of time hold on the workers too, and
 * functions that statements call there may read the environment's tables. What Citus sends to a worker has its values in its text, as
 * what issues has: no server writes the text of a statement that fails, or what called it, to its log, where it would be personal data.
 */
const OPTIONS = {
  'citus.enable_unsafe_triggers': 'on',
  'citus.propagate_set_commands': 'local',
  'citus.allow_nested_distributed_execution': 'on',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};
const SETTINGS: Step = {
  what: 'settings of the database',
  sql: Object.entries(OPTIONS)
    .map(
      ([name, value]) =>
        `select run_command_on_all_nodes(format('alter database %I set ${name} = ${value}', current_database()))`,
    )
    .join(';'),
};

/** As `pg_trigger.tgtype` has it. */
const OF_INSERT = 4;

/**
 * Citus divides no table that foreign keys hold. They are kept here meanwhile, without what they say of updates: where the distribution
 * column is part of a key Citus knows no ON UPDATE CASCADE, and no environment ever changes its number. What is unique by being random
 * stays so within an environment: a shard sees no other. Rows come to a shard as new ones, so triggers of new rows are kept here too: what
 * they add exists, or is in a table that has no place yet.
 */
const RELEASE = `
  create table citus_released as
    select 1 as step, format('%s: %s', conrelid::regclass, conname) as what,
           format('alter table %s drop constraint %I', conrelid::regclass, conname) as release,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname,
                  replace(pg_get_constraintdef(oid), ' ON UPDATE CASCADE', '')) as restore
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    union all
    select 2, format('%s: %s', tgrelid::regclass, tgname), format('drop trigger %I on %s', tgname, tgrelid::regclass),
           pg_get_triggerdef(pg_trigger.oid)
      from pg_trigger join pg_class on pg_class.oid = tgrelid
     where relnamespace = 'public'::regnamespace and not tgisinternal and tgtype & ${OF_INSERT} <> 0;
  do $$
  declare
    released record;
  begin
    for released in select * from citus_released loop
      execute released.release;
    end loop;
  end $$;
  drop index chain_installation_number_key;
  create unique index chain_installation_number_key on chain (installation_number, environment_id);`;

const settingRow = z.object({ name: z.string(), value: z.string().nullable() });

/** Settings that a divided database lacks, in the caller's session: an earlier version divided it, or somebody has changed them since. */
export async function lackingSettings(client: Queryable): Promise<string[]> {
  const text = 'select name, current_setting(name, true) as value from unnest($1::text[]) as name';
  const found = await readRows(client, settingRow, text, [Object.keys(OPTIONS)]);
  const wanted: Readonly<Record<string, string>> = OPTIONS;
  return found.filter(({ name, value }) => value !== wanted[name]).map(({ name }) => name);
}

type Placement = { readonly table: string; readonly call: string };

function placements(): Placement[] {
  const [first, ...others] = BY_ENVIRONMENT;
  const by = (table: string, column: string, beside: string) => ({
    table,
    call: `create_distributed_table('${table}', '${column}', colocate_with => '${beside}')`,
  });
  return [
    ...REFERENCE.map((table) => ({ table, call: `create_reference_table('${table}')` })),
    by(first, 'environment_id', 'none'),
    ...others.map((table) => by(table, 'environment_id', first)),
  ];
}

function placeTable({ table, call }: Placement): Step[] {
  return [{ what: table, sql: `select ${call}` }];
}

function placeFunction(name: string): Step {
  const by = BY_ENVIRONMENT_FUNCTIONS.some((one) => one === name)
    ? `, '$1', colocate_with => '${BY_ENVIRONMENT[0]}', force_delegation => true`
    : '';
  return { what: name.replace(/\(.*/, ''), sql: `select create_distributed_function('${name}'${by})` };
}

const restoredRow = z.object({ what: z.string(), sql: z.string() });

/** The foreign keys again, each within an environment or towards a table that every server has, and then the triggers. */
async function restoringSteps(client: Queryable): Promise<Step[]> {
  const { released } = await readOneRow(client, stateRow, STATE);
  if (!released) return [];
  return readRows(
    client,
    restoredRow,
    `select what, format('do $restoring$ begin %s; delete from citus_released where what = %L; end $restoring$', restore, what) as sql
       from citus_released order by step, what`,
  );
}
