import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { submitChain } from '../../src/subjects/registration/submit.ts';
import { skipWait } from '../support/agency/registration.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { codeOf, differences, issueWith, operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

/** What the agency holds of an invoice stays what it is while an amendment of it is under way, and after one was refused. */

let service: TestService;
let operator: Awaited<ReturnType<typeof operatorOf>>;
beforeAll(async () => {
  service = await testService();
  operator = await operatorOf(service);
});
afterAll(() => service.close());

const live = () => service.company.live;

/** Sends what waits. */
async function register(): Promise<void> {
  const { environmentId, chainId } = live();
  const { db, log, agencyClients } = service.services;
  await skipWait(db, { chainId, environmentId });
  const agency = await agencyClients.clientFor(environmentId);
  await submitChain({ db, log, agency }, { environmentId, chainId });
}

async function sent(mark: string, parts: object = {}) {
  const lines = { line_items: [aLine({ description: mark })] };
  const invoice = await issueWith(service, aCompleteInvoice({ ...lines, ...parts }), 'live');
  await register();
  return invoice;
}

async function amended(invoiceId: string, input: object): Promise<void> {
  expect(codeOf(await operator.amendRecord({ invoiceId, ...input }))).toBeNull();
}

/** Its status as the object, a filter and a count of lists say, and those of its records. */
async function standingOf(id: string) {
  const { body } = await service.call('GET', `/v1/invoices/${id}?expand[]=records`, { key: live().key });
  const { status } = body.verifactu;
  for (const one of ['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped']) {
    const path = `/v1/invoices?limit=100&verifactu_status=${one}`;
    const list = await service.call('GET', path, { key: live().key });
    const listed = list.body.data.some((invoice: { id: string }) => invoice.id === id);
    expect(listed, `${status} listed among ${one}`).toBe(one === status);
    const count = `{ invoices(first: 1, filter: { registrationStatus: [${one}] }) { totalCount } }`;
    const counted = await service.graphql(count, {}, { key: live().key });
    expect(counted.body.data.invoices.totalCount, one).toBe(list.body.data.length);
  }
  const records = body.records.map((record: { status: string }) => record.status);
  return { status, records };
}

const eventsOf = async (id: string) => {
  const { body } = await service.call('GET', '/v1/events?order=asc&limit=100&after_sequence=0', {
    key: live().key,
  });
  const own = body.data.filter(({ data }: { data: { object: { id: string } } }) => data.object.id === id);
  return own
    .map(({ type, data }: { type: string; data: { object: { verifactu: { status: string } } } }) => [
      type,
      data.object.verifactu.status,
    ])
    .filter(([type]: [string]) => type !== 'invoice.document_ready');
};

const REJECTED = { description: 'SIMULATE-REJECT' };

test('an accepted invoice stays so while it is amended and after a refusal, and may be rectified', async () => {
  const invoice = await sent('SIMULATE-FLAG');
  const { id } = invoice;
  await amended(id, { ...REJECTED, recipient: { name: 'GARCIA PEREZ ANA' } });
  expect(await standingOf(id)).toEqual({
    status: 'registered_with_errors',
    records: ['registered_with_errors', 'pending'],
  });
  await register();
  expect(await standingOf(id)).toEqual({
    status: 'registered_with_errors',
    records: ['registered_with_errors', 'rejected'],
  });
  expect(await eventsOf(id)).toEqual([
    ['invoice.issued', 'pending'],
    ['invoice.registered_with_errors', 'registered_with_errors'],
    ['invoice.amended', 'registered_with_errors'],
    ['invoice.amendment_rejected', 'registered_with_errors'],
  ]);
  // What was refused is not passed on.
  const delta = await issueWith(service, differences(invoice, -100), 'live');
  expect(delta).toMatchObject({ recipient_name: 'García Pérez Ana' });
});

test('an invoice whose record was rejected is what became of its amendment', async () => {
  const { id } = await sent('SIMULATE-REJECT');
  await amended(id, REJECTED);
  expect((await standingOf(id)).status).toBe('pending');
  await register();
  expect((await standingOf(id)).status).toBe('rejected');
  await amended(id, { description: 'Bien' });
  await register();
  expect(await standingOf(id)).toEqual({
    status: 'registered',
    records: ['rejected', 'rejected', 'registered'],
  });
});

test('an accepted amendment decides from then on, whatever becomes of the next', async () => {
  const { id } = await sent('SIMULATE-FLAG');
  await amended(id, { description: 'SIMULATE-FLAG too' });
  await register();
  await amended(id, REJECTED);
  await register();
  expect(await standingOf(id)).toEqual({
    status: 'registered_with_errors',
    records: ['registered_with_errors', 'registered_with_errors', 'rejected'],
  });
  await amended(id, { description: 'Bien' });
  await register();
  expect((await standingOf(id)).status).toBe('registered');
});

test('all of this is sound: places in lists, and the journal', async () => {
  const verified = await verifyEnvironment(service.db.pool, live().environmentId);
  expect(verified?.findings).toEqual([]);
});
