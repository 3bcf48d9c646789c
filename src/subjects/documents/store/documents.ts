import { z } from 'zod';
import { DocumentEdition } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readOneRow, readRow, readRows } from '../../../ground/db/rows.ts';
import { entriesJson, type NewEntry } from '../../../ground/journal/append.ts';
import { documentText } from '../../../ground/journal/content.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { jobKey } from '../../../ground/queue/enqueue.ts';

/** An invoice's document; of a voided invoice the marked one. `sha256` is null until it is rendered. */
export type DocumentRow = {
  /** Of the invoice. */
  readonly number: string;
  readonly edition: DocumentEdition;
  readonly sha256: Buffer | null;
  /** The document itself, unless it is in the object store under the key. */
  readonly bytes: Buffer | null;
  readonly objectKey: string | null;
  /** How often it has been rendered; a read result is stale when this has changed. */
  readonly renderings: number;
  /** Of the invoice. */
  readonly lines: number;
};

// In base64: the driver reads every value as text, and hexadecimal is longer and slower to decode.
const READ = {
  name: 'invoice-document',
  text: `select i.number, wanted.edition, d.sha256, encode(d.bytes, 'base64') as base64, d.object_key as "objectKey",
      coalesce(d.renderings, 0) as renderings,
      coalesce((select l.position + 1 from invoice_line l
        where l.environment_id = $1 and l.invoice_id = i.id
        order by l.position desc limit 1), 0) as lines
    from invoice i
      cross join lateral (select (case when exists (
          select 1 from invoice_void v where v.environment_id = $1 and v.invoice_id = i.id)
        then 'voided' else 'issued' end)::document_edition as edition) as wanted
      left join invoice_document d
        on d.environment_id = $1 and d.invoice_id = i.id and d.edition = wanted.edition
    where i.environment_id = $1 and i.id = $2`,
};
const document = z.object({
  number: z.string(),
  edition: z.enum(DocumentEdition),
  sha256: column.bytes.nullable(),
  base64: z.string().nullable(),
  objectKey: z.string().nullable(),
  renderings: column.whole,
  lines: column.whole,
});

/** Null when the environment has no such invoice. */
export async function readDocument(
  db: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<DocumentRow | null> {
  const found = await readRow(db, document, READ, [environmentId, invoiceId]);
  if (found === null) return null;
  const { base64, ...row } = found;
  return { ...row, bytes: base64 === null ? null : Buffer.from(base64, 'base64') };
}

/** Whether there is an invoice of that id, in the environment when one is given. */
export async function invoiceExists(
  db: Queryable,
  invoiceId: string,
  environmentId: number | null,
): Promise<boolean> {
  const text = 'select 1 from invoice where id = $1';
  return environmentId === null
    ? (await execute(db, `${OF_ALL} ${text}`, [invoiceId])) === 1
    : (await execute(db, `${text} and environment_id = $2`, [invoiceId, environmentId])) === 1;
}

const WAITING = {
  name: 'waiting-documents',
  text: `select page."invoiceId" from (
      select d.invoice_id as "invoiceId" from invoice_document d
      where d.environment_id = $1 and d.state = 'waiting' and d.invoice_id > $2
        and ($3 or d.lease_until is null or d.lease_until < now())
      order by d.invoice_id limit $4) page
    order by random()`,
};
const WITH_JOB = {
  name: 'documents-with-job',
  text: 'select key from graphile_worker._private_jobs where key = any($1)',
};
const jobKeyRow = z.object({ key: z.string() });
const waitingDocument = z.object({ invoiceId: z.string() });

/**
 * The next invoices of an environment whose documents wait to be rendered, after the invoice of that id: the oldest, but in
 * random order, so that two processes with the same list rarely choose the same document. Left out are documents with a job
 * of their own because their rendering has failed, and unless `leased` those that somebody is rendering. `last` is the one after
 * which the next page begins; null at the end.
 */
export async function waitingDocuments(
  db: Queryable,
  page: { environmentId: number; after: string; leased: boolean; limit: number },
): Promise<{ readonly invoiceIds: readonly string[]; readonly last: string | null }> {
  const values = [page.environmentId, page.after, page.leased, page.limit];
  const rows = await readRows(db, waitingDocument, WAITING, values);
  const keys = rows.map(({ invoiceId }) => jobKey('render_pdf', { invoiceId }));
  const jobs = keys.length === 0 ? [] : await readRows(db, jobKeyRow, WITH_JOB, [keys]);
  const withJob = new Set(jobs.map(({ key }) => key));
  const ids = rows.map(({ invoiceId }) => invoiceId);
  return {
    invoiceIds: ids.filter((_, index) => !withJob.has(keys[index]!)),
    last: ids.toSorted().at(-1) ?? null,
  };
}

/** Identifies a document and its state. */
export type DocumentVersion = {
  readonly environmentId: number;
  readonly invoiceId: string;
  readonly edition: DocumentEdition;
  readonly renderings: number;
};

/**
 * How long a process may render a document without renewing its claim: longer than a pause of the process, and
 * short enough to wait for when the process has died. By the database's clock, which all processes share.
 */
const LEASE_SECONDS = 15;
const LEASE = `now() + interval '${LEASE_SECONDS} seconds'`;
/** Two renewals may fail before the lease expires. */
export const RENEW_MS = 5_000;

const folder = z.object({ folder: z.string() });

/**
 * Claims the rendering of the document and returns the folder for it, which no other environment has; null when
 * another process has claimed it, or has rendered it since. Issuing inserts a waiting row for each invoice;
 * imported ones and voided editions get theirs here.
 */
export async function claimRendering(
  db: Queryable,
  { environmentId, invoiceId, edition, renderings }: DocumentVersion,
  token: string,
): Promise<string | null> {
  if (edition === 'voided') await adoptWaiting(db, environmentId, invoiceId);
  const claim = execute(
    db,
    `insert into invoice_document as d (environment_id, invoice_id, edition, state, lease_token, lease_until)
      values ($1, $2, $3, 'waiting', $5, ${LEASE})
      on conflict (environment_id, invoice_id, edition) do update
        set lease_token = excluded.lease_token, lease_until = excluded.lease_until
        where d.renderings = $4 and (d.lease_until is null or d.lease_until < seconds_after(excluded.lease_until, -${LEASE_SECONDS}))`,
    [environmentId, invoiceId, edition, renderings, token],
  );
  // Beside the claim: in its RETURNING Citus refuses it.
  const text = `select company_id || '/' || kind as folder from environment where id = $1`;
  const [claimed, owner] = await Promise.all([claim, readOneRow(db, folder, text, [environmentId])]);
  return claimed === 0 ? null : owner.folder;
}

/**
 * If an invoice was voided before anything was rendered, the marked document is the only one: those who wait for
 * the original get it instead, so that nobody waits forever.
 */
async function adoptWaiting(db: Queryable, environmentId: number, invoiceId: string): Promise<void> {
  await execute(
    db,
    `update invoice_document set edition = 'voided'
      where environment_id = $1 and invoice_id = $2 and edition = 'issued' and state = 'waiting'
        and not exists (select 1 from invoice_document
          where environment_id = $1 and invoice_id = $2 and edition = 'voided')`,
    [environmentId, invoiceId],
  );
}

export async function renewClaim(db: Queryable, document: DocumentVersion, token: string): Promise<void> {
  await execute(
    db,
    `update invoice_document set lease_until = ${LEASE}
      where environment_id = $1 and invoice_id = $2 and edition = $3 and lease_token = $4`,
    [document.environmentId, document.invoiceId, document.edition, token],
  );
}

/** Releases the claim without a rendering. */
export async function releaseClaim(db: Queryable, document: DocumentVersion, token: string): Promise<void> {
  await execute(
    db,
    `update invoice_document set lease_token = null, lease_until = null
      where environment_id = $1 and invoice_id = $2 and edition = $3 and lease_token = $4`,
    [document.environmentId, document.invoiceId, document.edition, token],
  );
}

/** The location of a document's bytes: this row, or the object store. */
export type BytesLocation = { readonly bytes: Buffer } | { readonly objectKey: string };

/**
 * Stores the rendering with its branding and returns true; false when another was stored meanwhile. `changed` when
 * it is the first, or differs from the previous one: then it is recorded in the journal.
 */
export async function saveDocument(
  db: Queryable,
  { environmentId, invoiceId, edition, renderings }: DocumentVersion,
  made: {
    readonly lookId: number | null;
    readonly sha256: Buffer;
    readonly location: BytesLocation;
    readonly changed: boolean;
  },
): Promise<boolean> {
  const { bytes, objectKey } = { bytes: null, objectKey: null, ...made.location };
  const now = clock.now();
  const content = documentText({ edition, sha256: made.sha256 });
  const ready: NewEntry = {
    ...{ environmentId, type: 'invoice.document_ready', subjectId: invoiceId, at: now, content },
  };
  const { stored } = await readOneRow(
    db,
    z.object({ stored: z.boolean() }),
    'select store_document($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as stored',
    [
      ...[environmentId, invoiceId, edition, renderings, made.lookId, made.sha256, bytes, objectKey, now],
      entriesJson(made.changed ? [ready] : []),
    ],
  );
  return stored;
}
