import { randomUUID } from 'node:crypto';
import { madridDay } from '../../../src/ground/lib/calendar.ts';
import { aSimplifiedInvoice } from '../../support/invoices/invoices.ts';
import type { Attack } from '../attack.ts';
import { graphql } from './queries.ts';
import { post } from './work.ts';

/** Work that is accepted at once and done later, and what is recorded of an invoice. */

const BATCH = 1_000;

const values = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => value(index));

export const laterAttacks: readonly Attack[] = [
  {
    name: 'batch-flood',
    what: 'one merchant sends 40 batches of 1,000 invoices, 8 at a time',
    round: ({ flood, share, target }) =>
      flood(40, 8, () => {
        const batch = randomUUID();
        const invoices = values(share(BATCH), (at) => aSimplifiedInvoice({ external_id: `${batch}-${at}` }));
        return post('/v1/invoice_batches', target.key, { invoices });
      }),
  },
  {
    name: 'test-clock',
    what: '40 monthly schedules, and a clock that goes on by a year again and again',
    async round({ flood, send, target }) {
      const schedule = post('/v1/invoice_schedules', target.testKey, {
        invoice: aSimplifiedInvoice(),
        frequency: 'monthly',
        starts_on: madridDay(new Date()),
      });
      await flood(40, 4, () => schedule);
      const year = post('/v1/test_clock', target.testKey, { advance: 'P1Y' });
      await flood(200, 2, () => year);
      await send({ method: 'DELETE', path: '/v1/test_clock', headers: schedule.headers! });
    },
  },
  {
    name: 'drafts-and-payments',
    what: '3,000 drafts, payments, e-mails and statuses of one merchant, 16 at a time',
    round: ({ flood, target }) => {
      const invoice = `/v1/invoices/${target.file.id}`;
      const today = madridDay(new Date());
      const kinds = [
        post('/v1/invoice_drafts', target.key, { invoice: aSimplifiedInvoice() }),
        post(`${invoice}/payments`, target.key, { amount: 1, paid_on: today }),
        post(`${invoice}/send`, target.key, { to: values(5, (at) => `a${at}@attacker.example`) }),
        post(`${invoice}/recipient_statuses`, target.key, { status: 'paid', on: today }),
      ];
      return flood(3_000, 16, (index) => kinds[index % kinds.length]!);
    },
  },
  {
    name: 'large-filters',
    what: '600 queries with filters of 100 values in each list, five times in each, or with 1,000',
    round: ({ flood, target }) => {
      const filter = (count: number) => ({
        externalIds: values(count, (at) => `order-${at}`),
        recipientTaxIds: values(count, (at) => `B${String(at).padStart(8, '0')}`),
        metadata: Array.from({ length: Math.min(count, 5) }, (_, at) => ({
          key: `k${at}`,
          value: [`v${at}`],
        })),
      });
      const lists = values(5, (at) => `a${at}: invoices(first: 100, filter: $f) { edges { cursor } }`);
      const query = `query ($f: InvoiceFilter) { ${lists.join(' ')} }`;
      const [most, more] = [100, 1_000].map((count) => graphql(query, target.key, { f: filter(count) }));
      return flood(600, 8, (index) => (index % 4 === 0 ? more! : most!));
    },
  },
];
