import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mcpServer } from '../../src/faces/cli/mcp/server.ts';
import { remoteOf } from '../../src/faces/cli/remote/profiles.ts';
import { differences, type Json } from '../support/guides/answers.ts';
import { textOfGuide } from '../support/guides/blocks.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { decideRecords } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type Logins, loginsFor } from '../support/processes/logins.ts';

const ROOT = join(import.meta.dirname, '../..');

let service: TestService;
let logins: Logins;
let transport: StdioClientTransport;
beforeAll(async () => {
  service = await testService();
  logins = loginsFor(service);
});
afterAll(async () => {
  await transport?.close();
  await service.close();
  logins.remove();
});

type Message = { readonly id?: number; readonly method?: string; readonly params?: { name?: string } };

/** The messages of the session that the guide shows, with who sends each. */
function shownSession(): { readonly isSent: boolean; readonly message: Message }[] {
  const [, text = ''] = /```text not run: the server's own tests[^\n]*\n([\s\S]*?)```/.exec(
    textOfGuide('agents'),
  )!;
  return text
    .split(/^(?=[→←])/m)
    .map((part) => ({ isSent: part.startsWith('→'), message: JSON.parse(part.slice(1)) as Message }));
}

test('a live session is what the guide shows, message by message', async () => {
  transport = new StdioClientTransport({
    command: process.execPath,
    args: ['src/faces/cli/main.ts', 'mcp', '--profile', 'live', '--allow-live'],
    cwd: ROOT,
    env: { HOME: logins.home, PATH: process.env['PATH'] ?? '' },
  });
  const answers: Json[] = [];
  const waiting: ((answer: Json) => void)[] = [];
  transport.onmessage = (answer) => {
    const read = waiting.shift();
    if (read === undefined) answers.push(answer as Json);
    else read(answer as Json);
  };
  const next = () =>
    new Promise<Json>((read) => (answers.length > 0 ? read(answers.shift()!) : waiting.push(read)));
  await transport.start();

  const session = shownSession();
  expect(session.filter(({ message }) => message.params?.name === 'issue_invoice')).toHaveLength(1);
  let issued = '';
  for (const { isSent, message } of session) {
    if (isSent) {
      if (message.params?.name === 'registration_state')
        await decideRecords(service.db, issued, 'registered');
      const sent = JSON.stringify(message).replaceAll('inv_…', issued);
      await transport.send(JSON.parse(sent));
    } else {
      const answer = await next();
      expect(differences(answer, message as Json), JSON.stringify(answer)).toEqual([]);
      [issued = issued] = /inv_[0-9a-f]+/.exec(JSON.stringify(answer)) ?? [];
    }
  }
  expect(issued).not.toBe('');
});

async function connected() {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await mcpServer(remoteOf(logins.profiles, 'test'), false).connect(theirs);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(ours);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  return async (name: string, given: Record<string, unknown>): Promise<any> => {
    const { content } = await client.callTool({ name, arguments: given });
    return JSON.parse((content as [{ text: string }])[0].text);
  };
}

test('several invoices are corrected together, each line naming its own, and none by no name', async () => {
  const call = await connected();
  const [line] = aSimplifiedInvoice().line_items as object[];
  const both = [1, 2].map(async () => (await call('issue_invoice', { invoice: aSimplifiedInvoice() })).id);
  const ids: string[] = await Promise.all(both);
  const method = 'differences';
  const line_items = ids.map((id) => ({
    ...{ ...line, quantity: 1, unit_amount: -100, rectifies_invoice_id: id },
  }));
  const together = await call('rectify_invoice', { invoice_ids: ids, method, line_items });
  expect(together).toMatchObject({ kind: 'rectifying_differences', total: -242 });
  expect(together.rectifies.map((each: { invoice_id: string }) => each.invoice_id).sort()).toEqual(
    ids.sort(),
  );
  const unnamed = await call('rectify_invoice', { method, line_items: [line] });
  expect(unnamed.code).toBe('invalid_rectifies_reference');
});

test('a call that is repeated with its key brings what the first one brought', async () => {
  const call = await connected();
  const invoice = { ...aSimplifiedInvoice(), external_id: 'agent-order-1' };
  const issuing = { invoice, idempotency_key: 'repeated-1' };
  const issued = await call('issue_invoice', issuing);
  expect(await call('issue_invoice', issuing)).toEqual(issued);
  expect((await call('issue_invoice', { invoice })).code).toBe('external_id_already_used');
  for (const method of ['differences', 'substitution']) {
    const original = await call('issue_invoice', { invoice: aSimplifiedInvoice() });
    const { line_items } = aSimplifiedInvoice();
    const correcting = { invoice_id: original.id, method, line_items, idempotency_key: `repeated-${method}` };
    const corrected = await call('rectify_invoice', correcting);
    expect(corrected.kind).toBe(`rectifying_${method}`);
    expect(await call('rectify_invoice', correcting)).toEqual(corrected);
  }
});
