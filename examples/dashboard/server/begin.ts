import { createRequest, formatDocument, type SSRData } from '@urql/core';
import type { TadaDocumentNode } from 'gql.tada';
import { BEGIN, type Begin } from '../src/begin.ts';
import { InvoiceList, WhoAmI } from '../src/documents.ts';
import type { Spoken } from '../src/language.ts';
import { listVariables } from '../src/list-variables.ts';
import { SCOPES, type User } from './accounts.ts';
import { execute, type Lacre } from './lacre.ts';
import { createToken, reachedBy } from './token.ts';

/** An answer under the name by which the page's client looks for it. */
async function answerOf<Data, Variables extends object>(
  lacre: Lacre,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<SSRData> {
  const { key } = createRequest(document as never, variables as never);
  // With the `__typename`s that the page's cache needs.
  const data = await execute(lacre, formatDocument(document as never) as typeof document, variables);
  return { [key]: { data: JSON.stringify(data) } };
}

/**
 * What the page shows first, so that it asks for nothing before that: a session with its token, and the list of invoices. How far the
 * journal has come is known before the list is read: live updates begin there.
 */
export async function beginFor(lacre: Lacre, user: User | null, spoken: Spoken): Promise<Begin> {
  if (user === null) return { session: null, answers: {}, spoken };
  const reached = await reachedBy(lacre);
  const [token, ...answers] = await Promise.all([
    createToken(lacre, SCOPES[user.role]),
    answerOf(lacre, WhoAmI, {}),
    answerOf(lacre, InvoiceList, listVariables(new URLSearchParams())),
  ]);
  const session = { ...token, reached, user };
  return { session, answers: Object.assign({}, ...answers), spoken };
}

/** As an element of the page, which is no script and runs nothing. */
export const elementOf = (begin: Begin): string =>
  `<script type="application/json" id="${BEGIN}">${JSON.stringify(begin).replaceAll('<', '\\u003c')}</script>`;
