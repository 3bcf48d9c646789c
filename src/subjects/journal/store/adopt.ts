import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRows } from '../../../ground/db/rows.ts';

/** Statements that find data older than the journal. */

/** Journals that do not contain all older data yet. */
export async function unadopted(client: Queryable): Promise<number[]> {
  const rows = await readRows(
    client,
    z.object({ id: column.whole }),
    'select environment_id as id from journal_head where adopted_at is null order by environment_id',
  );
  return rows.map(({ id }) => id);
}

/** A process without a heartbeat for longer than this has ended. */
const PROCESS_TIMEOUT = `interval '30 seconds'`;

/** Whether a process of a version without a journal is still running. */
export async function olderProcesses(client: Queryable): Promise<boolean> {
  const { older } = await readOneRow(
    client,
    z.object({ older: z.boolean() }),
    `select exists (select from service_process where not journals and beat_at > now() - ${PROCESS_TIMEOUT}) as older`,
  );
  return older;
}

export async function markAdopted(client: Queryable, environmentId: number, now: Date): Promise<void> {
  await execute(client, 'update journal_head set adopted_at = $2 where environment_id = $1', [
    environmentId,
    now,
  ]);
}

/** Locks the journal: nobody else appends to it until the caller's transaction ends. */
export async function lockHead(client: Queryable, environmentId: number): Promise<void> {
  await execute(client, 'select from journal_head where environment_id = $1 for update', [environmentId]);
}

export async function importedAfter(
  client: Queryable,
  environmentId: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await readRows(
    client,
    z.object({ id: z.string() }),
    `select id from invoice where environment_id = $1 and imported and id > $2 order by id limit $3`,
    [environmentId, after, limit],
  );
  return rows.map(({ id }) => id);
}

const recordRow = z.object({
  position: column.whole,
  recordId: z.string(),
  invoiceId: z.string(),
  change: z.enum(['invoice.issued', 'invoice.voided', 'invoice.amended']),
  status: z.enum(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped']),
});

/** The chains of an environment, the oldest first. */
export async function chainsOf(client: Queryable, environmentId: number): Promise<number[]> {
  const rows = await readRows(
    client,
    z.object({ id: column.whole }),
    'select id from chain where environment_id = $1 order by id',
    [environmentId],
  );
  return rows.map(({ id }) => id);
}

/** Records of a chain after a position, in order, with the kind of change that each of them was. */
export function recordsAfter(client: Queryable, chainId: number, position: number, limit: number) {
  return readRows(
    client,
    recordRow,
    `select r.position, r.id as "recordId", r.invoice_id as "invoiceId",
            case when r.kind = 'cancellation' then 'invoice.voided'
                 when a.record_id is not null then 'invoice.amended' else 'invoice.issued' end as change,
            s.status::text
       from registration_record r
       join record_state s on s.environment_id = r.environment_id and s.record_id = r.id
       left join invoice_amendment a on a.environment_id = r.environment_id and a.record_id = r.id
      where r.chain_id = $1 and r.position > $2 order by r.position limit $3`,
    [chainId, position, limit],
  );
}

/** The checksums of stored documents, by invoice and edition. */
export async function documentsOf(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await readRows(
    client,
    z.object({ key: z.string(), sum: z.string() }),
    `select invoice_id || '/' || edition as key, encode(sha256, 'hex') as sum from invoice_document
      where environment_id = $1 and invoice_id = any($2) and sha256 is not null`,
    [environmentId, invoiceIds],
  );
  return new Map(rows.map(({ key, sum }) => [key, sum]));
}

const chainHoldRow = z.object({
  chainId: column.whole,
  installationNumber: z.string(),
  hold: z.enum(['restored', 'forked']),
});

export function heldChains(client: Queryable, environmentId: number) {
  return readRows(
    client,
    chainHoldRow,
    `select id as "chainId", installation_number as "installationNumber", hold::text from chain
      where environment_id = $1 and hold is not null and closed_at is null`,
    [environmentId],
  );
}

/** The existing entries of these subjects: type, subject, record, and for documents which. */
export async function journaledOf(
  client: Queryable,
  environmentId: number,
  subjectIds: readonly string[],
): Promise<Set<string>> {
  const rows = await readRows(
    client,
    z.object({ journaled: z.string() }),
    `select distinct type || ' ' || subject_id || ' ' || coalesce(record_id, '')
            || case when type = 'invoice.document_ready' then content else '' end as journaled
       from journal_entry where environment_id = $1 and subject_id = any($2)`,
    [environmentId, subjectIds],
  );
  return new Set(rows.map(({ journaled }) => journaled));
}
