import type { Attack } from '../attack.ts';
import type { AttackRequest } from '../attacker.ts';
import { largeInvoice } from '../large-invoice.ts';
import { graphql } from './queries.ts';

/** Work that one merchant, or nobody known, gives the service beyond its share. */

export const post = (path: string, key: string, body: unknown): AttackRequest => ({
  ...{ method: 'POST', path },
  headers: { authorization: `Bearer ${key}` },
  body: JSON.stringify(body),
});

const SEARCH = Array.from(
  { length: 45 },
  (_, index) => `a${index}: invoices(first: 1, filter: { text: "nowhere ${index}" }) { edges { cursor } }`,
).join(' ');

/** Whatever a browser may request without a key. */
const PUBLIC = [
  '/readyz',
  '/metrics',
  '/v1/openapi.json',
  '/docs',
  '/docs/api',
  '/docs/errors',
  '/console/login',
];

export const workAttacks: readonly Attack[] = [
  {
    name: 'text-search',
    what: '45 aliases of a text search over 50,000 lines, 4 at a time',
    round: ({ flood, target }) => flood(20, 4, () => graphql(`{ ${SEARCH} }`, target.key)),
  },
  {
    name: 'large-documents',
    what: '100 invoices of 500 lines are issued and their PDFs asked for at once',
    round: async ({ flood, share, target, send }) => {
      const issued: string[] = [];
      const body = JSON.stringify(largeInvoice());
      const headers = { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' };
      const issue = async () => {
        const url = `http://127.0.0.1:${target.port}/v1/invoices`;
        const answer = await fetch(url, { method: 'POST', headers, body });
        if (answer.status !== 201) return;
        const { pdf_url: link } = (await answer.json()) as { pdf_url: string };
        const { pathname, search } = new URL(link);
        issued.push(pathname + search);
      };
      const together = Math.min(10, share(100));
      for (let made = 0; made < share(100); made += together) {
        await Promise.all(Array.from({ length: together }, () => issue().catch(() => {})));
      }
      await Promise.all(issued.map((path) => send({ path })));
      await flood(1, 1, () => ({ path: '/healthz' }));
    },
  },
  {
    name: 'issuing-flood',
    what: 'one merchant issues 400 invoices of 500 lines, 32 at a time',
    round: ({ flood, target }) => {
      const large = post('/v1/invoices', target.key, largeInvoice());
      return flood(400, 32, () => large);
    },
  },
  {
    name: 'validating-flood',
    what: '800 invoices of 500 lines are validated with nine keys, 32 at a time',
    round: ({ flood, target }) => {
      const keys = [target.key, ...target.furtherKeys];
      const large = keys.map((key) => post('/v1/invoices/validate', key, largeInvoice()));
      return flood(800, 32, (index) => large[index % large.length]!);
    },
  },
  {
    name: 'faulty-bodies',
    what: '200 invoices with 15,000 faulty lines each, 8 at a time',
    never: ['200', '201'],
    round: ({ flood, target }) => {
      const lines = Array.from({ length: 15_000 }, () => ({
        description: '',
        quantity: 'x',
        tax_items: [{}],
      }));
      const faulty = post('/v1/invoices', target.key, { type: 'complete', line_items: lines });
      return flood(200, 8, () => faulty);
    },
  },
  {
    name: 'public-pages',
    what: '2,000 requests without a key for what is public, 16 at a time',
    round: ({ flood }) => flood(2_000, 16, (index) => ({ path: PUBLIC[index % PUBLIC.length]! })),
  },
  {
    name: 'login-flood',
    what: '600 attempts to enter the console or the portal, with cookies',
    round: ({ flood }) =>
      flood(600, 16, (index) => {
        const cookie = Array.from({ length: 60 }, (_, at) => `c${at}=${'x'.repeat(200)}`).join('; ');
        if (index % 2 === 0) return { path: `/portal/${'x'.repeat(43)}`, headers: { cookie } };
        return {
          ...{ method: 'POST', path: '/console/login', body: `key=op_${'x'.repeat(40)}&token=${index}` },
          headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        };
      }),
  },
];
