import { actions, pages } from '../../../src/faces/console/registry.ts';
import { madridDay } from '../../../src/ground/lib/calendar.ts';
import { clock } from '../../../src/ground/lib/clock.ts';
import type { TestSimulator } from '../agency/simulator.ts';
import { anOrdinaryDay, anUnsentCompany, type UnsentCompany } from '../agency/unsent-company.ts';
import type { TestService } from '../http/http-service.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../invoices/invoices.ts';

type Address = readonly [pattern: string, path: string];

/** Every page and every action of the console with an address below it that shows something, and whose. */
export type ConsoleAddresses = {
  readonly company: UnsentCompany;
  /** The id of a ticket that can be exchanged. */
  readonly registered: string;
  readonly pages: readonly Address[];
  readonly actions: readonly Address[];
};

/** Makes a company with one of everything, whose texts are as long as they may be, while the agency is down. */
export async function consoleAddresses(
  service: TestService,
  simulator: TestSimulator,
): Promise<ConsoleAddresses> {
  const long = 'Interminable'.repeat(8);
  const company = await anUnsentCompany(service, `${long} SL`);
  const day = await anOrdinaryDay(company, simulator);
  const complete = await company.issue({
    ...aCompleteInvoice(),
    line_items: [aLine({ description: `SIMULATE-REJECT ${long.repeat(3)}` })],
  });
  await simulator.control({ mode: 'down' });
  const parked = await company.recordOf((await company.issue()).id);
  await company.send();
  const made = await createTestData(service, company);
  const { keyId, certificateId, jobId, approvalId, seriesId, deliveryId } = made;
  const { companyId, live } = company.company;
  const kept = await storeUnissued(service, live.key, long);
  const { body: payment } = await service.call('POST', `/v1/invoices/${complete.id}/payments`, {
    key: live.key,
    body: { amount: 1, paid_on: madridDay(clock.now()) },
  });
  const ids: Record<string, string | number> = {
    ...{ payment: payment.id, companyId, chainId: company.chainId, environmentId: live.environmentId },
    ...{ taxType: 'vat', deliveryId },
  };
  const fits = (pattern: string) => {
    if (pattern.startsWith('/records/')) return parked;
    if (pattern.startsWith('/keys/')) return keyId;
    if (pattern.startsWith('/certificates/')) return certificateId;
    if (pattern.startsWith('/jobs/')) return jobId;
    if (pattern.startsWith('/approvals/')) return approvalId;
    if (pattern.includes('/series/')) return seriesId;
    if (pattern.includes('/webhooks/')) return 'whe_failing';
    const group = kept.find(({ path }) => pattern.includes(path));
    if (group !== undefined) return group.id;
    return pattern.endsWith('/exchange') || pattern.endsWith('/void') ? day.registered.id : complete.id;
  };
  const address = (pattern: string): Address => [
    pattern,
    pattern.replace(/:(\w+)/g, (_, name) => String(name === 'id' ? fits(pattern) : ids[name])),
  ];
  // A message is there only in a demo, which writes them to a folder.
  const always = pages.filter(([pattern]) => pattern !== '/mail/:id');
  return {
    ...{ company, registered: day.registered.id },
    pages: always.map(([pattern]) => address(pattern)),
    actions: actions.map(([pattern]) => address(pattern)),
  };
}

/** A key, a certificate, a job that has failed, what another operator is to approve, and a series that is no default, of a company's. */
async function createTestData(service: TestService, { company }: UnsentCompany) {
  const { pool } = service.db;
  const one = async (text: string, values: unknown[] = []) =>
    String((await pool.query(text, values)).rows[0].id);
  const { environmentId } = company.live;
  const keyId = await one('select id from api_key where environment_id = $1', [environmentId]);
  const certificateId = await one(
    `insert into client_certificate (id, company_id, kind, holder_nif, holder_name, valid_from, valid_to,
       fingerprint, key_name, sealed, active, uploaded_by, uploaded_at)
     values ('cert_1', $1, 'seal', 'B72877814', 'Talleres Ñandú SL', now(), now() + interval '20 days', $2, 'first',
       '\\x00', false, 'opk_1', now()) returning id`,
    [company.companyId, 'a'.repeat(64)],
  );
  const jobId = await one(
    "select id from graphile_worker.add_job('render_pdf', '{}'::json, max_attempts => 1)",
  );
  const failed = 'Error: the database was out of reach while the document was rendered';
  await pool.query('update graphile_worker._private_jobs set attempts = 1, last_error = $2 where id = $1', [
    jobId,
    failed,
  ]);
  const seriesId = await one(
    `insert into number_series (id, environment_id, prefix, type, yearly)
     values ('ns_free', $1, 'TIENDA', 'standard', true) returning id`,
    [environmentId],
  );
  const approvalId = await one(
    `insert into approval (id, action, subject, arguments, digest, asked_by, asked_at, expires_at)
     values ('apr_open', 'void_invoice', 'inv_1', '{}', $1, 'opk_1', now(), now() + interval '1 day') returning id`,
    ['a'.repeat(64)],
  );
  const deliveryId = await failingWebhook(service, environmentId);
  return { keyId, certificateId, jobId, approvalId, seriesId, deliveryId };
}

/** A draft, a schedule and a batch, of which nothing is issued. */
async function storeUnissued(service: TestService, key: string, long: string) {
  const invoice = { type: 'complete', recipient: { name: long }, line_items: [aLine({ description: long })] };
  const ticket = aSimplifiedInvoice({ line_items: [aLine({ description: long })] });
  const bodies = {
    drafts: { invoice },
    schedules: { invoice: ticket, frequency: 'monthly', starts_on: madridDay(clock.now()) },
    batches: { invoices: [aSimplifiedInvoice({ external_id: long })] },
  };
  const made = Object.entries(bodies).map(async ([group, body]) => {
    const answer = await service.call('POST', `/v1/invoice_${group}`, { key, body });
    return { path: `/${group}/`, id: answer.body.id as string };
  });
  return Promise.all(made);
}

/** An endpoint that refuses what it is sent, with what it answered; answers its delivery. */
async function failingWebhook({ db: { pool } }: TestService, environmentId: number): Promise<string> {
  await pool.query(
    `insert into webhook_endpoint (id, environment_id, url, event_types, status, reached_sequence, failing_since, created_at)
     values ('whe_failing', $1, 'https://a-shop-with-a-long-name.example.com/hooks/of/invoices/lacre', '{*}', 'active', 1, now(), now())`,
    [environmentId],
  );
  const answer = `<html>${'An error that goes on without a space'.replaceAll(' ', '_').repeat(20)}</html>`;
  const attempts = [
    {
      at: '2026-11-22T10:00:00.000Z',
      milliseconds: 15_000,
      status: null,
      error: 'no answer within 15 s',
      answer: null,
    },
    { at: '2026-11-22T10:05:00.000Z', milliseconds: 41, status: 500, error: null, answer },
  ];
  await pool.query(
    `insert into webhook_delivery (id, environment_id, endpoint_id, sequence, event_id, event_type, status, attempts, attempt_log, next_at, created_at)
     values ('whd_failing', $1, 'whe_failing', 1, 'evt_1', 'invoice.issued', 'pending', 2, $2, now() + interval '30 minutes', now())`,
    [environmentId, JSON.stringify(attempts)],
  );
  return 'whd_failing';
}
