import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { examples } from '../../src/faces/cli/command.ts';
import { buildProgram } from '../../src/faces/cli/program.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { inTransaction } from '../../src/ground/db/transaction.ts';
import { isRefusal, type Outcome } from '../../src/ground/errors/refusal.ts';
import { append } from '../../src/ground/journal/append.ts';
import { EVENT_TYPES } from '../../src/ground/journal/entry.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { encryptionKeys } from '../../src/ground/lib/encryption.ts';
import { enqueue } from '../../src/ground/queue/enqueue.ts';
import { grantKey } from '../../src/subjects/accounts/administer.ts';
import { hashOfDocument } from '../../src/subjects/accounts/hash-of-document.ts';
import { uploadCertificate } from '../../src/subjects/certificates/manage.ts';
import { Vault } from '../../src/subjects/certificates/vault.ts';
import { holdEntries } from '../../src/subjects/chain/hold-entry.ts';
import { saveCustomer } from '../../src/subjects/customers/customers.ts';
import { createIntegration } from '../../src/subjects/customers/integrations.ts';
import { takeCheckpoints } from '../../src/subjects/journal/keep-checkpoints.ts';
import { openSeries } from '../../src/subjects/number-series/administer-series.ts';
import { park, pause } from '../../src/subjects/operations/controls.ts';
import type { ChainKey } from '../../src/subjects/registration/shapes.ts';
import { endHold } from '../../src/subjects/registration/store/comparison.ts';
import { createEndpoint, ping } from '../../src/subjects/webhooks/endpoints.ts';
import { listDeliveries } from '../../src/subjects/webhooks/store/read-endpoints.ts';
import { newAuthority, representative, seal } from '../support/agency/certificates.ts';
import { testSimulator } from '../support/agency/simulator.ts';
import { svgLogo } from '../support/documents/logos.ts';
import { type TestObjectStore, testObjectStore } from '../support/documents/object-store.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { decideRecords } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type CommandLine, commandLine, SECRETS, shellWords } from '../support/processes/command-line.ts';
import { aDeliverer, deliverAll } from '../support/webhooks/deliver-once.ts';
import { Receiver } from '../support/webhooks/receiver.ts';

/** Every example that a help shows is run as it stands, on what its variables name. */

const runtime = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr } as const;
const program = buildProgram({ ...runtime, ended() {} } as never);

type Shown = { readonly path: string; readonly description: string; readonly line: string };

function shownBy(command: Command, path: readonly string[] = []): Shown[] {
  const here = examples(command).map(([description, line]) => ({ path: path.join(' '), description, line }));
  return [...here, ...command.commands.flatMap((child) => shownBy(child, [...path, child.name()]))];
}

const all = shownBy(program).filter(({ path, line }) => line.startsWith(path));

let service: TestService;
let store: TestObjectStore;
let variables: Record<string, string>;
let company: TestCompany;
const folder = mkdtempSync(join(tmpdir(), 'lacre-examples-'));
const authority = newAuthority();
beforeAll(async () => {
  const simulator = await testSimulator();
  store = await testObjectStore();
  const { CHECKPOINT_KEY } = SECRETS;
  service = await testService({ CHECKPOINT_KEY }, { simulator });
  variables = {
    ...store.variables(),
    DATABASE_URL: service.databaseUrl,
    SIMULATOR_URL: simulator.url,
    SIMULATOR_TLS_URL: simulator.tlsUrl,
    SIMULATOR_TLS_DIR: simulator.tlsDir,
    CHECKPOINT_DIR: service.services.config.checkpointDir,
  };
  lacre = commandLine(service.db, variables);
  const password = 'one';
  const files = {
    'platform.p12': authority.issue({ subject: seal('B00000000') }).p12(password),
    'password.txt': `${password}\n`,
    'logo.svg': svgLogo,
    'lacre.dump': 'PGDMP',
    'key.txt': `${service.company.test.key}\n`,
    'persisted-documents.json': JSON.stringify({ [hashOfDocument(DOCUMENT)]: DOCUMENT }),
    'ticket.json': JSON.stringify(aSimplifiedInvoice()),
    'draft.json': JSON.stringify({ invoice: aSimplifiedInvoice() }),
    'schedule.json': JSON.stringify(MONTHLY()),
    'hello.jsonl': `${JSON.stringify(HELLO)}\n`,
    'old.csv':
      'number,issued_at,type,description,quantity,unit_amount,tax_type,tax_rate\nA/1,2024-01-01,simplified,x,1,100,vat,21\n',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  hook = await receiver.open();
  await shell(LOGIN);
  await issued(aSimplifiedInvoice(), 'test');
  await shell('invoices document $INVOICE --format ubl --out invoice.xml');
});
beforeEach(async () => {
  // Not live yet: what changes it as a whole changes nothing live.
  const flags = { mandateApproved: false, onboardingFinished: false, subscriptionActive: false };
  company = await createCompany(service.db, flags);
  await releaseChains();
});

/** One example holds all live chains, as it must. */
async function releaseChains(): Promise<void> {
  const { rows: held } = await service.db.pool.query<ChainKey>(
    'select environment_id as "environmentId", id as "chainId" from chain where hold is not null',
  );
  for (const chain of held) {
    await inTransaction(service.db.pool, async (client) => {
      await append(client, holdEntries(await endHold(client, chain), clock.now()));
    });
  }
}
afterAll(async () => {
  receiver.close();
  await service?.close();
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

const receiver = new Receiver();
let hook: string;

/** What a front end publishes. */
const DOCUMENT = 'query Who { viewer { kind } }';

const LOGIN = 'login --url $URL --key-file $KEYFILE';

/** What a program that asks the server for agents says first. */
const HELLO = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    ...{ protocolVersion: '2025-06-18', capabilities: {} },
    clientInfo: { name: 'test', version: '1' },
  },
};

const by = { actor: 'opk_1', reason: 'x' };

function given<T>(outcome: Outcome<T>): T {
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  return outcome;
}

async function issued(body: object, kind: 'test' | 'live'): Promise<string> {
  const answer = await service.call('POST', '/v1/invoices', { body, key: service.company[kind].key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

/** What repeats, from today on. */
const MONTHLY = () => ({
  invoice: aSimplifiedInvoice(),
  frequency: 'monthly',
  starts_on: madridDay(clock.now()),
});

/** The id of what is made over REST with a key. */
async function made(path: string, body: object, key: string): Promise<string> {
  const answer = await service.call('POST', path, { body, key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

const aDraft = (key: string) => made('/v1/invoice_drafts', { invoice: aSimplifiedInvoice() }, key);
const aSchedule = (key: string) => made('/v1/invoice_schedules', MONTHLY(), key);

async function record(): Promise<string> {
  const invoice = await issued(aSimplifiedInvoice(), 'live');
  const text = 'select id from registration_record where invoice_id = $1';
  return (await service.db.pool.query(text, [invoice])).rows[0].id;
}

async function integration(): Promise<string> {
  const { environmentId } = company.test;
  const { id } = given(await createIntegration(service.db, environmentId, { name: 'shop' }, by));
  const ana = { integrationId: id, externalCustomerId: 'c-1001', name: 'Ana' };
  given(await saveCustomer(service.db, by, environmentId, ana));
  return id;
}

const chain = () => service.company.live.chainId;

/** An endpoint at which nobody listens. */
async function endpoint(): Promise<string> {
  const webhooks = { db: service.db, keys: service.services.encryptionKeys, allowPrivate: true };
  const request = { url: 'http://127.0.0.1:9/', eventTypes: ['*' as const] };
  return given(await createEndpoint(webhooks, company.test.environmentId, request)).endpoint.id;
}

async function delivery(): Promise<string> {
  const { environmentId } = company.test;
  const id = await endpoint();
  given(await ping(service.db, environmentId, id));
  await deliverAll(aDeliverer(service.services, service.db), environmentId);
  const range = { status: null, size: 1, after: null };
  return given(await listDeliveries(service.db, environmentId, id, range)).rows[0]!.id;
}

/** What each variable of the examples names, made when it is first requested. */
const MAKE: Record<string, () => Promise<string>> = {
  URL: async () => service.url,
  KEYFILE: async () => join(folder, 'key.txt'),
  RECEIVER: async () => hook,
  STAGING: async () => {
    await shell(`${LOGIN} --profile staging`);
    await shell(LOGIN);
    return 'staging';
  },
  COMPANY: async () => company.companyId,
  ENVIRONMENT: async () => String(company.test.environmentId),
  INTEGRATION: integration,
  ENDPOINT: endpoint,
  DELIVERY: delivery,
  KEY: async () => {
    const wanted = { companyId: company.companyId, environment: 'test', name: 'lost' } as const;
    return given(await grantKey(service.services, by, wanted)).id;
  },
  async APPROVAL() {
    const id = `apr_${randomUUID()}`;
    const text = `insert into approval (id, action, subject, arguments, digest, asked_by, asked_at, expires_at)
      values ($1, 'void_invoice', 'inv_1', '{}', $1, 'opk_1', now(), now() + interval '1 day')`;
    await service.owner.query(text, [id]);
    return id;
  },
  SERIES: async () => {
    const wanted = { prefix: 'X', type: 'standard', yearly: true } as const;
    return given(await openSeries(service.db, by, company.test.environmentId, wanted)).id;
  },
  CERTIFICATE: async () => {
    const { agency, certificateKeys } = readConfig({ ...SECRETS, ...variables });
    const { cert, key } = authority.issue({ subject: seal('B00000000') });
    const { tryOut } = service.services.agencyClients;
    const keeping = { db: service.db, vault: new Vault(encryptionKeys(certificateKeys)), ...agency, tryOut };
    return given(await uploadCertificate(keeping, 'opk_1', { pem: key + cert, reason: 'x' })).id;
  },
  INVOICE: () => issued(aCompleteInvoice(), 'test'),
  TICKET1: () => issued(aSimplifiedInvoice(), 'test'),
  TICKET2: () => issued(aSimplifiedInvoice(), 'test'),
  REJECTED: async () => {
    const id = await issued(aCompleteInvoice(), 'live');
    await decideRecords(service.db, id, 'rejected');
    return id;
  },
  TODAY: async () => madridDay(clock.now()),
  PAYMENT: async () => {
    const invoice = await issued(aCompleteInvoice(), 'test');
    const body = { amount: 100, paid_on: madridDay(clock.now()) };
    const path = `/v1/invoices/${invoice}/payments`;
    return (await service.call('POST', path, { body, key: service.company.test.key })).body.id;
  },
  DRAFT: () => aDraft(service.company.test.key),
  SCHEDULE: () => aSchedule(service.company.test.key),
  // Of the environment that the line names.
  OPENDRAFT: () => aDraft(company.test.key),
  OPENSCHEDULE: () => aSchedule(company.test.key),
  RECORD: record,
  PARKED: async () => {
    const id = await record();
    given(await park(service.db, id, by));
    return id;
  },
  CHAIN: async () => String(chain()),
  PAUSED: async () => {
    given(await pause(service.db, chain(), by));
    return String(chain());
  },
  PUBLICKEY: async () => {
    const id = await issued(aSimplifiedInvoice(), 'test');
    await takeCheckpoints(service.services, 1);
    const { body } = await service.graphql(`{ invoice(id: "${id}") { proof } checkpoint { verifierKey } }`);
    writeFileSync(join(folder, 'proof.json'), JSON.stringify(body.data.invoice.proof));
    return body.data.checkpoint.verifierKey;
  },
  JOB: async () => {
    const payload = { environmentId: service.company.live.environmentId, chainId: chain() };
    await enqueue(service.db.pool, [{ task: 'compare_with_agency', payload }]);
    const text = 'select id::text from graphile_worker.jobs where key = $1';
    return (await service.db.pool.query(text, [`compare:${chain()}`])).rows[0].id;
  },
};

/** The names of files and of types of events look alike. */
const isFile = (word: string) =>
  /^[\w-]+\.[a-z]\w*$/.test(word) && !EVENT_TYPES.some((type) => type === word);
const inFolder = (word: string) => (isFile(word) ? join(folder, word) : word);

let lacre: CommandLine;

/** Of the company of the test. */
async function writeCertificate(name: string): Promise<void> {
  const { rows } = await service.db.pool.query<{ nif: string }>('select nif from company where id = $1', [
    company.companyId,
  ]);
  const subject = representative(rows[0]!.nif);
  writeFileSync(join(folder, name), authority.issue({ subject }).p12('one'));
}

/** Runs a line as a shell would: variables, quotes, and where standard input and output are. */
async function shell(line: string) {
  const names = new Set([...line.matchAll(/\$([A-Z0-9]+)/g)].map(([, name]) => name!));
  // An environment of the examples has an integration with a customer.
  if (names.has('ENVIRONMENT') && line.startsWith('customers')) names.add('INTEGRATION');
  const values: Record<string, string> = {};
  for (const name of names) values[name] = await MAKE[name]!();
  // What the command line has signed itself, on this machine.
  if (line.startsWith('verify-consistency'))
    values['PUBLICKEY'] = (await lacre(['checkpoint', '--json'])).json().verifierKey;
  if (line.includes('own.p12')) await writeCertificate('own.p12');
  const words = shellWords(line, values).map(inFolder);
  const redirection = words.findIndex((word) => word === '>' || word === '<');
  const [sign, file] = redirection < 0 ? [] : words.slice(redirection);
  const input = sign === '<' ? readFileSync(file!, 'utf8') : '';
  const ran = await lacre(redirection < 0 ? words : words.slice(0, redirection), input);
  if (sign === '>') writeFileSync(join(folder, basename(file!)), ran.stdout);
  return ran;
}

/** Whatever it finds on this machine: with the demo's producer and a simulator it warns. */
const ALLOWED: Record<string, readonly number[]> = {
  doctor: [0, 6, 8],
  // Its server archives nothing.
  'backup check --dump lacre.dump': [8],
};

/** What needs a second database and pg_restore, or a cluster: backup-and-restore.test.ts and citus-distribution.test.ts run it. */
const ELSEWHERE = ['backup rehearse', 'database distribute'];

test('there are examples for every command', () => {
  const bare = (command: Command, path: string[] = []): string[] => {
    const children = command.commands.flatMap((child) => bare(child, [...path, child.name()]));
    return command.commands.length === 0 && examples(command).length === 0 ? [path.join(' ')] : children;
  };
  expect(bare(program)).toEqual([]);
  expect(all.length).toBeGreaterThan(45);
});

describe('the example', () => {
  const here = all.filter(({ line }) => !ELSEWHERE.some((command) => line.startsWith(command)));
  test.each(here.map(({ line }) => [line]))('lacre %s', async (line) => {
    const { exit, stderr, stdout, json } = await shell(line);
    expect(ALLOWED[line] ?? [0], `${exit}: ${stderr}`).toContain(exit);
    expect(stderr).toBe('');
    if (line.includes('--json')) expect(json()).toBeTypeOf('object');
    if (line.includes('--out records'))
      expect(readFileSync(join(folder, 'records-2026-q1.xml'), 'utf8')).toContain('</RecordExport>');
    else if (line !== 'verify') expect(stdout).not.toBe('');
  });
});

test('what is written to a file is there', async () => {
  await shell('look sample $COMPANY --environment live --out sample.pdf');
  expect(readFileSync(join(folder, 'sample.pdf'), 'latin1')).toMatch(/^%PDF-1\.7/);
});

test('every help shows its examples and its exit codes', async () => {
  const lacre = commandLine(service.db);
  const help = await lacre(['--help']);
  expect(help.exit).toBe(0);
  expect(help.stdout).toMatch(/7 {2}live +The command would change live data/);
  for (const { path, line } of all) {
    const { stdout } = await lacre([...path.split(' '), '--help']);
    expect(stdout).toContain(`\n  lacre ${line}\n`);
  }
  expect((await lacre(['keys', '--help'])).stdout).toContain('lacre keys list --company $COMPANY');
});
