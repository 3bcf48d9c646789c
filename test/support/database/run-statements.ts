import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';
import { statementsIn } from '../../../src/ground/db/migrate.ts';
import { divideTables } from './divided-tables.ts';
import { Division } from './one-environment.ts';
import type { Sent } from './statements.ts';

/**
 * Every statement that the service sends during a run of the tests, held against what one server of several could run: the
 * workers note the statements, and the end of the run plans them.
 */

const FILE = 'statements-';
const PROJECT = join(import.meta.dirname, '../../..');
/** How pg writes a value; it exports none of it. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils') as {
  prepareValue(value: unknown): string | Buffer | null;
};

/** Has each connection of this process note the statements of the service in a file of the folder, each text once. */
export function noteStatements(folder: string): void {
  const file = join(folder, `${FILE}${process.pid}`);
  const noted = new Set<string>();
  const seen = new Set<string>();
  const prototype = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function noting(this: pg.Client, ...args: unknown[]) {
    const [first, second] = args;
    const { text = '', ...sent } = typeof first === 'string' ? { text: first } : (first as Partial<Sent>);
    // Looking at a text again costs more than most queries.
    if (seen.has(text) || !RUNTIME.test(this.user ?? '')) return query.apply(this, args);
    // The values of a script stand in its text, which does not come again.
    if (text.length < LONG) seen.add(text);
    const kind = kindOf(text);
    if (!noted.has(kind) && PLANNED.test(text) && !OF_CLUSTER.test(text) && isOfService()) {
      noted.add(kind);
      const values = sent.values ?? (Array.isArray(second) ? (second as unknown[]) : []);
      appendFileSync(
        file,
        `${JSON.stringify({ text, values: values.map(written), name: sent.name ?? null })}\n`,
      );
    }
    return query.apply(this, args);
  };
}

/** The role that services run as; what the owner does (migrations, preparations of tests) is done while nothing is divided. */
const RUNTIME = /_runtime$/;
/** Of the cluster, sent only where there is one. */
const OF_CLUSTER = /\bpg_dist_|\brun_command_on_|\bcitus_check/;
const PLANNED = /\b(select|insert|update|delete|merge)\b/i;

const LONG = 4_000;

/** Texts that differ in literals, or in how many numbers they list, are of one kind. */
function kindOf(text: string): string {
  return text.replaceAll(/'[^']*'/g, "''").replaceAll(/\$?\d+(\s*,\s*\$?\d+)*/g, '#');
}

/** What stands between the service and its connections in tests, to note what is sent. */
const OBSERVERS = /^\/test\/support\/database\/(run-)?statements\.ts/;

/** Whether the statement is sent by the service, not by a test or its support. */
function isOfService(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const stack = new Error().stack ?? '';
  Error.stackTraceLimit = stackTraceLimit;
  for (const line of stack.split('\n')) {
    const path = line.split(PROJECT)[1];
    if (path === undefined || path.startsWith('/node_modules/') || OBSERVERS.test(path)) continue;
    // Through these pass the statements of tests too.
    if (/^\/src\/ground\/db\/(client|reachable-client|statement-time|rows|transaction)\.ts/.test(path))
      continue;
    return !path.startsWith('/test/');
  }
  return true;
}

function written(value: unknown): string | null {
  const prepared = prepareValue(value);
  if (Buffer.isBuffer(prepared)) return `\\x${prepared.toString('hex')}`;
  // Postgres takes no null character: a statement with one fails, whatever its plan.
  return prepared?.replaceAll('\0', '') ?? null;
}

/** What the statements of the run violate, one text each, planned in a divided copy of the template. */
export async function faultsOfRun(serverUrl: string, template: string, folder: string): Promise<string[]> {
  const sent = readdirSync(folder)
    .filter((name) => name.startsWith(FILE))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as Sent);
  const kinds = new Map(sent.flatMap(single).map((one) => [kindOf(one.text.trim()), one]));
  if (kinds.size === 0) return [];
  const name = `${template}_divided`;
  await withClient(serverUrl, async (client) => {
    await client.query(`create database ${name} template ${template}`);
  });
  return withClient(serverUrl.replace(/\/postgres$/, `/${name}`), async (client) => {
    await client.query('begin');
    await divideTables(client);
    const division = await Division.of(client);
    const faults: string[] = [];
    for (const one of kinds.values()) {
      await client.query('savepoint one');
      const found = await division.faults(client, one).catch((error: Error) => [`no plan: ${error.message}`]);
      await client.query('rollback to one');
      if (found.length > 0)
        faults.push(`${found.join('; ')}\n    ${one.text.replaceAll(/\s+/g, ' ').trim()}`);
    }
    return faults;
  });
}

/** Several statements may have come in one text. */
function single(one: Sent): Sent[] {
  const all = one.values.length > 0 ? [one] : statementsIn(one.text).map((text) => ({ ...one, text }));
  return all.filter(({ text }) => /^\s*(\/\*|(with|select|insert|update|delete|merge)\b)/i.test(text));
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
