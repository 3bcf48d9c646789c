import type pg from 'pg';
import { z } from 'zod';
import type { Acknowledged, AcknowledgedNumber } from './acknowledged.ts';
import { column, OF_ALL, readRows } from './rows.ts';

/** What a process acknowledged and a database lacks: the numbers of series, and how many records of chains and other entries of journals. */
type Lacking = {
  readonly records: number;
  readonly numbers: readonly AcknowledgedNumber[];
  readonly entries: number;
};

const foundRow = z.object({ nth: column.whole });

// Joins, because those that are not there can only be found by one server after the other where environments are divided among several.
const RECORDS = `${OF_ALL} select distinct acknowledged.nth
  from jsonb_to_recordset($1::jsonb) as acknowledged (nth int, "environmentId" int, "chainId" int, position int, fingerprint text)
  join registration_record record on record.environment_id = acknowledged."environmentId"
   and record.chain_id = acknowledged."chainId" and record.position = acknowledged.position and record.fingerprint = acknowledged.fingerprint`;

const NUMBERS = `${OF_ALL} select distinct acknowledged.nth
  from jsonb_to_recordset($1::jsonb) as acknowledged (nth int, "environmentId" int, "seriesId" text, year int, number int)
  join series_counter counter on counter.environment_id = acknowledged."environmentId" and counter.series_id = acknowledged."seriesId"
   and counter.year = acknowledged.year and counter.last_number >= acknowledged.number`;

const ENTRIES = `${OF_ALL} select distinct acknowledged.nth
  from jsonb_to_recordset($1::jsonb) as acknowledged (nth int, "environmentId" int, "subjectId" text, type text, "contentHash" text)
  join journal_entry entry on entry.environment_id = acknowledged."environmentId" and entry.subject_id = acknowledged."subjectId"
   and entry.type = acknowledged.type and entry.content_hash = decode(acknowledged."contentHash", 'hex')`;

export async function lackingOf(client: pg.PoolClient, acknowledged: Acknowledged): Promise<Lacking> {
  return {
    records: (await withoutFound(client, RECORDS, acknowledged.records())).length,
    numbers: await withoutFound(client, NUMBERS, acknowledged.numbers()),
    entries: (await withoutFound(client, ENTRIES, acknowledged.entries())).length,
  };
}

async function withoutFound<T extends object>(
  client: pg.PoolClient,
  statement: string,
  acknowledged: readonly T[],
): Promise<T[]> {
  if (acknowledged.length === 0) return [];
  const values = [JSON.stringify(acknowledged.map((one, nth) => ({ ...one, nth })))];
  const found = new Set((await readRows(client, foundRow, statement, values)).map(({ nth }) => nth));
  return acknowledged.filter((_, nth) => !found.has(nth));
}
