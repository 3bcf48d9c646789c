import { Client, fetchExchange, ssrExchange } from '@urql/core';
import { authExchange } from '@urql/exchange-auth';
import { type Cache, cacheExchange } from '@urql/exchange-graphcache';
import { persistedExchange } from '@urql/exchange-persisted';
import { begin } from './begin.ts';
import { currentLanguage } from './language.ts';
import { liveExchange } from './live.ts';
import { isOver, openSession, type Session } from './session.ts';

/**
 * What has an `id` is kept once, whatever requested it: the status that a live update tells is seen in every list. What has
 * none is kept inside of what holds it.
 */
const withoutId = [
  ...['Address', 'CompanyLogo', 'DeliveryPeriod', 'Disbursement', 'DraftAddress', 'DraftDeliveryPeriod'],
  ...['DraftDisbursement', 'DraftInvoice', 'DraftInvoiceReferences', 'DraftLine', 'DraftPaymentTerms'],
  ...['DraftRecipient', 'DraftTaxItem', 'DraftThirdParty', 'DraftWithholding', 'ExchangeCorrection'],
  'ExternalReference',
  ...['InvoiceChange', 'InvoiceDraftFault', 'InvoiceReferences', 'InvoiceTotal', 'PaymentPayload'],
  ...['PaymentTerms', 'Recipient', 'RectifiedReference', 'RegisterBook', 'TaxBreakdownItem', 'TaxItem'],
  ...['TaxRateTotal', 'TaxTreatment', 'TaxTypeOffer', 'ThirdParty', 'ValidatedInvoice', 'ValidationIssue'],
  ...['Verifactu', 'VerifactuError', 'Viewer', 'WebhookEndpointWithSecret', 'Withholding'],
];

/** Lists and totals do not say what will be in them: after something is added or taken away they are requested again. */
const invalidates =
  (...fields: readonly string[]) =>
  (_result: unknown, _args: unknown, cache: Cache): void => {
    for (const { fieldName, arguments: args } of cache.inspectFields('Query')) {
      if (fields.includes(fieldName)) cache.invalidate('Query', fieldName, args ?? undefined);
    }
  };

const issuing = invalidates('invoices', 'invoiceTotals', 'invoiceDrafts', 'customers', 'customer');
const series = invalidates('numberSeries');
const webhooks = invalidates('webhookEndpoints');

const cache = cacheExchange({
  keys: Object.fromEntries(withoutId.map((type) => [type, () => null])),
  updates: {
    Mutation: {
      ...{ issueInvoice: issuing, issueInvoiceDraft: issuing, exchangeInvoices: issuing },
      ...{ returnOnExchange: issuing, replaceExchange: issuing, voidInvoice: issuing },
      recordPayment: invalidates('invoices', 'invoiceTotals', 'customer'),
      removePayment: invalidates('invoices', 'invoiceTotals', 'customer'),
      saveCustomer: invalidates('customers', 'customer'),
      ...{
        createInvoiceDraft: invalidates('invoiceDrafts'),
        deleteInvoiceDraft: invalidates('invoiceDrafts'),
      },
      createInvoiceSchedule: invalidates('invoiceSchedules'),
      ...{ createNumberSeries: series, deleteNumberSeries: series, setDefaultNumberSeries: series },
      ...{ createWebhookEndpoint: webhooks, deleteWebhookEndpoint: webhooks },
    },
    Subscription: {
      invoiceChanged(result: { invoiceChanged?: { type?: string } }, args, cache) {
        if (result.invoiceChanged?.type === 'invoice.issued') issuing(result, args, cache);
      },
    },
  },
});

/** Sends the token with each request, and another one in time. */
const withToken = authExchange(async (utils) => {
  let session = await openSession();
  return {
    addAuthToOperation: (operation) =>
      utils.appendHeaders(operation, {
        Authorization: `Bearer ${session.token}`,
        // What is refused is said in the language of the page.
        'Accept-Language': currentLanguage(),
      }),
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

/**
 * `isFirst`: the list is what is shown first, so the answers that came with the page are taken, each once. On another page they would
 * be old when they are needed.
 */
export function createClient({ graphqlUrl }: Session, isFirst: boolean): Client {
  const initialState = (isFirst && begin?.answers) || {};
  const sentAlong = ssrExchange({ isClient: true, initialState });
  return new Client({
    url: graphqlUrl,
    fetch: fetchInTime,
    preferGetMethod: false,
    exchanges: [cache, sentAlong, ...trusted, withToken, liveExchange, fetchExchange],
  });
}
