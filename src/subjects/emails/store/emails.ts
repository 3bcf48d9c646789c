import { z } from 'zod';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import {
  column,
  execute,
  type RowKey,
  readOneRow,
  readRow,
  readRowOfEach,
  readRows,
  readWithin,
} from '../../../ground/db/rows.ts';
import { entriesJson, type NewEntry } from '../../../ground/journal/append.ts';
import { appendEntries } from '../../../ground/journal/store/append.ts';
import { EMAIL_LIMITS } from '../limits.ts';
import { type Delivery, type Email, email, type InvoiceToSend, invoiceToSend } from '../shapes.ts';
import { COLUMNS, TABLES } from './columns.ts';

/** Statements on `invoice_email`, which is sealed, and `invoice_email_state`, which changes. */

/**
 * The facts of an invoice that decide to whom it is sent, with its language (the environment's if its request named
 * none); null when the environment has no such invoice. A customer without a portal page counts as none.
 */
export async function readInvoiceToSend(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<InvoiceToSend | null> {
  return readRow(
    client,
    invoiceToSend,
    `select i.number, i.recipient_email as "recipientEmail", coalesce(i.language, look.language, 'es')::text as language,
            e.kind as environment, c.integration_id as "integrationId", c.external_customer_id as "externalCustomerId"
       from invoice i
       join environment e on e.id = i.environment_id
       left join lateral (select language from branding where environment_id = $1 order by id desc limit 1) look on true
       left join customer c on c.environment_id = i.environment_id and c.integration_id = i.integration_id
        and c.external_customer_id = i.external_customer_id
      where i.environment_id = $1 and i.id = $2`,
    [environmentId, invoiceId],
  );
}

const inserted = z.object({ id: z.string() });

/**
 * Inserts an e-mail that is to be sent, in the caller's transaction. False, and nothing inserted, for a reminder
 * that exists already. It is due at once by the database's clock, which decides about attempts.
 */
export async function insertEmail(client: Queryable, environmentId: number, email: Email): Promise<boolean> {
  const row = await readRow(
    client,
    inserted,
    `with asked as (
       insert into invoice_email (environment_id, id, invoice_id, kind, reminder, recipients, message, language, formats,
              message_id, requested_by, requested_at)
       values ($1, $2, $3, $4::email_kind, $5, $6, $7, $8::document_language, $9, $10, $11, $12)
       on conflict (environment_id, invoice_id, reminder) do nothing
       returning id
     ), queued as (
       insert into invoice_email_state (environment_id, email_id, status, deliveries, next_at)
       select $1, id, 'queued', $13::jsonb, now() from asked returning email_id as id
     )
     select id from queued`,
    [
      ...[environmentId, email.id, email.invoiceId, email.kind, email.reminder, email.recipients],
      ...[email.message, email.language, email.formats, email.messageId, email.requestedBy],
      ...[email.requestedAt, JSON.stringify(email.deliveries)],
    ],
  );
  return row !== null;
}

/** The e-mails of an invoice, newest first. */
export function emailsOf(client: Queryable, environmentId: number, invoiceId: string): Listed<Email> {
  return listed(client, {
    ...{ shape: email, columns: COLUMNS, from: TABLES, id: 'e.id' },
    where: 'e.environment_id = $1 and e.invoice_id = $2',
    values: [environmentId, invoiceId],
    ...{ order: ['e.requested_at', 'e.id'], direction: 'desc' },
  });
}

const WANTED = 'unnest($2::text[], $3::text[]) as wanted (key, invoice_id)';
const OF_WANTED = 'e.environment_id = $1 and e.invoice_id = wanted.invoice_id';

/** Pages of `emailsOf` without cursors, in the direction in which they are read. */
export function readEmailsOf(
  client: Queryable,
  invoices: readonly RowKey[],
  { rows, backwards }: { readonly rows: number; readonly backwards: boolean },
): Promise<Map<string, readonly Email[]>> {
  const read = backwards ? 'asc' : 'desc';
  const text = `select wanted.key, page.* from ${WANTED} cross join lateral (
       select ${COLUMNS} from ${TABLES} where ${OF_WANTED}
        order by e.requested_at ${read}, e.id ${read} limit $4) as page`;
  return readWithin(invoices, async (environmentId, own) => {
    const values = [environmentId, own.map(({ key }) => key), own.map(({ id }) => id), rows];
    const found = await readRows(client, email.extend({ key: z.string() }), text, values);
    const byKey = Map.groupBy(found, ({ key }) => key);
    return new Map(own.map(({ key }) => [key, byKey.get(key) ?? []]));
  });
}

const counted = z.object({ key: z.string(), count: column.whole });

/** How many e-mails several invoices have, each counted up to `max`, by the keys of the invoices. */
export function countEmailsOf(
  client: Queryable,
  invoices: readonly RowKey[],
  max: number,
): Promise<Map<string, number>> {
  const text = `select wanted.key, page.count from ${WANTED} cross join lateral (
    select count(*)::int as count from (select 1 from invoice_email e where ${OF_WANTED} limit $4) as found) as page`;
  return readWithin(invoices, async (environmentId, own) => {
    const values = [environmentId, own.map(({ key }) => key), own.map(({ id }) => id), max];
    const found = await readRows(client, counted, text, values);
    return new Map(found.map(({ key, count }) => [key, count]));
  });
}

/** E-mails by their environments and ids. */
export function readEmailsById(client: Queryable, keys: readonly RowKey[]): Promise<Map<string, Email>> {
  const text = `select ${COLUMNS} from ${TABLES} where e.environment_id = wanted.environment_id and e.id = wanted.id`;
  return readRowOfEach(client, email, text, keys);
}

/** An e-mail that is not settled, with the database's time; null when there is none of that id. */
export async function readWaiting(client: Queryable, environmentId: number, id: string) {
  return readRow(
    client,
    email.extend({ readAt: column.instant }),
    `select ${COLUMNS}, now() as "readAt" from ${TABLES} where e.environment_id = $1 and e.id = $2 and s.status = 'queued'`,
    [environmentId, id],
  );
}

/**
 * The e-mails of an environment that are due and not being delivered: the longest due, but in random order, so that two
 * workers with the same list rarely choose the same e-mail.
 */
export async function dueEmails(
  client: Queryable,
  environmentId: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await readRows(
    client,
    inserted,
    `select page.email_id as id from (
       select email_id from invoice_email_state
        where environment_id = $1 and status = 'queued' and next_at <= now()
          and (attempt_began_at is null or attempt_began_at + $2 * interval '1 millisecond' <= now())
        order by next_at, email_id limit $3) page
      order by random()`,
    [environmentId, EMAIL_LIMITS.emailAttempt.value, limit],
  );
  return rows.map(({ id }) => id);
}

/** When the next e-mail of an environment is due; null when none is queued. */
export async function nextDueEmail(client: Queryable, environmentId: number): Promise<Date | null> {
  const { at } = await readOneRow(
    client,
    z.object({ at: column.instant.nullable() }),
    `select min(greatest(next_at, attempt_began_at + $2 * interval '1 millisecond')) as at
       from invoice_email_state where environment_id = $1 and status = 'queued'`,
    [environmentId, EMAIL_LIMITS.emailAttempt.value],
  );
  return at;
}

/** Makes an e-mail that is due wait, without an attempt. */
export async function postponeEmail(
  client: Queryable,
  environmentId: number,
  id: string,
  milliseconds: number,
): Promise<void> {
  await execute(
    client,
    `update invoice_email_state set next_at = now() + $3 * interval '1 millisecond'
      where environment_id = $1 and email_id = $2 and status = 'queued'`,
    [environmentId, id, milliseconds],
  );
}

/**
 * Records that the `attempt`-th delivery, counted from 1, is about to begin. False when another process has begun
 * that attempt, or the e-mail is settled: then nothing may be sent.
 */
export async function beginAttempt(
  client: Queryable,
  environmentId: number,
  id: string,
  { attempt, at }: { readonly attempt: number; readonly at: Date },
): Promise<boolean> {
  const begun = await execute(
    client,
    `update invoice_email_state set attempts = $3, attempt_began_at = $4
      where environment_id = $1 and email_id = $2 and status = 'queued' and attempts = $3 - 1`,
    [environmentId, id, attempt, at],
  );
  return begun === 1;
}

/** The result of an attempt. `nextAt` is null when the e-mail is settled. */
export type AttemptResult = Pick<Email, 'status' | 'reason' | 'lastError' | 'nextAt' | 'settledAt'> & {
  readonly deliveries: readonly Delivery[];
};

/**
 * Stores the result of an attempt, and appends the journal entry of an e-mail that it has settled, in the caller's
 * transaction. Does nothing when another process has begun a later attempt since.
 */
export async function concludeAttempt(
  client: Queryable,
  environmentId: number,
  id: string,
  attempt: number,
  { concluded, entry }: { readonly concluded: AttemptResult; readonly entry: NewEntry | null },
): Promise<void> {
  const { status, deliveries, reason, lastError, nextAt, settledAt } = concluded;
  const noted = await execute(
    client,
    `update invoice_email_state
        set status = $4::email_status, deliveries = $5::jsonb, reason = $6, last_error = $7, next_at = $8, settled_at = $9,
            attempts = $3, attempt_began_at = null
      where environment_id = $1 and email_id = $2 and status = 'queued' and attempts in ($3, $3 - 1)`,
    [environmentId, id, attempt, status, JSON.stringify(deliveries), reason, lastError, nextAt, settledAt],
  );
  if (noted === 1 && entry !== null) await appendEntries(client, entriesJson([entry]));
}
