import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { hashOfDocument } from './hash-of-document.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import type { TrustedDocuments } from './shapes.ts';
import {
  readDocument,
  summarizeDocuments,
  writeDocuments,
  writeTrustedOnly,
} from './store/trusted-documents.ts';

type By = { readonly actor: Actor; readonly reason: string | null };

/**
 * Stores documents, which must be validated already, for an environment and records who published them. Existing
 * ones stay; beyond the limit the longest published ones are deleted.
 */
export async function publishDocuments(
  db: Pick<Db, 'pool'>,
  { actor, reason }: By,
  environmentId: number,
  texts: readonly string[],
): Promise<TrustedDocuments> {
  const byHash = new Map(texts.map((text) => [hashOfDocument(text), text]));
  const sent = { hashes: [...byHash.keys()], texts: [...byHash.values()], at: new Date(clock.now()) };
  return inTransaction(db.pool, async (client) => {
    await writeDocuments(client, environmentId, sent, ACCOUNT_LIMITS.trustedDocuments.value);
    const entry = { actor, action: 'publish_documents', subject: String(environmentId), environmentId };
    await addAuditEntry(client, { ...entry, reason, details: { documents: sent.hashes.length } });
    return summarizeDocuments(client, environmentId);
  });
}

/**
 * Sets whether access tokens of an environment may run published documents only; takes effect with the next
 * request.
 */
export async function requireTrustedDocuments(
  db: Pick<Db, 'pool'>,
  { actor, reason }: By,
  environmentId: number,
  only: boolean,
): Promise<TrustedDocuments> {
  return inTransaction(db.pool, async (client) => {
    await writeTrustedOnly(client, environmentId, only);
    const entry = {
      actor,
      action: 'require_trusted_documents',
      subject: String(environmentId),
      environmentId,
    };
    await addAuditEntry(client, { ...entry, reason, details: { only } });
    return summarizeDocuments(client, environmentId);
  });
}

/** A summary of an environment's documents. */
export function trustedDocumentsOf(db: Pick<Db, 'pool'>, environmentId: number): Promise<TrustedDocuments> {
  return summarizeDocuments(db.pool, environmentId);
}

/** The text that was published under a hash; null when there is none. */
export function documentOf(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  hash: string,
): Promise<string | null> {
  return readDocument(db.pool, environmentId, hash);
}
