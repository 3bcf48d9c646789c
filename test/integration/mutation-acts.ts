import { differences, substitution } from '../support/invoices/corrections.ts';
import { type Act, alone, today, type World } from './mutation-world.ts';
import { OPERATOR_ACTS } from './operator-acts.ts';

const LINE = { description: 'Café', quantity: 1, unitAmount: 1_000, taxItems: [{ type: 'vat', rate: 21 }] };
const TICKET = { type: 'simplified', lineItems: [LINE] };
const BATCH_LINE =
  '[{ description: "Café", quantity: 1, unitAmount: 100, taxItems: [{ type: vat, rate: 21 }] }]';
const ENVIRONMENT = 'companyEnvironment { ...CompanyEnvironment }';
const FAMILY = 'id family { members { ...Invoice } }';

const newDraft = async ({ ask }: World, invoice: object = TICKET): Promise<string> =>
  (
    await ask(
      'mutation ($input: CreateInvoiceDraftInput!) { made: createInvoiceDraft(input: $input) { id } }',
      {
        input: { invoice },
      },
    )
  ).made.id;

const newSchedule = async ({ ask }: World): Promise<string> =>
  (
    await ask(
      'mutation ($input: CreateInvoiceScheduleInput!) { made: createInvoiceSchedule(input: $input) { id } }',
      { input: { invoice: TICKET, frequency: 'monthly', startsOn: '2099-01-31' } },
    )
  ).made.id;

const newEndpoint = async ({ ask }: World): Promise<string> =>
  (
    await ask(
      'mutation { made: createWebhookEndpoint(input: { url: "https://example.com/x", eventTypes: ["*"] }) { endpoint { id } } }',
    )
  ).made.endpoint.id;

/** A delivery of an endpoint, by its number. */
async function newDelivery(world: World, endpointId: string, n: number): Promise<string> {
  const id = `whd_${String(n).padStart(32, '0')}`;
  await world.service.owner.query(
    `insert into webhook_delivery (environment_id, id, endpoint_id, sequence, event_id, event_type, status, attempts, attempt_log, created_at)
       values ($1, $2, $3, $4::int, 'evt_' || $4::int, 'ping', 'failed', 1, '[]', now())`,
    [world.company.test.environmentId, id, endpointId, n],
  );
  return id;
}

const newPayment = async ({ ask }: World, invoiceId: string): Promise<string> =>
  (
    await ask(
      `mutation { made: recordPayment(input: { invoiceId: "${invoiceId}", amount: 100, paidOn: "${today()}" }) { payment { id } } }`,
    )
  ).made.payment.id;

const ISSUING: readonly Act[] = [
  {
    name: 'issueInvoice',
    async prepare(world) {
      const { id } = await world.ticket();
      const rectifies = { invoiceId: id, method: 'substitution' };
      return {
        done: `issueInvoice(input: $input) { ${FAMILY} }`,
        variables: { input: ['IssueInvoiceInput!', { ...TICKET, rectifies }] },
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
          ...Invoice rectifies { invoice { ${FAMILY} } } exchanges { id } }`,
      };
    },
  },
  {
    name: 'exchangeInvoices',
    async prepare({ service, ticket }) {
      const [plain, original] = [await ticket(), await ticket()];
      const { body } = await service.call('POST', '/v1/invoices', { body: differences(original, -200) });
      const recipient = {
        ...{ name: 'García Pérez Ana', taxId: '12345678Z' },
        address: { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid', country: 'ES' },
      };
      return {
        done: `exchangeInvoices(input: $input) { ...Invoice exchanges { ${FAMILY} } }`,
        variables: { input: ['ExchangeInvoicesInput!', { ticketIds: [plain.id, body.id], recipient }] },
      };
    },
  },
  {
    name: 'issueInvoiceDraft',
    async prepare(world) {
      const { id } = await world.ticket();
      const rectifies = { invoiceId: id, method: 'substitution' };
      return {
        done: `issueInvoiceDraft(id: "${await newDraft(world, { ...TICKET, rectifies })}") {
          draft { ...InvoiceDraft } ${FAMILY} }`,
      };
    },
  },
  {
    name: 'issueInvoiceFromOrder',
    async prepare({ ask, company, operator }) {
      const named = `companyId: "${company.companyId}", environment: test`;
      const { made } = await ask(
        `mutation { made: createIntegration(input: { ${named}, name: "orders" }) { id } }`,
        {},
        operator,
      );
      await ask(
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

const CORRECTING: readonly Act[] = [
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
    async prepare(world) {
      const { id } = await world.ticket();
      return {
        done: `removePayment(invoiceId: "${id}", paymentId: "${await newPayment(world, id)}") {
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

const DRAFTING: readonly Act[] = [
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
    async (world) => `(id: "${await newDraft(world)}", input: { dueInDays: 3 })`,
  ),
  alone('deleteInvoiceDraft', 'InvoiceDraft', async (world) => `(id: "${await newDraft(world)}")`),
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
    async (world) => `(id: "${await newSchedule(world)}", input: { count: 3 })`,
  ),
  alone('pauseInvoiceSchedule', 'InvoiceSchedule', async (world) => `(id: "${await newSchedule(world)}")`),
  alone('resumeInvoiceSchedule', 'InvoiceSchedule', async (world) => {
    const id = await newSchedule(world);
    await world.ask(`mutation { pauseInvoiceSchedule(id: "${id}") { id } }`);
    return `(id: "${id}")`;
  }),
  alone('endInvoiceSchedule', 'InvoiceSchedule', async (world) => `(id: "${await newSchedule(world)}")`),
];

const WEBHOOKS: readonly Act[] = [
  {
    name: 'createWebhookEndpoint',
    prepare: async () => ({
      done: 'createWebhookEndpoint(input: { url: "https://example.com/y", eventTypes: ["*"] }) { endpoint { ...WebhookEndpoint } }',
    }),
  },
  alone('updateWebhookEndpoint', 'WebhookEndpoint', async (world) => {
    const id = await newEndpoint(world);
    await newDelivery(world, id, 1);
    return `(id: "${id}", input: { status: disabled })`;
  }),
  {
    name: 'rotateWebhookSecret',
    prepare: async (world) => ({
      done: `rotateWebhookSecret(id: "${await newEndpoint(world)}") { endpoint { ...WebhookEndpoint } }`,
    }),
  },
  alone('pingWebhookEndpoint', 'WebhookEndpoint', async (world) => `(id: "${await newEndpoint(world)}")`),
  alone(
    'replayWebhookEvents',
    'WebhookEndpoint',
    async (world) => `(id: "${await newEndpoint(world)}", fromSequence: 1)`,
  ),
  alone(
    'redeliverWebhook',
    'WebhookDelivery',
    async (world) => `(id: "${await newDelivery(world, await newEndpoint(world), 2)}")`,
  ),
  {
    name: 'deleteWebhookEndpoint',
    async prepare(world) {
      const id = await newEndpoint(world);
      const gone = [await newDelivery(world, id, 3)];
      return { done: `deleteWebhookEndpoint(id: "${id}") { ...WebhookEndpoint }`, gone };
    },
  },
];

const SETTINGS: readonly Act[] = [
  {
    name: 'createNumberSeries',
    prepare: async () => ({
      done: `createNumberSeries(input: { prefix: "NEW", type: standard }) { ...NumberSeries ${ENVIRONMENT} }`,
    }),
  },
  {
    name: 'deleteNumberSeries',
    async prepare({ ask }) {
      const { made } = await ask(
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
export const ACTS: readonly Act[] = [
  ...ISSUING,
  ...CORRECTING,
  ...DRAFTING,
  ...WEBHOOKS,
  ...SETTINGS,
  ...OPERATOR_ACTS,
];
