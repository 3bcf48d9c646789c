import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InvoiceRequest, LacreClient } from '@lacre/client';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import type { DemoCredentials } from '../../src/startup/demo.ts';
import { COLUMN_NAMES } from '../../src/subjects/register-books/layout.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/pages/browser.ts';
import { endPrograms, runProgram, startDemo } from '../support/processes/running-program.ts';

/**
 * A new user's first invoices, in the demo as `npm start` brings it up: drafted, issued, sent, paid and booked by a program, in a
 * shell and in a browser.
 */

const REASON = 'as agreed';
const folder = mkdtempSync(join(tmpdir(), 'lacre-demo-walk-'));
const dataDir = join(folder, 'data');
const shell = { DATA_DIR: dataDir, HOME: folder };

let demo: DemoCredentials;
let client: LacreClient;
let browser: TestBrowser | null;
let companyId: string;
beforeAll(async () => {
  const [{ credentials }, opened] = await Promise.all([
    startDemo(dataDir),
    hasBrowser ? openBrowser() : null,
  ]);
  [demo, browser] = [credentials, opened];
  client = new LacreClient({ baseUrl: demo.base_url, key: demo.test });
  companyId = (await execute<{ viewer: { company: { id: string } } }>('{ viewer { company { id } } }')).viewer
    .company.id;
}, 300_000);
afterAll(async () => {
  await browser?.close();
  endPrograms();
  // What was ended writes its last files meanwhile.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function execute<Data>(query: string, variables: object = {}): Promise<Data> {
  const answer = await fetch(`${demo.base_url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${demo.test}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Data; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

const today = () => madridDay(new Date());
const invoice = () => aCompleteInvoice({ due_date: today(), payment: { means: 'transfer' } });
const draft = async () => (await client.invoiceDrafts.create({ invoice: invoice() as InvoiceRequest })).id;

/** What is expected of an invoice that has come to the end of the walk, and stands in the book. */
async function expectBooked(id: string, book: string): Promise<void> {
  const { number, total, ...state } = await client.invoices.retrieve(id);
  expect(state).toMatchObject({ payment_status: 'paid', amount_due: 0 });
  const cell = (cells: readonly string[], name: (typeof COLUMN_NAMES)[number]) =>
    cells[COLUMN_NAMES.indexOf(name)];
  const [, , ...rows] = parse(book, { bom: true, delimiter: ';' }) as string[][];
  const own = rows.filter((cells) => `${cell(cells, 'series')}${cell(cells, 'number')}` === number);
  expect(own.map((cells) => cell(cells, 'total'))).toEqual([(total / 100).toFixed(2).replace('.', ',')]);
}

async function expectSent(id: string): Promise<void> {
  const statuses = async () => {
    const { invoice: sent } = await execute<{
      invoice: { emails: { edges: { node: { status: string } }[] } };
    }>('query ($id: ID!) { invoice(id: $id) { emails { edges { node { status } } } } }', { id });
    return sent.emails.edges.map(({ node }) => node.status);
  };
  await expect.poll(statuses, { timeout: 120_000 }).toEqual(['sent']);
}

test('by the client', async () => {
  const { id, total } = await client.invoiceDrafts.issue(await draft());
  await client.invoices.send(id);
  await expectSent(id);
  await client.invoices.recordPayment(id, { amount: total, paid_on: today(), means: 'transfer' });
  const BOOK = 'query ($day: Date!) { registerBook(from: $day, to: $day, format: csv) { downloadUrl } }';
  const { registerBook } = await execute<{ registerBook: { downloadUrl: string } }>(BOOK, { day: today() });
  await expectBooked(id, await (await fetch(registerBook.downloadUrl)).text());
}, 300_000);

/** Runs a command as in a shell of its own; answers its JSON. */
async function lacre(...words: string[]) {
  const program = runProgram('src/faces/cli/main.ts', shell, [...words, '--json']);
  await once(program.process, 'close');
  expect({ words, exit: program.process.exitCode, output: program.output() }).toMatchObject({ exit: 0 });
  return JSON.parse(program.output());
}

test('by the command line', async () => {
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, demo.test);
  await lacre('login', '--url', demo.base_url, '--key-file', keyFile);
  const file = join(folder, 'draft.json');
  writeFileSync(file, JSON.stringify({ invoice: invoice() }));
  const { id: drafted } = await lacre('drafts', 'create', '--file', file);
  const { invoiceId: id } = await lacre('drafts', 'issue', drafted);
  await lacre('invoices', 'send', id);
  await expectSent(id);
  await lacre('payments', 'record', id, '24200', '--paid-on', today(), '--reason', REASON);
  const out = join(folder, 'book.csv');
  const period = ['--environment', 'test', '--from', today(), '--to', today(), '--format', 'csv'];
  await lacre('books', 'export', '--company', companyId, ...period, '--out', out);
  await expectBooked(id, readFileSync(out, 'utf8'));
}, 300_000);

/** Fills in a form of the console and sends it. */
async function confirm(page: Page, button: string, fields: Record<string, string> = {}): Promise<void> {
  for (const [label, value] of Object.entries({ ...fields, Reason: REASON })) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('status').first().waitFor();
}

test.skipIf(!hasBrowser)(
  'in the console',
  async () => {
    // Operators issue the drafts of merchants; they write none.
    const drafted = await draft();
    const context = await browser!.visitor({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${demo.base_url}/console`);
    await page.getByLabel('Operator key').fill(demo.operator);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goto(`${demo.base_url}/console/companies/${companyId}/drafts/${drafted}?environment=test`);
    await page.getByRole('link', { name: 'Issue…' }).click();
    await confirm(page, 'Issue it');
    const [id = ''] = /inv_[0-9a-f]{32}/.exec(page.url()) ?? [];
    await page.getByRole('link', { name: 'Send…' }).click();
    await confirm(page, 'Send it');
    await expectSent(id);
    await page.getByRole('link', { name: 'Record…' }).first().click();
    await confirm(page, 'Record the payment', { 'Amount in EUR': '242.00', 'Paid on': today() });
    await page.getByText('Paid', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Register book' }).click();
    await page.getByLabel('First day').fill(today());
    await page.getByLabel('Last day').fill(today());
    await page.getByLabel('Environment').selectOption('test');
    await page.getByRole('button', { name: 'Show' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    await expectBooked(id, readFileSync(await download.path(), 'utf8'));
    // The demo has no mail server: what it would have sent is shown to operators.
    await page.getByRole('link', { name: 'Mail', exact: true }).click();
    const { number } = await client.invoices.retrieve(id);
    await page.getByText(number).first().waitFor();
    await context.close();
  },
  300_000,
);

test.skipIf(!hasBrowser)(
  'the console shows what was delivered to the demo’s own receiver, and delivers it again',
  async () => {
    const { id } = await client.invoices.create(invoice() as InvoiceRequest);
    const context = await browser!.visitor({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${demo.base_url}/console`);
    await page.getByLabel('Operator key').fill(demo.operator);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Companies', exact: true }).click();
    await page.getByRole('link', { name: 'Ejemplo Lacre SL' }).click();
    await page.getByRole('link', { name: 'Access and connections', exact: true }).click();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByRole('link', { name: 'Test', exact: true }).click();
    await page.getByText('Demo receiver').waitFor();
    await page.getByRole('link', { name: /^http:\/\/127\.0\.0\.1:\d+\/test$/ }).click();
    const sequenceOf = async (type: 'invoice.issued' | 'invoice.registered' | 'invoice.document_ready') => {
      for await (const { sequence, data } of client.events.list({ type: [type], order: 'desc' }))
        if ('id' in data.object && data.object.id === id) return sequence;
      return null;
    };
    const rowOf = async (type: Parameters<typeof sequenceOf>[0]) => {
      await expect.poll(() => sequenceOf(type), { timeout: 120_000 }).not.toBeNull();
      return page.getByRole('row').filter({ hasText: `${type} ${await sequenceOf(type)} ·` });
    };
    const shows = async (row: Awaited<ReturnType<typeof rowOf>>, text: RegExp) => {
      const texts = async () => {
        await page.reload();
        return row.allInnerTexts();
      };
      await expect.poll(texts, { timeout: 120_000 }).toEqual([expect.stringMatching(text)]);
    };
    for (const type of ['invoice.issued', 'invoice.registered', 'invoice.document_ready'] as const) {
      await shows(await rowOf(type), /Delivered[\s\S]*\b1\b[\s\S]*answered 204/);
    }
    const first = await rowOf('invoice.issued');
    await first.getByRole('link', { name: 'Deliver again…' }).click();
    await confirm(page, 'Deliver it again');
    await shows(first, /Delivered[\s\S]*\b2\b[\s\S]*answered 204/);
    await context.close();
  },
  300_000,
);
