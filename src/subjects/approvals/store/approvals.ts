import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRow } from '../../../ground/db/rows.ts';
import type { GatedAction } from '../actions.ts';
import { APPROVAL_COLUMNS, type Approval, approvalRow } from './read-approvals.ts';

const usedRow = z.object({ id: z.string(), approvedBy: z.string() });

/**
 * Uses up what was approved of an operator's act with these arguments, if anything was; waits for whoever is about to use it. Null if
 * there is none, or another transaction has used it.
 */
export function useApproval(
  db: Queryable,
  { askedBy, digest, now }: { readonly askedBy: string; readonly digest: string; readonly now: Date },
): Promise<z.output<typeof usedRow> | null> {
  const usable = `asked_by = $1 and digest = $2 and decision = 'approved' and used_at is null and expires_at > $3`;
  const text = `update approval set used_at = $3
     where id = (select id from approval where ${usable} order by asked_at limit 1) and ${usable}
    returning id, decided_by as "approvedBy"`;
  return readRow(db, usedRow, text, [askedBy, digest, now]);
}

const openRow = z.object({ id: z.string().nullable(), count: column.whole });

/**
 * The open request of an operator for an act with these arguments, or null, and how many open ones the operator has. Whoever asks with
 * the same key waits until the transaction ends.
 */
export async function openRequests(
  db: Queryable,
  { askedBy, digest, now }: { readonly askedBy: string; readonly digest: string; readonly now: Date },
): Promise<z.output<typeof openRow>> {
  await execute(db, `select pg_advisory_xact_lock(hashtextextended('approval for ' || $1::text, 0))`, [
    askedBy,
  ]);
  const text = `select (min(id) filter (where digest = $2)) as id, count(*)::int as count
     from approval where asked_by = $1 and decision is null and expires_at > $3`;
  return readOneRow(db, openRow, text, [askedBy, digest, now]);
}

type Asked = {
  readonly id: string;
  readonly action: GatedAction;
  readonly subject: string;
  readonly environmentId: number | null;
  readonly arguments: string;
  readonly digest: string;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly expiresAt: Date;
};

export async function insertApproval(db: Queryable, asked: Asked): Promise<void> {
  const { id, action, subject, environmentId, digest, askedBy, askedAt, expiresAt } = asked;
  await execute(
    db,
    `insert into approval (id, action, subject, environment_id, arguments, digest, asked_by, asked_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, action, subject, environmentId, asked.arguments, digest, askedBy, askedAt, expiresAt],
  );
}

/** A request as it is now, locked until the transaction ends; null when there is none. */
export function lockApproval(db: Queryable, id: string, now: Date): Promise<Approval | null> {
  const text = `select ${APPROVAL_COLUMNS} from approval where id = $2 for update`;
  return readRow(db, approvalRow, text, [now, id]);
}

type Decided = {
  readonly id: string;
  readonly decision: 'approved' | 'declined';
  readonly decidedBy: string;
  readonly now: Date;
  readonly expiresAt: Date;
};

export function setDecision(
  db: Queryable,
  { id, decision, decidedBy, now, expiresAt }: Decided,
): Promise<Approval> {
  const text = `update approval set decision = $3, decided_by = $4, decided_at = $1, expires_at = $5 where id = $2
    returning ${APPROVAL_COLUMNS}`;
  return readOneRow(db, approvalRow, text, [now, id, decision, decidedBy, expiresAt]);
}
