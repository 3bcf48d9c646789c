import { createHash } from 'node:crypto';
import type pg from 'pg';

/**
 * Holds an environment's journal against its records: each has one entry, each that is settled one more, with no gap and
 * each linked to the one before. By docs/journal.md, without the service's own code.
 */

type Entry = {
  readonly origin: string;
  readonly position: number;
  readonly type: string;
  readonly subject_id: string;
  readonly record_id: string | null;
  readonly created_at: Date;
  readonly content_hash: string;
  readonly hash: string;
};

export async function auditJournal(
  pool: pg.Pool,
  environmentId: number,
  report: (fault: string) => void,
): Promise<void> {
  const { rows: entries } = await pool.query<Entry>(
    `select origin, entry.position, type, subject_id, record_id, created_at, encode(content_hash, 'hex') as content_hash,
            encode(entry.hash, 'hex') as hash
       from journal_entry entry join journal_head using (environment_id)
      where environment_id = $1 order by entry.position`,
    [environmentId],
  );
  let previous = '0'.repeat(64);
  for (const [index, entry] of entries.entries()) {
    if (entry.position !== index + 1) report(`entry ${entry.position} stands at ${index + 1}`);
    if (entry.hash !== linked(entry, previous))
      report(`entry ${entry.position} is not linked to the one before`);
    previous = entry.hash;
  }
  const { rows: records } = await pool.query<{ id: string; change: string; status: string }>(
    `select r.id, case when r.kind = 'cancellation' then 'invoice.voided'
              when exists (select from invoice_amendment a where a.record_id = r.id) then 'invoice.amended'
              else 'invoice.issued' end as change, s.status::text
       from registration_record r join record_state s on s.record_id = r.id and s.environment_id = r.environment_id
      where r.environment_id = $1`,
    [environmentId],
  );
  const journaled = new Map<string, string[]>();
  for (const { record_id: id, type } of entries) {
    if (id !== null) journaled.set(id, [...(journaled.get(id) ?? []), type]);
  }
  for (const { id, change, status } of records) {
    const wanted = status === 'pending' ? [change] : [change, settledEvent(change, status)];
    const found = journaled.get(id) ?? [];
    if (found.join() !== wanted.join())
      report(`the journal tells of ${id}: ${found.join() || 'nothing'}, and not: ${wanted.join()}`);
  }
  if (journaled.size !== records.length)
    report(`the journal tells of ${journaled.size} records, and there are ${records.length}`);
}

/** What the agency refuses of an invoice that it may hold is an event of its own. */
function settledEvent(change: string, status: string): string {
  if (status !== 'rejected') return `invoice.${status}`;
  if (change === 'invoice.amended') return 'invoice.amendment_rejected';
  return change === 'invoice.voided' ? 'invoice.void_rejected' : 'invoice.rejected';
}

function linked(entry: Entry, previous: string): string {
  const { origin, position, type, subject_id: subject, record_id: record } = entry;
  const lines = ['lacre journal entry 1', origin, position, type, subject, record ?? ''];
  lines.push(entry.created_at.toISOString(), entry.content_hash, previous);
  return createHash('sha256')
    .update(`\0${lines.join('\n')}\n`, 'utf8')
    .digest('hex');
}
