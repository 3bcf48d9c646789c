import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XmlDocument, XsdValidator, xmlCleanupInputProvider } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJobs } from '../../jobs/runner.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { madridDay, plusDays } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { enqueue } from '../../src/ground/queue/enqueue.ts';
import { statusDocument } from '../../src/subjects/exchange/application-response.ts';
import { exchange } from '../../src/subjects/exchange/exchange.ts';
import { type PublicSolution, simulatedPublicSolution } from '../../src/subjects/exchange/public-solution.ts';
import { createExposition } from '../../src/subjects/operations/exposition.ts';
import { recordOverdue } from '../../src/subjects/payments/overdue.ts';
import { EINVOICE_SCHEMAS } from '../support/formats/rules.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** The exchange of test environments with the simulator of the public solution. */

let service: TestService;
beforeAll(async () => {
  service = await testService({ PUBLIC_SOLUTION: 'simulator' });
});
afterAll(async () => {
  clock.reset();
  await service.close();
});

type Taken = { message: string; number: string; issuer: string; recipient: string; statuses: string[] };

const anInvoice = () => aCompleteInvoice({ line_items: [aLine({ quantity: 1, unit_amount: 10_000 })] });
const issued = async (body: object = anInvoice(), key = service.company.test.key) => {
  const answer = await service.call('POST', '/v1/invoices', { body, key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const simulated = () => simulatedPublicSolution(service.simulator.url);
const round = (publicSolution: PublicSolution = simulated()) =>
  exchange({ ...service.services, publicSolution });
const taken = async (): Promise<Taken[]> =>
  (await fetch(`${service.simulator.url}/public-solution/received.json`)).json() as Promise<Taken[]>;
const ofNumber = async (number: string) => (await taken()).filter((one) => one.number === number);
const reportAsRecipient = async (status: object) => {
  const response = await fetch(`${service.simulator.url}/public-solution/_recipient`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(status) },
  });
  expect(response.status).toBe(200);
};
const messages = async (invoiceId: string) => {
  const text = 'select kind, status, why from exchange_message where invoice_id = $1 order by ordinal';
  return (await service.db.pool.query(text, [invoiceId])).rows;
};
const today = () => madridDay(clock.now());
const DAY_MS = 86_400_000;
const metric = async (name: string) => {
  const text = await createExposition({ ...service.services, standby: null })();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
};

test('an invoice is sent and accepted, its recipient’s statuses come back, and payments are reported', async () => {
  const { id, number } = await issued();
  await round();
  const [sent, ...others] = await ofNumber(number);
  expect(others).toEqual([]);
  expect(sent).toMatchObject({ recipient: '12345678Z', statuses: [] });
  expect(await messages(id)).toEqual([{ kind: 'invoice', status: 'taken', why: null }]);

  await reportAsRecipient({ invoice: sent!.message, status: 'rejected', on: today(), reason: 'No.' });
  await round();
  await round();
  const statuses = (await service.call('GET', `/v1/invoices/${id}/recipient_statuses`)).body.data;
  expect(statuses).toMatchObject([{ status: 'rejected', on: today(), status_reason: 'No.' }]);
  const { body } = await service.call('GET', '/v1/events?type=invoice.recipient_rejected');
  expect(body.data).toHaveLength(1);

  const pay = { amount: 12_100, paid_on: today() };
  const payment = (await service.call('POST', `/v1/invoices/${id}/payments`, { body: pay })).body;
  await round();
  expect((await ofNumber(number))[0]!.statuses).toEqual(['SETTLEMENT']);
  await service.call('DELETE', `/v1/invoices/${id}/payments/${payment.id}`);
  await round();
  await round();
  expect((await ofNumber(number))[0]!.statuses).toEqual(['SETTLEMENT', 'CANCELSETTLEMENT']);
});

test('tickets and live invoices are not exchanged', async () => {
  const ticket = await issued(aSimplifiedInvoice());
  const live = await issued(anInvoice(), service.company.live.key);
  await round();
  expect([await messages(ticket.id), await messages(live.id)]).toEqual([[], []]);
});

test('is accepted once, though a process ends between sending and recording, and several run at once', async () => {
  const { id, number } = await issued();
  const dies: PublicSolution = {
    ...simulated(),
    async send(...sent) {
      await simulated().send(...sent);
      throw new Error('the process died');
    },
  };
  await expect(round(dies)).rejects.toThrow('the process died');
  expect(await messages(id)).toMatchObject([{ status: 'waiting' }]);
  await Promise.all([round(), round(), round()]);
  expect(await ofNumber(number)).toHaveLength(1);
  expect(await messages(id)).toEqual([{ kind: 'invoice', status: 'taken', why: null }]);
});

test('what is not reached is sent later, and a status waits for its invoice', async () => {
  const { id, number } = await issued();
  await service.call('POST', `/v1/invoices/${id}/payments`, { body: { amount: 12_100, paid_on: today() } });
  await round(simulatedPublicSolution('http://127.0.0.1:9'));
  expect(await messages(id)).toMatchObject([
    ...[
      { kind: 'invoice', status: 'waiting', why: /not reached/ },
      { kind: 'settled', status: 'waiting' },
    ].map(({ kind, status }) => ({ kind, status })),
  ]);
  await round();
  expect(await ofNumber(number)).toEqual([]);
  clock.shift(3_600_000);
  await round();
  expect(await ofNumber(number)).toMatchObject([{ statuses: ['SETTLEMENT'] }]);
});

test('what is not paid by its day is reported, and cancelled once it is paid', async () => {
  const { id, number } = await issued({ ...anInvoice(), due_date: plusDays(today(), 1) });
  const pay = { amount: 12_100, paid_on: plusDays(today(), 1) };
  await round();
  clock.shift(DAY_MS);
  await recordOverdue(service.db);
  await round();
  expect((await ofNumber(number))[0]!.statuses).toEqual([]);
  clock.shift(2 * DAY_MS);
  await recordOverdue(service.db);
  await round();
  await round();
  expect((await ofNumber(number))[0]!.statuses).toEqual(['DEFAULT']);
  const { rows } = await service.db.pool.query(
    `select on_day::text from exchange_message where invoice_id = $1 and kind = 'not_paid'`,
    [id],
  );
  expect(rows).toEqual([{ on_day: plusDays(pay.paid_on, 1) }]);

  const paid = await service.call('POST', `/v1/invoices/${id}/payments`, { body: pay });
  expect(paid.status).toBe(201);
  await round();
  expect((await ofNumber(number))[0]!.statuses).toEqual(['DEFAULT', 'CANCELDEFAULT', 'SETTLEMENT']);
});

test('is sent with the bytes of the first attempt, however they would be written later', async () => {
  const { id, number } = await issued();
  const taking = await metric('lacre_exchange_messages_total{outcome="taken"}');
  await round(simulatedPublicSolution('http://127.0.0.1:9'));
  const kept = async () => {
    const text = 'select document from exchange_message where invoice_id = $1';
    return (await service.db.pool.query<{ document: Buffer | null }>(text, [id])).rows[0]!.document;
  };
  const first = String(await kept());
  const { body } = await service.call('GET', `/v1/invoices/${id}/formats/ubl_es`);
  expect(first).toBe(String(body));
  expect(await metric('lacre_exchange_messages_waiting')).toBe(1);

  const earlier = first.replaceAll(number, 'as an earlier version wrote it');
  const change = 'update exchange_message set document = $2 where invoice_id = $1';
  await service.db.pool.query(change, [id, Buffer.from(earlier)]);
  clock.shift(3_600_000);
  await round();
  expect(await ofNumber('as an earlier version wrote it')).toHaveLength(1);
  expect(await kept()).toBeNull();
  expect(await metric('lacre_exchange_messages_total{outcome="taken"}')).toBe(taking + 1);
  expect(await metric('lacre_exchange_messages_waiting')).toBe(0);
});

test('days of a recipient are judged by the clock of its environment, and what cannot be recorded is counted', async () => {
  const { environmentId } = service.company.test;
  const ahead = 'update environment set clock_ahead_ms = $2, clock_target_ms = $2 where id = $1';
  await service.owner.query(ahead, [environmentId, 40 * DAY_MS]);
  try {
    const { id, number } = await issued();
    await round();
    const { message } = (await ofNumber(number))[0]!;
    const passedOver = await metric('lacre_exchange_statuses_total{outcome="passed_over"}');
    const on = plusDays(today(), 40);
    await reportAsRecipient({
      invoice: message,
      status: 'rejected',
      on: plusDays(today(), 41),
      reason: 'No.',
    });
    await reportAsRecipient({ invoice: message, status: 'rejected', on, reason: 'No.' });
    await round();
    const statuses = (await service.call('GET', `/v1/invoices/${id}/recipient_statuses`)).body.data;
    expect(statuses).toMatchObject([{ status: 'rejected', on, told_on: on }]);
    expect(await metric('lacre_exchange_statuses_total{outcome="passed_over"}')).toBe(passedOver + 1);
  } finally {
    await service.owner.query(ahead, [environmentId, 0]);
  }
});

test('is done by a job that is due each minute, where it is turned on', async () => {
  const { number } = await issued();
  const jobs = await startJobs(service.services, () => {});
  try {
    const known = `select 1 from graphile_worker._private_known_crontabs where identifier = 'exchange'`;
    await expect.poll(async () => (await service.db.pool.query(known)).rowCount).toBe(1);
    await enqueue(service.db.pool, [{ task: 'exchange', payload: {} }]);
    await expect.poll(async () => (await ofNumber(number)).length).toBe(1);
  } finally {
    await jobs.stop();
  }
});

test('is off unless it is turned on, and cannot be turned on for live', () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'lacre-exchange-'));
  expect(readConfig({ DATA_DIR }).publicSolution).toBe('off');
  expect(() => readConfig({ DATA_DIR, PUBLIC_SOLUTION: 'live' })).toThrow(
    /PUBLIC_SOLUTION: .*WSDL .*not published/,
  );
  const registers = { DATA_DIR, PUBLIC_SOLUTION: 'simulator', AGENCY: 'preproduction' };
  expect(() => readConfig(registers)).toThrow(/PUBLIC_SOLUTION: requires AGENCY=simulator/);
});

test.skipIf(EINVOICE_SCHEMAS === undefined)('a status is a valid ApplicationResponse of UBL 2.1', () => {
  const document = String(
    statusDocument({
      ...{ id: 'exm_1', kind: 'settled', on: '2026-12-01', reportedOn: '2026-12-02' },
      ...{ issuerNif: 'B72877814', recipientNif: '12345678Z' },
      invoice: { number: 'F-2026-1', issuedOn: '2026-11-01', message: 'exm_0' },
    }),
  );
  const schema = join(EINVOICE_SCHEMAS!, 'ubl-2.1/maindoc/UBL-ApplicationResponse-2.1.xsd');
  xmlRegisterFsInputProviders();
  const validator = XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(schema), { url: schema }));
  xmlCleanupInputProvider();
  expect(() => validator.validate(XmlDocument.fromString(document))).not.toThrow();
  const broken = document.replace('<cbc:ID>', '<cbc:Id>').replace('</cbc:ID>', '</cbc:Id>');
  expect(() => validator.validate(XmlDocument.fromString(broken))).toThrow();
});
