import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRow } from '../../../ground/db/rows.ts';
import type { TrustedDocuments } from '../shapes.ts';

const PUBLISH = {
  name: 'publish-documents',
  text: `insert into trusted_document (environment_id, hash, text, published_at)
         select $1, sent.hash, sent.text, $4 from unnest($2::text[], $3::text[]) as sent (hash, text)
         on conflict (environment_id, hash) do update set published_at = excluded.published_at`,
};

const DELETE_OLDEST = `delete from trusted_document where environment_id = $1 and hash in (
  select hash from trusted_document where environment_id = $1 order by published_at desc, hash offset $2)`;

/**
 * Adds documents to those of an environment, each by its hash, and deletes the longest published ones beyond
 * `max`. In a transaction that locks the environment's row, so that two concurrent publications count each other's
 * documents.
 */
export async function writeDocuments(
  client: Queryable,
  environmentId: number,
  sent: { readonly hashes: readonly string[]; readonly texts: readonly string[]; readonly at: Date },
  max: number,
): Promise<void> {
  await execute(client, 'select 1 from environment where id = $1 for no key update', [environmentId]);
  await execute(client, PUBLISH, [environmentId, sent.hashes, sent.texts, sent.at]);
  await execute(client, DELETE_OLDEST, [environmentId, max]);
}

const textRow = z.object({ text: z.string() });

/** The text of a published document; null for a hash that is unknown in the environment. */
export async function readDocument(
  client: Queryable,
  environmentId: number,
  hash: string,
): Promise<string | null> {
  const text = 'select text from trusted_document where environment_id = $1 and hash = $2';
  const row = await readRow(client, textRow, { name: 'trusted-document', text }, [environmentId, hash]);
  return row?.text ?? null;
}

/** Sets whether access tokens of an environment may run published documents only. */
export async function writeTrustedOnly(
  client: Queryable,
  environmentId: number,
  only: boolean,
): Promise<void> {
  const text = 'update environment set trusted_documents_only = $2 where id = $1';
  await execute(client, text, [environmentId, only]);
}

const summaryRow = z.object({
  only: z.boolean(),
  count: column.whole,
  published_at: column.instant.nullable(),
});

const SUMMARY = `select trusted_documents_only as only,
    (select count(*) from trusted_document d where d.environment_id = $1) as count,
    (select max(published_at) from trusted_document d where d.environment_id = $1) as published_at
  from environment e where id = $1`;

/**
 * How many documents an environment has, when the last was published, and whether only these may be run; it must
 * exist.
 */
export async function summarizeDocuments(
  client: Queryable,
  environmentId: number,
): Promise<TrustedDocuments> {
  const {
    only,
    count,
    published_at: publishedAt,
  } = await readOneRow(client, summaryRow, SUMMARY, [environmentId]);
  return { only, count, publishedAt };
}
