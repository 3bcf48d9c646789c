import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildProgram, runCommandLine } from '../../src/faces/cli/program.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { newId } from '../../src/ground/lib/ids.ts';
import { enqueue } from '../../src/ground/queue/enqueue.ts';
import { createAuthenticator } from '../../src/subjects/accounts/entry/authenticate.ts';
import { issueRecords, ordinary } from '../support/agency/records.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';
import { type CommandLine, commandLine, SECRETS } from '../support/processes/command-line.ts';
import { runProgram } from '../support/processes/running-program.ts';

const SECRET = Buffer.alloc(32);

let database: TestDatabase;
let lacre: CommandLine;
let company: TestCompany;
beforeAll(async () => {
  database = await testDatabase();
  lacre = commandLine(database.db);
});
beforeEach(async () => {
  company = await createCompany(database.db);
});
afterAll(() => database.close());

const ADDRESS = ['--line1', 'Calle Mayor 1', '--postal-code', '28001', '--city', 'Madrid'];
const COMPANY = [
  ...['--nif', 'B81939209', '--legal-name', 'Uno SL', ...ADDRESS],
  ...['--without-census', '--reason', 'contract'],
];

/** The answer of a command that is done, or its failure with the exit code. */
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
async function run(...words: string[]): Promise<any> {
  const { exit, stderr, json } = await lacre([...words, '--json']);
  return stderr === '' ? json() : { ...JSON.parse(stderr), exit };
}

const acts = async (subject: string): Promise<object[]> => {
  const text = 'select action, actor, reason from audit_entry where subject = $1 order by at, id';
  return (await database.db.pool.query(text, [subject])).rows;
};
const BY = expect.stringMatching(/^cli:./);

test('an operator enables a company for live issuing, and revokes its key', async () => {
  const { companyId } = await run('companies', 'create', ...COMPANY);
  const flags = ['--mandate', 'on', '--onboarding', 'on', '--subscription', 'on'];
  const live = ['--reason', 'signed', '--live'];
  await run('companies', 'set-flags', companyId, ...flags, ...live);
  const owner = ['--company', companyId, '--environment', 'live'];
  const key = await run('keys', 'create', ...owner, '--name', 'shop', ...live);
  const authenticator = createAuthenticator(database.db, { all: [SECRET] });
  const caller = await authenticator.merchant(`Bearer ${key.key}`);
  expect(caller?.gates).toEqual({
    ...{ mandateApproved: true, onboardingFinished: true, subscriptionActive: true },
  });
  const shown = await run('companies', 'show', companyId);
  expect(shown).toMatchObject({ nif: 'B81939209', mandate: true, environments: [{}, { keysInForce: 1 }] });
  const environment = String(shown.environments[1].id);
  expect(await run('environments', 'show', environment)).toEqual(shown.environments[1]);
  expect(await run('keys', 'list', '--company', companyId)).toMatchObject([
    { id: key.id, prefix: key.prefix, environment: 'live', revokedAt: null },
  ]);
  await run('keys', 'revoke', key.id, ...live);
  expect(await authenticator.merchant(`Bearer ${key.key}`)).toBeNull();
  expect(await acts(companyId)).toEqual([
    { action: 'create_company', actor: BY, reason: 'contract' },
    { action: 'set_company_flags', actor: BY, reason: 'signed' },
  ]);
  const log = await lacre(['audit', 'list', '--json']);
  expect(log.json().entries[0]).toMatchObject({ action: 'revoke_key', subject: key.id });
  expect(log.stdout).not.toContain(key.key);
});

test("an operator's key is made, listed without its secret, and taken away", async () => {
  const key = await run('keys', 'create', '--kind', 'operator', '--name', 'Ada', '--reason', 'joins');
  expect(key.key).toMatch(/^op_/);
  const listed = await lacre(['keys', 'list']);
  expect(listed.stdout).toContain(key.prefix);
  expect(listed.stdout).not.toContain(key.key);
  await run('keys', 'revoke', key.id, '--reason', 'leaves');
  expect(await createAuthenticator(database.db, { all: [SECRET] }).operator(`Bearer ${key.key}`)).toBeNull();
});

test('series, integrations and customers of an environment are kept', async () => {
  const home = ['--environment', String(company.test.environmentId)];
  const why = ['--reason', 'new shop'];
  const made = await run(
    'series',
    'create',
    ...home,
    '--prefix',
    'tpv',
    '--type',
    'standard',
    '--endless',
    ...why,
  );
  expect(made).toMatchObject({ prefix: 'TPV', yearly: false, isDefault: false });
  expect(await run('series', 'default', made.id, ...why)).toMatchObject({ isDefault: true });
  expect(await run('series', 'delete', made.id, ...why)).toMatchObject({ code: 'number_series_in_use' });
  const created = await run('series', 'create', ...home, '--prefix', 'X', '--type', 'rectifying', ...why);
  await run('series', 'delete', created.id, ...why);
  const byName = ['--company', company.companyId, '--environment', 'test'];
  const { series } = await run('series', 'list', ...byName, '--type', 'standard');
  expect(series.map(({ prefix }: { prefix: string }) => prefix)).toEqual(['TPV', 'F']);

  const standard = ['--standard-series', company.test.standardSeriesId];
  const shop = await run('integrations', 'create', ...home, '--name', 'shop', ...standard, ...why);
  expect(shop).toMatchObject({ name: 'shop', standardSeriesId: company.test.standardSeriesId });
  expect(await run('integrations', 'list', ...home)).toEqual([shop]);
  expect(await run('integrations', 'create', ...home, '--name', 'shop', ...why)).toMatchObject({
    ...{ exit: 3, code: 'invalid_request' },
  });
  const ana = ['c-1', ...home, '--integration', shop.id, '--name', 'Ana'];
  const saved = await run('customers', 'save', ...ana, ...why);
  expect(await run('customers', 'show', 'c-1', ...home)).toEqual(saved);
  expect(await run('customers', 'list', ...home)).toEqual({ customers: [saved], hasMore: false });
  expect(await run('customers', 'show', 'c-2', ...home)).toMatchObject({
    exit: 4,
    code: 'customer_not_found',
  });
});

test('a tax catalog is shown, set and cut down', async () => {
  const id = company.companyId;
  const why = ['--reason', 'asked by the adviser'];
  const row = ['--agency-tax', '01', '--regime-key', '07', '--operation-class', 'S1', '--label', 'IVA'];
  expect(await run('catalog', 'set', id, 'vat', ...row, ...why)).toMatchObject({ exit: 7 });
  expect(await run('catalog', 'set', id, 'vat', ...row, ...why, '--live')).toMatchObject({ regimeKey: '07' });
  const wrong = ['--agency-tax', '01', '--regime-key', '06', '--operation-class', 'S1', '--label', 'IVA'];
  expect(await run('catalog', 'set', id, 'vat', ...wrong, ...why, '--live')).toMatchObject({ exit: 3 });
  await run('catalog', 'remove', id, 'igic', ...why, '--live');
  const types = (await run('catalog', 'show', id)).map(({ taxType }: { taxType: string }) => taxType);
  expect(types).toContain('vat');
  expect(types).not.toContain('igic');
  expect(await run('catalog', 'remove', id, 'igic', ...why, '--live')).toMatchObject({ exit: 4 });
  expect(await run('catalog', 'show', 'co_1')).toMatchObject({ exit: 4 });
});

test('old invoices are imported into the named environment, given by its number or by its company', async () => {
  const files = importFiles();
  const file = files.jsonLines([anOldInvoice('A/1'), anOldInvoice('A/2', { type: 'x' })]);
  const report = `${file}.bad.csv`;
  const rest = ['--file', file, '--report', report, '--reason', 'moved'];
  const done = { accepted: 1, refused: 1, report };
  const byName = ['--company', company.companyId, '--environment', 'test'];
  expect(await run('import', ...byName, ...rest)).toEqual({ ...done, alreadyImported: false });
  const byNumber = ['--environment', `${company.test.environmentId}`];
  expect(await run('import', ...byNumber, ...rest)).toEqual({ ...done, alreadyImported: true });
  const [entry] = (await run('audit', 'list', '--limit', '1')).entries;
  expect(entry).toMatchObject({ action: 'import_invoices', actor: BY, reason: 'moved' });
  files.remove();
});

describe('live data', () => {
  const why = ['--reason', 'x'];
  const named = () => ['--company', company.companyId, '--environment', 'live'];
  const id = () => company.companyId;
  const chain = () => String(company.live.chainId);
  const live = () => company.live;
  let invoice: string;
  let record: string;
  let key: string;
  let job: string;
  let endpoint: string;
  let delivery: string;
  let payment: string;
  const today = () => madridDay(clock.now());
  beforeEach(async () => {
    const { pool } = database.db;
    const [issued] = await issueRecords(database.db, live(), ordinary(1));
    record = issued!.id;
    const text = 'select invoice_id as id from registration_record where id = $1';
    invoice = (await pool.query(text, [record])).rows[0].id;
    const { environmentId, chainId } = live();
    key = (await pool.query('select id from api_key where environment_id = $1', [environmentId])).rows[0].id;
    await enqueue(pool, [{ task: 'compare_with_agency', payload: { environmentId, chainId } }]);
    const jobs = 'select id::text from graphile_worker.jobs where key = $1';
    job = (await pool.query(jobs, [`compare:${chainId}`])).rows[0].id;
    payment = newId('pay');
    await pool.query(
      `insert into invoice_payment (environment_id, id, invoice_id, amount, paid_on, recorded_by, recorded_at, account_payable,
           account_paid) values ($1, $2, $3, 1, current_date, 'x', now(), 100, 1)`,
      [environmentId, payment, invoice],
    );
    const url = 'https://hooks.example.com/lacre';
    endpoint = (await run('webhooks', 'create', ...named(), '--url', url, ...why, '--live')).id;
    delivery = newId('whd');
    await pool.query(
      `insert into webhook_delivery (id, environment_id, endpoint_id, sequence, event_id, event_type, status, attempts, attempt_log, created_at)
       values ($1, $2, $3, 1, 'evt_1', 'ping', 'failed', 1, '[]', now())`,
      [delivery, environmentId, endpoint],
    );
  });
  const RECIPIENT = [
    ...[
      '--name',
      'x',
      '--tax-id',
      'x',
      '--line1',
      'x',
      '--postal-code',
      'x',
      '--city',
      'x',
      '--country',
      'ES',
    ],
  ];
  /** Each command that changes something, as it would change live data. */
  const CHANGES: Record<string, () => string[]> = {
    'approvals approve': () => ['apr_1'],
    'approvals decline': () => ['apr_1'],
    'companies set-flags': () => [id(), '--mandate', 'off'],
    'companies end-verifactu': () => [id(), '--last-day', `${today().slice(0, 4)}-12-31`],
    'companies update': () => [id(), '--time-zone', 'Atlantic/Canary'],
    'companies close': () => [id()],
    'companies erase-drafts': () => [id()],
    'customers erase': () => ['c', '--company', id()],
    'keys create': () => [...named(), '--name', 'x'],
    'origins set': () => [...named(), '--origins', 'https://app.example.com'],
    'look set': () => [id(), '--environment', 'live', '--language', 'en'],
    'certificates upload': () => ['--file', '/none'],
    'certificates activate': () => ['cert_1'],
    'certificates remove': () => ['cert_1'],
    'certificates rotate-keys': () => [],
    'catalog set': () => [id(), 'vat', '--agency-tax', '01', '--label', 'x'],
    'catalog remove': () => [id(), 'vat'],
    'series create': () => [...named(), '--prefix', 'L', '--type', 'standard'],
    'series delete': () => [company.live.standardSeriesId],
    'series default': () => [company.live.standardSeriesId],
    'integrations create': () => [...named(), '--name', 'x'],
    'customers save': () => ['c', ...named(), '--integration', 'int_1'],
    'chains retry': () => [chain()],
    'chains retry-failed': () => [],
    'chains check-after-restore': () => [],
    'chains open-installation': () => [String(company.live.environmentId)],
    'jobs pause': () => [chain()],
    'jobs resume': () => [chain()],
    import: () => [...named(), '--file', '/none.csv'],
    'keys revoke': () => [key],
    'invoices void': () => [invoice],
    'invoices exchange': () => [invoice, ...RECIPIENT],
    'invoices amend': () => [invoice],
    'invoices skip': () => [record],
    'payments record': () => [invoice, '100', '--paid-on', today()],
    'payments remove': () => [payment],
    'statuses record': () => [invoice, 'paid', '--on', today()],
    'emails set': () => [...named(), '--reminder-days', '3'],
    'jobs retry': () => [job],
    'jobs retry-failed': () => [],
    'jobs park': () => [record],
    'jobs unpark': () => [record],
    'jobs unpark-all': () => [],
    'webhooks create': () => [...named(), '--url', 'https://hooks.example.com/lacre'],
    'webhooks delete': () => [endpoint],
    'webhooks ping': () => [endpoint],
    'webhooks redeliver': () => [delivery],
    'webhooks redeliver-failed': named,
  };

  test('is protected by every command that changes something, except for what has no owner yet', () => {
    const program = buildProgram({ ...process, ended() {} } as never);
    const guarded = program.commands.flatMap((group) =>
      [group, ...group.createHelp().visibleCommands(group)]
        .filter(({ options }) => options.some(({ long }) => long === '--live'))
        .map((command) => (command === group ? group.name() : `${group.name()} ${command.name()}`)),
    );
    // What goes over REST with a profile's key is tried in cli-remote.test.ts, and what goes either way in cli-drafts.test.ts;
    // documents are moved in document-places.test.ts, and tables divided in citus-distribution.test.ts.
    const elsewhere = [
      ...['companies create', 'companies export', 'invoices create', 'invoices send'],
      ...['drafts create', 'drafts issue', 'drafts delete', 'test-clock advance', 'test-clock remove'],
      ...['schedules create', 'schedules pause', 'schedules resume', 'schedules end'],
      ...['database move-documents', 'database distribute'],
    ];
    expect(guarded.sort()).toEqual([...Object.keys(CHANGES), ...elsewhere].sort());
  });

  test.each(Object.keys(CHANGES))(
    '%s is not changed without --live, and the message states what would have been',
    async (name) => {
      const before = await rowsOf();
      const refused = await run(...name.split(' '), ...CHANGES[name]!(), ...why);
      expect(refused).toMatchObject({
        exit: 7,
        error: 'live',
        detail: expect.stringMatching(/^This would .+--live/),
      });
      expect(await rowsOf()).toEqual(before);
    },
  );

  test('does not apply to test data', async () => {
    const own = ['--environment', String(company.test.environmentId)];
    expect(
      await run('series', 'create', ...own, '--prefix', 'L', '--type', 'standard', ...why),
    ).toHaveProperty('id');
  });

  test('of a company that is not live yet there is none', async () => {
    const flags = { mandateApproved: false, onboardingFinished: false, subscriptionActive: false };
    const young = await createCompany(database.db, flags);
    expect(await run('catalog', 'remove', young.companyId, 'igic', ...why)).toMatchObject({
      removed: 'igic',
    });
  });

  async function rowsOf(): Promise<unknown> {
    const { rows } = await database.db.pool.query(
      `select (select count(*)::int from audit_entry) acts, (select count(*)::int from number_series) series,
              (select count(*)::int from api_key where revoked_at is null) keys,
              (select count(*)::int from registration_record) records, (select count(*)::int from tax_catalog_entry) catalog`,
    );
    return rows;
  }
});

test.each([
  ['import', ['--file', 'old.csv', '--reason', 'x']],
  ['import', ['--environment', '1', '--file', 'old.csv']],
  ['import', ['--environment', '1', 'old.csv', '--file', 'old.csv', '--reason', 'x']],
  ['integrations create', ['--company', 'co_1', '--environment', 'test', '--reason', 'x']],
  ['integrations list', ['--company', 'co_1']],
  ['companies create', ['--nif', 'B72877814']],
  ['companies create', [...COMPANY, '--colour', 'red']],
  ['companies set-flags', ['--mandate', 'on', '--reason', 'x']],
  ['companies set-flags', ['co_1', '--mandate', 'perhaps', '--reason', 'x']],
  ['keys create', ['--name', 'x', '--environment', 'test', '--reason', 'x']],
  ['keys create', ['--name', 'x', '--company', 'co_1', '--environment', 'prod', '--reason', 'x']],
  ['keys revoke', ['--reason', 'x']],
  ['keys revoke', ['key_1', 'key_2', '--reason', 'x']],
  ['keys revoke', ['key_1']],
  ['keys', []],
  ['companies destroy', []],
])('%s %j is not understood', async (command, args) => {
  expect(await run(...command.split(' '), ...args)).toMatchObject({ exit: 2, error: 'usage' });
});

test.each([
  ['companies show', ['co_1']],
  ['companies set-flags', ['co_1', '--mandate', 'on', '--reason', 'x', '--live']],
  ['environments show', ['999999']],
  ['keys create', ['--name', 'x', '--company', 'co_1', '--environment', 'test', '--reason', 'x']],
  ['keys revoke', ['key_1', '--reason', 'x']],
  ['series default', ['ns_1', '--reason', 'x']],
  ['series list', ['--environment', '999999']],
  ['invoices show', ['inv_1']],
  ['jobs retry', ['999999', '--reason', 'x']],
  ['verify', ['--company', 'co_1']],
  ['records export', ['--company', 'co_1', '--from', '2026-01-01', '--to', '2026-01-02', '--out', '/none/x']],
])('%s %j names what does not exist', async (command, args) => {
  expect(await run(...command.split(' '), ...args)).toMatchObject({ exit: 4, error: 'not_found' });
});

test('other failures are distinguished', async () => {
  const streams = { stdin: process.stdin, stdout: process.stderr, stderr: process.stderr };
  const connectionRefused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const fail = (error: Error) => async (): Promise<never> => Promise.reject(error);
  const lists = (runtime: object) =>
    runCommandLine(['keys', 'list'], {
      ...streams,
      stderr: silent(),
      config: () => ({}) as never,
      ...runtime,
    } as never);
  expect(await lists({ database: fail(connectionRefused) })).toBe(5);
  expect(await lists({ database: fail(new Error('a bug')) })).toBe(1);
  const faulty = () => {
    throw new Error('The configuration is faulty');
  };
  expect(await lists({ config: faulty, database: fail(connectionRefused) })).toBe(2);
});

function silent() {
  return { write: () => true };
}

test('the program prints one JSON document and nothing else, and failures on standard error', async () => {
  const variables = { DATABASE_URL: database.url, ...SECRETS };
  const program = (...args: string[]) => runProgram('src/faces/cli/main.ts', variables, args);
  const done = program('companies', 'list', '--limit', '1', '--json');
  const unreachable = runProgram(
    'src/faces/cli/main.ts',
    { ...variables, DATABASE_URL: 'postgres://127.0.0.1:9/x' },
    [...['companies', 'list', '--json']],
  );
  await Promise.all([once(done.process, 'close'), once(unreachable.process, 'close')]);
  expect(JSON.parse(done.output())).toMatchObject({ companies: [{}] });
  expect(done.process.exitCode).toBe(0);
  expect(unreachable.process.exitCode).toBe(5);
  expect(JSON.parse(unreachable.output())).toMatchObject({ error: 'unavailable' });
});
