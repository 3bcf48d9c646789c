import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerTask } from '../../jobs/register.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { newAuthority, seal } from '../support/agency/certificates.ts';
import { newDataDir, testSimulator } from '../support/agency/simulator.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';

const COLLABORATOR = 'A58818501';

const authority = newAuthority();
const dataDir = newDataDir();
let service: TestService;

beforeAll(async () => {
  authority.equip(dataDir);
  const simulator = await testSimulator({ dataDir });
  const key = Buffer.alloc(32, 1).toString('base64');
  service = await testService(
    { CERTIFICATE_KEYS: `first:${key}`, COLLABORATOR_NIF: COLLABORATOR },
    { simulator },
  );
});
afterAll(async () => {
  await service?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a holder whom the company has not empowered registers nothing, and nothing is lost until one does', async () => {
  const company = await createCompany(service.db);
  const { key, environmentId, chainId } = company.live;
  const { pool } = service.db;
  const operator = await createOperatorKey(pool, 'Ada');
  const upload = async (name: string) => {
    const { cert, key } = authority.issue({
      subject: [...seal(COLLABORATOR).slice(0, -1), ['2.5.4.3', name]],
    });
    const input = { pem: key + cert, reason: 'a certificate for all' };
    const query =
      'mutation ($input: UploadCertificateInput!) { uploadCertificate(input: $input) { active } }';
    const { body } = await service.graphql(query, { input }, { key: operator.key });
    expect(body.data).toEqual({ uploadCertificate: { active: true } });
  };
  const issueAndSend = async () => {
    const issued = await service.call('POST', '/v1/invoices', { key, body: aCompleteInvoice() });
    expect(issued.status).toBe(201);
    await pool.query(
      `update chain_dispatch set next_send_at = now() - interval '1 second' where chain_id = $1`,
      [chainId],
    );
    const helpers = { abortSignal: undefined } as unknown as Parameters<ReturnType<typeof registerTask>>[1];
    await registerTask(service.services)({ environmentId, chainId }, helpers);
    const { rows } = await pool.query<{ status: string }>(
      'select status::text from record_state where chain_id = $1',
      [chainId],
    );
    return rows.map(({ status }) => status);
  };

  await upload('SOFTWARE SA');
  expect(await issueAndSend()).toEqual(['pending']);
  const { rows } = await pool.query('select outcome, message from submission where chain_id = $1', [chainId]);
  expect(rows).toEqual([{ outcome: 'issuer_fault', message: expect.stringContaining('4112') }]);

  await upload('SOFTWARE SA COLABORADOR');
  const retry = 'mutation ($id: Int!) { retryChain(chainId: $id, reason: "empowered") { chainId } }';
  const { body } = await service.graphql(retry, { id: chainId }, { key: operator.key });
  expect(body.errors).toBe(undefined);
  expect(await issueAndSend()).toEqual(['registered', 'registered']);
});
