import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/ground/config/config.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { encryptionKeys } from '../../src/ground/lib/encryption.ts';
import { createEndpoint } from '../../src/subjects/webhooks/endpoints.ts';
import { openSecrets, readSecrets } from '../../src/subjects/webhooks/secrets.ts';
import { newAuthority, representative, seal } from '../support/agency/certificates.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { createCompany } from '../support/invoices/company.ts';
import { commandLine } from '../support/processes/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'lacre-certificates-'));
const authority = newAuthority();
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

const key = (name: string, byte: number) => `${name}:${Buffer.alloc(32, byte).toString('base64')}`;
const settings = (keys: string) => ({ CERTIFICATE_KEYS: keys, COLLABORATOR_NIF: 'A58818501' });

/** The answer of a command, or its failure with the exit code. */
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
async function run(name: string, args: string[], keys = key('a', 1), input = ''): Promise<any> {
  const lacre = commandLine(database.db, settings(keys));
  const { exit, stderr, json } = await lacre(['certificates', name, ...args, '--json'], input);
  return stderr === '' ? json() : { ...JSON.parse(stderr), exit };
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('an operator uploads certificates from files, replaces and removes them', async () => {
  const { companyId } = await createCompany(database.db);
  const p12 = file('own.p12', authority.issue({ subject: representative('B72877814') }).p12('ñ secret'));
  // Editors end a file with a line break.
  const password = file('password.txt', 'ñ secret\n');
  const why = ['--reason', 'renewal', '--live'];
  const own = await run('upload', [
    '--file',
    p12,
    '--password-file',
    password,
    '--company',
    companyId,
    ...why,
  ]);
  expect(own).toMatchObject({ owner: companyId, kind: 'person', holderNif: 'B72877814', active: true });
  expect(own.uploadedBy).toBe(`cli:${userInfo().username}`);
  const issued = authority.issue({ subject: seal('A58818501') });
  const platform = await run('upload', ['--file', file('seal.pem', issued.key + issued.cert), ...why]);
  expect(platform).toMatchObject({ owner: 'platform', kind: 'seal', daysLeft: 364 });
  const seen = (await run('list', [])).map(({ id }: { id: string }) => id);
  expect(seen).toEqual([platform.id, own.id]);
  expect(JSON.stringify(await run('list', []))).not.toMatch(/sealed|PRIVATE|keyName/);
  expect(await run('list', ['--company', companyId])).toMatchObject([{ id: own.id }]);
  expect(await run('activate', [own.id, ...why])).toMatchObject({ id: own.id, active: true });

  expect(await run('rotate-keys', why, `${key('b', 2)},${key('a', 1)}`)).toEqual({
    ...{ key: 'b', rotated: 2, webhookSecrets: 0 },
  });
  expect(await run('rotate-keys', why, key('b', 2))).toEqual({ key: 'b', rotated: 0, webhookSecrets: 0 });
  const { rows } = await database.db.pool.query(
    `select distinct actor, reason from audit_entry where action = 'rotate_certificate_key'`,
  );
  expect(rows).toEqual([{ actor: `cli:${userInfo().username}`, reason: 'renewal' }]);
  const failed = await run('rotate-keys', why, key('a', 1));
  expect(failed).toMatchObject({
    exit: 3,
    detail: expect.stringMatching(/0 encrypted again.*no key named b/),
  });

  await run('remove', [own.id, ...why]);
  expect(await run('list', ['--company', companyId])).toEqual([]);
});

test('the secrets of webhooks change their key with the certificates, and sign as before', async () => {
  const { test: env } = await createCompany(database.db);
  const before = encryptionKeys([{ name: 'a', key: Buffer.alloc(32, 1) }]);
  const after = encryptionKeys([{ name: 'b', key: Buffer.alloc(32, 2) }]);
  const { db } = database;
  const request = { url: 'http://127.0.0.1:9/', eventTypes: ['*' as const] };
  const made = await createEndpoint({ db, keys: before, allowPrivate: true }, env.environmentId, request);
  if (isRefusal(made)) throw new Error(made.detail);
  const why = ['--reason', 'renewal', '--live'];
  const failed = await run('rotate-keys', why, key('b', 2));
  expect(failed).toMatchObject({ exit: 3, detail: expect.stringContaining(made.endpoint.id) });
  expect(await run('rotate-keys', why, `${key('b', 2)},${key('a', 1)}`)).toMatchObject({ webhookSecrets: 1 });
  const { id } = made.endpoint;
  const stored = await readSecrets({ db }, env.environmentId, [id]);
  const keys = openSecrets(after, env.environmentId, id, stored.get(id)!);
  expect(keys.map((each) => `whsec_${each.export().toString('base64')}`)).toEqual([made.secret]);
  const { rows } = await db.pool.query(
    `select subject, reason from audit_entry where action = 'rotate_webhook_secret_key'`,
  );
  expect(rows).toEqual([{ subject: made.endpoint.id, reason: 'renewal' }]);
});

test('a password is read from standard input too, and never from an argument', async () => {
  const p12 = file('piped.p12', authority.issue({ subject: seal('A58818501') }).p12('one'));
  const args = ['--file', p12, '--password-file', '-', '--reason', 'x', '--live'];
  expect(await run('upload', args, key('a', 1), 'one\n')).toMatchObject({ owner: 'platform', active: true });
  expect(await run('upload', [...args, '--password', 'one'])).toMatchObject({ exit: 2 });
});

test('a wrong password is distinguished from a wrong command', async () => {
  const p12 = file('locked.p12', authority.issue({ subject: seal('A58818501') }).p12('one'));
  const why = ['--reason', 'x', '--live'];
  const refusal = await run('upload', ['--file', p12, ...why]);
  expect(refusal).toMatchObject({ exit: 3, detail: 'password: is missing: the file has one' });
  expect(await run('upload', ['--file', `${p12}.none`, ...why])).toMatchObject({ exit: 3 });
  expect(await run('upload', ['--file', p12])).toMatchObject({ exit: 2 });
  expect(await run('upload', why)).toMatchObject({ exit: 2 });
  expect(await run('upload', ['--file', p12, ...why, '--kind', 'stamp'])).toMatchObject({ exit: 2 });
  expect(await run('upload', ['--file', p12, '--reason', 'x'])).toMatchObject({ exit: 7, error: 'live' });
  expect(await run('remove', ['cert_1', ...why])).toMatchObject({ exit: 4, errors: [{ code: 'not_found' }] });
});

test('what expires soon is reported, with an exit code of its own', async () => {
  const { exit: calm } = await commandLine(database.db, settings(key('a', 1)))(['certificates', 'alarm']);
  expect(calm).toBe(0);
  const lacre = commandLine(database.db, settings(key('a', 1)));
  const soon = await lacre(['certificates', 'alarm', '--days', '3650', '--json']);
  expect(soon.exit).toBe(6);
  expect(soon.json()).toMatchObject([{ owner: 'platform', daysLeft: 364 }]);
});

test.each([
  ['a key that is too short', 'a:AAAA'],
  ['no name', Buffer.alloc(32).toString('base64')],
  ['one name twice', `${key('a', 1)},${key('a', 2)}`],
  ['nothing between commas', `${key('a', 1)},`],
])('keys are refused, and not repeated, for %s', (_, keys) => {
  expect(() => readConfig(settings(keys))).toThrow(/CERTIFICATE_KEYS: must be name:key/);
  expect(() => readConfig(settings(keys))).not.toThrow(/AAAA|AQEB/);
});
