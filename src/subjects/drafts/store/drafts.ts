import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute, readRow, readRows } from '../../../ground/db/rows.ts';
import { type Draft, draft } from '../shapes.ts';
import { DRAFT_COLUMNS } from './read-drafts.ts';

/** Statements on `invoice_draft`. */

/** The draft, locked until the end of the transaction: nobody changes, issues or deletes it meanwhile. */
export function lockDraft(client: Queryable, environmentId: number, id: string): Promise<Draft | null> {
  const text = `select ${DRAFT_COLUMNS}, null as "invoiceId" from invoice_draft draft
    where draft.environment_id = $1 and draft.id = $2 for update`;
  return readRow(client, draft, { name: 'invoice-draft-locked', text }, [environmentId, id]);
}

const idRow = z.object({ id: z.string() });

/**
 * Inserts a draft, unless the environment has `max` open ones that were not created by a schedule. Two concurrent
 * inserts may exceed the limit by one. Returns whether it was inserted.
 */
export async function insertDraft(
  db: Queryable,
  environmentId: number,
  { id, content, dueInDays, errors, amounts, createdAt }: Draft,
  max: number,
): Promise<boolean> {
  const rows = await readRows(
    db,
    idRow,
    `with inserted as (
       insert into invoice_draft (environment_id, id, content, due_in_days, errors, amounts, created_at, updated_at)
       select $1, $2, $3, $4, $5, $6, $7, $7
        where (select count(*) from invoice_draft where environment_id = $1 and status = 'open' and schedule_id is null) < $8
       returning id
     )
     select id from inserted`,
    [
      ...[environmentId, id, JSON.stringify(content), dueInDays, JSON.stringify(errors)],
      ...[amounts && JSON.stringify(amounts), createdAt, max],
    ],
  );
  return rows.length > 0;
}

/** Stores changes of a draft. Its row must be locked. */
export async function updateDraft(client: Queryable, environmentId: number, changed: Draft): Promise<void> {
  const { id, content, dueInDays, errors, amounts, version, updatedAt } = changed;
  await execute(
    client,
    `update invoice_draft set content = $3, due_in_days = $4, errors = $5, amounts = $6, version = $7, updated_at = $8
      where environment_id = $1 and id = $2`,
    [
      ...[environmentId, id, JSON.stringify(content), dueInDays, JSON.stringify(errors)],
      ...[amounts && JSON.stringify(amounts), version, updatedAt],
    ],
  );
}

/** Records that the draft is issued. Its row must be locked, by the transaction that issues its invoice. */
export async function markIssued(
  client: Queryable,
  environmentId: number,
  id: string,
  at: Date,
): Promise<void> {
  await execute(
    client,
    {
      name: 'invoice-draft-issued',
      text: `update invoice_draft set status = 'issued', waits = false, errors = '[]', failure = null, updated_at = $3,
               version = version + 1
              where environment_id = $1 and id = $2`,
    },
    [environmentId, id, at],
  );
}

/** Deletes a draft. Its row must be locked. */
export async function deleteDraft(client: Queryable, environmentId: number, id: string): Promise<void> {
  await execute(client, 'delete from invoice_draft where environment_id = $1 and id = $2', [
    environmentId,
    id,
  ]);
}
