import { Client, fetchExchange } from '@urql/core';
import { authExchange } from '@urql/exchange-auth';
import { type Cache, cacheExchange } from '@urql/exchange-graphcache';
import { persistedExchange } from '@urql/exchange-persisted';
import { liveExchange } from './live.ts';
import { isOver, openSession, type Session } from './session.ts';

/**
 * What has an `id` is kept once, whatever requested it: the status that a live update tells is seen in every list. What has
 * none is kept inside of what holds it.
 */
const withoutId = [
  ...['Address', 'ExternalReference', 'InvoiceChange', 'InvoiceFamily', 'InvoiceTotal', 'Recipient'],
  ...['RectifiedReference', 'TaxBreakdownItem', 'TaxItem', 'TaxRateTotal', 'ValidatedInvoice', 'Verifactu'],
  ...['VerifactuError', 'Viewer', 'Withholding'],
];

/** Lists and totals do not say which invoices will be in them: after an invoice was issued they are requested again. */
function invalidateLists(cache: Cache): void {
  for (const { fieldName, arguments: args } of cache.inspectFields('Query')) {
    if (fieldName === 'invoices' || fieldName === 'invoiceTotals') {
      cache.invalidate('Query', fieldName, args ?? undefined);
    }
  }
}

const cache = cacheExchange({
  keys: Object.fromEntries(withoutId.map((type) => [type, () => null])),
  updates: {
    Mutation: {
      issueInvoice: (_result, _args, cache) => invalidateLists(cache),
    },
    Subscription: {
      invoiceChanged(result: { invoiceChanged?: { type?: string } }, _args, cache) {
        if (result.invoiceChanged?.type === 'invoice.issued') invalidateLists(cache);
      },
    },
  },
});

/** Sends the token with each request, and another one in time. */
const withToken = authExchange(async (utils) => {
  let session = await openSession();
  return {
    addAuthToOperation: (operation) =>
      utils.appendHeaders(operation, { Authorization: `Bearer ${session.token}` }),
    willAuthError: () => isOver(session),
    didAuthError: ({ graphQLErrors }) =>
      graphQLErrors.some(({ extensions }) => extensions['code'] === 'unauthorized'),
    refreshAuth: async () => {
      session = await openSession(session.token);
    },
  };
});

/** Names documents by their SHA-256 and sends no text: the service takes those that were published, and no others. */
const byHash = persistedExchange({
  enforcePersistedQueries: true,
  enableForMutation: true,
  enableForSubscriptions: true,
  preferGetForPersistedQueries: false,
});
/** While the page is worked on its documents change all the time. */
const trusted = import.meta.env.PROD ? [byHash] : [];

/** Not every lost connection is noticed: a request that takes longer than anybody waits fails, and can be tried again. */
const TIMEOUT_MS = 20_000;
const fetchInTime: typeof fetch = (input, init) => {
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(init?.signal ? [init.signal] : [])];
  return fetch(input, { ...init, signal: AbortSignal.any(signals) });
};

export function createClient({ graphqlUrl }: Session): Client {
  return new Client({
    url: graphqlUrl,
    fetch: fetchInTime,
    preferGetMethod: false,
    exchanges: [cache, ...trusted, withToken, liveExchange, fetchExchange],
  });
}
