import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkpoints } from '../../src/faces/cli/doctor/checkpoints.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { takeCheckpoints } from '../../src/subjects/journal/keep-checkpoints.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { commandLine, SECRETS } from '../support/processes/command-line.ts';

const ROOT = join(import.meta.dirname, '../..');

let service: TestService;
/** Where a command finds itself that runs elsewhere. */
let elsewhere: string;
beforeAll(async () => {
  service = await testService({ CHECKPOINT_KEY: SECRETS.CHECKPOINT_KEY });
  elsewhere = mkdtempSync(join(tmpdir(), 'lacre-elsewhere-'));
  await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  await takeCheckpoints(service.services, 1);
  await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
});
afterAll(async () => {
  rmSync(elsewhere, { recursive: true, force: true });
  await service.close();
});

const folderOf = () => service.services.config.checkpointDir;
const run = (variables: Record<string, string>, ...words: string[]) =>
  commandLine(service.db, variables)(words);
const taken = async () => {
  const text = 'select count(*)::int as taken from journal_checkpoint';
  return (await service.owner.query<{ taken: number }>(text)).rows[0]!.taken;
};

const ELSEWHERE: readonly (readonly [
  where: string,
  variables: () => Record<string, string>,
  says: () => string,
])[] = [
  [
    'with another folder',
    () => ({ CHECKPOINT_DIR: join(elsewhere, 'checkpoints') }),
    () =>
      `they are kept in ${folderOf()} on ${hostname()}, and the folder here is ${join(elsewhere, 'checkpoints')} on ${hostname()}`,
  ],
  [
    'with another key',
    () => ({ CHECKPOINT_DIR: folderOf(), CHECKPOINT_KEY: 'y'.repeat(32) }),
    () => 'they are signed with another CHECKPOINT_KEY than the one here',
  ],
];

test.each(ELSEWHERE)(
  'a command %s than the service’s takes no checkpoint, and verifies without claiming to have compared',
  async (_, variables, says) => {
    const before = await taken();
    const refused = await run(variables(), 'checkpoint');
    expect(refused.exit).toBe(2);
    expect(refused.stderr).toContain(`no checkpoint was taken: ${says()}. Run the command there`);
    expect(await taken()).toBe(before);
    const verified = await run(variables(), 'verify');
    expect(verified.exit).toBe(8);
    expect(verified.stderr).toContain(`NOT COMPARED WITH THE NEWEST CHECKPOINTS: ${says()}`);
    expect((await run(variables(), 'verify', '--json')).json()).toMatchObject({
      sound: true,
      checkpointsElsewhere: says(),
    });
    const config = readConfig({ ...SECRETS, ...variables() });
    expect(await checkpoints(config, service.db)).toMatchObject([
      { result: 'warning', summary: expect.stringContaining(says()) },
    ]);
    expect(readdirSync(elsewhere)).toEqual([]);
  },
);

test('a command that sees the folder of the service by another path compares and takes checkpoints as it does', async () => {
  const mounted = mkdtempSync(join(tmpdir(), 'lacre-mounted-'));
  cpSync(folderOf(), mounted, { recursive: true });
  const before = await taken();
  expect(await run({ CHECKPOINT_DIR: mounted }, 'verify')).toMatchObject({ exit: 0, stderr: '' });
  expect(await run({ CHECKPOINT_DIR: mounted }, 'checkpoint')).toMatchObject({ exit: 0 });
  expect(await taken()).toBeGreaterThan(before);
  rmSync(mounted, { recursive: true });
});

test('a command that is run from another folder without the settings of the service makes no secrets of its own', async () => {
  const { exit, stderr } = await new Promise<{ exit: unknown; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(ROOT, 'src/faces/cli/main.ts'), 'companies', 'list'],
      { cwd: elsewhere, env: { DATABASE_URL: service.databaseUrl, DATA_DIR: 'no-such-folder' } },
      (error, _out, stderr) => resolve({ exit: error?.code, stderr }),
    );
  });
  expect(exit).toBe(2);
  expect(stderr).toContain(
    `LINK_SECRETS, CHECKPOINT_KEY, CERTIFICATE_KEYS: not set, and there is no DATA_DIR ${join(ROOT, 'no-such-folder')}`,
  );
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(existsSync(join(ROOT, 'no-such-folder'))).toBe(false);
});

test('relative paths begin in the folder of the program, wherever it is run', () => {
  const config = readConfig({ ...SECRETS, DATA_DIR: 'a', CHECKPOINT_DIR: 'b/c' });
  expect([config.dataDir, config.checkpointDir]).toEqual([join(ROOT, 'a'), join(ROOT, 'b/c')]);
  expect(readConfig(SECRETS).checkpointDir).toBe(join(ROOT, '.data/checkpoints'));
});
