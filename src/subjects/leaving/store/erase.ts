import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';

/** What a draft or schedule says of people. */
const PERSONAL = `array['recipient', 'externalCustomerId', 'integrationId', 'thirdParty', 'metadata', 'notes']`;

/** Whom drafts and schedules name: a customer of the environment by the id, or by the tax id that is known of them; null for everybody. */
export type Named = {
  readonly externalCustomerId: string;
  readonly integrationId: string;
  readonly taxId: string | null;
};

const NAMES = `($2::text is null
  or content ->> 'externalCustomerId' = $2 and coalesce(content ->> 'integrationId', $3) = $3
  or content -> 'recipient' ->> 'taxId' = $4)`;

/**
 * Deletes the drafts that were not issued, and takes out of issued ones and of ended schedules, to which invoices refer, what they say of
 * people. Returns how many drafts and schedules that were.
 */
export async function eraseDrafted(
  db: Queryable,
  environmentId: number,
  named: Named | null,
): Promise<{ readonly drafts: number; readonly schedules: number }> {
  const values = [
    environmentId,
    named?.externalCustomerId ?? null,
    named?.integrationId ?? null,
    named?.taxId ?? null,
  ];
  const own = `where environment_id = $1 and ${NAMES}`;
  const deleted = await execute(
    db,
    `delete from invoice_draft ${own} and status = 'open' and not waits`,
    values,
  );
  const issued = await execute(
    db,
    `update invoice_draft set content = content - ${PERSONAL} ${own} and status = 'issued' and content ?| ${PERSONAL}`,
    values,
  );
  const schedules = await execute(
    db,
    `update invoice_schedule set content = content - ${PERSONAL} ${own} and status = 'ended' and content ?| ${PERSONAL}`,
    values,
  );
  return { drafts: deleted + issued, schedules };
}

const found = z.object({ count: column.whole });

/** How many schedules that have not ended name somebody. */
export async function runningSchedules(db: Queryable, environmentId: number, named: Named): Promise<number> {
  const text = `select count(*)::int as count from invoice_schedule where environment_id = $1 and ${NAMES} and status <> 'ended'`;
  const values = [environmentId, named.externalCustomerId, named.integrationId, named.taxId];
  return (await readOneRow(db, found, text, values)).count;
}

const keptRow = z.object({ invoices: column.whole, last: column.day.nullable() });

/** How many invoices an environment has of a customer, or for null in all, and the day of the last. */
export function invoicesKept(
  db: Queryable,
  environmentId: number,
  named: Named | null,
): Promise<{ readonly invoices: number; readonly last: Day | null }> {
  const text = `select count(*)::int as invoices, max(issued_on)::text as last from invoice
    where environment_id = $1 and ($2::text is null or external_customer_id = $2 and integration_id = $3)`;
  return readOneRow(db, keptRow, text, [
    environmentId,
    named?.externalCustomerId ?? null,
    named?.integrationId ?? null,
  ]);
}
