import { reapTask } from '../../jobs/reap-idempotency-keys.ts';
import { reapPortalTask } from '../../jobs/reap-portal-sessions.ts';
import { registerTask } from '../../jobs/register.ts';
import { renderDocumentsTask } from '../../jobs/render-documents.ts';
import { requeueChainsTask } from '../../jobs/requeue-chains.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import type { TestService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { Visitor } from '../support/http/visitor.ts';
import {
  ANA,
  decideRecords,
  differences,
  type Issued,
  issueWith,
  operatorOf,
} from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { aLink, aSale, aShop, type Shop } from '../support/pages/portal.ts';

/** What is done all day, each as the requests and jobs that do it. The work is for the service's company, live. */
export type Work = readonly [what: string, work: () => Promise<unknown>];

/**
 * Everything that a customer's page, an operator and the queue do besides, on a service that was given an agency. `decide` has the
 * agency have decided on an invoice; as tests do it, the whole journal is read.
 */
export async function runDayOfWork(
  service: TestService,
  decide: typeof decideRecords = decideRecords,
): Promise<Work[]> {
  const operator = await operatorOf(service);
  const shop = await aShop(service, 'live');
  const place: Place = { service, operator, shop, decide, counter: { value: Date.now() } };
  return [
    ...issuing(place),
    ...reading(place),
    ...listing(place),
    ...totalling(place),
    ...registering(place),
    ...watching(place),
  ];
}

type Place = {
  readonly service: TestService;
  readonly operator: Awaited<ReturnType<typeof operatorOf>>;
  readonly shop: Shop;
  readonly decide: typeof decideRecords;
  readonly counter: { value: number };
};

const next = ({ counter }: Place): number => (counter.value += 1);
const keyOf = ({ service }: Place) => ({ key: service.company.live.key });

const ticket = (place: Place): Promise<Issued> => issueWith(place.service, aSimplifiedInvoice(), 'live');

/** A ticket that the agency holds, or refuses. */
async function registeredTicket(
  place: Place,
  outcome: 'registered' | 'rejected' = 'registered',
): Promise<Issued> {
  const issued = await ticket(place);
  await place.decide(place.service.db, issued.id, outcome);
  return issued;
}

async function wanted<T extends { status: number; body?: unknown }>(
  reply: Promise<T>,
  status: number,
): Promise<T> {
  const answered = await reply;
  if (answered.status !== status)
    throw new Error(`${answered.status} ${JSON.stringify(answered.body ?? answered)}`);
  return answered;
}

function done(body: { errors?: unknown }): void {
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
}

function issuing(place: Place): Work[] {
  const { service, operator, shop } = place;
  const operations = operationsOf(service, 'REST');
  return [
    ['issuing', () => ticket(place)],
    [
      'issuing under an idempotency key with an external_id, and its replay',
      async () => {
        const n = next(place);
        const options = { ...keyOf(place), idempotencyKey: `key-${n}` };
        const body = aCompleteInvoice({ external_id: `order-${n}` });
        await wanted(operations.issue(body, options), 201);
        await wanted(operations.issue(body, options), 201);
      },
    ],
    ['checking without issuing', () => wanted(operations.validate(aCompleteInvoice(), keyOf(place)), 200)],
    ['an order of a shop', () => aSale(service, shop, `customer-${next(place)}`)],
    [
      'a rectificativa',
      async () => {
        const original = await registeredTicket(place);
        await wanted(operations.issue(differences(original, -100), keyOf(place)), 201);
      },
    ],
    [
      'a rectificativa of an invoice issued elsewhere',
      async () => {
        const external = { number: `Ñ-${next(place)}`, issued_on: '2025-01-31' };
        const rectifies = { external, method: 'differences' };
        await wanted(operations.issue(aCompleteInvoice({ rectifies }), keyOf(place)), 201);
      },
    ],
    ['voiding', async () => done(await operator.voidInvoice((await registeredTicket(place)).id))],
    [
      'amending',
      async () => {
        const { id: invoiceId } = await registeredTicket(place, 'rejected');
        done(await operator.amendRecord({ invoiceId, description: 'Servicio de limpieza' }));
      },
    ],
    [
      'exchanging tickets for a complete invoice',
      async () => {
        const { id } = await registeredTicket(place);
        done(await operator.exchangeInvoices({ ticketIds: [id], recipient: ANA, reason: 'La pide' }));
      },
    ],
  ];
}

function reading(place: Place): Work[] {
  const { service, operator, shop } = place;
  return [
    ...PROTOCOLS.map(
      (protocol): Work => [
        `reading one over ${protocol}`,
        async () => {
          const { id } = await ticket(place);
          await wanted(operationsOf(service, protocol).invoice(id, keyOf(place)), 200);
        },
      ],
    ),
    [
      'reading several at the same moment',
      async () => {
        const tickets = [await ticket(place), await ticket(place), await ticket(place)];
        const { environmentId } = service.company.live;
        await Promise.all(tickets.map(({ id }) => service.services.readInvoice(environmentId, id)));
      },
    ],
    [
      'reading one with its records, as an operator',
      async () => done(await operator.readInvoice((await ticket(place)).id)),
    ],
    [
      'the document',
      async () => {
        const { id } = await ticket(place);
        const { environmentId } = service.company.live;
        const render = renderDocumentsTask(service.services);
        await render({ environmentId }, {} as never);
        const link = await service.call('GET', `/v1/invoices/${id}/download`, keyOf(place));
        const file = new URL(link.body.download_url);
        const answer = await fetch(`${service.url}${file.pathname}${file.search}`);
        if (answer.status !== 200) throw new Error(`the file answers ${answer.status}`);
      },
    ],
    ['series', () => wanted(operationsOf(service, 'REST').seriesList({}, keyOf(place)), 200)],
    [
      "a customer's page",
      async () => {
        const customer = `visitor-${next(place)}`;
        await aSale(service, shop, customer);
        await new Visitor(service.url).enter(await aLink(service, shop, customer));
      },
    ],
  ];
}

/** Every one that GraphQL has. */
const INVOICE_FILTERS = [
  ...['status: [voided]', 'status: [issued]', 'type: [complete]', 'type: [complete, simplified]'],
  ...['kind: [original]', 'kind: [exchange]', 'kind: [rectifying_differences, exchange]'],
  ...['registrationStatus: [rejected]', 'registrationStatus: [pending, skipped]'],
  ...['registrationStatus: [registered]', 'recipientTaxId: "B12345674"', 'recipientName: "ana"'],
  ...['number: "F-2026-7"', 'externalId: "order-1"', 'email: "ana@example.com"', 'text: "consultoria"'],
  ...['seriesId: "ns_1"', 'customerId: "cus_1"', 'externalCustomerId: "customer-1"'],
  ...['issuedOn: { from: "2026-01-01", to: "2026-01-31" }', 'total: { min: 1, max: 100 }'],
  ...[
    'dueOn: { from: "2030-01-01", to: "2030-01-31" }',
    'recipientTaxId: "B1"',
    'amountDue: { min: 1, max: 100 }',
    'text: "dos consultoria"',
  ],
  ...['changedSince: "2026-03-01T00:00:00Z"', 'inForce: true', 'inForce: false'],
  ...[
    'status: [voided]',
    'inForce: false',
    'registrationStatus: [rejected]',
    'paymentStatus: [paid, unpaid]',
  ].map((state) => `${state}, issuedOn: { from: "2026-02-01", to: "2026-02-28" }`),
  ...['status: [voided], type: [simplified]', 'inForce: false, type: [complete], kind: [exchange]'],
  ...['unpaid', 'partially_paid', 'paid', 'credited', 'overdue', 'paid, overdue'].map(
    (s) => `paymentStatus: [${s}]`,
  ),
  'metadata: [{ key: "shop", value: ["north", "south"] }]',
];

/** Sums of what filters mean, of which a text is the dearest, apart by each grouping. */
const TOTALS = [
  '',
  'filter: { text: "consultoría" }',
  'filter: { text: "consultoría", issuedOn: { from: "2026-01-01", to: "2026-03-31" } }, groupBy: [MONTH, TAX_RATE]',
  'filter: { text: "x", recipientTaxId: "B12345674" }, groupBy: [QUARTER]',
  'filter: { paymentStatus: [overdue, partially_paid] }, groupBy: [RECIPIENT]',
  'filter: { paymentStatus: [unpaid], inForce: true }, groupBy: [MONTH]',
  'groupBy: [SERIES, KIND]',
  'groupBy: [RECIPIENT, TAX_RATE], first: 10',
];

/** Payments of one invoice, and the sums of many. */
function totalling(place: Place): Work[] {
  const { service } = place;
  const pays: Work = [
    'recording a payment and removing it',
    async () => {
      const body = aCompleteInvoice({ due_date: '2030-01-01', metadata: { shop: 'north' } });
      const { id } = await issueWith(service, body, 'live');
      const path = `/v1/invoices/${id}/payments`;
      const payment = { amount: 100, paid_on: madridDay(new Date()) };
      const pay = () => wanted(service.call('POST', path, { ...keyOf(place), body: payment }), 201);
      await pay();
      const { body: second } = await pay();
      await wanted(service.call('DELETE', `${path}/${second.id}`, keyOf(place)), 204);
    },
  ];
  const sums = TOTALS.map(
    (fieldArguments): Work => [
      `totals of ${fieldArguments || 'everything'}`,
      async () => {
        const payments = fieldArguments.includes('TAX_RATE') ? '' : 'amountPaid amountDue';
        const query = `{ invoiceTotals${fieldArguments === '' ? '' : `(${fieldArguments})`} { count total ${payments}
          byRate { rate base tax } } }`;
        done((await service.graphql(query, {}, keyOf(place))).body);
      },
    ],
  );
  return [pays, ...sums];
}

/** Each filter alone, from the start and from the last invoice of a page on. */
function listing(place: Place): Work[] {
  const { service, shop } = place;
  const rest: Record<string, string>[] = [
    ...[{}, { external_customer_id: 'customer-1' }, { email: 'ana@example.com' }, { number: 'F-2026-7' }],
  ];
  const overRest = rest.map(
    (filter): Work => [
      `listing over REST by ${Object.keys(filter).join() || 'nothing'}`,
      async () => {
        const operations = operationsOf(service, 'REST');
        await wanted(operations.invoices({ limit: 5, ...filter }, keyOf(place)), 200);
        const { id } = await ticket(place);
        await wanted(operations.invoices({ limit: 5, starting_after: id, ...filter }, keyOf(place)), 200);
      },
    ],
  );
  const filters = [
    ...[
      ...[
        `integrationId: "${shop.id}"`,
        'issuedOn: { from: "2026-03-01" }',
        'issuedOn: { to: "2026-03-01" }',
      ],
      ...['kind: [rectifying_differences]', 'type: [complete]', 'registrationStatus: [registered]'],
      ...['status: [voided]', 'text: "consultoría"', `text: "x", integrationId: "${shop.id}"`],
      'email: "ana@example.com", type: [complete]',
      ...INVOICE_FILTERS,
    ].map((filter) => `filter: { ${filter} }`),
    ...['NUMBER', 'TOTAL', 'RECIPIENT_NAME', 'DUE_ON', 'AMOUNT_DUE'].map(
      (field) => `orderBy: { field: ${field}, direction: ASC }`,
    ),
  ];
  const overGraphQL = filters.map(
    (filter): Work => [
      `listing over GraphQL by ${filter.replace(/int_\w+/, '…')}`,
      async () => {
        const list = (cursor: string) => {
          const query = `{ invoices(first: 5, ${filter}${cursor}) { totalCount pageInfo { endCursor }
            edges { node { id status lineItems { id } } } } }`;
          return service.graphql(query, {}, keyOf(place));
        };
        const { body } = await list('');
        done(body);
        const after = body.data.invoices.pageInfo.endCursor;
        if (after !== null) done((await list(`, after: "${after}"`)).body);
      },
    ],
  );
  return [...overRest, ...overGraphQL];
}

function registering(place: Place): Work[] {
  const { services, company, db } = place.service;
  const { environmentId, chainId } = company.live;
  const register = async () => {
    await ticket(place);
    await db.pool.query(
      'update chain_dispatch set next_send_at = now() where environment_id = $1 and chain_id = $2',
      [environmentId, chainId],
    );
    const signal = new AbortController().signal;
    await registerTask(services)({ environmentId, chainId }, { abortSignal: signal } as never);
  };
  return [
    ['registering', register],
    ['requeueing due chains', async () => requeueChainsTask(services)({}, {} as never)],
    [
      'clearing up',
      async () => {
        await reapTask(services)({}, {} as never);
        await reapPortalTask(services)({}, {} as never);
      },
    ],
  ];
}

const WATCH = `{ operations { chainList(first: 5) { edges { node { chainId pending } } totalCount }
  troubled: chainList(first: 5, troubled: true) { edges { node { chainId } } } queue { task due } failures { kind cause count }
  documents { waiting } parkedRecordList(first: 5) { edges { node { recordId } } totalCount }
  failedRecordList(first: 5) { edges { node { recordId } } totalCount } verificationList(first: 5) { edges { node { findings } } totalCount }
  sendingIncident { pendingRecords } } }`;

function watching(place: Place): Work[] {
  const { service, operator } = place;
  const { chainId } = service.company.live;
  return [
    ['metrics', () => fetch(`${service.url}/metrics`)],
    ['what operators watch', async () => done(await operator.execute(WATCH, {}))],
    [
      "a chain's envelopes and records",
      async () => {
        const query = `{ operations { submissionList(chainId: ${chainId}) { edges { node { id outcome } } } } chainRecords(chainId: ${chainId}) {
          records { position } } }`;
        done(await operator.execute(query, {}));
      },
    ],
    [
      'the audit log',
      async () => done(await operator.execute('{ auditLog(first: 20) { edges { node { id } } } }', {})),
    ],
  ];
}
