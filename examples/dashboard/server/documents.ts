import { formatDocument, stringifyDocument } from '@urql/core';
import * as invoices from '../src/documents.ts';
import * as corrections from '../src/documents-corrections.ts';
import * as customers from '../src/documents-customers.ts';
import * as drafts from '../src/documents-drafts.ts';
import * as exchanges from '../src/documents-exchanges.ts';
import * as settings from '../src/documents-settings.ts';
import * as totals from '../src/documents-totals.ts';
import { graphql } from '../src/graphql.ts';
import { execute, type Lacre } from './lacre.ts';

type Published = { readonly definitions: readonly { readonly kind: string }[] };

/**
 * The texts that the page sends, as the cache and the client make them of its documents. Fragments go with those that use them.
 * (The types of both libraries differ in whether `undefined` may be written out.)
 */
function publishedTexts(): string[] {
  return [invoices, corrections, customers, drafts, exchanges, settings, totals]
    .flatMap((module): readonly Published[] => Object.values(module))
    .filter(({ definitions }) => definitions.some(({ kind }) => kind === 'OperationDefinition'))
    .map((document) => stringifyDocument(formatDocument(document as never)));
}

const Publish = graphql(`
  mutation Publish($documents: [String!]!) {
    publishDocuments(documents: $documents) {
      count
    }
  }
`);

/** Publishes them, so that the page can name each by its hash. */
export async function publishDocuments(lacre: Lacre): Promise<void> {
  await execute(lacre, Publish, { documents: publishedTexts() });
}
