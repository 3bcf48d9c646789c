import { rawRequest } from '../../support/http/raw-http.ts';
import type { Attack } from '../attack.ts';

/** Connections, heads and halves of requests. */

/** Nearly the whole of the largest body, of which the last byte never comes. */
const HALF = 'x'.repeat(1_000_000);
const unfinished = (path: string, headers: Record<string, string> = {}) =>
  rawRequest('POST', path, {
    'content-type': 'application/json',
    'content-length': String(HALF.length + 1),
    ...headers,
  }) + HALF;

export const connectionAttacks: readonly Attack[] = [
  {
    name: 'idle-connections',
    what: '5,000 connections from eight addresses that send nothing',
    round: ({ hold }) => hold({ connections: 5_000, addresses: 8, bytes: () => '' }),
  },
  {
    name: 'slow-heads',
    what: '3,000 connections from eight addresses that send a header each second and never the last',
    round: ({ hold }) =>
      hold({
        connections: 3_000,
        addresses: 8,
        bytes: () => 'GET /healthz HTTP/1.1\r\nhost: a\r\n',
        drip: 'x-a: b\r\n',
      }),
  },
  {
    name: 'slow-bodies-anonymous',
    what: '800 queries without a key of which the last byte never comes',
    round: ({ hold }) => hold({ connections: 800, bytes: () => unfinished('/graphql') }),
  },
  {
    name: 'slow-bodies-keyed',
    what: '800 invoices with a key of which the last byte never comes',
    round: ({ hold, target }) =>
      hold({
        connections: 800,
        bytes: () => unfinished('/v1/invoices', { authorization: `Bearer ${target.key}` }),
      }),
  },
  {
    name: 'expect-continue',
    what: '1,000 connections that announce a body and wait to be told to go on',
    round: ({ hold }) =>
      hold({
        connections: 1_000,
        bytes: () =>
          rawRequest('POST', '/graphql', {
            ...{ 'content-type': 'application/json', 'content-length': '1000000', expect: '100-continue' },
          }),
      }),
  },
  {
    name: 'upgrades',
    what: '1,000 connections that ask to become a WebSocket',
    round: ({ hold }) =>
      hold({
        connections: 1_000,
        bytes: () =>
          rawRequest('GET', '/graphql', {
            ...{ connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
            'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          }),
      }),
  },
  {
    name: 'connection-churn',
    what: '1,000 connections that send half a request and leave',
    round: async ({ once, share }) => {
      for (let made = 0; made < share(1_000); made += 250) {
        await Promise.all(Array.from({ length: 250 }, () => once('GET /v1/invoi')));
      }
    },
  },
  {
    name: 'large-heads',
    what: '2,000 requests with heads of 60 KB or 1,000 headers, and addresses of 15 KB',
    round: ({ flood, target }) => {
      const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x-${at}`, 'x']));
      const large = { cookie: 'x'.repeat(60_000) };
      const query = Array.from({ length: 1_500 }, (_, at) => `a${at}=1`).join('&');
      const kinds = [
        { path: '/v1/invoices', headers: large },
        { path: '/v1/invoices', headers: many },
        { path: `/v1/invoices?${query}`, headers: { authorization: `Bearer ${target.key}` } },
        { path: `/v1/invoices/${'%41'.repeat(5_000)}` },
      ];
      return flood(2_000, 16, (index) => kinds[index % kinds.length]!);
    },
  },
];
