import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { registerTask } from '../../jobs/register.ts';
import { watchCertificatesTask } from '../../jobs/watch-certificates.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { encryptionKeys } from '../../src/ground/lib/encryption.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { rotateKeys } from '../../src/subjects/certificates/manage.ts';
import { Vault } from '../../src/subjects/certificates/vault.ts';
import {
  type Issued,
  type Name,
  newAuthority,
  newKeyPair,
  person,
  representative,
  seal,
} from '../support/agency/certificates.ts';
import { newDataDir, testSimulator } from '../support/agency/simulator.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';

const PRODUCER = 'B00000000';
const KEYS = { first: Buffer.alloc(32, 1), second: Buffer.alloc(32, 2) };
const setting = (name: keyof typeof KEYS) => `${name}:${KEYS[name].toString('base64')}`;

const authority = newAuthority();
const dataDir = newDataDir();
const logged: string[] = [];
let service: TestService;
let company: TestCompany;
let operator: { id: string; key: string };

beforeAll(async () => {
  authority.equip(dataDir);
  const simulator = await testSimulator({ dataDir });
  const variables = { CERTIFICATE_KEYS: setting('first') };
  service = await testService(variables, { simulator, logged });
  operator = await createOperatorKey(service.db.pool, 'Ada');
});
afterEach(async () => {
  clock.reset();
  await service.db.pool.query('delete from client_certificate');
});
afterAll(async () => {
  await service?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

type Input = Record<string, string | undefined>;

/** Hands in a certificate as an operator; the refusal's fields and codes when there is one. */
async function upload(input: Input): Promise<Record<string, unknown> & { refused?: string }> {
  const { body } = await service.graphql(
    `mutation ($input: UploadCertificateInput!) { uploadCertificate(input: $input) {
       id companyId kind holderNif holderName daysLeft active fingerprint uploadedBy warning } }`,
    { input: { reason: 'new certificate', ...input } },
    { key: operator.key },
  );
  const errors: { field: string; code: string }[] | undefined = body.errors?.[0].extensions.errors;
  if (errors === undefined) return body.data.uploadCertificate;
  return { refused: errors.map(({ field, code }) => `${field.replace('input.', '')} ${code}`).join() };
}

const p12 = (issued: Issued, password = 'geheim-ñ') => ({
  pkcs12Base64: issued.p12(password).toString('base64'),
  password,
});
const issue = (subject: Name, from?: Date, to?: Date) =>
  authority.issue({ subject, ...(from && { from }), ...(to && { to }) });

const companyNifs = ['B12345674', 'A58818501', 'B84570936', 'G28029643'];

/** A company of the test's own, with a live chain. */
async function newCompany(nif: string): Promise<TestCompany> {
  company = await createCompany(service.db, { nif });
  return company;
}

/** Issues an invoice for the company and registers it; the NIF that the agency saw in the client certificate. */
async function presenterOfNext(of: TestCompany): Promise<string | null> {
  const issued = await service.call('POST', '/v1/invoices', { key: of.live.key, body: aCompleteInvoice() });
  expect(issued.status).toBe(201);
  const { environmentId, chainId } = of.live;
  await service.db.pool.query(
    `update chain_dispatch set next_send_at = now() - interval '1 second' where chain_id = $1`,
    [chainId],
  );
  const helpers = { abortSignal: undefined } as unknown as Parameters<ReturnType<typeof registerTask>>[1];
  await registerTask(service.services)({ environmentId, chainId }, helpers);
  const { rows } = await service.db.pool.query<{ answer: string | null; message: string | null }>(
    'select answer, message from submission where chain_id = $1 order by started_at desc, id desc limit 1',
    [chainId],
  );
  return /NIFPresentador>([^<]*)</.exec(rows[0]?.answer ?? '')?.[1] ?? rows[0]?.message ?? null;
}

test('a chain is registered with its company’s certificate, else the platform’s, from the next envelope on', async () => {
  const [nif, other] = [await newCompany(companyNifs[0]!), await newCompany(companyNifs[1]!)];
  // Without any it is the simulator's own, held by the producer.
  expect(await presenterOfNext(nif)).toBe(PRODUCER);

  const platform = await upload(p12(issue(seal(PRODUCER))));
  expect(platform).toMatchObject({ companyId: null, kind: 'seal', holderNif: PRODUCER, active: true });
  const own = { companyId: nif.companyId, ...p12(issue(representative(companyNifs[0]!))) };
  const uploaded = await upload(own);
  expect(uploaded).toMatchObject({
    ...{ companyId: nif.companyId, kind: 'person', holderNif: companyNifs[0], active: true },
    ...{ holderName: 'ÑANDÚ TALLERES SL', uploadedBy: operator.id, daysLeft: 364 },
  });
  expect(await presenterOfNext(nif)).toBe(companyNifs[0]);
  expect(await presenterOfNext(other)).toBe(PRODUCER);

  // Another takes its place without a restart, in another shape, and the first can be taken back.
  const collaborator = issue(seal(PRODUCER));
  const pem = { companyId: nif.companyId, pem: collaborator.key + collaborator.cert };
  expect(await upload(pem)).toMatchObject({ kind: 'seal', active: true });
  expect(await presenterOfNext(nif)).toBe(PRODUCER);
  await act('activateCertificate', uploaded['id'] as string);
  expect(await presenterOfNext(nif)).toBe(companyNifs[0]);
  await act('removeCertificate', uploaded['id'] as string);
  expect(await presenterOfNext(nif)).toBe(PRODUCER);
});

async function act(mutation: string, id: string): Promise<void> {
  const query = `mutation ($id: ID!) { ${mutation}(id: $id, reason: "because") { id } }`;
  const { body } = await service.graphql(query, { id }, { key: operator.key });
  expect(body.data[mutation].id).toBe(id);
}

const revoked = (name: Name): Name =>
  name.map(([type, value]) => [type, type === '2.5.4.3' ? `${value} REVOCADO` : value] as const);

test('a certificate is shown to the agency before it is stored', async () => {
  const { companyId } = await newCompany('B65410011');
  expect(await upload({ companyId, ...p12(issue(seal('B65410011'))) })).toMatchObject({ warning: null });
  const before = await service.db.pool.query('select id, active from client_certificate');
  expect(await upload({ companyId, ...p12(issue(revoked(seal('B65410011')))) })).toEqual({
    refused: 'pkcs12Base64 refused_by_agency',
  });
  expect((await service.db.pool.query('select id, active from client_certificate')).rows).toEqual(
    before.rows,
  );
  // The handshake ends without a word, as where the network does.
  const stranger = newAuthority().issue({ subject: seal('B65410011') });
  expect((await upload({ companyId, ...p12(stranger) }))['warning']).toMatch(/^Not tried: /);
});

test('once the agency refuses it, issuing says so, and another is used at once', async () => {
  const chain = await newCompany('B65410029');
  const { companyId } = chain;
  await service.simulator.control({ refuse_certificates: true });
  const recipient = { ...aCompleteInvoice().recipient, name: 'NADIE CONOCE SL', company_name: null };
  const body = aCompleteInvoice({ recipient });
  const refused = await service.call('POST', '/v1/invoices', { key: chain.live.key, body });
  expect(refused).toMatchObject({ status: 503, body: { code: 'tax_id_validation_unavailable' } });
  expect(refused.body.detail).toContain('does not accept the client certificate');
  expect(logged.join()).toContain('THE AGENCY REFUSES THE CLIENT CERTIFICATE');
  await presenterOfNext(chain);
  await service.db.pool.query(
    `update chain_dispatch set next_send_at = now() + interval '10 minutes' where chain_id = $1`,
    [chain.live.chainId],
  );
  await service.simulator.control({ refuse_certificates: false });
  await upload({ companyId, ...p12(issue(seal('B65410029'))) });
  const { rows } = await service.db.pool.query(
    `select next_send_at <= now() as due, (select run_at <= now() from graphile_worker.jobs
        where key = 'register:' || chain_id) as woken, consecutive_failures > 0 as failing
       from chain_dispatch where chain_id = $1`,
    [chain.live.chainId],
  );
  expect(rows).toEqual([{ due: true, woken: true, failing: true }]);
});

test('a certificate that the agency refuses loses nothing: with its successor each record is registered once', async () => {
  const chain = await newCompany('B81939209');
  const { companyId } = chain;
  const stranger = newAuthority().issue({ subject: seal('B81939209') });
  await upload({ companyId, ...p12(stranger) });
  expect(await presenterOfNext(chain)).not.toBe('B81939209');
  await upload({ companyId, ...p12(issue(seal('B81939209'))) });
  expect(await presenterOfNext(chain)).toBe('B81939209');
  const { rows } = await service.db.pool.query(
    'select status::text, receipt from record_state where chain_id = $1',
    [chain.live.chainId],
  );
  expect(rows).toMatchObject([{ status: 'registered' }, { status: 'registered' }]);
});

test('GraphQL’s own messages about a wrong request repeat nothing of it', async () => {
  const query = 'mutation ($input: UploadCertificateInput!) { uploadCertificate(input: $input) { id } }';
  for (const wrong of [{ colour: 'red' }, { kind: 'stamp' }, { reason: 7 }]) {
    const input = { password: 'correct-horse; at "x"; y', pem: 'PRIVATE', reason: 'r', ...wrong };
    const { body } = await service.graphql(query, { input }, { key: operator.key });
    const [{ message, extensions }] = body.errors;
    expect(message).toBe(`input.${Object.keys(wrong)[0]}: ${extensions.errors[0].message}`);
    expect(JSON.stringify(body)).not.toMatch(/horse|PRIVATE/);
  }
});

test('every change is in the audit log, with who and why and nothing secret', async () => {
  const { companyId } = await newCompany(companyNifs[2]!);
  const { id } = await upload({ companyId, ...p12(issue(seal(companyNifs[2]!))), reason: 'renewal' });
  await act('removeCertificate', id as string);
  const { rows } = await service.db.pool.query(
    'select actor, action, reason, details from audit_entry where subject = $1 order by at',
    [id],
  );
  expect(rows).toMatchObject([
    {
      actor: operator.id,
      action: 'upload_certificate',
      reason: 'renewal',
      details: { companyId, kind: 'seal' },
    },
    { actor: operator.id, action: 'remove_certificate', reason: 'because', details: { companyId } },
  ]);
});

test('what the agency would not accept is refused, with the reason', async () => {
  const nif = companyNifs[3]!;
  const { companyId } = await newCompany(nif);
  const good = p12(issue(seal(nif)));
  const day = 86_400_000;
  const past = issue(seal(nif), new Date(Date.now() - 9 * day), new Date(Date.now() - day));
  const future = issue(seal(nif), new Date(Date.now() + day), new Date(Date.now() + 9 * day));
  const refusals: [Input, string][] = [
    [{ companyId, ...good, password: 'other' }, 'password wrong_password'],
    [{ companyId, ...p12(past) }, 'pkcs12Base64 expired'],
    [{ companyId, ...p12(future) }, 'pkcs12Base64 not_yet_valid'],
    [{ companyId, ...p12(issue(seal('B72877814'))) }, 'pkcs12Base64 holder_mismatch'],
    [{ companyId, ...p12(issue(person('12345678Z'))) }, 'pkcs12Base64 holder_mismatch'],
    [good, 'pkcs12Base64 holder_mismatch'],
    [{ companyId, ...p12(issue([['2.5.4.3', 'nobody']])) }, 'pkcs12Base64 no_holder_nif'],
    [{ companyId, pem: issue(seal(nif)).cert + newKeyPair().pem }, 'pem key_mismatch'],
    [{ companyId, pkcs12Base64: 'not base64!' }, 'pkcs12Base64 not_base64'],
    [{ companyId, pkcs12Base64: 'AAAA' }, 'pkcs12Base64 not_pkcs12'],
    [{ companyId: 'co_1', ...good }, 'companyId not_found'],
    [{ companyId }, 'pkcs12Base64 required'],
    [{ companyId, ...good, pem: 'x' }, 'pkcs12Base64 required'],
    [{ companyId, ...good, reason: undefined }, 'reason required'],
    [{ companyId, ...good, reason: ' ' }, 'reason too_small'],
  ];
  for (const [input, refused] of refusals) expect(await upload(input), refused).toEqual({ refused });
  expect((await service.db.pool.query('select from client_certificate')).rowCount).toBe(0);
});

test('an operator’s choice overrides the kind that the certificate states', async () => {
  expect(await upload({ ...p12(issue(representative(PRODUCER))), kind: 'seal' })).toMatchObject({
    kind: 'seal',
  });
});

test('the same certificate again takes the place of itself; of one owner only one is active', async () => {
  const [one, two] = [p12(issue(seal(PRODUCER))), p12(issue(seal(PRODUCER)))];
  await Promise.all([upload(one), upload(two), upload(one), upload(two)]);
  const { body } = await service.graphql(
    '{ certificates { edges { node { active } } } }',
    {},
    { key: operator.key },
  );
  expect(body.data.certificates.edges.map(({ node }: { node: { active: boolean } }) => node.active)).toEqual([
    true,
    false,
  ]);
});

test('merchants neither see nor change certificates', async () => {
  const key = service.company.live.key;
  for (const query of [
    '{ certificates { totalCount } }',
    'mutation { uploadCertificate(input: { pem: "x", reason: "x" }) { id } }',
    'mutation { activateCertificate(id: "cert_1", reason: "x") { id } }',
    'mutation { removeCertificate(id: "cert_1", reason: "x") { id } }',
  ]) {
    const { body } = await service.graphql(query, {}, { key });
    expect(body.errors[0].extensions.code).toBe('forbidden');
  }
});

test('no secret is in the database or the log', async () => {
  const issued = issue(seal(PRODUCER));
  const password = 'correct-horse-battery';
  await upload(p12(issued, password));
  await upload({ ...p12(issued, password), password: 'correct-horse-staple' });
  const { rows } = await service.db.pool.query<{ row: string; sealed: Buffer }>(
    'select c::text as row, sealed from client_certificate c',
  );
  const secret = Buffer.from(issued.key.split('\n')[5]!.trim());
  const der = Buffer.from(issued.key.replace(/-----.*-----|\s/g, ''), 'base64').subarray(100, 140);
  expect(rows).toHaveLength(1);
  for (const hidden of [secret, der, Buffer.from(password)]) {
    expect(rows[0]!.sealed.includes(hidden)).toBe(false);
    expect(rows[0]!.row).not.toContain(hidden.toString('hex'));
    expect(rows[0]!.row).not.toContain(hidden.toString('latin1'));
  }
  expect(logged.length).toBeGreaterThan(0);
  const log = logged.join('');
  for (const hidden of ['PRIVATE KEY', 'correct-horse', 'geheim', secret.toString()]) {
    expect(log).not.toContain(hidden);
  }
});

test('a secret cannot be moved to another row, nor opened without its key', async () => {
  await upload(p12(issue(seal(PRODUCER))));
  const { vault, certificates, agencyClients: agency } = service.services;
  const { environmentId } = service.company.live;
  const inUse = await certificates.of(environmentId);
  expect(inUse?.open()).toHaveProperty('key');
  await service.owner.query(`update client_certificate set company_id = $1`, [service.company.companyId]);
  const moved = await certificates.of(environmentId);
  expect(moved?.open()).toMatch(/tampered/);
  expect(
    vault.open({ keyName: 'lost', sealed: Buffer.alloc(40) }, { id: '', companyId: null, fingerprint: '' }),
  ).toMatch(/no key named lost/);
  // Nothing is sent, and the reason is on record; the same certificate under another id is opened anew.
  await service.owner.query(`update client_certificate set fingerprint = repeat('0', 64)`);
  const line = await agency.clientFor(environmentId);
  expect(await line.post('<a/>')).toMatchObject({
    kind: 'not_sent',
    reason: expect.stringContaining('tampered'),
  });
});

test('new keys: the first encrypts, the old ones still decrypt, and after the rotation they are not needed', async () => {
  const chain = await newCompany('B63272603');
  await upload({ companyId: chain.companyId, ...p12(issue(seal('B63272603'))) });
  const { db } = service;
  const keyed = (...names: (keyof typeof KEYS)[]) =>
    new Vault(encryptionKeys(names.map((name) => ({ name, key: KEYS[name] }))));
  const keeping = (vault: Vault) => ({ db, vault, collaboratorNif: PRODUCER });
  const { certificates } = service.services;
  const opens = async (vault: Vault) => {
    const { rows } = await db.pool.query(
      'select id, company_id as "companyId", fingerprint, key_name as "keyName", sealed from client_certificate',
    );
    return typeof vault.open(rows[0], rows[0]) === 'object';
  };
  expect(await opens(keyed('second', 'first'))).toBe(true);
  expect(await opens(keyed('second'))).toBe(false);
  expect(await rotateKeys(keeping(keyed('second')), { actor: 'cli:x', reason: null })).toMatchObject({
    rotated: 0,
    failed: [{ reason: /first/ }],
  });
  expect(await rotateKeys(keeping(keyed('second', 'first')), { actor: 'cli:x', reason: null })).toEqual({
    rotated: 1,
    failed: [],
  });
  expect(await rotateKeys(keeping(keyed('second', 'first')), { actor: 'cli:x', reason: null })).toEqual({
    rotated: 0,
    failed: [],
  });
  expect(await opens(keyed('second'))).toBe(true);
  // This process has only the old key: it says so instead of sending.
  expect((await certificates.of(chain.live.environmentId))?.open()).toMatch(/no key named second/);
});

test('a month before the end there is an alarm, in the log, the metrics and the view', async () => {
  const { id } = await upload(p12(issue(seal(PRODUCER))));
  const warnings = async (): Promise<Record<string, unknown>[]> => {
    logged.length = 0;
    await watchCertificatesTask(service.services)({}, {} as never);
    return logged.map((text) => JSON.parse(text));
  };
  const metric = async () => (await service.call('GET', '/metrics')).body as string;
  const DAY = 86_400_000;
  clock.shift(333 * DAY);
  expect(await warnings()).toEqual([]);
  clock.shift(2 * DAY);
  expect(await warnings()).toMatchObject([{ level: 40, certificate: id, owner: 'platform', daysLeft: 29 }]);
  const [shown] = await service.services.certificates.expiries();
  const series = `lacre_certificate_expiry_timestamp_seconds{certificate="${id}",owner="platform"}`;
  expect(await metric()).toContain(`${series} ${shown!.validTo.getTime() / 1_000}\n`);
  clock.shift(30 * DAY);
  expect(await warnings()).toMatchObject([{ level: 50, certificate: id, daysLeft: -1 }]);
  // What has run out is not used any more.
  expect(await service.services.certificates.of(service.company.live.environmentId)).toBeNull();
  await service.owner.query(`update client_certificate set valid_to = now() + interval '10.5 days'`);
  const { rows } = await service.db.pool.query(
    'select owner, state, days_left, active from ops.certificates',
  );
  expect(rows).toEqual([{ owner: 'platform', state: 'expiring', days_left: 10, active: true }]);
});

test('the live census is queried with the same certificate', async () => {
  const { companyId, live } = await newCompany('A28015865');
  await upload({ companyId, ...p12(issue(seal('A28015865'))) });
  const answer = await service.call('POST', '/v1/tax_ids/validate', {
    key: live.key,
    body: { tax_id: '12345678Z', name: 'García Pérez Ana' },
  });
  expect(answer.body).toMatchObject({ valid: true, register: 'aeat_census' });
});
