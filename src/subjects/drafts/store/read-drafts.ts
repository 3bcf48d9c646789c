import { z } from 'zod';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRow, readRows } from '../../../ground/db/rows.ts';
import { type Draft, draft } from '../shapes.ts';
import type { DraftStatus } from '../types.ts';

export const DRAFT_COLUMNS = `draft.id, draft.content, draft.due_in_days as "dueInDays", draft.status, draft.version, draft.errors,
  draft.amounts, draft.schedule_id as "scheduleId", draft.period_on::text as "periodOn", draft.failure,
  draft.created_at as "createdAt", draft.updated_at as "updatedAt"`;

const WITH_INVOICE = `${DRAFT_COLUMNS}, (select invoice.id from invoice
  where invoice.environment_id = draft.environment_id and invoice.draft_id = draft.id) as "invoiceId"`;

/** One draft with the invoice that was issued from it, or null. Takes no lock. */
export function readDraft(db: Queryable, environmentId: number, id: string): Promise<Draft | null> {
  const text = `select ${WITH_INVOICE} from invoice_draft draft where draft.environment_id = $1 and draft.id = $2`;
  return readRow(db, draft, { name: 'invoice-draft', text }, [environmentId, id]);
}

/** Drafts by the environment (`within`) and the id of each, by its key. */
export async function readDraftsById(
  db: Queryable,
  keys: readonly { readonly key: string; readonly within: string; readonly id: string }[],
): Promise<Map<string, Draft>> {
  const text = `select wanted.key, ${WITH_INVOICE} from unnest($1::text[], $2::int[], $3::text[]) as wanted (key, environment_id, draft_id)
    join invoice_draft draft on draft.environment_id = wanted.environment_id and draft.id = wanted.draft_id`;
  const rows = await readRows(db, draft.extend({ key: z.string() }), { name: 'invoice-drafts-by-id', text }, [
    ...[keys.map(({ key }) => key), keys.map(({ within }) => Number(within)), keys.map(({ id }) => id)],
  ]);
  return new Map(rows.map(({ key, ...found }) => [key, found]));
}

/** The drafts of an environment, newest first. */
export function listDrafts(
  db: Queryable,
  environmentId: number,
  { status, scheduleId }: { readonly status: DraftStatus | null; readonly scheduleId: string | null },
): Listed<Draft> {
  return listed(db, {
    ...{ shape: draft, columns: WITH_INVOICE, from: 'invoice_draft draft', id: 'draft.id' },
    where: `draft.environment_id = $1 and ($2::text is null or draft.status = $2)
      and ($3::text is null or draft.schedule_id = $3)`,
    values: [environmentId, status, scheduleId],
    ...{ order: ['draft.created_at', 'draft.id'], direction: 'desc' },
  });
}
