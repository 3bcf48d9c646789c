import type { Db } from '../../../src/ground/db/client.ts';
import type { Queryable } from '../../../src/ground/db/queryable.ts';
import { inTransaction } from '../../../src/ground/db/transaction.ts';
import { append, type NewEntry } from '../../../src/ground/journal/append.ts';
import { canonicalJson, sha256 } from '../../../src/ground/journal/canonical.ts';
import type { EntryType } from '../../../src/ground/journal/entry.ts';
import { NUMBER_SERIES, rowText, selectList } from '../../../src/ground/journal/forms.ts';
import { clock } from '../../../src/ground/lib/clock.ts';
import { SealedRows } from '../../../src/subjects/journal/contents.ts';

/** Appends the entries that the journal of an environment lacks of rows that a test has written by hand. */
export async function journalMissing({ pool }: Db, environmentId: number): Promise<void> {
  for (const made of [ofSeries, ofInvoices, ofDocuments, ofHolds]) {
    const entries = await made(pool, environmentId);
    await inTransaction(pool, (client) => append(client, entries));
  }
}

/** Rows of which no entry has that type, subject and record, nor that content if one is given. */
const unjournaled = (rows: string, content = 'null') => `
  select * from (${rows}) as made where not exists (
    select from journal_entry e where e.environment_id = $1 and e.subject_id = made.subject and e.type = made.type
      and coalesce(e.record_id, '') = coalesce(made.record, '') and (${content} is null or e.content = ${content}))
   order by place`;

async function ofSeries(db: Queryable, environmentId: number): Promise<NewEntry[]> {
  const { rows } = await db.query(
    `select ${selectList('s', NUMBER_SERIES)} from number_series s
      where environment_id = $1 and not exists (select from journal_entry e
        where e.environment_id = $1 and e.subject_id = s.id and e.type = 'number_series.created')
      order by created_at, type, id`,
    [environmentId],
  );
  return rows.map((row) => ({
    ...{ environmentId, type: 'number_series.created', subjectId: row.id, at: row.created_at },
    content: rowText(NUMBER_SERIES, row),
  }));
}

/** What was imported, and each record with what has become of it. */
const CHANGES = `
  select 'invoice.imported' as type, id as subject, null as record, id as place
    from invoice where environment_id = $1 and imported
  union all
  select change.type, r.invoice_id, r.id, format('%s %s %s', lpad(r.chain_id::text, 10), lpad(r.position::text, 10), change.step)
    from registration_record r
    join record_state s on s.environment_id = r.environment_id and s.record_id = r.id
    left join invoice_amendment a on a.environment_id = r.environment_id and a.record_id = r.id,
    lateral (values
      (1, case when r.kind = 'cancellation' then 'invoice.voided'
               when a.record_id is not null then 'invoice.amended' else 'invoice.issued' end),
      (2, case when s.status = 'pending' then null
               when s.status = 'rejected' and r.kind = 'cancellation' then 'invoice.void_rejected'
               when s.status = 'rejected' and a.record_id is not null then 'invoice.amendment_rejected'
               else 'invoice.' || s.status end)) as change (step, type)
   where r.environment_id = $1 and change.type is not null`;

async function ofInvoices(db: Queryable, environmentId: number): Promise<NewEntry[]> {
  const { rows } = await db.query<{ type: EntryType; subject: string; record: string | null }>(
    unjournaled(CHANGES),
    [environmentId],
  );
  const about = rows.map(({ type, subject, record }) => ({ type, subjectId: subject, recordId: record }));
  const sealed = new SealedRows(db, environmentId);
  await sealed.load(about);
  return about.map((change) => {
    const { type, subjectId, recordId } = change;
    const record = recordId === null ? {} : { recordId };
    const contentHash = sha256(sealed.textOf(change)!);
    return { environmentId, type, subjectId, ...record, at: clock.now(), contentHash };
  });
}

async function ofDocuments(db: Queryable, environmentId: number): Promise<NewEntry[]> {
  const rows = `select 'invoice.document_ready' as type, invoice_id as subject, null as record, invoice_id as place,
      format('{"edition":"%s","sha256":"%s"}', edition, encode(sha256, 'hex')) as content
    from invoice_document where environment_id = $1 and sha256 is not null`;
  const { rows: documents } = await db.query(unjournaled(rows, 'made.content'), [environmentId]);
  return documents.map(({ type, subject, content }) => ({
    ...{ environmentId, type, subjectId: subject, at: clock.now(), content },
  }));
}

async function ofHolds(db: Queryable, environmentId: number): Promise<NewEntry[]> {
  const { rows } = await db.query(
    `select id as chain_id, installation_number, hold::text from chain
      where environment_id = $1 and hold is not null and closed_at is null
        and not exists (select from journal_entry e where e.environment_id = $1 and e.subject_id = 'chain ' || chain.id
          and e.type = 'chain.held')`,
    [environmentId],
  );
  return rows.map((hold) => ({
    ...{ environmentId, type: 'chain.held', subjectId: `chain ${hold.chain_id}`, at: clock.now() },
    content: canonicalJson(hold),
  }));
}
