import { z } from 'zod';
import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { line } from '../../ground/lib/text.ts';
import { type Gate, passGate } from '../approvals/gate.ts';
import { settledEntry } from '../chain/settled-entry.ts';
import type { SubmissionOutcome } from './outcome.ts';
import { listByDecisive } from './store/listed.ts';
import { endIncident, lockRecord, markSkipped, type RecordToSkip } from './store/skip.ts';

/** An operator's request that a record is never sent. */
export const skipRequest = z.strictObject({ recordId: z.string(), reason: line(500) });

export type SkipRequest = z.output<typeof skipRequest>;

type SkippedRecord = {
  readonly environmentId: number;
  readonly invoiceId: string;
  readonly recordId: string;
};

/**
 * Settles a pending record as `skipped`: deliberately never sent, for example that of a company without the
 * obligation. Only a record that the agency cannot have may be skipped: one that was never sent, or whose last
 * envelope the agency rejected completely for its content. Refuses with 400 `invalid_request`, field `recordId`; and
 * with `approval_required` (`passGate`).
 * Source: RD 1007/2023 arts. 3.3 and 16.1; docs/contract.md#operators.
 */
export async function skipRecord(
  { db, config }: { readonly db: Pick<Db, 'pool'>; readonly config: Gate },
  actor: Actor,
  { recordId, reason }: SkipRequest,
): Promise<Outcome<SkippedRecord>> {
  return inTransaction<Outcome<SkippedRecord>>(db.pool, async (client) => {
    const record = await lockRecord(client, recordId);
    const skippable = skippableOf(record);
    if (isRefusal(skippable)) return skippable;
    const { environmentId, chainId, invoiceId } = skippable;
    const act = { actor, action: 'skip_record', subject: recordId, environmentId, reason } as const;
    const given = await passGate(client, config, { ...act, arguments: {} });
    if (isRefusal(given)) return given;
    const settled = await markSkipped(client, environmentId, recordId, clock.now());
    await listByDecisive(client, environmentId, [invoiceId]);
    await endIncident(client, environmentId, chainId);
    await append(client, [settledEntry({ environmentId, invoiceId }, settled)]);
    await addAuditEntry(client, { ...act, details: { invoiceId, ...given } });
    return { environmentId, invoiceId, recordId };
  });
}

function skippableOf(record: RecordToSkip | null): RecordToSkip | Refusal {
  if (record === null) return invalidField('recordId', 'not_found', 'there is no record of this id');
  if (record.status !== 'pending') return invalidField('recordId', 'settled', `is ${record.status} already`);
  const wasNeverSent = record.attempts === 0 && record.submissionId === null;
  const refusedWhole: SubmissionOutcome = 'content_fault';
  if (wasNeverSent || record.outcome === refusedWhole) return record;
  return invalidField('recordId', 'already_sent', 'was sent: the agency may hold it');
}
