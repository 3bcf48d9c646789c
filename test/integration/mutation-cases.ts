import { differences, substitution } from '../support/invoices/corrections.ts';
import { alone, type MutationCase, type Setup, today } from './mutation-setup.ts';
import { OPERATOR_CASES } from './operator-mutation-cases.ts';

const LINE = { description: 'Café', quantity: 1, unitAmount: 1_000, taxItems: [{ type: 'vat', rate: 21 }] };
const TICKET = { type: 'simplified', lineItems: [LINE] };
const BATCH_LINE =
  '[{ description: "Café", quantity: 1, unitAmount: 100, taxItems: [{ type: vat, rate: 21 }] }]';
const ENVIRONMENT = 'companyEnvironment { ...CompanyEnvironment }';
const FAMILY = 'id family { id members { ...Invoice } }';

const ANA = {
  ...{ name: 'García Pérez Ana', taxId: '12345678Z' },
  address: { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid', country: 'ES' },
};

async function newExchange({ execute, ticket }: Setup) {
  const { id: ticketId } = await ticket();
  const { made } = await execute(
    'mutation ($input: ExchangeInvoicesInput!) { made: exchangeInvoices(input: $input) { id } }',
    { input: { ticketIds: [ticketId], recipient: ANA } },
  );
  return { ticketId, exchangeInvoiceId: made.id as string };
}

const newDraft = async ({ execute }: Setup, invoice: object = TICKET): Promise<string> =>
  (
    await execute(
      'mutation ($input: CreateInvoiceDraftInput!) { made: createInvoiceDraft(input: $input) { id } }',
      {
        input: { invoice },
      },
    )
  ).made.id;

const newSchedule = async ({ execute }: Setup): Promise<string> =>
  (
    await execute(
      'mutation ($input: CreateInvoiceScheduleInput!) { made: createInvoiceSchedule(input: $input) { id } }',
      { input: { invoice: TICKET, frequency: 'monthly', startsOn: '2099-01-31' } },
    )
  ).made.id;

const newEndpoint = async ({ execute }: Setup): Promise<string> =>
  (
    await execute(
      'mutation { made: createWebhookEndpoint(input: { url: "https://example.com/x", eventTypes: ["*"] }) { endpoint { id } } }',
    )
  ).made.endpoint.id;

/** A delivery of an endpoint, by its number. */
async function newDelivery(setup: Setup, endpointId: string, n: number): Promise<string> {
  const id = `whd_${String(n).padStart(32, '0')}`;
  await setup.service.owner.query(
    `insert into webhook_delivery (environment_id, id, endpoint_id, sequence, event_id, event_type, status, attempts, attempt_log, created_at)
       values ($1, $2, $3, $4::int, 'evt_' || $4::int, 'ping', 'failed', 1, '[]', now())`,
    [setup.company.test.environmentId, id, endpointId, n],
  );
  return id;
}

const newPayment = async ({ execute }: Setup, invoiceId: string): Promise<string> =>
  (
    await execute(
      `mutation { made: recordPayment(input: { invoiceId: "${invoiceId}", amount: 100, paidOn: "${today()}" }) { payment { id } } }`,
    )
  ).made.payment.id;

const ISSUING: readonly MutationCase[] = [
  {
    name: 'issueInvoice',
    async prepare(setup) {
      const { id } = await setup.ticket();
      const rectifies = { invoiceId: id, method: 'substitution' };
      return {
        done: `issueInvoice(input: $input) { ${FAMILY} }`,
        variables: { input: ['IssueInvoiceInput!', { ...TICKET, rectifies }] },
      };
    },
  },
  {
    name: 'issueInvoice',
    async prepare(setup) {
      const ids = [(await setup.ticket()).id, (await setup.ticket()).id];
      const lineItems = ids.map((rectifiesInvoiceId) => ({ ...LINE, unitAmount: -100, rectifiesInvoiceId }));
      const rectifies = { invoiceIds: ids, method: 'differences' };
      return {
        done: `issueInvoice(input: $input) { ${FAMILY} rectifies { invoice { ${FAMILY} } } }`,
        variables: { input: ['IssueInvoiceInput!', { ...TICKET, lineItems, rectifies }] },
      };
    },
  },
  {
    name: 'voidInvoice',
    async prepare({ service, ticket }) {
      const original = await ticket();
      const { body } = await service.call('POST', '/v1/invoices', { body: substitution(original, 700) });
      return {
        done: `voidInvoice(invoiceId: "${body.id}", reason: "r") {
          ...Invoice rectifies { invoiceId external { number issuedOn operationDate } invoice { ${FAMILY} } }
          exchanges { id } }`,
      };
    },
  },
  {
    name: 'exchangeInvoices',
    async prepare({ service, ticket }) {
      const [plain, original] = [await ticket(), await ticket()];
      const { body } = await service.call('POST', '/v1/invoices', { body: differences(original, -200) });
      return {
        done: `exchangeInvoices(input: $input) { ...Invoice exchanges { ${FAMILY} } }`,
        variables: { input: ['ExchangeInvoicesInput!', { ticketIds: [plain.id, body.id], recipient: ANA }] },
      };
    },
  },
  {
    name: 'returnOnExchange',
    async prepare(setup) {
      const { ticketId, exchangeInvoiceId } = await newExchange(setup);
      const lineItems = [{ ...LINE, unitAmount: -100 }];
      return {
        done: `returnOnExchange(input: $input) { exchange { ...Invoice } rectification { ${FAMILY} } exchanges { ...Invoice } }`,
        variables: {
          input: ['ReturnOnExchangeInput!', { exchangeInvoiceId, ticketId, lineItems, reason: 'r' }],
        },
      };
    },
  },
  {
    name: 'replaceExchange',
    async prepare(setup) {
      const { exchangeInvoiceId } = await newExchange(setup);
      const input = { exchangeInvoiceId, recipient: { ...ANA, name: 'Pérez Ana' }, reason: 'r' };
      return {
        done: `replaceExchange(input: $input) { exchange { ...Invoice } exchanges { ...Invoice exchanges { ${FAMILY} } } }`,
        variables: { input: ['ReplaceExchangeInput!', input] },
      };
    },
  },
  {
    name: 'issueInvoiceDraft',
    async prepare(setup) {
      const { id } = await setup.ticket();
      const rectifies = { invoiceId: id, method: 'substitution' };
      return {
        done: `issueInvoiceDraft(id: "${await newDraft(setup, { ...TICKET, rectifies })}") {
          draft { ...InvoiceDraft } ${FAMILY} }`,
      };
    },
  },
  {
    name: 'issueInvoiceFromOrder',
    async prepare({ execute, company, operator }) {
      const named = `companyId: "${company.companyId}", environment: test`;
      const { made } = await execute(
        `mutation { made: createIntegration(input: { ${named}, name: "orders" }) { id } }`,
        {},
        operator,
      );
      await execute(
        `mutation { saveCustomer(input: { ${named}, integrationId: "${made.id}", externalCustomerId: "c-1", name: "Ana", reason: "r" }) { id } }`,
        {},
        operator,
      );
      const order = {
        integrationId: made.id,
        orderId: 'o-1',
        customer: { externalCustomerId: 'c-1', name: 'Eva' },
      };
      return {
        done: 'issueInvoiceFromOrder(input: $input) { ...Invoice customer { ...Customer } }',
        variables: { input: ['IssueInvoiceFromOrderInput!', { ...TICKET, ...order }] },
      };
    },
  },
  alone(
    'createInvoiceBatch',
    'InvoiceBatch',
    () => `(invoices: [{ type: simplified, externalId: "b-1", lineItems: ${BATCH_LINE} }])`,
  ),
  alone(
    'updateInvoiceMetadata',
    'Invoice',
    async ({ ticket }) => `(id: "${(await ticket()).id}", metadata: { shelf: "3" })`,
  ),
];

const CORRECTING: readonly MutationCase[] = [
  {
    name: 'recordPayment',
    async prepare({ service, ticket }) {
      // A refund of a credit note changes what was paid of the invoice that it corrects.
      const original = await ticket();
      await service.call('POST', `/v1/invoices/${original.id}/payments`, {
        body: { amount: 1_210, paid_on: today() },
      });
      const { body } = await service.call('POST', '/v1/invoices', { body: differences(original, -500) });
      return {
        done: `recordPayment(input: { invoiceId: "${body.id}", amount: 605, paidOn: "${today()}" }) {
          payment { ...Payment } invoice { ${FAMILY} } }`,
      };
    },
  },
  {
    name: 'removePayment',
    async prepare(setup) {
      const { id } = await setup.ticket();
      return {
        done: `removePayment(invoiceId: "${id}", paymentId: "${await newPayment(setup, id)}") {
          payment { ...Payment } invoice { ${FAMILY} } }`,
      };
    },
  },
  {
    name: 'recordRecipientStatus',
    async prepare({ sending }) {
      const { id } = await sending.issue();
      return {
        done: `recordRecipientStatus(input: { invoiceId: "${id}", status: paid, on: "${today()}" }) { invoice { ...Invoice } }`,
      };
    },
  },
  {
    name: 'sendInvoice',
    async prepare({ sending }) {
      const { id } = await sending.issue();
      return {
        done: `sendInvoice(input: { invoiceId: "${id}" }) { ...InvoiceEmail invoice { ...Invoice } }`,
      };
    },
  },
];

const DRAFTING: readonly MutationCase[] = [
  {
    name: 'createInvoiceDraft',
    prepare: async () => ({
      done: 'createInvoiceDraft(input: $input) { ...InvoiceDraft }',
      variables: { input: ['CreateInvoiceDraftInput!', { invoice: TICKET }] },
    }),
  },
  alone(
    'updateInvoiceDraft',
    'InvoiceDraft',
    async (setup) => `(id: "${await newDraft(setup)}", input: { dueInDays: 3 })`,
  ),
  alone('deleteInvoiceDraft', 'InvoiceDraft', async (setup) => `(id: "${await newDraft(setup)}")`),
  {
    name: 'createInvoiceSchedule',
    prepare: async () => ({
      done: 'createInvoiceSchedule(input: $input) { ...InvoiceSchedule }',
      variables: {
        input: [
          'CreateInvoiceScheduleInput!',
          { invoice: TICKET, frequency: 'monthly', startsOn: '2099-01-31' },
        ],
      },
    }),
  },
  alone(
    'updateInvoiceSchedule',
    'InvoiceSchedule',
    async (setup) => `(id: "${await newSchedule(setup)}", input: { count: 3 })`,
  ),
  alone('pauseInvoiceSchedule', 'InvoiceSchedule', async (setup) => `(id: "${await newSchedule(setup)}")`),
  alone('resumeInvoiceSchedule', 'InvoiceSchedule', async (setup) => {
    const id = await newSchedule(setup);
    await setup.execute(`mutation { pauseInvoiceSchedule(id: "${id}") { id } }`);
    return `(id: "${id}")`;
  }),
  alone('endInvoiceSchedule', 'InvoiceSchedule', async (setup) => `(id: "${await newSchedule(setup)}")`),
];

const WEBHOOKS: readonly MutationCase[] = [
  {
    name: 'createWebhookEndpoint',
    prepare: async () => ({
      done: 'createWebhookEndpoint(input: { url: "https://example.com/y", eventTypes: ["*"] }) { endpoint { ...WebhookEndpoint } }',
    }),
  },
  alone('updateWebhookEndpoint', 'WebhookEndpoint', async (setup) => {
    const id = await newEndpoint(setup);
    await newDelivery(setup, id, 1);
    return `(id: "${id}", input: { status: disabled })`;
  }),
  {
    name: 'rotateWebhookSecret',
    prepare: async (setup) => ({
      done: `rotateWebhookSecret(id: "${await newEndpoint(setup)}") { endpoint { ...WebhookEndpoint } }`,
    }),
  },
  alone('pingWebhookEndpoint', 'WebhookEndpoint', async (setup) => `(id: "${await newEndpoint(setup)}")`),
  alone(
    'replayWebhookEvents',
    'WebhookEndpoint',
    async (setup) => `(id: "${await newEndpoint(setup)}", fromSequence: 1)`,
  ),
  alone(
    'redeliverWebhook',
    'WebhookDelivery',
    async (setup) => `(id: "${await newDelivery(setup, await newEndpoint(setup), 2)}")`,
  ),
  {
    name: 'redeliverFailedWebhooks',
    async prepare(setup) {
      const id = await newEndpoint(setup);
      await newDelivery(setup, id, 4);
      return {
        done: `redeliverFailedWebhooks(endpointId: "${id}") { matching changed again }`,
        polled: /^(status|nextAttemptAt) of whd_/,
      };
    },
  },
  {
    name: 'deleteWebhookEndpoint',
    async prepare(setup) {
      const id = await newEndpoint(setup);
      const removed = [await newDelivery(setup, id, 3)];
      return { done: `deleteWebhookEndpoint(id: "${id}") { ...WebhookEndpoint }`, removed };
    },
  },
];

const SETTINGS: readonly MutationCase[] = [
  {
    name: 'createNumberSeries',
    prepare: async () => ({
      done: `createNumberSeries(input: { prefix: "NEW", type: standard }) { ...NumberSeries ${ENVIRONMENT} }`,
    }),
  },
  {
    name: 'deleteNumberSeries',
    async prepare({ execute }) {
      const { made } = await execute(
        'mutation { made: createNumberSeries(input: { prefix: "GONE", type: standard }) { id } }',
      );
      return { done: `deleteNumberSeries(id: "${made.id}") { ...NumberSeries ${ENVIRONMENT} }` };
    },
  },
  alone('setAllowedOrigins', 'AllowedOrigins', () => '(origins: ["https://app.example.com"])'),
  alone('setEmailSettings', 'EmailSettings', () => '(input: { senderName: "Ana", reminderDays: [3] })'),
  alone('setCompanyBranding', 'CompanyBranding', () => '(input: { accentColour: "#102030", reason: "r" })'),
  alone('publishDocuments', 'TrustedDocuments', () => '(documents: ["{ viewer { kind } }"])'),
  alone('requireTrustedDocuments', 'TrustedDocuments', () => '(only: true)'),
  alone('advanceTestClock', 'TestClock', () => '(advance: "P1D")'),
  alone('removeTestClock', 'TestClock', () => ''),
  {
    name: 'createApiKey',
    prepare: async () => ({
      done: `createApiKey(name: "till", scopes: [read]) { apiKey { ...ApiKey ${ENVIRONMENT} } }`,
    }),
  },
  {
    name: 'revokeApiKey',
    async prepare({ execute }) {
      const { made } = await execute(
        'mutation { made: createApiKey(name: "old", scopes: [read]) { apiKey { id } } }',
      );
      return { done: `revokeApiKey(id: "${made.apiKey.id}") { ...ApiKey ${ENVIRONMENT} }` };
    },
  },
  {
    name: 'createAccessToken',
    prepare: async () => ({ done: 'createAccessToken(scopes: [read]) { token }' }),
  },
  {
    name: 'createCustomerPortalSession',
    prepare: async () => ({
      done: 'createCustomerPortalSession(input: { externalCustomerId: "c-1" }) { id url }',
    }),
  },
];

/** In this order, because some change what others need. */
export const CASES: readonly MutationCase[] = [
  ...ISSUING,
  ...CORRECTING,
  ...DRAFTING,
  ...WEBHOOKS,
  ...SETTINGS,
  ...OPERATOR_CASES,
];
