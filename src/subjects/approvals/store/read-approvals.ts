import { z } from 'zod';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';
import { GATED_ACTIONS } from '../actions.ts';

export const APPROVAL_STATES = ['open', 'approved', 'declined', 'used', 'expired'] as const;

export const approvalRow = z.object({
  id: z.string(),
  action: z.enum(GATED_ACTIONS),
  subject: z.string(),
  environmentId: column.whole.nullable(),
  /** Canonical JSON; with the reason. */
  arguments: z.string(),
  askedBy: z.string(),
  askedAt: column.instant,
  expiresAt: column.instant,
  decidedBy: z.string().nullable(),
  decidedAt: column.instant.nullable(),
  usedAt: column.instant.nullable(),
  state: z.enum(APPROVAL_STATES),
});

/** What an operator asked another one to approve, and what became of it. */
export type Approval = Readonly<z.output<typeof approvalRow>>;

/** With the present time as `$1`. */
export const APPROVAL_COLUMNS = `id, action, subject, environment_id as "environmentId", arguments, asked_by as "askedBy",
  asked_at as "askedAt", expires_at as "expiresAt", decided_by as "decidedBy", decided_at as "decidedAt", used_at as "usedAt",
  case when used_at is not null then 'used' when decision = 'declined' then 'declined' when expires_at <= $1 then 'expired'
    else coalesce(decision, 'open') end as state`;

/** Requests for approval, the newest first; `undecided`: only those that wait for a decision. */
export function listApprovals(
  db: Queryable,
  now: Date,
  { undecided }: { readonly undecided: boolean },
): Listed<Approval> {
  return listed(db, {
    ...{ shape: approvalRow, columns: APPROVAL_COLUMNS, from: 'approval', id: 'id' },
    where: 'not $2::boolean or (decision is null and expires_at > $1)',
    values: [now, undecided],
    ...{ order: ['asked_at', 'id'], direction: 'desc', ofAll: true },
  });
}

/** Requests for approval by their ids. */
export async function readApprovalsById(
  db: Queryable,
  now: Date,
  ids: readonly string[],
): Promise<Map<string, Approval>> {
  const text = `select ${APPROVAL_COLUMNS} from approval where id = any ($2)`;
  return new Map((await readRows(db, approvalRow, text, [now, ids])).map((found) => [found.id, found]));
}
