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
  const before: Step[] = released || placed.length > 0 ? [] : [{ what: 'foreign keys', sql: RELEASE_KEYS }];
  const functions = [...BY_ENVIRONMENT_FUNCTIONS, ...SERVER_FUNCTIONS].map(placeFunction);
  const steps = [SETTINGS, ...before, ...tables.flatMap(placeTable), ...functions];
  await run(client, steps, show);
  await run(client, await keySteps(client), show);
  await client.query('drop table if exists citus_released_key');
}

async function run(client: Queryable, steps: readonly Step[], show: ShowStep): Promise<void> {
  for (const [done, { what, sql }] of steps.entries()) {
    show(done, steps.length, what);
    await client.query(sql);
  }
  show(steps.length, steps.length, 'done');
}

const stateRow = z.object({ released: z.boolean(), placed: z.array(z.string()) });
const STATE = `select to_regclass('citus_released_key') is not null as released,
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

/**
 * Citus divides no table that foreign keys hold. They are kept here meanwhile, without what they say of updates: where the distribution
 * column is part of a key Citus knows no ON UPDATE CASCADE, and no environment ever changes its number. What is unique by being random
 * stays so within an environment: a shard sees no other.
 */
const RELEASE_KEYS = `
  create table citus_released_key as
    select conrelid::regclass::text as table_name, conname::text as key_name,
           replace(pg_get_constraintdef(oid), ' ON UPDATE CASCADE', '') as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace;
  do $$
  declare
    released record;
  begin
    for released in select * from citus_released_key loop
      execute format('alter table %s drop constraint %I', released.table_name, released.key_name);
    end loop;
  end $$;
  drop index chain_installation_number_key;
  create unique index chain_installation_number_key on chain (installation_number, environment_id);`;

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

const keyRow = z.object({ table_name: z.string(), key_name: z.string(), statement: z.string() });

/** The foreign keys again, each within an environment or towards a table that every server has. */
async function keySteps(client: Queryable): Promise<Step[]> {
  const { released } = await readOneRow(client, stateRow, STATE);
  if (!released) return [];
  const keys = await readRows(
    client,
    keyRow,
    `select table_name, key_name, format(
       'do $key$ begin alter table %1$s add constraint %2$I %3$s; delete from citus_released_key where table_name = %1$L and key_name = %2$L; end $key$',
       table_name, key_name, definition) as statement from citus_released_key order by 1, 2`,
  );
  return keys.map(({ table_name, key_name, statement }) => ({
    what: `${table_name}: ${key_name}`,
    sql: statement,
  }));
}
