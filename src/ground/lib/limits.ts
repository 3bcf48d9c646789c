import type { Limit } from './limit.ts';

/** The limits of what all parts use: answers, streams of events, answers from outside, and the log. */
export const SHARED_LIMITS = {
  waitingBytes: {
    group: 'Requests',
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'Bytes of answers that a process has built and that have not been read. Pages shared by all callers do not count.',
    reason:
      'Eight of the largest answers, or a thousand pages of 25 invoices; a tenth of the process’s memory.',
    beyond: '503 `service_unavailable` for reads; issuing continues',
  },
  answer: {
    group: 'Requests',
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'One answer.',
    reason: 'A hundred times an ordinary page; it is built in memory and stays there until it is read.',
    beyond:
      '`GET /v1/invoices` returns fewer than `limit` and its `next_url` continues; GraphQL refuses with 400 `invalid_request`',
  },
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
  unwrittenLog: {
    group: 'Log',
    value: 1024 * 1024,
    unit: 'bytes',
    bounds: 'Log lines that wait to be written, because the disk is full or their reader is blocked.',
    reason:
      'Some thousand lines: the cause of the problem is still logged, and the log never exhausts the memory.',
    beyond:
      'they are lost, and `lacre_log_lines_lost_total` counts them; once lines can be written again, the log states how many',
  },
} as const satisfies Record<string, Limit>;
