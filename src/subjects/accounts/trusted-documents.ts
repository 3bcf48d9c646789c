import { createHash } from 'node:crypto';
import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import type { TrustedDocuments } from './shapes.ts';
import {
  readDocument,
  summarizeDocuments,
  writeDocuments,
  writeTrustedOnly,
} from './store/trusted-documents.ts';

/** The hash by which a document is asked: SHA-256 of its text in UTF-8, in hexadecimal. */
export function hashOfDocument(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

type By = { readonly actor: Actor; readonly reason: string | null };

/**
 * Keeps documents for an environment, whose texts have been found good, and notes who published them. Those that were there
 * stay, until there are more than the limits allow: then the ones go that were published longest ago.
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
    await writeDocuments(client, environmentId, sent, LIMITS.trustedDocuments.value);
    const act = { actor, action: 'publish_documents', subject: String(environmentId), environmentId };
    await addAuditEntry(client, { ...act, reason, details: { documents: sent.hashes.length } });
    return summarizeDocuments(client, environmentId);
  });
}

/** Says whether access tokens of an environment ask published documents alone; it counts from the next request on. */
export async function requireTrustedDocuments(
  db: Pick<Db, 'pool'>,
  { actor, reason }: By,
  environmentId: number,
  only: boolean,
): Promise<TrustedDocuments> {
  return inTransaction(db.pool, async (client) => {
    await writeTrustedOnly(client, environmentId, only);
    const act = { actor, action: 'require_trusted_documents', subject: String(environmentId), environmentId };
    await addAuditEntry(client, { ...act, reason, details: { only } });
    return summarizeDocuments(client, environmentId);
  });
}

/** What there is of an environment. */
export function trustedDocumentsOf(db: Pick<Db, 'pool'>, environmentId: number): Promise<TrustedDocuments> {
  return summarizeDocuments(db.pool, environmentId);
}

/** The text that was published under a hash; null when none was. */
export function documentOf(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  hash: string,
): Promise<string | null> {
  return readDocument(db.pool, environmentId, hash);
}
