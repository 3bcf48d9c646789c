import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRow, readRows } from '../../../ground/db/rows.ts';
import { MESSAGE_KINDS, type MessageKind } from '../types.ts';

/** Statements on `exchange_position` and `exchange_message`. */

const idRow = z.object({ id: column.whole });

/** Test environments that may have something to queue, send or receive. Takes no lock. */
export async function readActiveEnvironments(client: Queryable, max: number): Promise<number[]> {
  const rows = await readRows(
    client,
    idRow,
    `select environment.id from environment
       join journal_head head on head.environment_id = environment.id
       left join exchange_position reached on reached.environment_id = environment.id
      where environment.kind = 'test' and head.position > 0
        and (head.position > coalesce(reached.told, 0)
             or exists (select from exchange_message sent where sent.environment_id = environment.id))
      order by reached.looked_at nulls first, environment.id limit $1`,
    [max],
  );
  return rows.map(({ id }) => id);
}

const positionRow = z.object({ told: column.whole, received: column.whole });

/**
 * The position of an environment; locks it until the caller's transaction ends, and creates it if there is none.
 */
export async function lockPosition(client: Queryable, environmentId: number) {
  await execute(client, 'insert into exchange_position (environment_id) values ($1) on conflict do nothing', [
    environmentId,
  ]);
  const text = 'select told, received from exchange_position where environment_id = $1 for update';
  const found = await readRow(client, positionRow, text, [environmentId]);
  if (found === null) throw new Error('a position that is locked is gone');
  return found;
}

/** Moves the position in its journal; the position must be locked. */
export async function advanceJournalPosition(
  client: Queryable,
  environmentId: number,
  told: number,
): Promise<void> {
  const text = 'update exchange_position set told = $2, looked_at = now() where environment_id = $1';
  await execute(client, text, [environmentId, told]);
}

/** Moves the position in the statuses of its recipients; the position must be locked. */
export async function advanceStatusPosition(
  client: Queryable,
  environmentId: number,
  received: number,
): Promise<void> {
  const text = 'update exchange_position set received = $2, looked_at = now() where environment_id = $1';
  await execute(client, text, [environmentId, received]);
}

const entryRow = z.object({ position: column.whole, type: z.string(), subjectId: z.string() });

/** The next entries of an environment's journal. Takes no lock. */
export function readEntries(client: Queryable, environmentId: number, after: number, max: number) {
  return readRows(
    client,
    entryRow,
    {
      name: 'exchange-entries',
      text: `select position, type, subject_id as "subjectId" from journal_entry
              where environment_id = $1 and position > $2 order by position limit $3`,
    },
    [environmentId, after, max],
  );
}

/** A message to be queued. */
export type NewMessage = {
  readonly environment_id: number;
  readonly id: string;
  readonly invoice_id: string;
  readonly ordinal: number;
  readonly kind: MessageKind;
  readonly on_day: string | null;
  readonly created_at: string;
};

/** Queues messages; existing ones are ignored. The position must be locked. */
export async function addMessages(client: Queryable, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await execute(
    client,
    `insert into exchange_message (environment_id, id, invoice_id, ordinal, kind, on_day, status, attempts, next_at, created_at)
     select environment_id, id, invoice_id, ordinal, kind, on_day, 'waiting', 0, created_at, created_at
       from json_populate_recordset(null::exchange_message, $1)
     on conflict (environment_id, invoice_id, ordinal) do nothing`,
    [JSON.stringify(messages)],
  );
}

const dueRow = z.object({
  id: z.string(),
  invoiceId: z.string(),
  ordinal: column.whole,
  kind: z.enum(MESSAGE_KINDS),
  on: column.day.nullable(),
  attempts: column.whole,
  createdAt: column.instant,
  /** The message that contained the invoice itself, and its outcome. */
  invoiceMessage: z.string(),
  invoiceStatus: z.string(),
  document: column.bytes.nullable(),
});

/** A message that is to be sent. */
export type DueMessage = z.output<typeof dueRow>;

/** Due messages of an environment, only the first waiting one of each invoice. Takes no lock. */
export function readDue(client: Queryable, environmentId: number, now: Date, max: number) {
  return readRows(
    client,
    dueRow,
    `select message.id, message.invoice_id as "invoiceId", message.ordinal, message.kind, message.on_day::text as on,
            message.attempts, message.created_at as "createdAt", own.id as "invoiceMessage", own.status as "invoiceStatus",
            message.document
       from exchange_message message
       join exchange_message own on own.environment_id = message.environment_id and own.invoice_id = message.invoice_id
        and own.ordinal = 0
      where message.environment_id = $1 and message.status = 'waiting' and message.next_at <= $2
        and not exists (select from exchange_message before
                         where before.environment_id = message.environment_id and before.invoice_id = message.invoice_id
                           and before.ordinal < message.ordinal and before.status = 'waiting')
      order by message.next_at, message.id limit $3`,
    [environmentId, now.toISOString(), max],
  );
}

/**
 * Stores the bytes of a waiting message, unless they are stored already. Returns the bytes to send; null when the
 * message no longer waits.
 */
export async function saveMessageBytes(
  client: Queryable,
  environmentId: number,
  id: string,
  document: Buffer,
): Promise<Buffer | null> {
  const text = `update exchange_message set document = coalesce(document, $3)
                 where environment_id = $1 and id = $2 and status = 'waiting' returning document`;
  const kept = await readRow(client, z.object({ document: column.bytes }), text, [
    environmentId,
    id,
    document,
  ]);
  return kept?.document ?? null;
}

/** Records the outcome of a waiting message and deletes its bytes; does nothing if it does not wait. */
export async function recordOutcomeOf(
  client: Queryable,
  environmentId: number,
  id: string,
  settled: { readonly status: 'taken' | 'refused'; readonly reason: string | null; readonly at: Date },
): Promise<void> {
  await execute(
    client,
    `update exchange_message set status = $3, why = $4, settled_at = $5, next_at = null, attempts = attempts + 1,
            document = null
      where environment_id = $1 and id = $2 and status = 'waiting'`,
    [environmentId, id, settled.status, settled.reason, settled.at.toISOString()],
  );
}

/** Records that it is unknown whether a message was accepted, and when to send it again. */
export async function postponeMessage(
  client: Queryable,
  environmentId: number,
  id: string,
  { why: reason, nextAt }: { readonly why: string; readonly nextAt: Date },
): Promise<void> {
  await execute(
    client,
    `update exchange_message set why = $3, next_at = $4, attempts = attempts + 1
      where environment_id = $1 and id = $2 and status = 'waiting'`,
    [environmentId, id, reason, nextAt.toISOString()],
  );
}

/** The invoice that a message of the environment contained; null when there is none. Takes no lock. */
export async function invoiceOfMessage(
  client: Queryable,
  environmentId: number,
  id: string,
): Promise<string | null> {
  const text = `select invoice_id as "invoiceId" from exchange_message
                 where environment_id = $1 and id = $2 and ordinal = 0`;
  const shape = z.object({ invoiceId: z.string() });
  return (await readRow(client, shape, text, [environmentId, id]))?.invoiceId ?? null;
}

/**
 * The issuer whose recipients' statuses an environment requests: that of accepted invoices; null when none was
 * accepted. Takes no lock.
 */
export async function issuerWithAccepted(client: Queryable, environmentId: number): Promise<string | null> {
  const text = `select invoice.issuer ->> 'nif' as nif from exchange_message message
                  join invoice on invoice.environment_id = message.environment_id and invoice.id = message.invoice_id
                 where message.environment_id = $1 and message.ordinal = 0 and message.status = 'taken' limit 1`;
  return (await readRow(client, z.object({ nif: z.string() }), text, [environmentId]))?.nif ?? null;
}
