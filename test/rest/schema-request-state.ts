import { madridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { workBatches } from '../../src/subjects/batches/work-batches.ts';
import type { TestService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { aSale, aShop } from '../support/pages/portal.ts';
import { aDeliverer, deliverAll } from '../support/webhooks/deliver-once.ts';
import type { ExistingObjects } from './schema-requests.ts';

type Named = { readonly id: string };

/**
 * Creates one of each object that the operations of the OpenAPI document refer to, and returns their ids. `many`: the number of
 * drafts, schedules and payments, each of which can be ended only once.
 */
export async function createOneOfEach(service: TestService, many: number): Promise<ExistingObjects> {
  const request = async (method: string, path: string, body?: object) => {
    const answer = await service.call(method, path, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const idsOf = async (path: string) => {
    const { data } = await request('GET', `${path}?limit=100`);
    return data.map(({ id }: Named): string => id) as string[];
  };
  const { environmentId } = service.company.test;

  await aSale(service, await aShop(service), 'customer-1');
  // Two lines of 605 euros: what the examples pay and correct is less.
  const sold = () => aCompleteInvoice({ line_items: [aLine({ quantity: 10, unit_amount: 5_000 })] });
  const issued: Named[] = [];
  for (const body of [sold(), aSimplifiedInvoice(), aCompleteInvoice({ external_id: 'x' }), sold(), sold()])
    issued.push(await request('POST', '/v1/invoices', body));
  await service.call('POST', '/v1/invoices', { key: service.company.live.key, body: aCompleteInvoice() });

  const day = madridDay(clock.now());
  const url = 'http://localhost:9/';
  for (const event_types of [['*'], ['ping'], ['*']])
    await request('POST', '/v1/webhook_endpoints', { url, event_types });
  await createDraftsAndSchedules(request, many);
  for (const invoices of [[aSimplifiedInvoice({ external_id: 'a' })], [{ external_id: 'b' }]])
    await request('POST', '/v1/invoice_batches', { invoices });
  await workBatches(service.services, environmentId, undefined);
  await deliverAll(aDeliverer(service.services, service.db), environmentId);

  const endpoints = await idsOf('/v1/webhook_endpoints');
  const deliveries = await Promise.all(
    endpoints.map((id) => idsOf(`/v1/webhook_endpoints/${id}/deliveries`)),
  );
  const series = await idsOf('/v1/number_series');
  const unusedSeries: Named = await request('POST', '/v1/number_series', {
    prefix: 'SPARE',
    type: 'standard',
  });
  const [paid] = issued as [Named];
  const payments = await createPayments(request, paid, many, day);
  return {
    day,
    ids: {
      invoices: await idsOf('/v1/invoices'),
      number_series: [...series, unusedSeries.id],
      events: await idsOf('/v1/events'),
      webhook_endpoints: endpoints,
      webhook_deliveries: deliveries.flat(),
      invoice_batches: await idsOf('/v1/invoice_batches'),
      invoice_drafts: await idsOf('/v1/invoice_drafts'),
      invoice_schedules: await idsOf('/v1/invoice_schedules'),
    },
    targets: {
      'GET /v1/invoices/{id}/payments/{payment_id}': payments.slice(0, -2),
      'DELETE /v1/invoices/{id}/payments/{payment_id}': payments.slice(-2),
      ...(await links(service, request, paid, day)),
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
type SendRequest = (method: string, path: string, body?: object) => Promise<any>;

async function createDraftsAndSchedules(request: SendRequest, many: number): Promise<void> {
  const schedule = { invoice: aSimplifiedInvoice(), frequency: 'monthly', starts_on: '2199-01-01' };
  for (let made = 0; made < many; made += 1) {
    await request('POST', '/v1/invoice_drafts', { invoice: aSimplifiedInvoice() });
    await request('POST', '/v1/invoice_schedules', schedule);
  }
}

/** The paths of payments of an invoice, a cent more each. */
async function createPayments(
  request: SendRequest,
  { id: invoiceId }: Named,
  many: number,
  day: string,
): Promise<string[]> {
  const path = `/v1/invoices/${invoiceId}/payments`;
  const paths: string[] = [];
  for (let amount = 1; amount <= many; amount += 1) {
    const { id } = await request('POST', path, { amount, paid_on: day });
    paths.push(`${path}/${id}`);
  }
  return paths;
}

/** Signed links, without the service's address. */
async function links(
  service: TestService,
  request: SendRequest,
  { id }: Named,
  day: string,
): Promise<ExistingObjects['targets']> {
  const book = await service.graphql(
    'query ($day: Date!) { csv: registerBook(from: $day, to: $day, format: csv) { downloadUrl } xlsx: registerBook(from: $day, to: $day, format: xlsx) { downloadUrl } }',
    { day },
  );
  const { csv, xlsx } = book.body.data;
  const { key } = await createOperatorKey(service.db.pool, 'Ada');
  const exported = await service.graphql(
    'mutation ($id: ID!) { exportCompany(companyId: $id, reason: "r") { downloadUrl } }',
    { id: service.company.companyId },
    { key },
  );
  const archive = exported.body.data.exportCompany.downloadUrl;
  const zip = await request('GET', `/v1/invoices/export?from=${day}&to=${day}&format=ubl`);
  const pdf = await request('GET', `/v1/invoices/${id}/download`);
  const target = (link: string) => {
    const { pathname, search } = new URL(link);
    return `${pathname}${search}`;
  };
  const file = target(pdf['download_url']!);
  return {
    'GET /v1/companies/export/file': [target(archive)],
    'GET /v1/invoices/export': [`/v1/invoices/export?from=${day}&to=${day}`],
    'GET /v1/invoices/export/file': [target(zip['download_url']!)],
    'GET /v1/register_books/file': [target(csv.downloadUrl), target(xlsx.downloadUrl)],
    'GET /v1/invoices/{id}/file': [file, `${file}&paper=roll`, `${file}&paper=x`, `${file}x`],
  };
}
