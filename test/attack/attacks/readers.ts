import { rawRequest } from '../../support/http/raw-http.ts';
import type { Attack } from '../attack.ts';

/** Clients that request much and do not read it. */

const list = (key: string) => rawRequest('GET', '/v1/invoices?limit=100', { authorization: `Bearer ${key}` });

/** 50 aliases of the document behind one link, without a key. */
function aliasedFile({ id, token }: { readonly id: string; readonly token: string }): string {
  const fields = Array.from(
    { length: 50 },
    (_, index) => `a${index}: invoiceFile(id: $i, token: $t) { content }`,
  );
  const query = `query ($i: ID!, $t: String!) { ${fields.join(' ')} }`;
  const body = JSON.stringify({ query, variables: { i: id, t: token } });
  return rawRequest('POST', '/graphql', { 'content-type': 'application/json' }, body);
}

export const readerAttacks: readonly Attack[] = [
  {
    name: 'unread-graphiql',
    what: '100 connections ask for GraphiQL and never read',
    round: ({ hold }) =>
      hold({ connections: 100, bytes: () => rawRequest('GET', '/graphql', { accept: 'text/html' }) }),
  },
  {
    name: 'unread-files',
    what: '30 connections ask for a PDF 50 times by aliases and never read',
    never: ['200', '200, closed'],
    round: ({ hold, target }) => hold({ connections: 30, bytes: () => aliasedFile(target.file) }),
  },
  {
    name: 'unread-documents',
    what: '300 connections ask for a PDF by its link and never read',
    round: ({ hold, target: { file } }) =>
      hold({
        connections: 300,
        bytes: () => rawRequest('GET', `/v1/invoices/${file.id}/file?token=${file.token}`),
      }),
  },
  {
    name: 'unread-lists',
    what: '24 connections ask for 100 invoices of 500 lines and never read',
    round: ({ hold, target }) => hold({ connections: 24, bytes: () => list(target.key) }),
  },
  {
    name: 'slow-readers',
    what: '50 connections ask for the same and read 4 KiB a second',
    round: ({ hold, target }) =>
      hold({ connections: 50, bytes: () => list(target.key), readBytesASecond: 4_096 }),
  },
  {
    name: 'unread-pipelines',
    what: '50 connections send 200 requests each and read nothing',
    round: ({ hold, target }) =>
      hold({
        connections: 50,
        bytes: () =>
          rawRequest('GET', '/v1/invoices?limit=1', { authorization: `Bearer ${target.key}` }).repeat(200),
      }),
  },
];
