import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { secretSettings } from '../../src/ground/config/settings.ts';

/** The command line beside the units of systemd. */

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'lacre-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('has the secrets of the worker, and knows every other secret setting but those of migrations and distribution', () => {
  const script = read('deploy/systemd/lacre');
  const ofWorker = [...read('deploy/systemd/lacre-worker.service').matchAll(/^LoadCredential=([\w-]+):/gm)];
  expect(ofWorker.length).toBeGreaterThan(3);
  for (const [, name] of ofWorker) expect(script).toContain(`/secrets/${name}`);
  const unnamed = secretSettings.filter((name) => !new RegExp(`\\b${name}\\b`).test(script));
  expect(unnamed).toEqual(['DATABASE_OWNER_URL', 'CITUS_DATABASE_URL']);
});

test('the settings of the units are read by a shell without being run', () => {
  const shown = execFileSync('sh', ['-c', '. ./settings.env && printf %s "$SOFTWARE_PRODUCER_NAME"'], {
    ...{ cwd: join(ROOT, 'deploy/systemd'), encoding: 'utf8' },
  });
  expect(shown).toBe('Example Software SL');
});

test.skipIf(process.getuid?.() !== 0)('runs a command as another user with these settings', () => {
  mkdirSync(join(folder, 'secrets'));
  writeFileSync(join(folder, 'settings.env'), `${read('deploy/systemd/settings.env')}PORT=none\n`);
  for (const name of ['database-runtime-url', 'link-secret', 'certificate-keys', 'checkpoint-key'])
    writeFileSync(join(folder, 'secrets', name), 'x');
  writeFileSync(join(folder, 'secrets', 'smtp-url'), 'of the mail server');
  const node = join(folder, 'code', 'node_modules', '.bin', 'node');
  mkdirSync(join(node, '..'), { recursive: true });
  writeFileSync(node, '#!/bin/sh\nid -un\necho "$PORT $SMTP_URL $LINK_SECRETS"\necho "$@"\n');
  chmodSync(node, 0o755);
  for (const part of ['', 'code', 'code/node_modules', 'code/node_modules/.bin'])
    chmodSync(join(folder, part), 0o755);
  const env = { PATH: process.env['PATH'], LACRE_SETTINGS: folder, LACRE_CODE: join(folder, 'code') };
  const printed = execFileSync('sh', [join(ROOT, 'deploy/systemd/lacre'), 'chains', 'list', '--limit', '1'], {
    ...{ encoding: 'utf8', env: { ...env, LACRE_USER: 'nobody' } },
  });
  expect(printed).toBe(
    `nobody\nnone of the mail server x\n${join(folder, 'code/src/faces/cli/main.ts')} chains list --limit 1\n`,
  );
});
