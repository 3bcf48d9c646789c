import { madridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { setCompanyFlags } from '../../src/subjects/accounts/companies.ts';
import { createApiKey, createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { PAYMENT_LIMITS } from '../../src/subjects/payments/limits.ts';
import { type Answer, testService } from '../support/http/http-service.ts';
import { operationsOf, type Reply, replyOf } from '../support/http/protocols.ts';
import { decideRecords } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { aSale, aShop } from '../support/pages/portal.ts';
import { done, type Provocations, type Setup } from './provocations.ts';

/** What an HTTP answer of either protocol comes to; beyond an endpoint there is only the error body. */
function replyTo(answer: Answer): Reply {
  if (answer.body.errors?.[0]?.extensions !== undefined) return replyOf(answer);
  const { code, detail } = answer.body;
  return { ...replyOf(answer), status: answer.status, code, detail };
}

/** A request to the protocol itself, past its operations. */
async function raw(
  { protocol, service }: Setup,
  method: string,
  { path = '', body, headers = {} }: { path?: string; body?: string; headers?: Record<string, string> },
): Promise<Reply> {
  const base = protocol === 'REST' ? '/v1/invoices' : '/graphql';
  return replyTo(
    await service.call(method, base + path, { headers, ...(body === undefined ? {} : { body }) }),
  );
}

const recipient = (parts: object) =>
  aCompleteInvoice({ recipient: { ...aCompleteInvoice().recipient, ...parts } });
const taxed = (tax: object, parts: object = {}) => ({ line_items: [aLine({ tax_items: [tax], ...parts })] });

const ANY_ENDPOINT = { url: 'http://localhost:9/', event_types: ['*'] };

/** Every code but those of rectificativas. */
export const ordinaryCodes: Provocations = {
  invalid_request: ({ operations }) => operations.issue(aSimplifiedInvoice({ line_items: [] })),
  unauthorized: ({ operations }) => operations.issue(aSimplifiedInvoice(), { key: null }),

  async forbidden({ operations, company, service }) {
    const { environmentId } = company.test;
    const owner = { environmentId, environment: 'test', name: 'reader', scopes: ['read'] } as const;
    const { key } = await createApiKey(service.db.pool, owner);
    return operations.issue(aSimplifiedInvoice(), { key });
  },

  async no_active_subscription({ operations, company, service }) {
    await setCompanyFlags(service.db.pool, company.companyId, { subscriptionActive: false });
    return operations.issue(aSimplifiedInvoice(), { key: company.live.key });
  },

  async aeat_mandate_not_approved({ operations, company, service }) {
    await setCompanyFlags(service.db.pool, company.companyId, { mandateApproved: false });
    return operations.issue(aSimplifiedInvoice(), { key: company.live.key });
  },

  async payment_exceeds_payable({ operations }) {
    const { id, total } = await done(operations.issue(aSimplifiedInvoice()));
    return operations.recordPayment(id, { amount: total + 1, paid_on: madridDay(clock.now()) });
  },

  async recipient_status_conflict({ operations }) {
    const { id } = await done(operations.issue(aCompleteInvoice()));
    const withdrawn = { status: 'withdrawn', on: madridDay(clock.now()), status_reason: 'a mistake' };
    return operations.recordRecipientStatus(id, withdrawn);
  },

  async recipient_status_not_applicable({ operations }) {
    const { id } = await done(operations.issue(aSimplifiedInvoice()));
    return operations.recordRecipientStatus(id, { status: 'paid', on: madridDay(clock.now()) });
  },

  async payment_not_found({ operations }) {
    const { id } = await done(operations.issue(aSimplifiedInvoice()));
    return operations.removePayment(id, `pay_${'0'.repeat(32)}`);
  },

  async too_many_payments({ operations, company, service }) {
    const { id } = await done(operations.issue(aSimplifiedInvoice()));
    // Recorded in one statement: a request for each would take seconds.
    await service.owner.query(
      `insert into invoice_payment (environment_id, id, invoice_id, amount, paid_on, recorded_by, recorded_at,
         account_payable, account_paid)
       select $1, 'pay_' || lpad(n::text, 32, '0'), $2, 1, current_date, 'key_1', now(), 1000000, n
       from generate_series(1, $3::int) n`,
      [company.test.environmentId, id, PAYMENT_LIMITS.paymentsOfInvoice.value],
    );
    return operations.recordPayment(id, { amount: 1, paid_on: madridDay(clock.now()) });
  },

  async format_not_applicable({ operations }) {
    const { id } = await done(operations.issue(aSimplifiedInvoice()));
    return operations.document(id, 'ubl');
  },

  async recipient_email_missing({ operations }) {
    const { id } = await done(operations.issue(aSimplifiedInvoice()));
    return operations.send(id, {});
  },

  async email_not_available({ operations, company, protocol, service }) {
    const { id } = await done(operations.issue(aCompleteInvoice()));
    // A service on a database of somebody's, without a mail server.
    const other = await testService(
      { DATABASE_URL: service.databaseUrl },
      { beside: { ...service, company } },
    );
    try {
      return await operationsOf(other, protocol).send(id, {});
    } finally {
      await other.close();
    }
  },

  customer_not_found: ({ operations }) => operations.portalSession({ external_customer_id: 'nobody' }),

  async customer_ambiguous({ operations, service }) {
    for (const shop of [await aShop(service), await aShop(service)]) await aSale(service, shop, 'c-1');
    return operations.portalSession({ external_customer_id: 'c-1' });
  },

  invoice_not_found: ({ operations }) => operations.invoice('inv_1'),
  number_series_not_found: ({ operations }) => operations.series('ns_1'),
  event_not_found: ({ operations }) => operations.event('evt_1'),
  invoice_batch_not_found: ({ operations }) => operations.batch('bat_1'),
  webhook_endpoint_not_found: ({ operations }) => operations.webhook('whe_1'),
  webhook_delivery_not_found: ({ operations }) => operations.redeliverWebhook('whd_1'),

  async webhook_endpoint_disabled({ operations }) {
    const { id } = await done(operations.createWebhook(ANY_ENDPOINT));
    await done(operations.changeWebhook(id, { status: 'disabled' }));
    return operations.pingWebhook(id);
  },

  async webhook_endpoint_limit_reached({ operations }) {
    for (let made = 0; made < 20; made += 1) await done(operations.createWebhook(ANY_ENDPOINT));
    return operations.createWebhook(ANY_ENDPOINT);
  },

  async external_id_already_used({ operations }) {
    await done(operations.issue(aSimplifiedInvoice({ external_id: 'x' })));
    return operations.issue(aSimplifiedInvoice({ external_id: 'x' }));
  },

  async idempotency_conflict({ operations }) {
    await done(operations.issue(aSimplifiedInvoice(), { idempotencyKey: 'k' }));
    return operations.issue(aSimplifiedInvoice({ notes: 'x' }), { idempotencyKey: 'k' });
  },

  number_series_in_use: ({ operations, company }) => operations.deleteSeries(company.test.standardSeriesId),
  number_series_prefix_taken: ({ operations }) => operations.createSeries({ prefix: 'F', type: 'standard' }),
  number_series_numbering_collision: ({ operations }) =>
    operations.createSeries({ prefix: 'F-2026', type: 'standard', yearly: false }),

  async download_link_expired({ operations, protocol, service }) {
    const { id } = await done(operations.issue(aSimplifiedInvoice()));
    if (protocol === 'REST') return replyTo(await service.call('GET', `/v1/invoices/${id}/file?token=x`));
    return replyOf(await service.graphql(`{ answer: invoiceFile(id: "${id}", token: "x") { filename } }`));
  },

  insufficient_recipient_data: ({ operations }) => operations.issue(recipient({ name: 'X' })),
  invalid_tax_id: ({ operations }) => operations.issue(recipient({ tax_id: '12345678A' })),
  tax_id_type_country_mismatch: ({ operations }) =>
    operations.issue(recipient({ tax_id_type: 'es_nif', tax_id_country: 'FR' })),
  tax_id_validation_unavailable: ({ operations }) => operations.issue(recipient({ name: 'CENSO CAIDO SL' })),
  invalid_number_series: ({ operations, company }) =>
    operations.issue(aSimplifiedInvoice({ number_series_id: company.test.rectifyingSeriesId })),

  invalid_tax_rate: ({ operations }) => operations.issue(aSimplifiedInvoice(taxed({ type: 'vat', rate: 7 }))),
  invalid_tax_data: ({ operations }) =>
    operations.issue(aSimplifiedInvoice(taxed({ type: 'vat', rate: 4 }, { quantity: 1, unit_amount: 1 }))),
  invalid_recargo_equivalencia: ({ operations }) =>
    operations.issue(aSimplifiedInvoice({ recargo_equivalencia: true, ...taxed({ type: 'vat', rate: 0 }) })),
  simplified_amount_exceeded: ({ operations }) =>
    operations.issue(aSimplifiedInvoice(taxed({ type: 'es_exempt' }, { quantity: 31 }))),
  simplified_incompatible_tax_type: ({ operations }) =>
    operations.issue(aSimplifiedInvoice(taxed({ type: 'es_inversion_sujeto_pasivo' }))),

  async rate_limited({ operations }) {
    for (;;) {
      const reply = await operations.validateTaxId({ tax_id: '12345678Z' });
      if (reply.status !== 200) return reply;
    }
  },

  async internal_error({ operations, service }) {
    await service.owner.query(`
      create function break_down() returns trigger language plpgsql as $$ begin raise exception 'a bug'; end $$;
      create trigger break_down before insert on invoice_line for each row execute function break_down()`);
    try {
      return await operations.issue(aSimplifiedInvoice());
    } finally {
      await service.owner.query('drop function break_down() cascade');
    }
  },

  // Its chain is held, as after a restore; without a database and while stopping it is the same code.
  async service_unavailable({ operations, company, service }) {
    const { environmentId } = company.live;
    await service.db.pool.query(
      `update chain set hold = 'restored', held_at = now() where environment_id = $1`,
      [environmentId],
    );
    return operations.issue(aSimplifiedInvoice(), { key: company.live.key });
  },

  not_found: (setup) => raw(setup, 'GET', { path: '/nothing/at/all' }),
  method_not_allowed: (setup) => raw(setup, 'PUT', { body: '{}' }),
  payload_too_large: (setup) => raw(setup, 'POST', { body: `"${'x'.repeat(1024 * 1024)}"` }),
  unsupported_media_type: (setup) =>
    raw(setup, 'POST', { body: '{}', headers: { 'content-type': 'text/plain' } }),
};

/** Of operations that REST does not have. */
export const graphqlCodes: Provocations = {
  async amendment_needs_rectification({ operations, service, company }) {
    const { key } = company.live;
    const { id } = await done(operations.issue(aCompleteInvoice(), { key }));
    await decideRecords(service.db, id, 'rejected');
    const amend = `mutation ($input: AmendRecordInput!) { answer: amendRecord(input: $input) { id } }`;
    const input = { invoiceId: id, reason: 'x', recipient: { name: 'Norte SA', taxId: 'A39200019' } };
    return replyOf(await service.graphql(amend, { input }, { key }));
  },
  async approval_required({ service, company }) {
    const { key } = await createOperatorKey(service.db.pool, 'Ada');
    const other = await testService({ TWO_PERSONS: 'on' }, { beside: { ...service, company } });
    try {
      const change = `mutation { answer: setCompanyFlags(companyId: "${company.companyId}", flags: {}, reason: "x") { id } }`;
      return replyOf(await other.graphql(change, {}, { key }));
    } finally {
      await other.close();
    }
  },
  nif_already_used: async ({ service }) => {
    const { key } = await createOperatorKey(service.db.pool, 'Ada');
    const create = `mutation { answer: createCompany(input: { nif: "B72877814", legalName: "X", reason: "x",
      address: { line1: "x", postalCode: "28001", city: "x" } }) { id } }`;
    return replyOf(await service.graphql(create, {}, { key }));
  },
  async token_expired({ service }) {
    const body = { scopes: ['read'], ttl_seconds: 1 };
    const { token } = (await service.call('POST', '/v1/access_tokens', { body })).body;
    clock.freeze(new Date(Date.now() + 2_000));
    try {
      const headers = { accept: 'text/event-stream' };
      return replyOf(
        await service.graphql('subscription { answer: event { id } }', {}, { key: token, headers }),
      );
    } finally {
      clock.reset();
    }
  },
  integration_not_found: async ({ service }) =>
    replyOf(
      await service.graphql(
        `mutation ($input: IssueInvoiceFromOrderInput!) { answer: issueInvoiceFromOrder(input: $input) { id } }`,
        {
          input: {
            integrationId: 'int_1',
            orderId: '1',
            customer: { externalCustomerId: 'c' },
            type: 'simplified',
            lineItems: [
              { description: 'x', quantity: 1, unitAmount: 100, taxItems: [{ type: 'vat', rate: 21 }] },
            ],
          },
        },
      ),
    ),
};
