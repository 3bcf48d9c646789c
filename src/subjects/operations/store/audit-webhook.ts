import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRow } from '../../../ground/db/rows.ts';

/** Longer than an attempt lasts: then whoever had taken it has died. */
const LEASE = `now() + interval '1 minute'`;

const takenRow = z.object({ position: column.whole, attempts: column.whole, readAt: column.instant });

/** Takes the webhook for a sender, unless another one has it or its next attempt is not due. */
export async function takeAuditWebhook(
  db: Queryable,
  lease: string,
): Promise<z.output<typeof takenRow> | null> {
  await execute(db, 'insert into audit_webhook (id, position) values (1, 0) on conflict do nothing');
  const text = `update audit_webhook set lease = $1, lease_until = ${LEASE}
     where (lease_until is null or lease_until <= now()) and (next_at is null or next_at <= now())
    returning position, attempts, now() as "readAt"`;
  return readRow(db, takenRow, text, [lease]);
}

/** Notes up to which position everything was accepted, and keeps the webhook; false if another sender has it by now. */
export async function noteReached(db: Queryable, lease: string, position: number): Promise<boolean> {
  const text = `update audit_webhook set position = $2, attempts = 0, next_at = null, failing_since = null, last_error = null,
    lease_until = ${LEASE} where lease = $1`;
  return (await execute(db, text, [lease, position])) === 1;
}

type Failure = { readonly at: Date; readonly error: string; readonly nextAt: Date };

/** Notes a failed attempt. */
export async function noteFailure(
  db: Queryable,
  lease: string,
  { at, error, nextAt }: Failure,
): Promise<void> {
  const text = `update audit_webhook set attempts = attempts + 1, next_at = $4, last_error = $3,
    failing_since = coalesce(failing_since, $2) where lease = $1`;
  await execute(db, text, [lease, at, error, nextAt]);
}

/** Leaves the webhook to the next sender. */
export async function leaveAuditWebhook(db: Queryable, lease: string): Promise<void> {
  await execute(db, 'update audit_webhook set lease = null, lease_until = null where lease = $1', [lease]);
}
