import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLIENT, packageBytes } from '../../src/faces/docs/downloads.ts';

/** The package that a running service gives, as somebody installs it who has nothing else. */

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lacre-downloads-'));
  writeFileSync(join(folder, CLIENT.file), (await packageBytes(CLIENT))!);
  mkdirSync(join(folder, 'project'));
  writeFileSync(join(folder, 'project/package.json'), '{ "private": true }');
  // Without a network: it needs no other package.
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join('..', CLIENT.file)], {
    cwd: join(folder, 'project'),
  });
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PRINTED = 'console.log(typeof LacreClient, typeof verifyWebhook)';

test.each([
  [
    'imported',
    ['--input-type=module'],
    `import { LacreClient, verifyWebhook } from '@lacre/client'; ${PRINTED}`,
  ],
  [
    'required',
    ['--input-type=commonjs'],
    `const { LacreClient, verifyWebhook } = require('@lacre/client'); ${PRINTED}`,
  ],
] as const)('is %s', async (_how, options, program) => {
  const { stdout } = await run(process.execPath, [...options, '--eval', program], {
    cwd: join(folder, 'project'),
  });
  expect(stdout).toBe('function function\n');
});

test('has types for both, and nothing to install beside it', () => {
  const at = join(folder, 'project/node_modules/@lacre/client');
  const { dependencies, exports } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
  expect(dependencies).toBeUndefined();
  for (const how of ['import', 'require']) {
    const { types, default: file } = exports['.'][how] as { types: string; default: string };
    for (const name of [types, file]) expect(readFileSync(join(at, name), 'utf8')).toContain('LacreClient');
  }
});
