import type { Queryable } from '../../../ground/db/queryable.ts';
import type { Receipt, RecordRow } from '../../../ground/journal/content.ts';
import {
  type Form,
  INVOICE_AMENDMENT,
  INVOICE_VOID,
  RECORD_STATE,
  REGISTRATION_RECORD,
  type Row,
  selectList,
} from '../../../ground/journal/forms.ts';

/** What stands in sealed rows, by the id that an entry names: one look at an index, whatever the number of ids. */

type StoredRecord = RecordRow & { readonly id: string; readonly invoice_id: string };

export function readRecords(client: Queryable, environmentId: number, ids: readonly string[]) {
  return byKey<StoredRecord>(
    client,
    { form: REGISTRATION_RECORD, also: ', t.xml', key: 'id' },
    environmentId,
    ids,
  );
}

type StoredState = Row & { readonly receipt: string | null; readonly submission_id: string | null };

/** The states of records that are settled. */
export function readStates(client: Queryable, environmentId: number, recordIds: readonly string[]) {
  const settled = " and t.status <> 'pending'";
  return byKey<StoredState>(
    client,
    { form: RECORD_STATE, key: 'record_id', where: settled },
    environmentId,
    recordIds,
  );
}

export function readVoids(client: Queryable, environmentId: number, recordIds: readonly string[]) {
  return byKey<Row>(client, { form: INVOICE_VOID, key: 'record_id' }, environmentId, recordIds);
}

export function readAmendments(client: Queryable, environmentId: number, recordIds: readonly string[]) {
  return byKey<Row>(client, { form: INVOICE_AMENDMENT, key: 'record_id' }, environmentId, recordIds);
}

export async function readReceipts(
  client: Queryable,
  environmentId: number,
  submissionIds: readonly string[],
): Promise<Map<string, Receipt>> {
  if (submissionIds.length === 0) return new Map();
  const { rows } = await client.query<Receipt & { id: string }>({
    name: 'journal-receipts',
    text: 'select id, answer, receipt from submission where environment_id = $1 and id = any($2)',
    values: [environmentId, submissionIds],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

type Table = { readonly form: Form; readonly key: string; readonly also?: string; readonly where?: string };

async function byKey<R extends Row>(
  client: Queryable,
  { form, key, also = '', where = '' }: Table,
  environmentId: number,
  ids: readonly string[],
): Promise<Map<string, R>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<R>({
    name: `journal-${form.table}`,
    text: `select ${selectList('t', form)}${also} from ${form.table} t
            where t.environment_id = $1 and t.${key} = any($2)${where}`,
    values: [environmentId, ids],
  });
  return new Map(rows.map((row) => [row[key] as string, row]));
}

/** The rows of the installation's sealed tables, by what an entry calls them. */
export const INSTALLATION_KEYS = {
  audit_entry: 't.id',
  counter_jump: "t.series_id || '/' || t.year || '/' || t.from_number",
  software_declaration: "t.version || '/' || t.sha256",
  company_look: 't.id::text',
} as const;

export async function readInstallationRows(
  client: Queryable,
  form: Form,
  keys: readonly string[],
): Promise<Map<string, Row>> {
  if (keys.length === 0) return new Map();
  const key = INSTALLATION_KEYS[form.table as keyof typeof INSTALLATION_KEYS];
  // The table's own key, where it is one column: else as many rows as there are, which are few.
  const { rows } = await client.query<Row & { entry_key: string }>(
    `select ${key} as entry_key, ${selectList('t', form)} from ${form.table} t where ${key} = any($1)`,
    [keys],
  );
  return new Map(rows.map(({ entry_key, ...row }) => [entry_key, row]));
}
