import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type TestService, testService } from '../http/http-service.ts';
import { createCompany, type TestCompany } from '../invoices/company.ts';
import { aSimplifiedInvoice } from '../invoices/invoices.ts';
import { aDeliverer, deliverAll } from './deliver-once.ts';
import { Receiver } from './receiver.ts';

type Given = {
  service: TestService;
  /** What the endpoints of a test lead to, and its URL. */
  receiver: Receiver;
  url: string;
  company: TestCompany;
};

/**
 * For all tests of a file one service, whose webhooks may lead to this machine; for each test a company that has issued
 * nothing and a receiver that has got nothing.
 */
export function aShopWithWebhooks() {
  const given = {} as Given;
  beforeAll(async () => {
    given.service = await testService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  });
  afterAll(() => given.service.close());
  beforeEach(async () => {
    const receiver = new Receiver();
    given.receiver = receiver;
    given.url = await receiver.open();
    given.company = await createCompany(given.service.db);
    return () => receiver.close();
  });
  const call = (method: string, path: string, body?: unknown) =>
    given.service.call(method, path, {
      key: given.company.test.key,
      ...(body === undefined ? {} : { body }),
    });
  return {
    given,
    call,
    /** Creates an endpoint, at the receiver unless said otherwise. */
    create: async (eventTypes: readonly string[] = ['*'], url = given.url) =>
      (await call('POST', '/v1/webhook_endpoints', { url, event_types: eventTypes })).body,
    issue: async (body: object = aSimplifiedInvoice()) => (await call('POST', '/v1/invoices', body)).body,
    /** What the jobs do at once. */
    run: () =>
      deliverAll(aDeliverer(given.service.services, given.service.db), given.company.test.environmentId),
    deliveries: async (id: string) => (await call('GET', `/v1/webhook_endpoints/${id}/deliveries`)).body.data,
  };
}
