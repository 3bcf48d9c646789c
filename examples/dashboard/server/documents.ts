import { formatDocument, stringifyDocument } from '@urql/core';
import * as documents from '../src/documents.ts';
import { execute, type Lacre } from './lacre.ts';

/**
 * The texts that the page sends, as the cache and the client make them of its documents. Fragments go with those that use them.
 * (The types of both libraries differ in whether `undefined` may be written out.)
 */
function publishedTexts(): string[] {
  return Object.values(documents)
    .filter(({ definitions }) => definitions.some(({ kind }) => kind === 'OperationDefinition'))
    .map((document) => stringifyDocument(formatDocument(document as never)));
}

/** Publishes them, so that the page can name each by its hash. */
export async function publishDocuments(lacre: Lacre): Promise<void> {
  const query = 'mutation ($documents: [String!]!) { publishDocuments(documents: $documents) { count } }';
  await execute(lacre, query, { documents: publishedTexts() });
}
