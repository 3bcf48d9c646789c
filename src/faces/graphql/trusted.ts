import type { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { invalidField, Refusal } from '../../ground/errors/refusal.ts';
import type { Services } from '../../services.ts';
import { isBoundToDocuments } from '../../subjects/accounts/entry/caller.ts';
import { hashOfDocument } from '../../subjects/accounts/hash-of-document.ts';
import { documentOf } from '../../subjects/accounts/trusted-documents.ts';
import type { Context } from './context.ts';

/** About 2,000 documents of ordinary size; loading another costs a statement. */
export const KEPT_TEXTS = { bytes: 8 * 1024 * 1024 };

const UNKNOWN = invalidField(
  'documentId',
  'unknown_document',
  'is of no document that the environment has published',
);
const ONLY_TRUSTED = new Refusal(
  'forbidden',
  'The environment takes published documents alone from access tokens (`publishDocuments`, `lacre documents publish`).',
);

/**
 * Reads the text of a document that is asked by its hash, and refuses other texts of access tokens where their environment
 * states it: 400 `invalid_request` for a hash that was not published, 403 `forbidden` for a text that was not.
 */
export function trustedDocuments(
  { db }: Pick<Services, 'db'>,
  refused: (refusal: Refusal) => GraphQLError,
): Plugin<Context> {
  // A text cannot change under its hash; one that is forgotten in the database is of the same front end.
  const texts = new LRUCache<string, string>({
    maxSize: KEPT_TEXTS.bytes,
    sizeCalculation: (text, key) => (text.length + key.length) * 2,
  });
  const textOf = async (environmentId: number, hash: string): Promise<string | null> => {
    const key = `${environmentId} ${hash}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = await documentOf(db, environmentId, hash);
    if (text !== null) texts.set(key, text);
    return text;
  };
  return {
    async onParams({ params, request, setParams, setResult, context }) {
      const { caller } = context as unknown as Context;
      if (caller === null) return;
      const hash = params.query ? null : requestedHash(params, request);
      if (hash !== null) {
        const text = caller.kind === 'merchant' ? await textOf(caller.environmentId, hash) : null;
        // Thrown, or Yoga would answer that the text is missing.
        if (text === null) throw refused(UNKNOWN);
        setParams({ ...params, query: text });
        return;
      }
      if (caller.kind !== 'merchant' || !isBoundToDocuments(caller)) return;
      const sent = hashOfDocument(params.query ?? '');
      if ((await textOf(caller.environmentId, sent)) === null) {
        setResult({ errors: [refused(ONLY_TRUSTED)] });
      }
    },
  };
}

const HASH = /^(?:sha256:)?([0-9a-f]{64})$/;

/**
 * The hash in `documentId` (GraphQL over HTTP, appendix on persisted documents), `doc_id` (as Relay sends it) or
 * `extensions.persistedQuery.sha256Hash` (as Apollo's and urql's clients do); the text itself for what is no hash.
 */
function requestedHash(params: GraphQLParams, { method, url }: Request): string | null {
  // Of an address Yoga reads no parameters but its own.
  const named: Record<string, unknown> =
    method === 'GET' ? Object.fromEntries(new URL(url).searchParams) : { ...params };
  const { documentId, doc_id: docId } = named;
  const persisted = (params.extensions as { persistedQuery?: { sha256Hash?: unknown } } | null | undefined)
    ?.persistedQuery?.sha256Hash;
  const sent = documentId ?? docId ?? persisted;
  return typeof sent === 'string' ? (HASH.exec(sent)?.[1] ?? sent.slice(0, 64)) : null;
}
