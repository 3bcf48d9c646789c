import type { Limit } from './limit.ts';

/** The limits of subscriptions and of pages that update themselves; part of `LIMITS`. */
export const LIVE_LIMITS = {
  streams: {
    group: 'Live updates',
    value: 1_500,
    unit: 'items',
    bounds: 'Subscriptions, and pages that update themselves, that a process serves at once.',
    reason: 'Each holds a connection: of the 2,000 of a process, 500 are reserved for requests.',
    beyond: '503 `service_unavailable`; pages do not update',
  },
  streamsOfOwner: {
    group: 'Live updates',
    value: 1_000,
    unit: 'items',
    bounds: 'Of these, the ones of one environment, or of one operator.',
    reason: 'No environment can take all of them.',
    beyond: '429 `rate_limited`',
  },
  streamsOfPages: {
    group: 'Live updates',
    value: 20,
    unit: 'items',
    bounds: 'Pages that update themselves, for one operator in the console or one link to the portal.',
    reason: 'More tabs than a person uses; the recipient of a link must not exhaust the merchant’s limit.',
    beyond: '503, and the page does not update until it is opened again',
  },
  subscriptionDocuments: {
    group: 'Live updates',
    value: 200,
    unit: 'items',
    bounds:
      'Different queries of all subscriptions in a process; the same query with other variables counts once.',
    reason: 'Each is kept parsed while there is a subscription with it; the largest takes about 200 KB.',
    beyond: '503 `service_unavailable`',
  },
  subscriptionDocumentsOfOwner: {
    group: 'Live updates',
    value: 20,
    unit: 'items',
    bounds: 'Of these, the ones of one environment, or of one operator.',
    reason: 'A front end has a handful; values that differ between subscribers belong in `variables`.',
    beyond: '429 `rate_limited`',
  },
  subscriptionTokens: {
    group: 'Live updates',
    value: 1_000,
    unit: 'items',
    bounds: 'Tokens of the query of a subscription.',
    reason: 'All fields of an invoice are about 150.',
    beyond: '400 `invalid_request`',
  },
  subscriptionVariables: {
    group: 'Live updates',
    value: 4 * 1024,
    unit: 'bytes',
    bounds: 'The variables of a subscription, as JSON.',
    reason: 'They are kept while the subscription lasts; a hundred invoice ids fit.',
    beyond: '400 `invalid_request`',
  },
  watchedInvoices: {
    group: 'Live updates',
    value: 100,
    unit: 'items',
    bounds: 'Invoice ids that a subscription names.',
    reason: 'As many as the largest page of a list shows.',
    beyond: '400 `invalid_request`',
  },
  streamBacklog: {
    group: 'Live updates',
    value: 64 * 1024,
    unit: 'bytes',
    bounds: 'Unread bytes of one stream when there is something new to send.',
    reason: 'About fifty changes beyond what the network buffers, which is more.',
    beyond:
      'the stream is closed, and continues where it was if the client reconnects with `Last-Event-ID`; counted in `lacre_live_streams_cut_total`',
  },
  streamHeartbeat: {
    group: 'Live updates',
    value: 15_000,
    unit: 'ms',
    bounds: 'The heartbeat interval of a stream on which nothing happens.',
    reason: 'Proxies close connections that are silent for half a minute or more.',
    beyond: 'an empty message with the last sequence is sent',
  },
  streamAuthority: {
    group: 'Live updates',
    value: 5_000,
    unit: 'ms',
    bounds: 'The interval between two checks whether the key, token or session of a stream is still valid.',
    reason: 'One statement for all keys of a process. The expiry of tokens is checked every second.',
    beyond: 'the stream ends with `unauthorized` or `forbidden`',
  },
  streamPiece: {
    group: 'Live updates',
    value: 1024 * 1024,
    unit: 'bytes',
    bounds: 'Messages that are built before they are sent.',
    reason:
      'Five events of the longest invoices, or a thousand ordinary ones: what is built for readers that do not read stays small.',
    beyond: 'the messages that follow are built once these are sent',
  },
  catchingUp: {
    group: 'Live updates',
    value: 4,
    unit: 'items',
    bounds:
      'Pages of earlier events that a process builds at once, half of them for one environment. Environments take turns; streams of the same query at the same position share a page.',
    reason:
      'After an interruption all clients reconnect together; streams that are up to date do not wait for them.',
    beyond: 'the stream waits its turn',
  },
  catchUpKept: {
    group: 'Live updates',
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Pages of earlier events that a process keeps for further streams, for five seconds.',
    reason:
      'Eight pages of the largest messages: readers that reconnect together stay a few pages apart at most.',
    beyond: 'the least recently used page is built again',
  },
} as const satisfies Record<string, Limit>;
