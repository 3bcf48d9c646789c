import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../rest/openapi.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { CLIENT, installPublished } from './published.ts';

/** The package as others get it: built, compiled by their rules, and rivalled by their generators; runtimes.test.ts runs it. */

const ROOT = join(import.meta.dirname, '../..');
const README = readFileSync(join(CLIENT, 'README.md'), 'utf8');
const PROGRAMS = join(import.meta.dirname, 'programs');

let service: TestService;
/** Where somebody else's project is. */
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lacre-client-'));
  service = await testService();
  await installPublished(folder);
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program of Node. It has the service's address and a test key. */
async function node(args: readonly string[], { cwd = ROOT } = {}): Promise<string> {
  const env = { PATH: process.env['PATH'], LACRE_URL: service.url, LACRE_KEY: service.company.test.key };
  const ran = promisify(execFile)(process.execPath, args, { cwd, env, maxBuffer: 1 << 24 });
  // What a compiler has against it stands on standard output.
  return (await ran.catch((error) => Promise.reject(new Error(`${error.message}${error.stdout}`)))).stdout;
}

const tsc = (...args: string[]) => node([join(ROOT, 'node_modules/typescript/bin/tsc'), ...args]);

const blocks = [...README.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);

test('is compiled without Node’s types, so it uses nothing of Node', async () => {
  expect(await tsc('-p', CLIENT)).toBe('');
});

const MAX_BYTES = 15 * 1024;

test(`takes ${MAX_BYTES} bytes at most, minified and compressed, with all that it depends on`, async () => {
  const bundle = await rolldown({ input: join(CLIENT, 'src/index.ts'), platform: 'neutral' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  expect(output[0].imports).toEqual([]);
  expect(gzipSync(output[0].code).length).toBeLessThanOrEqual(MAX_BYTES);
});

describe('the README', () => {
  test('issues a first invoice in ten lines', async () => {
    const [first = ''] = blocks;
    expect(first.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(10);
    const printed = await node(['--input-type=module-typescript', '--eval', first]);
    expect(printed).toMatch(/^F-\d+-\d+ 1650 registered http:\/\/.*\/file\?token=/);
  });
});

/** What the examples of the README take for granted. */
const GIVEN = `import { LacreClient, LacreError, type Invoice, type InvoiceRequest, verifyWebhook } from '@lacre/client';
declare const process: { env: Record<string, string | undefined> };
declare const console: { log(...values: unknown[]): void; error(...values: unknown[]): void };
declare const request: InvoiceRequest & Request;
declare const order: { id: string };
declare const invoice: Invoice;
declare const secret: string;
declare let seen: number;
declare const lacre: LacreClient;
declare function writeFile(name: string, content: ReadableStream<Uint8Array>): Promise<void>;
`;

describe('built and installed', () => {
  test('every example of the README compiles under the strictest rules', async () => {
    const [first = '', ...others] = blocks;
    const imports = /^import .*\n/gm;
    const functions = others.map((text, index) => `export async function block${index}() {\n${text}}\n`);
    const own = `export async function first() {\n${first.replace(imports, '')}}\n`;
    writeFileSync(join(folder, 'readme.ts'), [GIVEN, own, ...functions].join('\n'));
    expect(await compile('readme.ts')).toBe('');
  });
});

/** Compiles as somebody would who imports nothing but what is installed, and whose rules are the strictest. */
const STRICTEST = {
  ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [], noEmit: true },
  ...{ module: 'nodenext', moduleResolution: 'nodenext' },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
};

async function compile(file: string, options: object = {}): Promise<string> {
  const compilerOptions = { ...STRICTEST, ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  return tsc('-p', folder);
}

describe('a client that others make of the OpenAPI document', () => {
  beforeAll(() => {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApiDocument(service.url)));
  });

  const generate = (generator: string, document: string, output: string) =>
    node([join(CLIENT, 'generators', `${generator}.ts`), join(folder, document), join(folder, output)]);

  test.each(['openapi-typescript', 'hey-api'])(
    'with %s compiles under the strictest rules, issues, polls, pages and corrects',
    async (name) => {
      await generate(name, 'openapi.json', name);
      const flow = readFileSync(join(PROGRAMS, `flow-${name}.txt`), 'utf8');
      writeFileSync(join(folder, name, 'flow.ts'), flow);
      expect(await compile(`${name}/flow.ts`, { allowImportingTsExtensions: true })).toBe('');
      expect(await node([join(folder, name, 'flow.ts')], { cwd: folder })).toBe(
        'issued, polled, paged, corrected\n',
      );
    },
  );

  test('with hey-api leaves unchecked only what it adds to every client, which fails for any document', async () => {
    const { openapi, info } = openApiDocument(service.url) as { openapi: string; info: object };
    const get = { operationId: 'ping', responses: { 204: { description: 'pong' } } };
    writeFileSync(join(folder, 'least.json'), JSON.stringify({ openapi, info, paths: { '/ping': { get } } }));
    await generate('hey-api', 'least.json', 'least');
    const unchecked = globSync('**/*.ts', { cwd: join(folder, 'least') }).filter((file) => {
      const path = join(folder, 'least', file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replace('// @ts-nocheck\n', ''));
      return text.startsWith('// @ts-nocheck\n');
    });
    expect(
      unchecked.every((file) => /^(client|core)\//.test(file)),
      unchecked.join(),
    ).toBe(true);
    const options = { allowImportingTsExtensions: true };
    await expect(compile('least/index.ts', options)).rejects.toThrow(
      "with 'exactOptionalPropertyTypes: true'",
    );
    const lenient = { ...options, exactOptionalPropertyTypes: false };
    expect(await compile('least/index.ts', lenient)).toBe('');
  });
});
