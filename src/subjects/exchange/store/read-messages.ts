import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';
import { MESSAGE_KINDS } from '../types.ts';

const messageRow = z.object({
  ordinal: column.whole,
  kind: z.enum(MESSAGE_KINDS),
  status: z.string(),
  attempts: column.whole,
  nextAt: column.instant.nullable(),
  why: z.string().nullable(),
  settledAt: column.instant.nullable(),
});

/** The messages of an invoice in order; unless the position is locked, more may be added concurrently. */
export function messagesOf(client: Queryable, environmentId: number, invoiceId: string) {
  return readRows(
    client,
    messageRow,
    `select ordinal, kind, status, attempts, next_at as "nextAt", why, settled_at as "settledAt" from exchange_message
      where environment_id = $1 and invoice_id = $2 order by ordinal`,
    [environmentId, invoiceId],
  );
}
