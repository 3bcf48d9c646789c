import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SimulatedAgency, simulatedAgency } from '../support/agency/simulated.ts';
import { newDataDir } from '../support/agency/simulator.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { commandLine } from '../support/processes/command-line.ts';
import {
  endPrograms,
  eventually,
  type RunningProgram,
  runProgram,
} from '../support/processes/running-program.ts';

/** Two processes whose secrets are replaced one after the other, as the guide says. */
let database: TestDatabase;
let agency: SimulatedAgency;
let environment: TestEnvironment;
const dataDir = newDataDir();
beforeAll(async () => {
  [database, agency] = await Promise.all([testDatabase(), simulatedAgency()]);
  ({ test: environment } = await createCompany(database.db));
});
afterAll(async () => {
  endPrograms();
  await Promise.all([database?.close(), agency?.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
});

const key = (name: string) => `${name}:${Buffer.alloc(32, name).toString('base64')}`;
/** The settings of a process that knows these secrets, the newest first. */
const knowing = (...names: string[]) => ({
  CERTIFICATE_KEYS: names.map(key).join(),
  LINK_SECRETS: names.map((name) => name.repeat(32)).join(),
});

const settings = (...names: string[]) => ({
  ...{ DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: '0', HOST: '127.0.0.1', JOBS: 'outside' },
  ...{ SIMULATOR_URL: agency.url, SIMULATOR_TLS_URL: agency.tlsUrl, SIMULATOR_TLS_DIR: agency.tlsDir },
  ...{ CHECKPOINT_KEY: 'x'.repeat(32), WEBHOOK_ALLOW_PRIVATE: 'true', BASE_URL: 'http://lacre.test' },
  ...knowing(...names),
});

type Member = { readonly program: RunningProgram; readonly url: string };

async function start(...names: string[]): Promise<Member> {
  const program = runProgram('src/main.ts', settings(...names));
  const [, port] = await program.untilPrinted(/"port":(\d+).*"ready"/);
  return { program, url: `http://127.0.0.1:${port}` };
}

async function replace(member: Member, ...names: string[]): Promise<Member> {
  await member.program.end('SIGTERM');
  return start(...names);
}

async function post({ url }: Member, path: string, body: object) {
  const headers = { authorization: `Bearer ${environment.key}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(201);
  return response.json();
}

/** What a process makes: the key that encrypts the secret of an endpoint, a link, and a token. */
async function made(member: Member) {
  const { id } = await post(member, '/v1/webhook_endpoints', {
    url: 'http://127.0.0.1:9/',
    event_types: ['*'],
  });
  const { rows } = await database.owner.query('select key_name from webhook_secret where endpoint_id = $1', [
    id,
  ]);
  // As many endpoints as this test makes are not allowed at once.
  await fetch(`${member.url}/v1/webhook_endpoints/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${environment.key}` },
  });
  const { pdf_url } = await post(member, '/v1/invoices', aSimplifiedInvoice());
  const { token } = await post(member, '/v1/access_tokens', { scopes: ['read'] });
  return {
    key: rows[0].key_name as string,
    link: (pdf_url as string).replace('http://lacre.test', ''),
    token,
  };
}

const opens = async ({ url }: Member, { link, token }: { link: string; token: string }) => {
  const headers = { authorization: `Bearer ${token}` };
  return [(await fetch(url + link)).status, (await fetch(`${url}/v1/invoices`, { headers })).status];
};

const rotate = (...names: string[]) =>
  commandLine(
    database.db,
    knowing(...names),
  )(['certificates', 'rotate-keys', '--reason', 'x', '--live', '--json']);

test('a secret is replaced in one process after the other, and both work at each step', async () => {
  let [one, other] = await Promise.all([start('a'), start('a')]);
  await post(one, '/v1/webhook_endpoints', { url: 'http://127.0.0.1:9/', event_types: ['*'] });
  const links: { link: string; token: string }[] = [];
  /** Both make what both can read, with the secret of that name. */
  const expectAll = async (name: string) => {
    // Each sees what the other announces at its next heartbeat.
    await eventually(
      async () => [(await made(one)).key, (await made(other)).key],
      (keys) => keys.every((key) => key === name),
    );
    for (const maker of [one, other]) links.push(await made(maker));
    for (const link of links)
      for (const reader of [one, other]) expect(await opens(reader, link)).toEqual([200, 200]);
  };
  await expectAll('a');
  one = await replace(one, 'b', 'a');
  await expectAll('a');
  expect((await rotate('b', 'a')).json()).toMatchObject({ key: 'a', webhookSecrets: 0 });
  other = await replace(other, 'b', 'a');
  await expectAll('b');
  expect((await rotate('b', 'a')).json()).toMatchObject({ key: 'b', webhookSecrets: 1 });
  // What the old secret has signed is over by then.
  links.length = 0;
  links.push(await made(one));
  one = await replace(one, 'b');
  await expectAll('b');
  other = await replace(other, 'b');
  await expectAll('b');
  await post(one, '/v1/webhook_endpoints', { url: 'http://127.0.0.1:9/', event_types: ['*'] });
  await Promise.all([one, other].map(({ program }) => program.end('SIGTERM')));
});

test('a start is refused while a row needs a key that is not there, and doctor names it', async () => {
  for (const file of ['src/main.ts', 'jobs/main.ts']) {
    const program = runProgram(file, settings('c'));
    const [printed] = await program.untilPrinted(/CERTIFICATE_KEYS lacks keys .*webhook secrets with b.*/);
    expect(printed).toContain('Replacing a secret');
  }
  const doctor = runProgram('src/faces/cli/main.ts', settings('c'), ['doctor']);
  expect((await doctor.untilPrinted(/no key for \d+ webhook secrets with b/))[0]).toBeTruthy();
  const wrong = { ...settings('b'), CERTIFICATE_KEYS: `b:${Buffer.alloc(32, 'z').toString('base64')}` };
  const mistaken = runProgram('src/faces/cli/main.ts', wrong, ['doctor']);
  expect(
    (await mistaken.untilPrinted(/named b does not decrypt the secrets of \d+ endpoints/))[0],
  ).toBeTruthy();
});
