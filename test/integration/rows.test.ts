import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { packedRows } from '../../src/ground/db/packed-rows.ts';
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

describe('rows are checked against their shape', () => {
  test('read by the driver and without columns that were not selected', async () => {
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

test('a statement without result answers how many rows it wrote', async () => {
  const text = `insert into account (id, name, subscription_active) values ($1, 'rows', false) on conflict do nothing`;
  expect(await execute(database.db.pool, text, ['acc_rows'])).toBe(1);
  expect(await execute(database.db.pool, text, ['acc_rows'])).toBe(0);
});

test('packed rows hold any text, and null where there is nothing', async () => {
  const shape = z.object({
    ...{ text: z.string().nullable(), kind: z.enum(['a', 'b']), count: column.whole.nullable() },
    ...{ at: z.string(), day: column.day.nullable(), is: z.boolean().nullable() },
    ...{ things: z.array(z.unknown()).nullable(), given: z.record(z.string(), z.string()).nullable() },
  });
  const rows = packedRows(shape, (name) => (name === 'at' ? `to_json(t.at)#>>'{}'` : `t."${name}"`));
  const awkward = '"quoted" \\ \n\t\u2028 €😀 [1,"2"]';
  const { list } = await readOneRow(
    database.db.pool,
    z.object({ list: z.array(z.array(z.unknown())) }),
    `select json_agg(${rows.packed}) as list from (values
       (1, $1, 'a', 7, timestamptz '2026-01-02 03:04:05.678+00', date '2026-01-02', true, json '[1, "x"]', jsonb '{"k": "v"}'),
       (2, null, 'b', null, timestamptz '2026-01-02 00:00:00+00', null, null, null, null)
     ) as t (place, text, kind, count, at, day, "is", things, given)`,
    [awkward],
  );
  const unpacked = list.map(rows.unpack);
  expect(shape.array().parse(unpacked)).toEqual(unpacked);
  expect(unpacked).toEqual([
    {
      ...{ text: awkward, kind: 'a', count: 7, at: '2026-01-02T03:04:05.678+00:00', day: '2026-01-02' },
      ...{ is: true, things: [1, 'x'], given: { k: 'v' } },
    },
    {
      ...{ text: null, kind: 'b', count: null, at: '2026-01-02T00:00:00+00:00', day: null },
      ...{ is: null, things: null, given: null },
    },
  ]);
});
