import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, readRows } from '../../../ground/db/rows.ts';
import type { Receipt } from '../../../ground/journal/content.ts';
import { INSTALLATION } from '../../../ground/journal/entry.ts';
import {
  type Form,
  INVOICE_AMENDMENT,
  INVOICE_EMAIL,
  INVOICE_PAYMENT,
  INVOICE_PAYMENT_REMOVAL,
  INVOICE_VOID,
  NUMBER_SERIES,
  RECORD_STATE,
  REGISTRATION_RECORD,
  type Row,
  selectList,
} from '../../../ground/journal/forms.ts';

/** Sealed rows by the ids in entries: one index scan, whatever the number of ids. */

const storedRecord = z.looseObject({ id: z.string(), invoice_id: z.string(), xml: z.string() });

export function readRecords(client: Queryable, environmentId: number, ids: readonly string[]) {
  const table = { form: REGISTRATION_RECORD, also: ', t.xml', key: 'id' } as const;
  return byKey(client, storedRecord, table, environmentId, ids);
}

const storedState = z.looseObject({
  record_id: z.string(),
  receipt: z.string().nullable(),
  submission_id: z.string().nullable(),
});

const ofRecord = z.looseObject({ record_id: z.string() });

/** The states of settled records. */
export function readStates(client: Queryable, environmentId: number, recordIds: readonly string[]) {
  const table = { form: RECORD_STATE, key: 'record_id', where: " and t.status <> 'pending'" } as const;
  return byKey(client, storedState, table, environmentId, recordIds);
}

export function readVoids(client: Queryable, environmentId: number, recordIds: readonly string[]) {
  return byKey(client, ofRecord, { form: INVOICE_VOID, key: 'record_id' }, environmentId, recordIds);
}

export function readAmendments(client: Queryable, environmentId: number, recordIds: readonly string[]) {
  return byKey(client, ofRecord, { form: INVOICE_AMENDMENT, key: 'record_id' }, environmentId, recordIds);
}

const payment = z.looseObject({ id: z.string() });

export function readPayments(client: Queryable, environmentId: number, ids: readonly string[]) {
  return byKey(client, payment, { form: INVOICE_PAYMENT, key: 'id' }, environmentId, ids);
}

const series = z.looseObject({ id: z.string() });

export function readSeries(client: Queryable, environmentId: number, ids: readonly string[]) {
  return byKey(client, series, { form: NUMBER_SERIES, key: 'id' }, environmentId, ids);
}

const ofPayment = z.looseObject({ payment_id: z.string() });

export function readPaymentRemovals(client: Queryable, environmentId: number, ids: readonly string[]) {
  const table = { form: INVOICE_PAYMENT_REMOVAL, key: 'payment_id' } as const;
  return byKey(client, ofPayment, table, environmentId, ids);
}

const storedEmail = z.looseObject({
  id: z.string(),
  invoice_id: z.string(),
  kind: z.string(),
  status: z.string(),
  reason: z.string().nullable(),
});

/** The row of an e-mail with its outcome. */
export type StoredEmail = z.output<typeof storedEmail>;

/** E-mails with what has become of them. */
export async function readEmails(
  client: Queryable,
  environmentId: number,
  ids: readonly string[],
): Promise<Map<string, StoredEmail>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows(
    client,
    storedEmail,
    {
      name: 'journal-emails',
      text: `select ${selectList('t', INVOICE_EMAIL)}, s.status::text, s.reason from invoice_email t
               join invoice_email_state s on s.environment_id = t.environment_id and s.email_id = t.id
              where t.environment_id = $1 and t.id = any($2)`,
    },
    [environmentId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const holdRow = z.object({
  chain_id: column.whole,
  installation_number: z.string(),
  hold: z.string().nullable(),
});

/**
 * The holds of chains, in the form of their entries, by the subject of these. A closed chain is held no longer, and its row keeps
 * why it was.
 */
export async function readHolds(client: Queryable, environmentId: number, chainIds: readonly number[]) {
  if (chainIds.length === 0) return new Map<string, z.output<typeof holdRow>>();
  const rows = await readRows(
    client,
    holdRow,
    `select id as chain_id, installation_number, case when closed_at is null then hold::text end as hold
       from chain where environment_id = $1 and id = any($2)`,
    [environmentId, chainIds],
  );
  return new Map(rows.map((row) => [`chain ${row.chain_id}`, row]));
}

const receiptRow = z.object({
  id: z.string(),
  answer: z.string().nullable(),
  receipt: z.string().nullable(),
});

/** The agency's answers, by their submissions. */
export async function readReceipts(
  client: Queryable,
  environmentId: number,
  submissionIds: readonly string[],
): Promise<Map<string, Receipt>> {
  if (submissionIds.length === 0) return new Map();
  const rows = await readRows(
    client,
    receiptRow,
    {
      name: 'journal-receipts',
      text: 'select id, answer, receipt from submission where environment_id = $1 and id = any($2)',
    },
    [environmentId, submissionIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

type Table<Key> = { readonly form: Form; readonly key: Key; readonly also?: string; readonly where?: string };

async function byKey<Key extends string, R extends Record<Key, string>>(
  client: Queryable,
  shape: z.ZodType<R>,
  { form, key, also = '', where = '' }: Table<Key>,
  environmentId: number,
  ids: readonly string[],
): Promise<Map<string, R>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows(
    client,
    shape,
    {
      name: `journal-${form.table}`,
      text: `select ${selectList('t', form)}${also} from ${form.table} t
              where t.environment_id = $1 and t.${key} = any($2)${where}`,
    },
    [environmentId, ids],
  );
  return new Map(rows.map((row) => [row[key], row]));
}

/** The sealed tables of the installation's journal, with the name of a row in an entry. */
const INSTALLATION_KEYS = {
  audit_entry: 't.id',
  counter_jump: "t.series_id || '/' || t.year || '/' || t.from_number",
  software_declaration: "t.version || '/' || t.sha256",
} as const;

/** Those of the audit journal of an environment. */
const AUDIT_KEYS = { branding: 't.id::text', environment_audit_entry: 't.id' } as const;

/** The tables with an entry for each row in the installation's journal, or in the audit journal of that number. */
export function addedKeys(journal: number): Readonly<Record<string, string>> {
  return journal === INSTALLATION ? INSTALLATION_KEYS : AUDIT_KEYS;
}

/** The rows that such a journal covers: in an audit journal those of its environment. */
const covered = (journal: number): string =>
  journal === INSTALLATION ? '$1 = 0' : 't.environment_id = -($1::int)';

/** The journal of the installation covers rows of all environments. */
const about = (journal: number): string => (journal === INSTALLATION ? OF_ALL : '');

const idRow = z.object({ id: z.string() });
const AT_ONCE = 5_000;
/** More than anybody reads. */
const UNJOURNALED = 1_000;

/** Ids of sealed rows without an entry in such a journal, the first of them. */
export async function unjournaledRows(
  client: Queryable,
  journal: number,
  table: string,
  key: string,
): Promise<string[]> {
  const page = `${about(journal)} select ${key} as id from ${table} t where ${covered(journal)} and ${key} > $2 order by 1 limit ${AT_ONCE}`;
  const told = `select subject_id as id from journal_entry
    where environment_id = $1 and subject_id = any($2) and type = '${table}.added'`;
  const missing: string[] = [];
  // The rows and their journal need not be on one server.
  for (let after = ''; missing.length < UNJOURNALED; ) {
    const ids = (await readRows(client, idRow, page, [journal, after])).map(({ id }) => id);
    const entries = new Set((await readRows(client, idRow, told, [journal, ids])).map(({ id }) => id));
    missing.push(...ids.filter((id) => !entries.has(id)));
    if (ids.length < AT_ONCE) break;
    after = ids.at(-1)!;
  }
  return missing.slice(0, UNJOURNALED);
}

/** The rows of such a journal by their names in entries. */
export async function readAddedRows(
  client: Queryable,
  journal: number,
  form: Form,
  keys: readonly string[],
): Promise<Map<string, Row>> {
  if (keys.length === 0) return new Map();
  const key = addedKeys(journal)[form.table];
  // An entry of a journal that covers no such rows.
  if (key === undefined) return new Map();
  // The table's own key if it has one column; otherwise all rows, which are few.
  const rows = await readRows(
    client,
    z.looseObject({ entry_key: z.string() }),
    `${about(journal)} select ${key} as entry_key, ${selectList('t', form)} from ${form.table} t where ${covered(journal)} and ${key} = any($2)`,
    [journal, keys],
  );
  return new Map(rows.map(({ entry_key, ...row }) => [entry_key, row]));
}
