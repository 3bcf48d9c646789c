import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certificates } from '../../src/cli/certificates.ts';
import { UsageError } from '../../src/cli/command.ts';
import { readConfig } from '../../src/config.ts';
import { Refusal } from '../../src/errors/refusal.ts';
import { newAuthority, representative, seal } from '../support/certificates.ts';
import { createCompany } from '../support/company.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

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
const settings = (keys: string) =>
  readConfig({ LINK_SECRET: 'x'.repeat(32), CERTIFICATE_KEYS: keys, COLLABORATOR_NIF: 'A58818501' });

/** Runs a command as the command line does, but for the process. */
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
async function run(name: string, args: string[], keys = key('a', 1)): Promise<any> {
  return certificates[name]!.run(database.db, args, settings(keys));
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('an operator hands in certificates from files, exchanges them and takes them away', async () => {
  const { companyId } = await createCompany(database.db);
  const p12 = file('own.p12', authority.issue({ subject: representative('B72877814') }).p12('ñ secret'));
  // Editors end a file with a line break.
  const password = file('password.txt', 'ñ secret\n');
  const why = ['--reason', 'renewal'];
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

  expect(await run('rotate-keys', [], `${key('b', 2)},${key('a', 1)}`)).toEqual({ rotated: 2 });
  expect(await run('rotate-keys', [], key('b', 2))).toEqual({ rotated: 0 });
  await expect(run('rotate-keys', [], key('a', 1))).rejects.toThrow(/0 locked anew.*no key named b/s);

  await run('remove', [own.id, ...why]);
  expect(await run('list', ['--company', companyId])).toEqual([]);
});

test('a wrong password is told from a wrong command', async () => {
  const p12 = file('locked.p12', authority.issue({ subject: seal('A58818501') }).p12('one'));
  const refusal = await run('upload', ['--file', p12, '--reason', 'x']);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal.detail).toBe('password: is missing: the file has one');
  await expect(run('upload', ['--file', p12])).rejects.toThrow(UsageError);
  await expect(run('upload', ['--reason', 'x'])).rejects.toThrow(UsageError);
  await expect(run('upload', ['--file', p12, '--reason', 'x', '--kind', 'stamp'])).rejects.toThrow(
    UsageError,
  );
  expect(await run('remove', ['cert_1', '--reason', 'x'])).toMatchObject({ errors: [{ code: 'not_found' }] });
});

test.each([
  ['a key that is too short', 'a:AAAA'],
  ['no name', Buffer.alloc(32).toString('base64')],
  ['one name twice', `${key('a', 1)},${key('a', 2)}`],
  ['nothing between commas', `${key('a', 1)},`],
])('keys are refused, and not repeated, for %s', (_, keys) => {
  expect(() => settings(keys)).toThrow(/CERTIFICATE_KEYS: must be name:key/);
  expect(() => settings(keys)).not.toThrow(/AAAA|AQEB/);
});
