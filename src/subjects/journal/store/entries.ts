import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRow, readRows } from '../../../ground/db/rows.ts';

const entryRow = z.object({
  position: column.whole,
  type: z.string(),
  subjectId: z.string(),
  recordId: z.string().nullable(),
  createdAt: column.instant,
  format: column.whole,
  contentHash: z.string(),
  content: z.string().nullable(),
  hash: z.string(),
});

/** An entry as stored; hashes in lower-case hexadecimal digits. */
export type StoredEntry = Readonly<z.output<typeof entryRow>>;

const ENTRY_COLUMNS = `position, type, subject_id as "subjectId", record_id as "recordId",
  created_at as "createdAt", format, encode(content_hash, 'hex') as "contentHash", content, encode(hash, 'hex') as hash`;

const ENTRIES_AFTER = {
  name: 'journal-entries-after',
  text: `select ${ENTRY_COLUMNS} from journal_entry
          where environment_id = $1 and position > $2 order by position limit $3`,
};

/** Entries of a journal after a position, in order. */
export function entriesAfter(
  client: Queryable,
  environmentId: number,
  position: number,
  limit: number,
): Promise<StoredEntry[]> {
  return readRows(client, entryRow, ENTRIES_AFTER, [environmentId, position, limit]);
}

const issuedRow = z.object({
  position: column.whole,
  type: z.enum(['invoice.issued', 'invoice.imported']),
  subjectId: z.string(),
  recordId: z.string().nullable(),
  createdAt: column.instant,
  /** The hash of the previous entry, in hexadecimal digits; null for the first. */
  previous: z.string().nullable(),
});

/** The entry for the issue or import of an invoice; null when there is none. */
export function issuedEntry(client: Queryable, environmentId: number, invoiceId: string) {
  return readRow(
    client,
    issuedRow,
    `select e.position, e.type, e.subject_id as "subjectId", e.record_id as "recordId", e.created_at as "createdAt",
            encode(before.hash, 'hex') as previous
       from journal_entry e
       left join journal_entry before on before.environment_id = e.environment_id and before.position = e.position - 1
      where e.environment_id = $1 and e.subject_id = $2 and e.type in ('invoice.issued', 'invoice.imported')
      order by e.position limit 1`,
    [environmentId, invoiceId],
  );
}

const headRow = z.object({
  origin: z.string(),
  /** The name that the environment's company gives it; null for the journal of the installation. */
  named: z.string().nullable(),
  position: column.whole,
  hash: z.string().nullable(),
});

/** The head of a journal; null when there is no such journal. */
export function headOf(client: Queryable, environmentId: number) {
  return readRow(
    client,
    headRow,
    `select origin, company_id || '/' || kind || case when environment_id < 0 then '/audit' else '' end as named, position, encode(hash, 'hex') as hash
       from journal_head head left join environment on environment.id = abs(head.environment_id) where environment_id = $1`,
    [environmentId],
  );
}

const countsRow = z.object({ name: z.string(), count: column.whole });

/** The number of rows that should have entries. */
export async function rowCounts(client: Queryable, environmentId: number): Promise<Map<string, number>> {
  const rows = await readRows(
    client,
    countsRow,
    `select 'invoice' as name, count(*)::int as count from invoice where environment_id = $1
     union all select 'registration_record', count(*)::int from registration_record where environment_id = $1
     union all select 'record_state', count(*)::int from record_state where environment_id = $1 and status <> 'pending'
     union all select 'invoice_void', count(*)::int from invoice_void where environment_id = $1
     union all select 'invoice_amendment', count(*)::int from invoice_amendment where environment_id = $1
     union all select 'invoice_payment', count(*)::int from invoice_payment where environment_id = $1
     union all select 'invoice_payment_removal', count(*)::int from invoice_payment_removal where environment_id = $1`,
    [environmentId],
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

const RECORD_EVENTS = "('invoice.issued', 'invoice.voided', 'invoice.amended')";
const STATE_EVENTS = `('invoice.registered', 'invoice.registered_with_errors', 'invoice.rejected',
  'invoice.amendment_rejected', 'invoice.void_rejected', 'invoice.skipped')`;

const EMAIL_EVENTS = "e.type in ('invoice.sent', 'invoice.email_failed')";
/** How the content of an entry about an e-mail begins, whose names are sorted. */
const emailBegins = (id: string) => `'{"email_id":"' || ${id} || '"'`;

/** For each table the condition for rows without an entry, with the column that identifies them. */
const UNJOURNALED = {
  invoice: {
    id: 't.id',
    where: `not exists (select 1 from journal_entry e where e.environment_id = $1 and e.subject_id = t.id
              and e.type in ('invoice.issued', 'invoice.imported'))`,
  },
  registration_record: {
    id: 't.id',
    where: `not exists (select 1 from journal_entry e where e.environment_id = $1 and e.subject_id = t.invoice_id
              and e.record_id = t.id and e.type in ${RECORD_EVENTS})`,
  },
  record_state: {
    id: 't.record_id',
    where: `t.status <> 'pending' and not exists (select 1 from journal_entry e
              join registration_record r on r.environment_id = $1 and r.id = t.record_id
              where e.environment_id = $1 and e.subject_id = r.invoice_id and e.record_id = t.record_id
                and e.type in ${STATE_EVENTS})`,
  },
  invoice_void: {
    id: 't.invoice_id',
    where: `not exists (select 1 from journal_entry e where e.environment_id = $1 and e.subject_id = t.invoice_id
              and e.record_id = t.record_id and e.type = 'invoice.voided')`,
  },
  invoice_amendment: {
    id: 't.record_id',
    where: `not exists (select 1 from journal_entry e where e.environment_id = $1 and e.subject_id = t.invoice_id
              and e.record_id = t.record_id and e.type = 'invoice.amended')`,
  },
  invoice_payment: {
    id: 't.id',
    where: `not exists (select 1 from journal_entry e where e.environment_id = $1 and e.subject_id = t.invoice_id
              and e.record_id = t.id and e.type = 'invoice.payment_recorded')`,
  },
  invoice_payment_removal: {
    id: 't.payment_id',
    where: `not exists (select 1 from journal_entry e where e.environment_id = $1 and e.subject_id = t.invoice_id
              and e.record_id = t.payment_id and e.type = 'invoice.payment_removed')`,
  },
  invoice_document: {
    id: 't.invoice_id',
    where: `t.sha256 is not null and not exists (select 1 from journal_entry e
              where e.environment_id = $1 and e.subject_id = t.invoice_id and e.type = 'invoice.document_ready'
                and e.content like '%' || encode(t.sha256, 'hex') || '%')`,
  },
  invoice_email_state: {
    id: 't.email_id',
    where: `t.status <> 'queued' and not exists (select 1 from journal_entry e
              join invoice_email m on m.environment_id = $1 and m.id = t.email_id
              where e.environment_id = $1 and e.subject_id = m.invoice_id and ${EMAIL_EVENTS}
                and starts_with(e.content, ${emailBegins('t.email_id')}))`,
  },
  chain: {
    id: "'chain ' || t.id",
    where: `t.hold is not null and t.closed_at is null and not exists (select 1 from journal_entry e
              where e.environment_id = $1 and e.subject_id = 'chain ' || t.id and e.type = 'chain.held')`,
  },
  number_series: {
    id: 't.id',
    where: `not exists (select 1 from journal_entry e where e.environment_id = $1 and e.subject_id = t.id
              and e.type = 'number_series.created')`,
  },
} as const;

export type JournaledTable = keyof typeof UNJOURNALED;

/** Ids of rows without an entry, the first of them. */
export async function unjournaled(
  client: Queryable,
  environmentId: number,
  table: JournaledTable,
): Promise<string[]> {
  const { id, where } = UNJOURNALED[table];
  const rows = await readRows(
    client,
    z.object({ id: z.string() }),
    `select ${id} as id from ${table} t where t.environment_id = $1 and ${where} order by 1 limit 100`,
    [environmentId],
  );
  return rows.map((row) => row.id);
}

/** The current checksums of documents, by invoice and edition. */
export async function documentSums(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<Map<string, string | null>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await readRows(
    client,
    z.object({ key: z.string(), sha256: z.string().nullable() }),
    {
      name: 'journal-document-sums',
      text: `select invoice_id || '/' || edition as key, encode(sha256, 'hex') as sha256
               from invoice_document where environment_id = $1 and invoice_id = any($2)`,
    },
    [environmentId, invoiceIds],
  );
  return new Map(rows.map(({ key, sha256 }) => [key, sha256]));
}

/** Whether a later entry of the subject has this content. */
export async function isJournaledLater(
  client: Queryable,
  environmentId: number,
  entry: Pick<StoredEntry, 'subjectId' | 'position'>,
  later: { readonly type: string; readonly content: string },
): Promise<boolean> {
  const count = await execute(
    client,
    `select 1 from journal_entry where environment_id = $1 and subject_id = $2 and position > $3 and type = $4
        and content = $5 limit 1`,
    [environmentId, entry.subjectId, entry.position, later.type, later.content],
  );
  return count > 0;
}

/** Whether a later entry of the subject has one of these types. */
export async function hasLaterEntry(
  client: Queryable,
  environmentId: number,
  entry: Pick<StoredEntry, 'subjectId' | 'position'>,
  types: readonly string[],
): Promise<boolean> {
  const journaled = await execute(
    client,
    `select 1 from journal_entry where environment_id = $1 and subject_id = $2 and position > $3 and type = any($4) limit 1`,
    [environmentId, entry.subjectId, entry.position, types],
  );
  return journaled > 0;
}

/** Whether a later entry of the subject is about the same e-mail. */
export async function hasLaterEmailEntry(
  client: Queryable,
  environmentId: number,
  entry: Pick<StoredEntry, 'subjectId' | 'position'>,
  emailId: string,
): Promise<boolean> {
  const journaled = await execute(
    client,
    `select 1 from journal_entry e where environment_id = $1 and subject_id = $2 and position > $3 and ${EMAIL_EVENTS}
        and starts_with(content, ${emailBegins('$4::text')}) limit 1`,
    [environmentId, entry.subjectId, entry.position, emailId],
  );
  return journaled > 0;
}
