import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.ts';
import type { Logger } from '../lib/logger.ts';

export type { PrismaClient };

/** One pool of connections, used raw where SQL is the clearest and through Prisma where its types are. */
export type Db = { readonly pool: pg.Pool; readonly prisma: PrismaClient };

/** Amounts and counters come back as numbers: everything that we store is below 2^53 (see LARGEST_AMOUNT). */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint out of the safe range: ${text}`);
  return value;
});

/** Opens the pool. Nothing is connected before the first query. */
export function openDb(url: string, options: { max: number; log: Logger }): Db {
  const pool = new pg.Pool({ connectionString: url, max: options.max, types, application_name: 'lacre' });
  // Without these handlers a connection that the server closes would end the process. Of the error only the words are
  // logged: it carries the whole connection along. While the pool ends, the server may well be faster.
  const note = (error: Error) => {
    if (!pool.ending) options.log.warn({ reason: error.message }, 'a database connection failed');
  };
  pool.on('error', note);
  pool.on('connect', (client) => {
    client.on('error', note);
  });
  const adapter = new PrismaPg(pool, { statementNameGenerator: statementNames() });
  return { pool, prisma: new PrismaClient({ adapter }) };
}

/** Statements that a process keeps prepared on each connection. Our own texts are some dozens; GraphQL's are not bounded. */
const MOST_STATEMENTS = 200;

/**
 * Names the statements that Prisma writes, so that Postgres parses and plans each text once a connection: of a read with
 * all its relations that is the larger half. Texts beyond the limit share the unnamed statement, as without names.
 */
function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    let name = names.get(sql);
    if (name === undefined) {
      name = names.size < MOST_STATEMENTS ? `prisma-${names.size}` : '';
      if (name !== '') names.set(sql, name);
    }
    return name;
  };
}

/** Closes everything; queries under way finish first. */
export async function closeDb(db: Db): Promise<void> {
  await db.prisma.$disconnect();
  await db.pool.end();
}
