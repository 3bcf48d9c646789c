import { z } from 'zod';
import { DocumentEdition } from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readOneRow, readRow, readRows } from '../../../ground/db/rows.ts';

/** The key of any document in an object store; null when there is none. Takes no lock. */
export async function anyObjectKey(db: Queryable): Promise<string | null> {
  const found = await readRow(
    db,
    z.object({ key: z.string() }),
    `${OF_ALL} select object_key as key from invoice_document where object_key is not null limit 1`,
  );
  return found?.key ?? null;
}

/** How many documents are in Postgres, and their size in bytes. Reads every document's row, but not the bytes. */
export function countPostgresDocuments(
  db: Queryable,
): Promise<{ readonly documents: number; readonly bytes: number }> {
  return readOneRow(
    db,
    z.object({ documents: column.whole, bytes: column.whole }),
    `${OF_ALL} select count(*)::int as documents, coalesce(sum(octet_length(bytes)), 0)::bigint as bytes
       from invoice_document where bytes is not null`,
  );
}

const keptDocument = z.object({
  environmentId: column.whole,
  invoiceId: z.string(),
  edition: z.enum(DocumentEdition),
  renderings: column.whole,
  sha256: column.bytes,
  bytes: z.string().transform((text) => Buffer.from(text, 'base64')),
  folder: z.string(),
});

/** A document in Postgres, and the folder of its environment in the object store. */
export type PostgresDocument = Readonly<z.output<typeof keptDocument>>;

/** The document after which the page starts. */
export type DocumentPlace = Pick<PostgresDocument, 'environmentId' | 'invoiceId' | 'edition'>;

/**
 * The next documents in Postgres, in the order of their keys; `after` is null for the first page. Takes no lock.
 */
export function listPostgresDocuments(
  db: Queryable,
  after: DocumentPlace | null,
  max: number,
): Promise<PostgresDocument[]> {
  return readRows(
    db,
    keptDocument,
    {
      name: 'documents-kept-after',
      text: `${OF_ALL}
      select d.environment_id as "environmentId", d.invoice_id as "invoiceId", d.edition, d.renderings, d.sha256,
             encode(d.bytes, 'base64') as bytes, e.company_id || '/' || e.kind as folder
        from invoice_document d join environment e on e.id = d.environment_id
       where d.bytes is not null and (d.environment_id, d.invoice_id, d.edition) > ($1, $2, $3)
       order by d.environment_id, d.invoice_id, d.edition limit $4`,
    },
    [after?.environmentId ?? 0, after?.invoiceId ?? '', after?.edition ?? 'issued', max],
  );
}

const storedSum = z.object({
  invoiceId: z.string(),
  edition: z.enum(DocumentEdition),
  expected: z.string(),
  found: z.string().nullable(),
  objectKey: z.string().nullable(),
});

/**
 * A stored document's checksum (`expected`), the checksum of the bytes in Postgres (`found`), and the object
 * store's key.
 */
export type StoredSum = Readonly<z.output<typeof storedSum>>;

/**
 * The next stored documents of an environment, in the order of their keys; `after` is null for the first page.
 * Takes no lock.
 */
export function sumsAfter(
  db: Queryable,
  environmentId: number,
  after: Pick<StoredSum, 'invoiceId' | 'edition'> | null,
  max: number,
): Promise<StoredSum[]> {
  return readRows(
    db,
    storedSum,
    {
      name: 'document-sums-after',
      text: `
      select invoice_id as "invoiceId", edition, encode(sha256, 'hex') as expected,
             encode(sha256(bytes), 'hex') as found, object_key as "objectKey"
        from invoice_document
       where environment_id = $1 and (invoice_id, edition) > ($2, $3) and sha256 is not null
       order by invoice_id, edition limit $4`,
    },
    [environmentId, after?.invoiceId ?? '', after?.edition ?? 'issued', max],
  );
}

/** How many documents of an environment are stored. Takes no lock. */
export async function storedIn(db: Queryable, environmentId: number): Promise<number> {
  const { documents } = await readOneRow(
    db,
    z.object({ documents: column.whole }),
    `select count(*)::int as documents from invoice_document where environment_id = $1 and sha256 is not null`,
    [environmentId],
  );
  return documents;
}

/**
 * Records that a document is in the object store and deletes its bytes in Postgres; false when it has been rendered
 * again since it was read.
 */
export async function recordMovedDocument(
  db: Queryable,
  { environmentId, invoiceId, edition, renderings, sha256 }: PostgresDocument,
  objectKey: string,
): Promise<boolean> {
  const changed = await execute(
    db,
    {
      name: 'leave-document-to-store',
      text: `update invoice_document set bytes = null, object_key = $6
              where environment_id = $1 and invoice_id = $2 and edition = $3 and renderings = $4 and sha256 = $5
                and bytes is not null`,
    },
    [environmentId, invoiceId, edition, renderings, sha256, objectKey],
  );
  return changed === 1;
}
