import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { column, execute, RowMismatch, readOneRow, readRow, readRows } from '../../src/ground/db/rows.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const shape = z.object({ id: z.string(), count: column.whole, at: column.instant.nullable() });
const ROWS = `select 'a' || n as id, n::bigint as count, null::timestamptz as at, 'secret' as more
                from generate_series(1, $1) as n`;

describe('rows are what their shape says', () => {
  test('read by the driver and without what was not asked for', async () => {
    expect(await readRows(database.db.pool, shape, ROWS, [2])).toEqual([
      { id: 'a1', count: 1, at: null },
      { id: 'a2', count: 2, at: null },
    ]);
    const named = { name: 'rows-of-a-test', text: ROWS };
    expect(await readRow(database.db.pool, shape, named, [1])).toEqual({ id: 'a1', count: 1, at: null });
  });

  test('each kind of column as the driver returns it', async () => {
    const kinds = z.object({
      whole: column.whole,
      instant: column.instant,
      day: column.day,
      bytes: column.bytes,
    });
    const text = `select 9007199254740991 as whole, '2026-11-22T03:00:00Z'::timestamptz as instant,
                         date '2026-02-28'::text as day, '\\x00ff'::bytea as bytes`;
    expect(await readOneRow(database.db.pool, kinds, text)).toEqual({
      whole: Number.MAX_SAFE_INTEGER,
      instant: new Date('2026-11-22T03:00:00Z'),
      day: '2026-02-28',
      bytes: Buffer.from([0, 255]),
    });
  });

  test('or a bug, which names the columns and the statement and nothing that stood there', async () => {
    const wrong = { name: 'wrong-rows', text: `select 'secret' as count, now() as at` };
    const failure = await readRows(database.db.pool, shape, wrong).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RowMismatch);
    expect((failure as Error).message).toMatch(/id: .*count: .*in wrong-rows$/);
    expect((failure as Error).message).not.toContain('secret');
  });

  test('one at most, or exactly one, where the statement promises that', async () => {
    const { pool } = database.db;
    expect(await readRow(pool, shape, ROWS, [0])).toBeNull();
    await expect(readRow(pool, shape, ROWS, [2])).rejects.toThrow('2 rows instead of one');
    await expect(readOneRow(pool, shape, ROWS, [0])).rejects.toThrow('no row');
  });
});

test('a statement without result says how many rows it wrote', async () => {
  const text = `insert into account (id, name, subscription_active) values ($1, 'rows', false) on conflict do nothing`;
  expect(await execute(database.db.pool, text, ['acc_rows'])).toBe(1);
  expect(await execute(database.db.pool, text, ['acc_rows'])).toBe(0);
});
