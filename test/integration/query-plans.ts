import type pg from 'pg';
import type { Sent } from '../support/database/statements.ts';

/** Postgres' plans for statements that were sent, looked through for scans of whole tables. */

export type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Alias?: string;
  readonly 'Index Cond'?: string;
  /** Of what was executed, how often and with how many rows each time. */
  readonly 'Actual Loops'?: number;
  readonly 'Actual Rows'?: number;
  /** Of what was executed, pages whose rows a bitmap named and those of which it named only the page. */
  readonly 'Exact Heap Blocks'?: number;
  readonly 'Lossy Heap Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
};

/** A table that a statement's plan reads from end to end, and by what. */
export type WholeRead = { readonly table: string; readonly how: string; readonly statement: string };

/**
 * Makes the planner take each table for one of so many rows, with the statistics of those that it has. Postgres takes
 * the pages from the file, so that a scan of it still looks cheaper than it would be; the rows alone make it dear.
 * Throws for a table without a row: of that Postgres knows that it is empty.
 */
export async function inflateStatistics(
  client: pg.ClientBase,
  tables: readonly string[],
  rows: number,
): Promise<void> {
  await client.query('analyze');
  const { rows: empty } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relname = any($1) and relkind = 'r' and reltuples < 1`,
    [tables],
  );
  if (empty.length > 0) throw new Error(`empty: ${empty.map(({ name }) => name).join(', ')}`);
  await client.query(
    `update pg_class set reltuples = $2, relpages = greatest(relpages, 1)
      where relkind = 'r' and relname = any($1)
         or relkind = 'i' and oid in (
              select indexrelid from pg_index where indpred is null and indrelid = any($1::regclass[]))`,
    [tables, rows],
  );
}

/** What of the tables the statements read whole, each statement once. */
export async function wholeReads(
  client: pg.ClientBase,
  sent: readonly Sent[],
  tables: ReadonlySet<string>,
): Promise<WholeRead[]> {
  const partial = await partialIndexes(client);
  const leading = await leadingColumns(client);
  const found: WholeRead[] = [];
  for (const statement of distinct(sent)) {
    for (const plan of await plansOf(client, statement)) {
      for (const { table, how } of readsOf(plan, partial, leading)) {
        if (tables.has(table)) found.push({ table, how, statement: statement.text });
      }
    }
  }
  return [...new Map(found.map((read) => [JSON.stringify(read), read])).values()];
}

/** The single statements, each once: several may have come in one text, and most come again and again. */
export function distinct(sent: readonly Sent[]): Sent[] {
  const single = sent.flatMap((one) =>
    one.values.length > 0 ? [one] : one.text.split(';').map((text) => ({ ...one, text })),
  );
  const planned = single.filter(({ text }) => /^\s*(with|select|insert|update|delete)\b/i.test(text));
  return [...new Map(planned.map((one) => [one.text.trim(), one])).values()];
}

/** The plan for the values that were sent and, of a prepared statement, the one for any. */
export async function plansOf(client: pg.ClientBase, { text, values, name }: Sent): Promise<PlanNode[]> {
  const plans: PlanNode[] = [];
  const explain = async (options: string, given: readonly unknown[]) => {
    const explained = { text: `explain (${options}format json) ${text}`, values: [...given] };
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      given.length === 0 ? explained.text : explained,
    );
    plans.push(rows[0]!['QUERY PLAN'][0].Plan);
  };
  await explain('', values);
  if (name !== null && values.length > 0) await explain('generic_plan, ', []);
  return plans;
}

export function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const inner of node.Plans ?? []) yield* nodesOf(inner);
}

/**
 * What is collected below a limit before its first row is known, but for what `few` says are few rows; what only the limits'
 * rows are merged by is not.
 */
export function* collected(node: PlanNode, few: RegExp, limited = false): Generator<string> {
  if (limited && node['Node Type'] === 'Sort' && !few.test(JSON.stringify(node))) yield node['Node Type'];
  const isSet = node['Node Type'] === 'Limit' && node.Plans?.[0]?.['Node Type'] !== 'Sort';
  for (const inner of node.Plans ?? []) yield* collected(inner, few, limited || isSet);
}

async function partialIndexes(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where indpred is not null',
  );
  return new Set(rows.map(({ name }) => name));
}

type Leading = { readonly table: string; readonly column: string };

/** The first column of each index over columns. */
async function leadingColumns(client: pg.ClientBase): Promise<ReadonlyMap<string, Leading>> {
  const { rows } = await client.query<Leading & { name: string }>(
    `select indexrelid::regclass::text as name, indrelid::regclass::text as table, attname as column from pg_index
       join pg_attribute on attrelid = indrelid and attnum = indkey[0]
      where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  );
  return new Map(rows.map(({ name, ...leading }) => [name, leading]));
}

/**
 * Reading an index from end to end is no better, unless it holds few rows or a limit ends it; and looking in it once for
 * each value of its first column, of which the condition says nothing, is as dear where those are many.
 */
function* readsOf(
  node: PlanNode,
  partial: ReadonlySet<string>,
  leading: ReadonlyMap<string, Leading>,
  limited = false,
): Generator<{ table: string; how: string }> {
  const type = node['Node Type'];
  const index = node['Index Name'];
  const table = node['Relation Name'];
  if (type === 'Seq Scan' && table !== undefined) yield { table, how: type };
  const wholeIndex =
    index !== undefined && node['Index Cond'] === undefined && !limited && !partial.has(index);
  if (wholeIndex && table !== undefined) yield { table, how: `${type} of all of ${index}` };
  const first = index === undefined ? undefined : leading.get(index);
  const condition = node['Index Cond'];
  // A condition of a bitmap scan stands below the node that names the table.
  if (
    index !== undefined &&
    condition !== undefined &&
    first !== undefined &&
    !limited &&
    !partial.has(index)
  ) {
    const how = `${type} of ${index} without its first column, by ${condition}`;
    if (!new RegExp(`\\b${first.column}\\b`).test(condition)) yield { table: first.table, how };
  }
  for (const inner of node.Plans ?? []) yield* readsOf(inner, partial, leading, limited || type === 'Limit');
}
