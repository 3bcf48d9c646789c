import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InvoiceRequest, LacreClient } from '@lacre/client';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startJobs } from '../../jobs/runner.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { DATABASE_LIMITS } from '../../src/ground/db/limits.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { openRegister } from '../../src/subjects/invoices/store/read-register.ts';
import { COLUMN_NAMES } from '../../src/subjects/register-books/layout.ts';
import type { Visitor } from '../support/http/visitor.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';
import { Sending } from '../support/mail/sending.ts';
import { operatorIn } from '../support/pages/console.ts';
import { type CommandLine, commandLineOn, SECRETS } from '../support/processes/command-line.ts';

/** One invoice from its draft to the register book, as a program, a shell and an operator's browser each take it. */

const REASON = 'as agreed';
/** One instant for the whole walk: none of it happens on the next day when midnight passes meanwhile. */
const NOW = new Date();
const TODAY = madridDay(NOW);
const folder = mkdtempSync(join(tmpdir(), 'lacre-walk-'));

let sending: Sending;
let jobs: Awaited<ReturnType<typeof startJobs>>;
let client: LacreClient;
let lacre: CommandLine;
let ada: Visitor;
beforeAll(async () => {
  clock.freeze(NOW);
  sending = await Sending.open();
  const { service, company } = sending;
  jobs = await startJobs(service.services, () => {});
  client = new LacreClient({ baseUrl: service.url, key: company.test.key });
  const profiles = join(folder, 'profiles.json');
  const config = () => readConfig({ ...SECRETS, CHECKPOINT_DIR: join(folder, 'checkpoints') });
  lacre = commandLineOn({ config, database: async () => service.db, profiles });
  expect(
    (await lacre(['login', '--url', service.url, '--key-file', '-'], `${company.test.key}\n`)).exit,
  ).toBe(0);
  ada = await operatorIn(service);
});
afterAll(async () => {
  clock.reset();
  await jobs?.stop();
  await sending?.close();
  rmSync(folder, { recursive: true, force: true });
});

const invoice = () => aCompleteInvoice({ due_date: TODAY, payment: { means: 'transfer' } });
const company = () => sending.company.companyId;

/** One way through; each step answers what the next one needs. */
type Way = {
  draft(): Promise<string>;
  issue(draft: string): Promise<string>;
  send(invoice: string): Promise<void>;
  pay(invoice: string, cents: number): Promise<void>;
  /** The register book of today as CSV. */
  book(): Promise<string>;
};

const BOOK = 'query ($day: Date!) { registerBook(from: $day, to: $day, format: csv) { downloadUrl } }';

/** Where a link of the service leads in this test. */
const fetched = async (link: string) => {
  const { pathname, search } = new URL(link);
  const answer = await fetch(`${sending.service.url}${pathname}${search}`);
  expect(answer.status).toBe(200);
  return answer.text();
};

const byClient: Way = {
  draft: async () => (await client.invoiceDrafts.create({ invoice: invoice() as InvoiceRequest })).id,
  issue: async (draft) => (await client.invoiceDrafts.issue(draft)).id,
  send: async (id) => void (await client.invoices.send(id)),
  pay: async (id, amount) =>
    void (await client.invoices.recordPayment(id, { amount, paid_on: TODAY, means: 'transfer' })),
  async book() {
    const { key } = sending.company.test;
    const { body } = await sending.service.graphql(BOOK, { day: TODAY }, { key });
    return fetched(body.data.registerBook.downloadUrl);
  },
};

const cellOf = (cells: readonly string[], name: (typeof COLUMN_NAMES)[number]) =>
  cells[COLUMN_NAMES.indexOf(name)];

async function run(words: readonly string[], input = '') {
  const { exit, stderr, json } = await lacre([...words, '--json'], input);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return json();
}

const byCommandLine: Way = {
  async draft() {
    const file = join(folder, 'draft.json');
    writeFileSync(file, JSON.stringify({ invoice: invoice() }));
    return (await run(['drafts', 'create', '--file', file])).id;
  },
  issue: async (draft) => (await run(['drafts', 'issue', draft])).invoiceId,
  send: async (id) => run(['invoices', 'send', id]),
  async pay(id, cents) {
    await run(['payments', 'record', id, String(cents), '--paid-on', TODAY, '--reason', REASON]);
    const { payments } = await run(['payments', 'list', id]);
    expect(payments).toMatchObject([{ amount: cents, paidOn: TODAY }]);
  },
  async book() {
    const out = join(folder, 'book.csv');
    const period = ['--environment', 'test', '--from', TODAY, '--to', TODAY, '--format', 'csv'];
    await run(['books', 'export', '--company', company(), ...period, '--out', out]);
    return readFileSync(out, 'utf8');
  },
};

/** Sends a form of the console, and answers where it leads. */
async function filled(path: string, fields: Record<string, string> = {}): Promise<string> {
  const { status, location, text } = await ada.post(path, { ...fields, reason: REASON });
  expect({ status, text: status === 303 ? '' : text }).toEqual({ status: 303, text: '' });
  return location!;
}

const byConsole: Way = {
  // Operators issue the drafts of merchants; they write none.
  draft: byClient.draft,
  async issue(draft) {
    const to = await filled(`/console/companies/${company()}/drafts/${draft}/issue?environment=test`);
    return /inv_[0-9a-f]{32}/.exec(to)![0];
  },
  send: async (id) => void (await filled(`/console/invoices/${id}/send`, { to: 'ana@example.com' })),
  async pay(id, cents) {
    const payment = { amount: (cents / 100).toFixed(2), paidOn: TODAY, means: 'transfer' };
    await filled(`/console/invoices/${id}/payments/record`, payment);
    expect((await ada.get(`/console/invoices/${id}`)).text).toContain('Paid');
  },
  async book() {
    const period = `from=${TODAY}&to=${TODAY}&environment=test`;
    const page = await ada.get(`/console/companies/${company()}/register-book?${period}`);
    const [, link = ''] = /href="([^"]+)"[^>]*>Download CSV/.exec(page.text) ?? [];
    return fetched(new URL(link.replaceAll('&amp;', '&'), sending.service.url).href);
  },
};

test.each([
  ['the client', byClient],
  ['the command line', byCommandLine],
  ['the console', byConsole],
])('by %s an invoice is drafted, issued, sent, paid and booked', async (_, way) => {
  const draft = await way.draft();
  const id = await way.issue(draft);
  const issued = await client.invoices.retrieve(id);
  expect(issued).toMatchObject({ draft_id: draft, payment_status: 'unpaid', amount_due: issued.total });
  await way.send(id);
  const sent = async () => (await sending.emails(id)).map(({ status }) => status);
  await expect.poll(sent, { timeout: 120_000 }).toEqual(['sent']);
  const [message] = sending.server.received.filter(({ raw }) => raw.includes(issued.number));
  expect(message!.to).toEqual(['ana@example.com']);
  await way.pay(id, issued.total);
  expect(await client.invoices.retrieve(id)).toMatchObject({ payment_status: 'paid', amount_due: 0 });
  const [, , ...rows] = parse(await way.book(), { bom: true, delimiter: ';' }) as string[][];
  const own = rows.filter(
    (cells) => `${cellOf(cells, 'series')}${cellOf(cells, 'number')}` === issued.number,
  );
  expect(own.map((cells) => cellOf(cells, 'total'))).toEqual(['242,00']);
});

test('no statement of a book ends as a request’s would: a million invoices take longer to count', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const { service, company } = sending;
  const period = { from: new Date(0), before: NOW };
  const register = await openRegister(service.db.pool, {
    environmentId: company.test.environmentId,
    ...period,
  });
  await register.next(1);
  await register.close();
  const delays = timers.mock.calls.map(([, delay]) => delay);
  timers.mockRestore();
  expect(
    delays.filter((delay) => delay === DATABASE_LIMITS.maintenanceStatement.value).length,
  ).toBeGreaterThan(2);
});
