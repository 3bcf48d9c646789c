import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthenticator } from '../../src/accounts/authenticate.ts';
import type { NewCompany } from '../../src/accounts/companies.ts';
import type { NewKey } from '../../src/accounts/keys.ts';
import { UsageError } from '../../src/cli/command.ts';
import { companies } from '../../src/cli/companies.ts';
import { importing } from '../../src/cli/importing.ts';
import { integrations } from '../../src/cli/integrations.ts';
import { keys } from '../../src/cli/keys.ts';
import { readConfig } from '../../src/config.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { anOldInvoice, fileBox } from '../support/old-invoices.ts';
import { runProgram } from '../support/running-program.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const ADDRESS = ['--line1', 'Calle Mayor 1', '--postal-code', '28001', '--city', 'Madrid'];
const COMPANY = ['--nif', 'B72877814', '--legal-name', 'Uno SL', ...ADDRESS];

/** Given, so that none is made in a data directory. */
const secrets = { LINK_SECRET: 'x'.repeat(32), CERTIFICATE_KEYS: `test:${'A'.repeat(43)}=` };
const config = readConfig(secrets);

/** Runs a command as the command line does, but for the process. */
async function run<T>(command: string, ...args: string[]): Promise<T> {
  const [subject = '', name = ''] = command.split(' ');
  const found = { companies, import: importing, integrations, keys }[subject]?.[name];
  return (await found?.run(database.db, args, config)) as T;
}

async function runProcess(...args: string[]): Promise<{ status: number | null; output: string }> {
  const program = runProgram(
    'src/cli/main.ts',
    {
      DATABASE_URL: database.url,
      ...secrets,
    },
    args,
  );
  await once(program.process, 'close');
  return { status: program.process.exitCode, output: program.output() };
}

test('an operator brings a company to where it may issue live, and takes its key away again', async () => {
  const { companyId } = await run<NewCompany>('companies create', ...COMPANY);
  const flags = ['--mandate', 'on', '--onboarding', 'on', '--subscription', 'on'];
  await run('companies set-flags', companyId, ...flags);
  const key = await run<NewKey>(
    'keys create',
    ...['--company', companyId, '--environment', 'live', '--name', 'shop'],
  );
  const authenticator = createAuthenticator(database.db);
  const caller = await authenticator.merchant(`Bearer ${key.key}`);
  expect(caller?.gates).toEqual({
    mandateApproved: true,
    onboardingFinished: true,
    subscriptionActive: true,
  });
  expect(await run('companies list')).toMatchObject([
    { id: companyId, nif: 'B72877814', mandate: true, onboarding: true, subscription: true },
  ]);
  expect(await run('keys list', '--company', companyId)).toMatchObject([
    { id: key.id, prefix: key.prefix, environment: 'live', revokedAt: null },
  ]);
  await run('keys revoke', key.id);
  expect(await authenticator.merchant(`Bearer ${key.key}`)).toBeNull();
});

test("an operator's key is made, listed and taken away", async () => {
  const key = await run<NewKey>('keys create', '--kind', 'operator', '--name', 'Ada');
  expect(key.key).toMatch(/^op_/);
  expect(await run('keys list')).toContainEqual(expect.objectContaining({ id: key.id, companyId: null }));
  await run('keys revoke', key.id);
  expect(await createAuthenticator(database.db).operator(`Bearer ${key.key}`)).toBeNull();
});

test('an operator gives an environment its integrations', async () => {
  const { companyId, test: home } = await run<NewCompany>('companies create', ...COMPANY);
  const owner = ['--company', companyId, '--environment', 'test'];
  const series = ['--standard-series', home.standardSeriesId, '--rectifying-series', home.rectifyingSeriesId];
  const made = await run('integrations create', ...owner, '--name', 'shop', ...series);
  expect(made).toMatchObject({ name: 'shop', standardSeriesId: home.standardSeriesId });
  expect(await run('integrations list', ...owner)).toEqual([made]);
  expect(await run('integrations create', ...owner, '--name', 'shop')).toMatchObject({
    code: 'invalid_request',
  });
});

test('old invoices are imported into the environment that is named, by its number or by its company', async () => {
  const { companyId, test: home } = await run<NewCompany>('companies create', ...COMPANY);
  const files = fileBox();
  const file = files.jsonLines([anOldInvoice('A/1'), anOldInvoice('A/2', { type: 'x' })]);
  const report = `${file}.bad.csv`;
  const named = ['--company', companyId, '--environment', 'test', '--file', file, '--report', report];
  const done = { accepted: 1, refused: 1, report };
  expect(await run('import', ...named)).toEqual({ ...done, alreadyImported: false });
  expect(await run('import', '--environment', `${home.environmentId}`, ...named.slice(4))).toEqual({
    ...done,
    alreadyImported: true,
  });
  files.remove();
});

test.each([
  ['import', ['--file', 'old.csv']],
  ['import', ['--environment', '1']],
  ['import', ['--environment', 'live', '--file', 'old.csv']],
  ['import', ['--environment', '1', 'old.csv', '--file', 'old.csv']],
  ['integrations create', ['--company', 'co_1', '--environment', 'test']],
  ['integrations list', ['--company', 'co_1']],
  ['companies create', ['--nif', 'B72877814']],
  ['companies create', [...COMPANY, '--colour', 'red']],
  ['companies set-flags', ['--mandate', 'on']],
  ['companies set-flags', ['co_1', '--mandate', 'perhaps']],
  ['keys create', ['--name', 'x', '--company', 'co_1']],
  ['keys create', ['--name', 'x', '--company', 'co_1', '--environment', 'prod']],
  ['keys revoke', []],
  ['keys revoke', ['key_1', 'key_2']],
])('%s %j is not understood', async (command, args) => {
  await expect(run(command, ...args)).rejects.toThrow(UsageError);
});

test('what does not exist is said so', async () => {
  await expect(run('companies set-flags', 'co_1', '--mandate', 'on')).rejects.toThrow('no such company');
  await expect(
    run('keys create', ...['--name', 'x', '--company', 'co_1', '--environment', 'test']),
  ).rejects.toThrow('no such company');
  await expect(run('keys revoke', 'key_1')).rejects.toThrow('no such key');
});

test('the exit status tells done from refused from not understood', async () => {
  const done = await runProcess('companies', 'create', ...COMPANY, '--json');
  expect(JSON.parse(done.output)).toHaveProperty('live.standardSeriesId');
  expect(done.status).toBe(0);
  const refused = await runProcess('companies', 'create', ...COMPANY, '--nif', 'B72877815');
  expect(refused).toMatchObject({ status: 1, output: expect.stringContaining('invalid_request: nif') });
  const misunderstood = await runProcess('companies', 'destroy');
  expect(misunderstood).toMatchObject({ status: 2, output: expect.stringContaining('keys revoke') });
});
