import { z } from 'zod';
import { RegistrationStatus } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, environmentOf, execute, readOneRow, readRow } from '../../../ground/db/rows.ts';
import { SUBMISSION_OUTCOMES } from '../outcome.ts';
import { SETTLED_COLUMNS, stateRow } from './settled.ts';

/** The state of a record that is deliberately not sent. */

const skippedRow = stateRow.extend({ status: z.literal('skipped'), settled_at: column.instant });

const recordRow = z.object({
  environmentId: column.whole,
  chainId: column.whole,
  invoiceId: z.string(),
  status: z.enum(RegistrationStatus),
  attempts: column.whole,
  submissionId: z.string().nullable(),
  outcome: z.enum(SUBMISSION_OUTCOMES).nullable(),
});

export type RecordToSkip = Readonly<z.output<typeof recordRow>>;

/**
 * Locks the state of a record until the transaction ends and returns it with the outcome of its last submission, or
 * null when there is no such record. Starting a submission locks the state too.
 */
export async function lockRecord(client: Queryable, recordId: string): Promise<RecordToSkip | null> {
  const environmentId = await environmentOf(client, 'registration_record', recordId);
  if (environmentId === null) return null;
  return readRow(
    client,
    recordRow,
    `select state.environment_id as "environmentId", state.chain_id as "chainId", record.invoice_id as "invoiceId",
            state.status, state.attempts, state.submission_id as "submissionId", submission.outcome
       from registration_record record
       join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
       left join submission
         on submission.environment_id = state.environment_id and submission.id = state.submission_id
      where record.environment_id = $1 and record.id = $2 for update of state`,
    [environmentId, recordId],
  );
}

/** Settles a record, whose state must be locked, as skipped; returns its state. */
export function markSkipped(client: Queryable, environmentId: number, recordId: string, now: Date) {
  return readOneRow(
    client,
    skippedRow,
    `update record_state state set status = 'skipped', settled_at = $3
      where environment_id = $1 and record_id = $2 returning ${SETTLED_COLUMNS}`,
    [environmentId, recordId, now],
  );
}

/**
 * Ends a chain's warning of an incident when nothing of it is unsent any more: no further submission may come to
 * end it. After `markSkipped`, in the same transaction.
 */
export async function endIncident(client: Queryable, environmentId: number, chainId: number): Promise<void> {
  await execute(
    client,
    `update chain_dispatch set incident_since = null
      where environment_id = $1 and chain_id = $2 and incident_since is not null
        and not exists (select 1 from record_state where environment_id = $1 and chain_id = $2 and status = 'pending')`,
    [environmentId, chainId],
  );
}
