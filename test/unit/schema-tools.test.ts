import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

/**
 * What front ends run on the schema: linter, compilers, code generators and a cache. Their packages have a lock of their own and
 * are installed when the test is run, from the cache or a registry; where neither has them, it says so and is skipped.
 */
const FOLDER = join(import.meta.dirname, '../schema-tools');
const SCHEMA = join(import.meta.dirname, '../../src/faces/graphql/schema.graphql');
const MADE = ['node_modules', '__generated__', 'schema.graphql', 'relay.config.json'];
/** Elsewhere, because other tests look at every file of the checkout meanwhile. */
const copy = mkdtempSync(join(tmpdir(), 'lacre-schema-tools-'));
cpSync(FOLDER, copy, { recursive: true, filter: (from) => !MADE.includes(basename(from)) });
afterAll(() => rmSync(copy, { recursive: true, force: true }));
const LONGEST_MS = 240_000;

/** Whether the packages are there. */
async function install(): Promise<boolean> {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  try {
    await promisify(execFile)('npm', ['ci', ...options], { cwd: copy, timeout: LONGEST_MS });
    return true;
  } catch (error) {
    console.warn(`\n!!! THE SCHEMA'S TOOLS CANNOT BE INSTALLED: THEIR TEST IS SKIPPED. ${error}\n`);
    return false;
  }
}

test('front ends’ tools take the schema without a warning', async (context) => {
  if (!(await install())) context.skip();
  const { stdout } = await promisify(execFile)(process.execPath, [join(copy, 'check.mjs'), SCHEMA], {
    cwd: copy,
    timeout: LONGEST_MS,
  }).catch((error: { stdout: string }) => error);
  expect(stdout.trim().split('\n')).toEqual(
    ['@graphql-eslint', 'relay-compiler', 'client preset', 'graphcache'].map((tool) => `${tool}: no warning`),
  );
});
