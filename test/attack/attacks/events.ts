import { rawRequest } from '../../support/http/raw-http.ts';
import { aSimplifiedInvoice } from '../../support/invoices/invoices.ts';
import type { Attack } from '../attack.ts';
import { largeInvoice } from '../large-invoice.ts';
import { graphql } from './queries.ts';
import { post } from './work.ts';

/** Events that are requested without end, or that nobody reads. */

const SUBSCRIPTION = JSON.stringify({
  query: 'subscription { event { id type data sequence } }',
});

export const eventAttacks: readonly Attack[] = [
  {
    name: 'event-polling',
    what: '600 requests for the last 100 events of 60 invoices of 500 lines, half of them by GraphQL, 16 at a time',
    async round({ flood, target }) {
      await flood(60, 4, () => post('/v1/invoices', target.key, largeInvoice()));
      const headers = { authorization: `Bearer ${target.key}` };
      const kinds = [
        { path: '/v1/events?limit=100', headers },
        graphql('{ events(first: 100) { edges { node { id type data } } } }', target.key),
      ];
      await flood(600, 16, (index) => kinds[index % kinds.length]!);
    },
  },
  {
    name: 'unread-subscriptions',
    what: '900 subscriptions that nobody reads, while their merchant issues 400 invoices',
    async round({ hold, flood, target }) {
      const headers = {
        authorization: `Bearer ${target.key}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      };
      const small = post('/v1/invoices', target.key, aSimplifiedInvoice());
      await Promise.all([
        hold({ connections: 900, bytes: () => rawRequest('POST', '/graphql', headers, SUBSCRIPTION) }),
        flood(400, 4, () => small),
      ]);
    },
  },
];
