import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

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

/** What the tools report of the schema, or only one of them. */
async function check(schema: string, ...tools: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(copy, 'check.mjs'), schema, ...tools],
    {
      cwd: copy,
      timeout: LONGEST_MS,
    },
  ).catch((error: { stdout: string }) => error);
  return stdout.trim().split('\n');
}

let installed = false;
beforeAll(async () => {
  installed = await install();
}, LONGEST_MS);

test('front ends’ tools take the schema without a warning', async ({ skip }) => {
  if (!installed) skip();
  const tools = ['@graphql-eslint', 'relay-compiler', 'client preset', 'gql.tada', 'graphcache'];
  expect(await check(SCHEMA)).toEqual(tools.map((tool) => `${tool}: no warning`));
});

const DOCUMENTS = 'documents/invoices.graphql';

test.for<[string, string, string, string | RegExp, string]>([
  [
    '@graphql-eslint',
    'a type without a description',
    'schema',
    /"""\n[^"]*"""\ntype Withholding/,
    'type Withholding',
  ],
  [
    'relay-compiler',
    'a field that does not exist',
    'relay/Dashboard.js',
    'taxBreakdown {',
    'colour taxBreakdown {',
  ],
  ['client preset', 'a scalar that is not known', 'schema', 'dueDate: Date\n', 'dueDate: Money\n'],
  ['client preset', 'a field that its output should have', DOCUMENTS, '  dueDate\n', ''],
  ['gql.tada', 'a field that is deprecated', DOCUMENTS, '  dueDate\n', '  dueDate\n  invoiceId\n'],
  ['gql.tada', 'a field that its types should have', DOCUMENTS, '  dueDate\n', ''],
  ['graphcache', 'an object without its key', DOCUMENTS, 'on Invoice {\n  id\n', 'on Invoice {\n'],
  [
    'graphcache',
    'a mutation without the key of what it changes',
    DOCUMENTS,
    '{\n    ...Row\n',
    '{\n    number\n',
  ],
])('%s reports %s', async ([tool, _what, file, sound, planted], { skip }) => {
  if (!installed) skip();
  const path = file === 'schema' ? join(copy, 'planted.graphql') : join(copy, file);
  const text = readFileSync(file === 'schema' ? SCHEMA : path, 'utf8');
  const faulty = text.replace(sound, planted) + (planted.includes('Money') ? 'scalar Money\n' : '');
  expect(faulty).not.toBe(text);
  writeFileSync(path, faulty);
  const [first] = await check(file === 'schema' ? path : SCHEMA, tool);
  writeFileSync(path, text);
  expect(first).toMatch(new RegExp(`^${tool}: \\d+ warnings$`));
});
