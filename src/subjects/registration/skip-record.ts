import type pg from 'pg';
import { z } from 'zod';
import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { type Actor, noteAct } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { line } from '../../ground/lib/text.ts';
import { type SettledState, settledEntry } from '../chain/settled-entry.ts';
import type { SubmissionOutcome } from './outcome.ts';

/** What an operator sends so that a record is never sent. */
export const skipRequest = z.strictObject({ recordId: z.string(), reason: line(500) });

export type SkipRequest = z.output<typeof skipRequest>;

type SkippedRecord = {
  readonly environmentId: number;
  readonly invoiceId: string;
  readonly recordId: string;
};

type Row = {
  environmentId: number;
  chainId: number;
  invoiceId: string;
  status: string;
  attempts: number;
  submissionId: string | null;
  outcome: SubmissionOutcome | null;
};

/**
 * Settles a pending record as `skipped`: deliberately never sent, such as that of a company that has no such duty. Only
 * a record that the agency cannot hold may be skipped: one that was never sent, or whose last envelope the agency
 * refused whole for its content. Refuses with 400 `invalid_request`, field `recordId`. Source: RD 1007/2023 arts. 3.3
 * and 16.1; docs/contract.md#operators.
 */
export async function skipRecord(
  db: Db,
  actor: Actor,
  { recordId, reason }: SkipRequest,
): Promise<Outcome<SkippedRecord>> {
  return inTransaction<Outcome<SkippedRecord>>(db.pool, async (client) => {
    // Whoever opens a submission locks the record too: it goes out or it is skipped, never both.
    const record = await lock(client, recordId);
    const skippable = skippableOf(record);
    if (isRefusal(skippable)) return skippable;
    const { environmentId, chainId, invoiceId } = skippable;
    const { rows } = await client.query<SettledState>(
      `update record_state set status = 'skipped', settled_at = $3 where environment_id = $1 and record_id = $2
       returning record_id, status::text, error_code, error_message, receipt, submission_id, settled_at`,
      [environmentId, recordId, clock.now()],
    );
    // The warning of an incident lasts while something is unsent, and no sending may come any more to lift it.
    await client.query(
      `update chain_dispatch set incident_since = null
        where environment_id = $1 and chain_id = $2 and incident_since is not null
          and not exists (select from record_state where chain_id = $2 and status = 'pending')`,
      [environmentId, chainId],
    );
    await append(client, [settledEntry({ environmentId, invoiceId }, rows[0]!)]);
    const act = { actor, action: 'skip_record', subject: recordId, environmentId, reason };
    await noteAct(client, { ...act, details: { invoiceId } });
    return { environmentId, invoiceId, recordId };
  });
}

async function lock(client: pg.ClientBase, recordId: string): Promise<Row | null> {
  const { rows } = await client.query<Row>(
    `select state.environment_id as "environmentId", state.chain_id as "chainId", record.invoice_id as "invoiceId",
            state.status, state.attempts, state.submission_id as "submissionId", submission.outcome
       from registration_record record
       join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
       left join submission
         on submission.environment_id = state.environment_id and submission.id = state.submission_id
      where record.id = $1 for update of state`,
    [recordId],
  );
  return rows[0] ?? null;
}

function skippableOf(record: Row | null): Row | Refusal {
  if (record === null) return invalidField('recordId', 'not_found', 'there is no record of this id');
  if (record.status !== 'pending') return invalidField('recordId', 'settled', `is ${record.status} already`);
  const neverLeft = record.attempts === 0 && record.submissionId === null;
  const refusedWhole: SubmissionOutcome = 'content_fault';
  if (neverLeft || record.outcome === refusedWhole) return record;
  return invalidField('recordId', 'already_sent', 'was sent: the agency may hold it');
}
