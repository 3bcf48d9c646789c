import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, type RowKey, readRows, readWithin } from '../../../ground/db/rows.ts';
import { RECIPIENT_STATUSES, STATUS_EVENTS } from '../types.ts';

/** The content of a status's journal entry, in the names of its canonical form. */
const content = z
  .object({
    on: z.string(),
    told_on: z.string(),
    told_by: z.string().optional(),
    reason: z.string().optional(),
  })
  .transform(({ on, told_on: toldOn, told_by: toldBy = null, reason: statusReason = null }) => ({
    ...{ on, toldOn, toldBy, statusReason },
  }));

const row = z.object({
  invoiceId: z.string(),
  type: z.string(),
  createdAt: column.instant,
  content: z.string().transform((text) => content.parse(JSON.parse(text))),
});

/** A status reported by the recipient of an invoice. */
export type RecipientStatus = z.output<typeof content> & {
  readonly status: (typeof RECIPIENT_STATUSES)[number];
  readonly createdAt: Date;
};

const OF_INVOICES = {
  name: 'recipient-statuses-of-invoices',
  text: `select wanted.invoice_id as "invoiceId", told.type, told.created_at as "createdAt", told.content
           from unnest($2::text[]) as wanted (invoice_id)
          cross join lateral (select type, created_at, content, position from journal_entry
                               where environment_id = $1 and subject_id = wanted.invoice_id
                               order by position) told
          where told.type = any ($3)
          order by told.position`,
};

const statuses = RECIPIENT_STATUSES.map((status) => [STATUS_EVENTS[status] as string, status] as const);
const BY_TYPE = new Map(statuses);

/**
 * The recipients' statuses of invoices, in the order in which they were recorded, by the keys of the invoices.
 * Takes no lock.
 */
export function readRecipientStatusesOf(
  client: Queryable,
  keys: readonly RowKey[],
): Promise<Map<string, readonly RecipientStatus[]>> {
  return readWithin(keys, async (environmentId, own) => {
    const values = [environmentId, own.map(({ id }) => id), [...BY_TYPE.keys()]];
    const rows = await readRows(client, row, OF_INVOICES, values);
    const found = Map.groupBy(rows, ({ invoiceId }) => invoiceId);
    const statusesOf = (id: string) =>
      (found.get(id) ?? []).map(({ type, createdAt, content }) => ({
        ...{ status: BY_TYPE.get(type)!, createdAt },
        ...content,
      }));
    return new Map(own.map(({ key, id }) => [key, statusesOf(id)]));
  });
}
