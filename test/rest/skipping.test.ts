import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitChain } from '../../src/subjects/registration/submit.ts';
import { skipWait } from '../support/agency/registration.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import {
  codeOf,
  decideRecords,
  differences,
  operatorOf,
  persistedCounts,
} from '../support/invoices/corrections.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let operator: Awaited<ReturnType<typeof operatorOf>>;
beforeAll(async () => {
  service = await testService();
  operator = await operatorOf(service);
});
afterAll(() => service.close());

/** A live invoice with its newest record. */
async function issued(): Promise<{ id: string; type: string; recordId: string }> {
  const { body } = await service.call('POST', '/v1/invoices', {
    body: aCompleteInvoice(),
    key: service.company.live.key,
  });
  const { data } = await operator.readInvoice(body.id);
  return { ...body, recordId: data.result.records[0].id };
}

const change = (recordId: string, set: string) =>
  service.db.pool.query(`update record_state set ${set} where record_id = $1`, [recordId]);

test('a record that never left is skipped: it is never sent, and its invoice is not rectified', async () => {
  const { id, type, recordId } = await issued();
  const { data } = await operator.skipRecord(recordId, 'Empresa en SII');
  expect(data.result).toMatchObject({
    id,
    status: 'issued',
    verifactu: { status: 'skipped', error: null },
    records: [{ id: recordId, status: 'skipped' }],
  });
  const { environmentId, chainId } = service.company.live;
  await skipWait(service.db, { environmentId, chainId });
  const { db, log, agencyClients: agency } = service.services;
  await submitChain({ db, log, agency: await agency.clientFor(environmentId) }, { environmentId, chainId });
  expect((await operator.readInvoice(id)).data.result.verifactu.status).toBe('skipped');
  const rectification = await service.call('POST', '/v1/invoices', {
    body: differences({ id, type }, -100),
    key: service.company.live.key,
  });
  expect(rectification.body.code).toBe('invoice_not_rectifiable_at_aeat');
  const log1 = await operator.execute(
    '{ auditLog(first: 1) { edges { node { action subject reason } } } }',
    {},
  );
  expect(log1.data.auditLog.edges[0].node).toEqual({
    action: 'skip_record',
    subject: recordId,
    reason: 'Empresa en SII',
  });
});

test('a record whose envelope the agency refused for its content is skipped too, and the incident is over', async () => {
  const { recordId } = await issued();
  await service.db.pool.query(
    `insert into submission (id, environment_id, chain_id, first_position, last_position, record_count, incident,
       started_at, finished_at, outcome) values ('sub_1', $1, $2, 1, 1, 1, false, now(), now(), 'content_fault')`,
    [service.company.live.environmentId, service.company.live.chainId],
  );
  await change(recordId, "attempts = 1, submission_id = 'sub_1', parked_reason = '4102'");
  await service.db.pool.query('update chain_dispatch set incident_since = now()');
  expect(codeOf(await operator.skipRecord(recordId))).toBeNull();
  const { rows } = await service.db.pool.query('select from chain_dispatch where incident_since is not null');
  expect(rows).toHaveLength(1); // The test environment's own row, which nothing was skipped in.
});

test('what the agency may hold is not skipped, nor what is settled, nor what there is not', async () => {
  const { id, recordId } = await issued();
  const refused = async (record: string) => {
    const before = await persistedCounts(service.db);
    const body = await operator.skipRecord(record);
    expect(await persistedCounts(service.db)).toEqual(before);
    return `${codeOf(body)} ${body.errors[0].extensions.errors[0].code}`;
  };
  expect(await refused('rec_nothing')).toBe('invalid_request not_found');
  await change(recordId, 'attempts = 1');
  expect(await refused(recordId)).toBe('invalid_request already_sent');
  await service.db.pool.query(
    `insert into submission (id, environment_id, chain_id, first_position, last_position, record_count, incident,
       started_at) values ('sub_2', $1, $2, 1, 1, 1, false, now())`,
    [service.company.live.environmentId, service.company.live.chainId],
  );
  for (const outcome of ['null', "'unknown'", "'unreadable'", "'incomplete'", "'technical_fault'"]) {
    await change(recordId, "submission_id = 'sub_2'");
    await service.db.pool.query(`update submission set outcome = ${outcome} where id = 'sub_2'`);
    expect(await refused(recordId)).toBe('invalid_request already_sent');
  }
  await decideRecords(service.db, id, 'registered');
  expect(await refused(recordId)).toBe('invalid_request settled');
});

test('an amendment that is skipped leaves what was declared before, which may be amended again', async () => {
  const { id } = await issued();
  await decideRecords(service.db, id, 'registered_with_errors');
  const { data } = await operator.amendRecord({ invoiceId: id, description: 'Uno' });
  await operator.skipRecord(data.result.records[1].id);
  expect((await operator.readInvoice(id)).data.result.verifactu.status).toBe('registered_with_errors');
  expect(codeOf(await operator.amendRecord({ invoiceId: id }))).toBeNull();
});
