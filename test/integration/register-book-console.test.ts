import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { madridDay, plusDays } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { BOOK_LIMITS } from '../../src/subjects/register-books/limits.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { issueWith } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { operatorIn } from '../support/pages/console.ts';
import { type CommandLine, commandLine } from '../support/processes/command-line.ts';

/** Register books as operators request them, in the console and on the command line. */

let service: TestService;
let lacre: CommandLine;
const folder = mkdtempSync(join(tmpdir(), 'lacre-books-'));
const TODAY = madridDay(new Date());

beforeAll(async () => {
  service = await testService();
  lacre = commandLine(service.db);
  for (let n = 0; n < 2; n += 1) await issueWith(service, aSimplifiedInvoice(), 'test');
});
afterAll(async () => {
  clock.reset();
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the console gives the links and the sums, and shows an error for an invalid period', async () => {
  const page = `/console/companies/${service.company.companyId}/register-book`;
  const console = await operatorIn(service);
  const shown = await console.get(`${page}?environment=test&from=${TODAY}&to=${TODAY}`);
  const links = [...shown.text.matchAll(/href="([^"]*register_books[^"]*)"/g)].map(([, link]) => link!);
  expect(links).toHaveLength(2);
  const files = await Promise.all(links.map((link) => fetch(link.replace('http://lacre.test', service.url))));
  expect(files.map((file) => file.headers.get('content-type'))).toEqual([
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'text/csv; charset=utf-8; header=present',
  ]);
  for (const [from, to] of [
    [TODAY, plusDays(TODAY, -1)],
    ['2026-02-30', TODAY],
    ['<b>', 'x'],
  ]) {
    const refused = await console.get(`${page}?from=${encodeURIComponent(from!)}&to=${to}`);
    expect(refused.status, from).toBe(200);
    expect(refused.text).toContain('class="fault"');
    expect(refused.text).not.toContain('<b>');
  }
});

test('the console warns of a book that may take too long, and the command line before it begins', async () => {
  const page = `/console/companies/${service.company.companyId}/register-book?environment=test&from=${TODAY}&to=${TODAY}`;
  const console = await operatorIn(service);
  const words = ['books', 'export', '--company', service.company.companyId, '--environment', 'test'];
  const period = ['--from', TODAY, '--to', TODAY, '--format', 'csv', '--out', join(folder, 'long.csv')];
  const warned = async () => [
    (await console.get(page)).text.includes('A book of so many invoices may take longer than the 30 minutes'),
    (await lacre([...words, ...period])).stderr.startsWith('This book may take longer than the 30 minutes'),
  ];
  expect(await warned()).toEqual([false, false]);
  const most = vi.spyOn(BOOK_LIMITS.bookLong, 'value', 'get').mockReturnValue(1 as never);
  expect(await warned()).toEqual([true, true]);
  most.mockRestore();
  rmSync(join(folder, 'long.csv'));
});

test('the console proposes the quarter before the environment’s own today', async () => {
  const { companyId } = service.company;
  const quarter = async (environment: 'test' | 'live') => {
    const page = `/console/companies/${companyId}/register-book?environment=${environment}`;
    const { text } = await (await operatorIn(service)).get(page);
    return [...text.matchAll(/<input[^>]* value="(\d{4}-\d{2}-\d{2})"/g)].map(([, day]) => day);
  };
  clock.freeze(new Date('2026-11-20T12:00:00Z'));
  const real = ['2026-07-01', '2026-09-30'];
  expect([await quarter('live'), await quarter('test')]).toEqual([real, real]);
  const ahead = 'update environment set clock_ahead_ms = $2, clock_target_ms = $2 where id = $1';
  const { environmentId } = service.company.test;
  await service.db.pool.query(ahead, [environmentId, 120 * 86_400_000]);
  expect([await quarter('live'), await quarter('test')]).toEqual([real, ['2026-10-01', '2026-12-31']]);
  const exported = `/console/companies/${companyId}/export?environment=test`;
  expect((await (await operatorIn(service)).get(exported)).text).toContain('value="2027-03-20"');
  await service.db.pool.query(ahead, [environmentId, 0]);
  clock.reset();
});
