import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { COMMAND_LINE, packageBytes } from '../../src/faces/docs/downloads.ts';

/** The command line that a running service gives, installed as somebody does who has nothing else. */

/** Installs it into the folder, without a network: it needs no other package. Answers the file that `lacre` is. */
export async function installCommandLine(folder: string): Promise<string> {
  const file = join(folder, COMMAND_LINE.file);
  writeFileSync(file, (await packageBytes(COMMAND_LINE))!);
  const prefix = mkdtempSync(join(folder, 'prefix-'));
  const options = ['--offline', '--no-audit', '--no-fund', '--global', '--prefix', prefix];
  await promisify(execFile)('npm', ['install', ...options, file], { cwd: folder });
  const installed = join(prefix, 'lib/node_modules/@lacre/cli');
  const { bin, dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(dependencies).toBeUndefined();
  return join(installed, bin.lacre);
}

const TICKET = JSON.stringify({
  type: 'simplified',
  line_items: [
    { description: 'Taxi', quantity: 1, unit_amount: 1500, tax_items: [{ type: 'vat', rate: 10 }] },
  ],
});

const HELLO = [
  {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: {
      ...{ protocolVersion: '2025-06-18', capabilities: {} },
      clientInfo: { name: 'test', version: '1' },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  {
    ...{ jsonrpc: '2.0', id: 2, method: 'tools/call' },
    params: { name: 'search_guides', arguments: { words: 'webhook' } },
  },
];

/** Goes through its commands in a Node, with a home of its own. */
export async function walkCommandLine(
  node: string,
  lacre: string,
  { home, url, key }: { home: string; url: string; key: string },
): Promise<void> {
  const env = { PATH: process.env['PATH'], HOME: home };
  async function run(line: string, input = ''): Promise<string> {
    const child = spawn(node, [lacre, ...line.split(' ')], { cwd: home, env });
    child.stdin.end(input);
    const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(complaint, line).toBe('');
    return output;
  }
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  const json = async (line: string, input = ''): Promise<any> =>
    JSON.parse(await run(`${line} --json`, input));

  expect(await json(`login --url ${url} --key-file -`, key)).toMatchObject({ environment: 'test' });
  const issued = await json('invoices create -f -', TICKET);
  expect(issued).toMatchObject({ total: 1650, verifactu: { status: 'registered' } });
  expect(await json(`invoices get ${issued.id}`)).toMatchObject({ number: issued.number });
  expect(await json(`invoices list --number ${issued.number}`)).toMatchObject({
    invoices: [{ id: issued.id }],
  });
  const draft = await json('drafts create -f -', `{"invoice":${TICKET}}`);
  expect(await json(`drafts issue ${draft.id}`)).toMatchObject({ total: 1650 });
  expect(await json('schedules list')).toEqual({ schedules: [], hasMore: false });
  expect(await json('test-clock show')).toMatchObject({ status: expect.any(String) });
  expect(await json('trigger invoice.voided')).toMatchObject({ done: expect.stringContaining('voided') });
  expect(await run('events tail --after-sequence 0 --limit 1')).toMatch(/^1 /);
  expect(await json('documents show')).toMatchObject({ count: 0 });
  expect(await run('completion bash')).toContain('invoices');
  const answers = await run('mcp', HELLO.map((message) => `${JSON.stringify(message)}\n`).join(''));
  expect(answers).toContain('\\"guide\\":\\"webhooks\\"');
  expect(await json('logout')).toEqual({ deleted: 'default' });
}
