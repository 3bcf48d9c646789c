import { camelKeys, snakePath } from '../../../src/ground/lib/case.ts';
import type { Answer, TestService } from './http-service.ts';

/** The two protocols of the service. What holds for one must hold for the other. */
export const PROTOCOLS = ['REST', 'GraphQL'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** The answer in a form common to both protocols. */
export type Reply = {
  /** The HTTP status over REST; over GraphQL the one that the error carries, and REST's own for success. */
  readonly status: number;
  /** The code of a refusal; null when it was done. */
  readonly code: string | null;
  readonly detail: string;
  /** The faulty fields as `path reason`, paths in the spelling of REST. */
  readonly faults: readonly string[];
  readonly retryAfter: number | null;
  readonly replayed: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  readonly body: any;
};

export type Options = {
  readonly key?: string | null;
  readonly idempotencyKey?: string;
  /** When what is changed was changed last, as far as the caller knows. */
  readonly state?: string | undefined;
};

/** The operations with the names of REST, their bodies in REST's spelling. */
export type Operations = {
  issue(body: object, options?: Options): Promise<Reply>;
  validate(body: object, options?: Options): Promise<Reply>;
  invoice(id: string, options?: Options): Promise<Reply>;
  invoices(query: Record<string, string | number>, options?: Options): Promise<Reply>;
  document(id: string, format: string): Promise<Reply>;
  send(id: string, body: object): Promise<Reply>;
  recordPayment(id: string, body: object): Promise<Reply>;
  removePayment(id: string, payment: string): Promise<Reply>;
  recordRecipientStatus(id: string, body: object): Promise<Reply>;
  createSeries(body: object, options?: Options): Promise<Reply>;
  series(id: string, options?: Options): Promise<Reply>;
  seriesList(query: Record<string, string | number>, options?: Options): Promise<Reply>;
  deleteSeries(id: string, options?: Options): Promise<Reply>;
  validateTaxId(body: object, options?: Options): Promise<Reply>;
  portalSession(body: object, options?: Options): Promise<Reply>;
  createBatch(body: { readonly invoices: readonly object[] }, options?: Options): Promise<Reply>;
  batch(id: string, options?: Options): Promise<Reply>;
  event(id: string): Promise<Reply>;
  createWebhook(body: object): Promise<Reply>;
  webhook(id: string): Promise<Reply>;
  changeWebhook(id: string, body: object): Promise<Reply>;
  pingWebhook(id: string): Promise<Reply>;
  redeliverWebhook(id: string): Promise<Reply>;
  createDraft(body: object): Promise<Reply>;
  draft(id: string): Promise<Reply>;
  /** Only in the state of that time, if one is named. */
  changeDraft(id: string, body: object, expected?: string): Promise<Reply>;
  issueDraft(id: string): Promise<Reply>;
  createSchedule(body: object): Promise<Reply>;
  changeStatusOfSchedule(id: string, action: 'pause' | 'resume' | 'end'): Promise<Reply>;
  testClock(key: string): Promise<Reply>;
};

export function operationsOf(service: TestService, face: Protocol): Operations {
  return face === 'REST' ? overRest(service) : overGraphQL(service);
}

type Issue = { field: string; code: string };
const problems = (errors: Issue[]): string[] =>
  errors.map(({ field, code }) => `${field.includes('-') ? field : snakePath(field)} ${code}`);

const headersOf = ({ idempotencyKey, state }: Options) => ({
  ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  ...(state === undefined ? {} : { 'if-match': `"${state}"` }),
});

const queryOf = (query: Record<string, string | number>) =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

function overRest(service: TestService): Operations {
  const request = async (
    method: string,
    path: string,
    body: unknown,
    options: Options = {},
  ): Promise<Reply> => {
    const { key } = options;
    const answer = await service.call(method, path, {
      ...(key === undefined ? {} : { key }),
      ...(body === undefined ? {} : { body }),
      headers: headersOf(options),
    });
    const refused = answer.status >= 400;
    const wait = answer.headers.get('retry-after');
    return {
      status: answer.status,
      code: refused ? answer.body.code : null,
      detail: refused ? answer.body.detail : '',
      faults: refused ? problems(answer.body.errors) : [],
      retryAfter: wait === null ? null : Number(wait),
      replayed: answer.headers.get('idempotent-replayed') === 'true',
      body: answer.body,
    };
  };
  return {
    issue: (body, options) => request('POST', '/v1/invoices', body, options),
    validate: (body, options) => request('POST', '/v1/invoices/validate', body, options),
    invoice: (id, options) => request('GET', at('/v1/invoices', id), undefined, options),
    invoices: (query, options) => request('GET', `/v1/invoices?${queryOf(query)}`, undefined, options),
    document: (id, format) => request('GET', `${at('/v1/invoices', id)}/formats/${format}`, undefined),
    send: (id, body) => request('POST', `${at('/v1/invoices', id)}/send`, body),
    recordPayment: (id, body) => request('POST', `${at('/v1/invoices', id)}/payments`, body),
    recordRecipientStatus: (id, body) =>
      request('POST', `${at('/v1/invoices', id)}/recipient_statuses`, body),
    removePayment: (id, payment) =>
      request('DELETE', at(`${at('/v1/invoices', id)}/payments`, payment), undefined),
    createSeries: (body, options) => request('POST', '/v1/number_series', body, options),
    series: (id, options) => request('GET', at('/v1/number_series', id), undefined, options),
    seriesList: (query, options) => request('GET', `/v1/number_series?${queryOf(query)}`, undefined, options),
    deleteSeries: (id, options) => request('DELETE', at('/v1/number_series', id), undefined, options),
    validateTaxId: (body, options) => request('POST', '/v1/tax_ids/validate', body, options),
    portalSession: (body, options) => request('POST', '/v1/customer_portal/sessions', body, options),
    createBatch: (body, options) => request('POST', '/v1/invoice_batches', body, options),
    batch: (id, options) => request('GET', at('/v1/invoice_batches', id), undefined, options),
    event: (id) => request('GET', at('/v1/events', id), undefined),
    createWebhook: (body) => request('POST', '/v1/webhook_endpoints', body),
    webhook: (id) => request('GET', at('/v1/webhook_endpoints', id), undefined),
    changeWebhook: (id, body) => request('PATCH', at('/v1/webhook_endpoints', id), body),
    pingWebhook: (id) => request('POST', `${at('/v1/webhook_endpoints', id)}/ping`, undefined),
    redeliverWebhook: (id) => request('POST', `${at('/v1/webhook_deliveries', id)}/redeliver`, undefined),
    createDraft: (body) => request('POST', '/v1/invoice_drafts', body),
    draft: (id) => request('GET', at('/v1/invoice_drafts', id), undefined),
    changeDraft: (id, body, state) => request('PATCH', at('/v1/invoice_drafts', id), body, { state }),
    createSchedule: (body) => request('POST', '/v1/invoice_schedules', body),
    changeStatusOfSchedule: (id, action) =>
      request('POST', `${at('/v1/invoice_schedules', id)}/${action}`, undefined),
    testClock: (key) => request('GET', '/v1/test_clock', undefined, { key }),
    issueDraft: (id) => request('POST', `${at('/v1/invoice_drafts', id)}/issue`, undefined),
  };
}

const TERMS = `quantity_decimal: quantityDecimal unit_amount_decimal: unitAmountDecimal
  unit_amount_gross: unitAmountGross unit_amount_gross_decimal: unitAmountGrossDecimal unit`;
const INVOICE = `id number type kind subtotal tax total external_id: externalId operation_date: operationDate
  rectified_period: rectifiedPeriod { from to } due_date: dueDate withholding { type rate base amount } disbursements { description amount reference }
  display_currency: displayCurrency { code rate source }
  amount_payable: amountPayable payment { means iban reference terms } language delivery { from to }
  references { purchase_order: purchaseOrder buyer_reference: buyerReference contract project }
  prices_include_tax: pricesIncludeTax qualified_simplified: qualifiedSimplified
  recipient_unidentified: recipientUnidentified issued_by: issuedBy
  third_party: thirdParty { name tax_id: taxId tax_id_type: taxIdType tax_id_country: taxIdCountry } line_items: lineItems { quantity unit_amount: unitAmount subtotal tax total
    ${TERMS} }
  invoice_date: invoiceDate number_series_id: numberSeriesId pdf_url: pdfUrl recipient { given_name: givenName surnames } recipient_name: recipientName
  recipient_tax_id: recipientTaxId verifactu { hash status }`;
const SERIES = 'id prefix type yearly is_default: isDefault created_at: createdAt';
const BATCH = 'id status size pending issued failed created_at: createdAt completed_at: completedAt';
const WEBHOOK = `id url event_types: eventTypes description status disabled_reason: disabledReason
  created_at: createdAt`;
const DRAFT = `id status invoice total invoice_id: invoiceId errors { field code message }`;
const PAGE = 'pageInfo { hasNextPage endCursor }';

const DOCUMENTS = {
  issue: `mutation ($input: IssueInvoiceInput!, $key: String) {
    answer: issueInvoice(input: $input, idempotencyKey: $key) { ${INVOICE} } }`,
  validate: `query ($input: IssueInvoiceInput!) { answer: validateInvoice(input: $input) {
    type kind currency subtotal tax total line_items: lineItems { quantity unit_amount: unitAmount subtotal tax total ${TERMS} tax_items: taxItems {
      name type rate amount } } tax_breakdown: taxBreakdown { type name rate base amount }
    withholding { type rate base amount } amount_payable: amountPayable } }`,
  invoice: `query ($id: ID!) { answer: invoice(id: $id) { ${INVOICE} } }`,
  invoices: `query ($first: Int, $after: String, $externalCustomerId: String, $email: String, $number: String) {
    answer: invoices(first: $first, after: $after,
      filter: { externalCustomerId: $externalCustomerId, email: $email, number: $number }) { edges { node { ${INVOICE} } } ${PAGE} } }`,
  document: `query ($id: ID!, $format: ExportedForm!) {
    answer: invoice(id: $id) { document(format: $format) { filename mediaType content } } }`,
  send: `mutation ($input: SendInvoiceInput!) { answer: sendInvoice(input: $input) { id status to } }`,
  recordPayment: `mutation ($input: RecordPaymentInput!) {
    answer: recordPayment(input: $input) { payment { id amount } } }`,
  recordRecipientStatus: `mutation ($input: RecordRecipientStatusInput!) {
    answer: recordRecipientStatus(input: $input) { recipientStatus { status on } } }`,
  removePayment: `mutation ($invoiceId: ID!, $paymentId: ID!) {
    answer: removePayment(invoiceId: $invoiceId, paymentId: $paymentId) { payment { id } } }`,
  createSeries: `mutation ($input: CreateNumberSeriesInput!, $key: String) {
    answer: createNumberSeries(input: $input, idempotencyKey: $key) { ${SERIES} } }`,
  series: `query ($id: ID!) { answer: numberSeriesById(id: $id) { ${SERIES} } }`,
  seriesList: `query ($first: Int, $after: String, $type: NumberSeriesType) {
    answer: numberSeries(first: $first, after: $after, type: $type) { edges { node { ${SERIES} } } ${PAGE} } }`,
  deleteSeries: 'mutation ($id: ID!) { answer: deleteNumberSeries(id: $id) { id } }',
  validateTaxId: `query ($input: ValidateTaxIdInput!) { answer: validateTaxId(input: $input) {
    tax_id: taxId tax_id_type: taxIdType tax_id_country: taxIdCountry valid reason register } }`,
  portalSession: `mutation ($input: CreateCustomerPortalSessionInput!) {
    answer: createCustomerPortalSession(input: $input) { id url external_customer_id: externalCustomerId
      integration_id: integrationId created_at: createdAt expires_at: expiresAt } }`,
  createBatch: `mutation ($invoices: [IssueInvoiceInput!]!, $key: String) {
    answer: createInvoiceBatch(invoices: $invoices, idempotencyKey: $key) { ${BATCH} } }`,
  batch: `query ($id: ID!) { answer: invoiceBatch(id: $id) { ${BATCH} } }`,
  event: 'query ($id: ID!) { answer: event(id: $id) { id type sequence data } }',
  createWebhook: `mutation ($input: CreateWebhookEndpointInput!) {
    answer: createWebhookEndpoint(input: $input) { secret endpoint { ${WEBHOOK} } } }`,
  webhook: `query ($id: ID!) { answer: webhookEndpoint(id: $id) { ${WEBHOOK} } }`,
  changeWebhook: `mutation ($id: ID!, $input: UpdateWebhookEndpointInput!) {
    answer: updateWebhookEndpoint(id: $id, input: $input) { ${WEBHOOK} } }`,
  pingWebhook: `mutation ($id: ID!) { answer: pingWebhookEndpoint(id: $id) { ${WEBHOOK} } }`,
  redeliverWebhook: 'mutation ($id: ID!) { answer: redeliverWebhook(id: $id) { id status } }',
  createDraft: `mutation ($input: CreateInvoiceDraftInput!) {
    answer: createInvoiceDraft(input: $input) { ${DRAFT} } }`,
  draft: `query ($id: ID!) { answer: invoiceDraft(id: $id) { ${DRAFT} } }`,
  changeDraft: `mutation ($id: ID!, $input: UpdateInvoiceDraftInput!, $expected: DateTime) {
    answer: updateInvoiceDraft(id: $id, input: $input, expectedUpdatedAt: $expected) { ${DRAFT} } }`,
  createSchedule: `mutation ($input: CreateInvoiceScheduleInput!) {
    answer: createInvoiceSchedule(input: $input) { id status } }`,
  pause: 'mutation ($id: ID!) { answer: pauseInvoiceSchedule(id: $id) { id status } }',
  resume: 'mutation ($id: ID!) { answer: resumeInvoiceSchedule(id: $id) { id status } }',
  end: 'mutation ($id: ID!) { answer: endInvoiceSchedule(id: $id) { id status } }',
  testClock: 'query { answer: testClock { now status } }',
  issueDraft: `mutation ($id: ID!) { answer: issueInvoiceDraft(id: $id) { ${INVOICE} } }`,
};

const ARGUMENTS: Record<string, string> = {
  limit: 'first',
  starting_after: 'after',
  external_customer_id: 'externalCustomerId',
};

function overGraphQL(service: TestService): Operations {
  const execute = async (
    name: keyof typeof DOCUMENTS,
    variables: object,
    success: number,
    options: Options = {},
  ): Promise<Reply> => {
    const { key } = options;
    const answer = await service.graphql(DOCUMENTS[name], variables, key === undefined ? {} : { key });
    return replyOf(answer, success);
  };
  const withKey = (body: object, options?: Options) => ({
    input: camelKeys(body),
    ...(options?.idempotencyKey === undefined ? {} : { key: options.idempotencyKey }),
  });
  const argumentsOf = (query: Record<string, string | number>) =>
    Object.fromEntries(Object.entries(query).map(([name, value]) => [ARGUMENTS[name] ?? name, value]));
  return {
    issue: (body, options) => execute('issue', withKey(body, options), 201, options),
    validate: (body, options) => execute('validate', withKey(body), 200, options),
    invoice: (id, options) => execute('invoice', { id }, 200, options),
    invoices: (query, options) => execute('invoices', argumentsOf(query), 200, options),
    document: (id, format) => execute('document', { id, format }, 200),
    send: (id, body) => execute('send', { input: { ...(camelKeys(body) as object), invoiceId: id } }, 202),
    recordPayment: (id, body) => execute('recordPayment', withKey({ ...body, invoice_id: id }), 201),
    recordRecipientStatus: (id, body) =>
      execute('recordRecipientStatus', withKey({ ...body, invoice_id: id }), 201),
    removePayment: (id, payment) => execute('removePayment', { invoiceId: id, paymentId: payment }, 204),
    createSeries: (body, options) => execute('createSeries', withKey(body, options), 201, options),
    series: (id, options) => execute('series', { id }, 200, options),
    seriesList: (query, options) => execute('seriesList', argumentsOf(query), 200, options),
    deleteSeries: (id, options) => execute('deleteSeries', { id }, 204, options),
    validateTaxId: (body, options) => execute('validateTaxId', { input: camelKeys(body) }, 200, options),
    portalSession: (body, options) => execute('portalSession', { input: camelKeys(body) }, 201, options),
    createBatch: ({ invoices }, options) => {
      const key = options?.idempotencyKey;
      const variables = { invoices: camelKeys(invoices), ...(key === undefined ? {} : { key }) };
      return execute('createBatch', variables, 202, options);
    },
    batch: (id, options) => execute('batch', { id }, 200, options),
    event: (id) => execute('event', { id }, 200),
    createWebhook: async (body) => {
      const reply = await execute('createWebhook', withKey(body), 201);
      return reply.code === null
        ? { ...reply, body: { ...reply.body.endpoint, secret: reply.body.secret } }
        : reply;
    },
    webhook: (id) => execute('webhook', { id }, 200),
    changeWebhook: (id, body) => execute('changeWebhook', { id, ...withKey(body) }, 200),
    pingWebhook: (id) => execute('pingWebhook', { id }, 202),
    redeliverWebhook: (id) => execute('redeliverWebhook', { id }, 202),
    createDraft: (body) => execute('createDraft', withKey(body), 201),
    draft: (id) => execute('draft', { id }, 200),
    changeDraft: (id, body, expected) => execute('changeDraft', { id, expected, ...withKey(body) }, 200),
    createSchedule: (body) => execute('createSchedule', withKey(body), 201),
    changeStatusOfSchedule: (id, action) => execute(action, { id }, 200),
    testClock: (key) => execute('testClock', {}, 200, { key }),
    issueDraft: (id) => execute('issueDraft', { id }, 201),
  };
}

const ARGUMENT_NAMES: Record<string, string> = {
  first: 'limit',
  after: 'starting_after',
  idempotencyKey: 'Idempotency-Key',
};

/** The answer to one operation, named `answer` when it has data. */
export function replyOf({ body }: Answer, success = 200): Reply {
  const error = body.errors?.[0];
  const data = body.data?.answer;
  const extensions = error?.extensions ?? {};
  const issues: Issue[] = extensions.errors ?? [];
  return {
    status: error === undefined ? success : extensions.status,
    code: extensions.code ?? null,
    detail: error?.message ?? '',
    faults: problems(
      issues.map(({ field, code }) => ({
        field: ARGUMENT_NAMES[field] ?? field.replace(/^input\./, ''),
        code,
      })),
    ),
    retryAfter: extensions.retryAfter ?? null,
    replayed: body.extensions?.idempotentReplayed === true,
    body: data?.edges === undefined ? data : pageOf(data),
  };
}

/** A connection as the page that REST makes of it. */
function pageOf({ edges, pageInfo }: { edges: { node: unknown }[]; pageInfo: Record<string, unknown> }) {
  const { hasNextPage, endCursor } = pageInfo;
  const data = edges.map(({ node }) => node);
  return { data, has_more: hasNextPage, next_cursor: hasNextPage ? endCursor : null };
}
