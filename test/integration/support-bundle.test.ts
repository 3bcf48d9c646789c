import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillEveryTable } from '../support/database/rows.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';
import { SECRETS } from '../support/processes/command-line.ts';
import { runProgram } from '../support/processes/running-program.ts';
import { zipFiles } from './zip-files.ts';

/** Each of a person or secret, and planted where a bundle could find it. */
const PLANTED = {
  name: 'Zoraida Quintanilla',
  lowerCase: 'casimiro benavente',
  taxId: '87654321X',
  email: 'zoraida.quintanilla@example.net',
  street: 'Travesera Bellavista 77',
  telephone: '699123987',
  account: 'ES9121000418450200051332',
  host: 'correo.quintanilla.example',
  ip: '198.51.100.77',
  smtpPassword: 'smtp-pässword-71c',
  s3Secret: 's3secret-88aa',
  linkSecret: `${'l'.repeat(20)}planted-link-secret`,
  pause: 'Hermenegilda asked',
};
const ERROR = `550 5.1.1 <${PLANTED.email}>: ${PLANTED.name}, ${PLANTED.lowerCase}, ${PLANTED.street}, ${PLANTED.telephone}, ${PLANTED.taxId}, ${PLANTED.account} at ${PLANTED.host} ${PLANTED.ip}: ECONNREFUSED, mailbox unavailable`;

let service: TestService;
const folder = mkdtempSync(join(tmpdir(), 'lacre-support-'));
beforeAll(async () => {
  service = await testService();
  const { live, companyId } = service.company;
  const recipient = {
    ...{ name: PLANTED.name, tax_id: PLANTED.taxId, email: PLANTED.email },
    address: { line1: PLANTED.street, postal_code: '28001', city: 'Madrid', country: 'ES' },
  };
  const body = aCompleteInvoice({ recipient });
  await service.call('POST', '/v1/invoices', { key: live.key, body });
  const sql = (text: string, values: unknown[] = []) => service.owner.query(text, values);
  const client = await service.owner.connect();
  await fillEveryTable(client, service.company.test);
  client.release();
  await sql('update company set legal_name = $1 where id = $2', [PLANTED.name, companyId]);
  await sql(
    `update chain_dispatch set stopped_at = now(), stopped_reason = $1, paused_at = now(), paused_reason = $2, consecutive_failures = 3
      where chain_id = $3`,
    [`4102: El titular ${PLANTED.name} ${PLANTED.taxId}`, PLANTED.pause, live.chainId],
  );
  await sql("update record_state set parked_reason = $1 where status = 'pending'", [`3002: ${PLANTED.name}`]);
  await sql("select graphile_worker.add_job('send_email', '{}'::json, job_key => 'planted')");
  await sql('update graphile_worker._private_jobs set attempts = 3, last_error = $1', [ERROR]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.close();
});

async function bundle(variables: Record<string, string>) {
  const out = join(folder, 'support.zip');
  const program = runProgram('src/faces/cli/main.ts', { ...SECRETS, ...variables }, [
    ...['support-bundle', '--out', out],
  ]);
  await once(program.process, 'close');
  expect(program.process.exitCode, program.output()).toBe(0);
  return { printed: program.output(), files: await zipFiles(readFileSync(out)) };
}

const FILES = ['versions', 'settings', 'doctor', 'queues', 'errors', 'postgres', 'statements'];

test('says what it holds, and holds nothing of a person and nothing secret', async () => {
  const { printed, files } = await bundle({
    ...{ DATABASE_URL: service.databaseUrl, LINK_SECRETS: PLANTED.linkSecret, AGENCY: 'preproduction' },
    ...{ SMTP_URL: `smtp://user:${encodeURIComponent(PLANTED.smtpPassword)}@${PLANTED.host}:2525` },
    ...{ EMAIL_FROM: PLANTED.email, SOFTWARE_PRODUCER_NAME: PLANTED.name, S3_BUCKET: 'zoraida' },
    ...{
      S3_ACCESS_KEY_ID: 'planted-id',
      S3_SECRET_ACCESS_KEY: PLANTED.s3Secret,
      S3_ENDPOINT: `http://${PLANTED.ip}:1`,
    },
    ...{ DATABASE_CONNECTIONS: '12', DATA_DIR: join(folder, 'data') },
  });
  expect([...files.keys()].sort()).toEqual(['README.txt', ...FILES.map((name) => `${name}.json`)].sort());
  for (const name of files.keys()) if (name !== 'README.txt') expect(printed).toContain(name);
  const read = (name: string) => JSON.parse(files.get(`${name}.json`)!.toString());
  expect(read('settings')).toMatchObject({
    ...{
      AGENCY: 'preproduction',
      DATABASE_CONNECTIONS: '12',
      SMTP_URL: 'set',
      SOFTWARE_PRODUCER_NAME: 'set',
    },
    ...{ BASE_URL: 'not set', DATABASE_URL: 'set' },
  });
  const ofMail = read('errors').filter(({ task }: { task: string }) => task === 'send_email');
  expect(ofMail).toMatchObject([
    {
      task: 'send_email',
      count: 1,
      error: expect.stringMatching(/^550 5\.1\.1 … at … ECONNREFUSED mailbox unavailable$/),
    },
  ]);
  expect(read('queues').chains).toMatchObject([
    {
      chainId: service.company.live.chainId,
      stoppedReason: '4102 …',
      pausedReason: 'by an operator',
      pending: 1,
    },
  ]);
  expect(read('queues')).toMatchObject({ parked: [{ code: '3002', count: expect.any(Number) }] });
  expect(read('versions')).toMatchObject({ database: { version: expect.stringMatching(/^1[5-9]/) } });
  expect(read('doctor').length).toBeGreaterThan(5);
  expect(read('postgres').settings).toContainEqual(expect.objectContaining({ name: 'fsync' }));

  searched(files);
});

/** Nothing of a person and nothing secret is in any of the files. */
function searched(files: ReadonlyMap<string, Buffer>): void {
  const all = [...files.values()]
    .map((bytes) => bytes.toString())
    .join('\n')
    .toLowerCase();
  const words = Object.values(PLANTED).flatMap((value) => [
    value,
    encodeURIComponent(value),
    ...value.split(' '),
  ]);
  const {
    live,
    test: own,
    nif,
  } = service.company as unknown as Record<string, { key: string }> & { nif: string };
  const password = new URL(service.databaseUrl).password;
  // A short number may be a count by chance.
  for (const word of [...words, live!.key, own!.key, nif, password, ...Object.values(SECRETS)])
    if (word !== undefined && word.length >= 4 && word !== 'asked')
      expect(all, word).not.toContain(word.toLowerCase());
}

test('is written without a database that answers too, and says so', async () => {
  const { files } = await bundle({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  const read = (name: string) => JSON.parse(files.get(`${name}.json`)!.toString());
  expect(read('queues')).toEqual({ missing: 'the database does not answer' });
  expect(read('doctor')).toContainEqual(expect.objectContaining({ check: 'database', result: 'failure' }));
  expect(read('versions')).toMatchObject({ node: process.versions.node });
});
