import type pg from 'pg';
import { OF_ALL } from '../../../src/ground/db/rows.ts';
import type { Sent } from './statements.ts';

/**
 * What would keep a statement from running on one server of several among which environments are divided, as Citus does it; told
 * by its plan in a database of hash partitions (`divided-tables.ts`).
 */

/** What looks in the queue; the first appends to a journal, which wakes its webhooks by a job. */
const QUEUE = /\b(append_journal|wake_webhooks|wake_webhook_lane)\s*\(|\bgraphile_worker\./;

const EMPTY_LIST = /\bselect\s+from\b/i;

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Operation?: string;
  readonly Alias?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly 'Parent Relationship'?: string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly PlanNode[];
};

/** The tables of a divided database, by where their rows are. */
export class Division {
  /** The place of the environment among the columns of each table that is divided. */
  readonly divided: ReadonlyMap<string, number>;
  /** Those that stay on the coordinator. */
  readonly local: ReadonlySet<string>;

  private constructor(divided: ReadonlyMap<string, number>, local: ReadonlySet<string>) {
    this.divided = divided;
    this.local = local;
  }

  static async of(client: pg.ClientBase): Promise<Division> {
    const { rows } = await client.query<{ name: string; kind: string; place: number }>(
      `select c.relname as name, case when d.of_reference then 'reference' when d.of_reference is null then 'local' else 'divided' end as kind,
              (select count(*)::int from pg_attribute before where before.attrelid = c.oid and before.attnum > 0 and not before.attisdropped
                  and before.attnum < coalesce(a.attnum, 0)) as place
         from pg_class c left join parts.pg_dist_partition d on d.logicalrelid = c.oid
         left join pg_attribute a on a.attrelid = c.oid and a.attname = d.column_name
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    );
    const named = (kind: string) => rows.filter((row) => row.kind === kind);
    return new Division(
      new Map(named('divided').map(({ name, place }) => [name, place])),
      new Set(named('local').map(({ name }) => name)),
    );
  }

  /** What of one server alone a statement contradicts, as sentences; none if it is about all environments and says so. */
  async faults(client: pg.ClientBase, statement: Sent): Promise<string[]> {
    if (statement.text.trimStart().startsWith(OF_ALL)) return [];
    const faults = EMPTY_LIST.test(statement.text) ? ['an empty select list'] : [];
    const plan = await planOf(client, statement);
    const shards = shardsOf(plan);
    const touched = [...shards.keys(), ...[...nodesOf(plan)].flatMap((node) => node['Relation Name'] ?? [])];
    const divided = [...new Set(touched.filter((name) => this.divided.has(name)))];
    if (divided.length === 0) return faults;
    // By what it counts, not by environment.
    const numbers = new Set(
      [...shards].flatMap(([table, parts]) => (table === 'rate_limit' ? [] : [...parts])),
    );
    if (numbers.size > 1) faults.push(`more than one environment: ${crossing(shards).join(', ')}`);
    for (const node of nodesOf(plan))
      if (this.#writesAny(node)) faults.push(`rows of any environment: ${node['Relation Name']}`);
    const others = new Set(touched.filter((name) => this.local.has(name)));
    if (QUEUE.test(statement.text)) others.add('the queue');
    if (others.size > 0) faults.push(`${divided.join(', ')} together with ${[...others].join(', ')}`);
    return faults;
  }

  /** Whether it inserts rows whose environment is none that the statement names. */
  #writesAny(node: PlanNode): boolean {
    const place = this.divided.get(node['Relation Name'] ?? '');
    // The counters of requests are divided by what they count.
    if (node.Operation !== 'Insert' || place === undefined || node['Relation Name'] === 'rate_limit')
      return false;
    const rows = node.Plans?.find((inner) => inner['Parent Relationship'] === 'Outer');
    const environment = rows?.Output?.[place] ?? '';
    // Of rows that are added up, the plan below has what is constant.
    const constants = /^"\*SELECT\*/.test(environment) ? (rows?.Plans?.[0]?.Output ?? []) : [environment];
    return !constants.some((expression) => /^\(?('?-?\d+'?(::\w+)?|\$\d+)\)?$/.test(expression));
  }
}

/** A subquery that is correlated by the environment of what it is about looks in that one's shard alone, though the plan lists all. */
const CORRELATED = /\benvironment_id = (\w+)\.environment_id\b/g;

/** Of each divided table the shards that the plan looks in. */
export function shardsOf(plan: PlanNode): Map<string, Set<number>> {
  const shards = new Map<string, Set<number>>();
  const tables = new Set([...nodesOf(plan)].flatMap((node) => (node['Relation Name'] ? [node.Alias] : [])));
  for (const { 'Relation Name': part = '', 'Index Cond': bound = '', Filter: filter = '' } of nodesOf(plan)) {
    // Not by what its values name.
    const others = [...`${bound} ${filter}`.matchAll(CORRELATED)].map(([, alias]) => alias);
    if (others.some((alias) => tables.has(alias))) continue;
    const [, table, shard] = /^(.+)_shard_(\d)$/.exec(part) ?? [];
    if (table !== undefined) shards.set(table, (shards.get(table) ?? new Set()).add(Number(shard)));
  }
  return shards;
}

function crossing(shards: ReadonlyMap<string, ReadonlySet<number>>): string[] {
  const whole = [...shards].filter(([, parts]) => parts.size > 1).map(([table]) => table);
  return whole.length > 0 ? whole : [...shards.keys()];
}

export async function planOf(client: pg.ClientBase, { text, values }: Sent): Promise<PlanNode> {
  const explained = `explain (verbose, costs off, format json) ${text}`;
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    values.length === 0 ? explained : { text: explained, values: [...values] },
  );
  return rows[0]!['QUERY PLAN'][0].Plan;
}

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const inner of node.Plans ?? []) yield* nodesOf(inner);
}
