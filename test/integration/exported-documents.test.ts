import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { filesOfZip } from '../../packages/reader/src/containers/zip.ts';
import { UNPACKED_BYTES } from '../../packages/reader/src/limits.ts';
import { Budget } from '../../packages/reader/src/reading-error.ts';
import { openExport } from '../../src/faces/graphql/document-export.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { exportLinks } from '../../src/subjects/formats/export/export-link.ts';
import { exportPeriod } from '../../src/subjects/formats/export/export-period.ts';
import { testSimulator } from '../support/agency/simulator.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type CommandLine, commandLine } from '../support/processes/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'lacre-exported-'));
const TODAY = madridDay(new Date());
let service: TestService;
let lacre: CommandLine;
/** Issued in live, the oldest first. */
const issued: { id: string; number: string }[] = [];
const INVOICES = 205;

beforeAll(async () => {
  const simulator = await testSimulator();
  service = await testService({}, { simulator });
  lacre = commandLine(service.db, {
    ...{
      SIMULATOR_URL: simulator.url,
      SIMULATOR_TLS_URL: simulator.tlsUrl,
      SIMULATOR_TLS_DIR: simulator.tlsDir,
    },
  });
  const issue = async (body: object) => {
    const answer = await service.call('POST', '/v1/invoices', { key: service.company.live.key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    issued.push(answer.body);
  };
  await issue(aSimplifiedInvoice());
  await issue(aCompleteInvoice());
  // More than are read of the database at once.
  const further = Array.from({ length: INVOICES - issued.length }, () => aSimplifiedInvoice());
  for (let at = 0; at < further.length; at += 30) await Promise.all(further.slice(at, at + 30).map(issue));
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const PERIOD = ['--from', TODAY, '--to', TODAY];
const out = join(folder, 'all.zip');
const exported = (...words: string[]) =>
  lacre(['invoices', 'export', '--company', service.company.companyId, '--json', ...words]);
const periodOf = (parts: object = {}) => ({
  ...{
    environmentId: service.company.live.environmentId,
    actor: 'test',
    from: TODAY,
    to: TODAY,
    timeZone: 'Europe/Madrid' as const,
    formats: ['ubl'] as const,
  },
  ...parts,
});

test('a period is one file with every document, and an index that gives the reason for each missing one', async () => {
  const run = await exported(...PERIOD, '--formats', 'ubl,facturae', '--out', out);
  expect(run, run.stderr).toMatchObject({ exit: 0 });
  expect(run.json()).toMatchObject({ invoices: INVOICES, file: out });
  const [, complete] = issued;
  const files = await filesOfZip(readFileSync(out), new Budget(UNPACKED_BYTES));
  // Tickets name no buyer, whom both formats demand.
  expect(files.map(({ name }) => name)).toEqual([
    `${complete!.number}.ubl.xml`,
    `${complete!.number}.facturae.xml`,
  ]);
  const { body } = await service.call('GET', `/v1/invoices/${complete!.id}/formats/ubl`, {
    key: service.company.live.key,
  });
  // The service's own address of the simulator is another than the command line's.
  const withoutQr = (text: string) => text.replace(/<cbc:URI>.*<\/cbc:URI>/, '');
  expect(withoutQr(String(files[0]!.bytes))).toBe(withoutQr(body));
  // A stored file is found by its text.
  expect(readFileSync(out).includes('index.csv')).toBe(true);
  expect(existsSync(`${out}.part`)).toBe(false);
});

test('the index has a row for every invoice and format', async () => {
  const found = await exportPeriod(service.services, periodOf({ formats: ['ubl', 'cii'] }));
  if (isRefusal(found)) throw new Error(found.detail);
  const { entries, text } = await unzip(found.zip);
  const rows = text.trimEnd().split('\r\n');
  expect(entries.at(-1)).toBe('index.csv');
  expect(rows).toHaveLength(1 + 2 * INVOICES);
  expect(rows[0]).toBe('"number","invoice","issued_on","format","file","code","term","reason"');
  expect(rows[1]).toBe(
    `"${issued[0]!.number}","${issued[0]!.id}","${TODAY}","ubl","","format_not_applicable","BT-44","EN 16931, BT-44: the invoice names no buyer."`,
  );
  expect(rows[3]).toBe(
    `"${issued[1]!.number}","${issued[1]!.id}","${TODAY}","ubl","${issued[1]!.number}.ubl.xml","","",""`,
  );
  const column = rows.slice(1).map((row) => row.split('","')[1]);
  expect(column.sort()).toEqual(issued.flatMap(({ id }) => [id, id]).sort());
});

test('pages are the documents that downloads give', async () => {
  const found = await exportPeriod(service.services, periodOf({ formats: ['pdf'] }));
  if (isRefusal(found)) throw new Error(found.detail);
  let bytes = Buffer.alloc(0);
  // Nobody has to take all of it.
  for await (const part of found.zip) {
    bytes = Buffer.concat([bytes, part as Buffer]);
    if (bytes.includes('%%EOF')) break;
  }
  expect(bytes.includes('%PDF-1.7')).toBe(true);
  expect(found.zip.destroyed).toBe(true);
});

test('the environment, the days and the number of invoices bound it', async () => {
  const test = await exported(...PERIOD, '--environment', 'test', '--out', join(folder, 'test.zip'));
  expect(test.json()).toMatchObject({ invoices: 0 });
  const early = ['--from', '2026-01-02', '--to', '2026-01-03'];
  expect((await exported(...early, '--out', join(folder, 'early.zip'))).json()).toMatchObject({
    invoices: 0,
  });
  const turned = await exported('--from', '2026-01-03', '--to', '2026-01-02', '--out', out);
  expect(turned.exit).toBe(3);
  const nowhere = await exported(...PERIOD, '--out', join(folder, 'none', 'x.zip'));
  expect(nowhere).toMatchObject({ exit: 3 });
});

const linkOf = async (query: string, key = service.company.live.key) => {
  const { status, body } = await service.call('GET', `/v1/invoices/export?${query}`, { key });
  expect(status, JSON.stringify(body)).toBe(200);
  return { ...body, address: body.download_url.replace('http://lacre.test', service.url) };
};
const DAYS = `from=${TODAY}&to=${TODAY}`;

test('a link can be opened several times without a key, and is of its own environment only', async () => {
  const { invoices, address } = await linkOf(`${DAYS}&format=cii&format=ubl`);
  expect(invoices).toBe(INVOICES);
  const opened = await fetch(address);
  expect(Object.fromEntries(opened.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${TODAY}_${TODAY}.zip"`,
    'cache-control': 'private, no-store',
  });
  const bytes = Buffer.from(await opened.arrayBuffer());
  const files = await filesOfZip(bytes, new Budget(UNPACKED_BYTES));
  const [, complete] = issued;
  expect(files.map(({ name }) => name)).toEqual([
    `${complete!.number}.ubl.xml`,
    `${complete!.number}.cii.xml`,
  ]);
  expect(Buffer.from(await (await fetch(address)).arrayBuffer()).equals(bytes)).toBe(true);
  expect((await fetch(address, { method: 'HEAD' })).status).toBe(200);
  expect((await linkOf(DAYS, service.company.test.key)).invoices).toBe(0);
});

test('a link that was altered or has run out opens nothing', async () => {
  const { address } = await linkOf(DAYS);
  const token = new URL(address).searchParams.get('token')!;
  const [text = '', signature = ''] = token.split('.');
  const widened = Buffer.from(String(Buffer.from(text, 'base64url')).replace(TODAY, '2020-01-01'));
  for (const other of [`${widened.toString('base64url')}.${signature}`, text, `${text}.`, '', `${token}A`]) {
    const { status, body } = await service.call('GET', `/v1/invoices/export/file?token=${other}`, {
      key: null,
    });
    expect({ other, status, code: body.code }).toEqual({ other, status: 410, code: 'download_link_expired' });
  }
  const secret = service.services.linkSecrets.current;
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000);
  expect(exportLinks.verify(secret, token, at(14 * 60))).toMatchObject({
    from: TODAY,
    to: TODAY,
    formats: ['pdf'],
  });
  expect(exportLinks.verify(secret, token, at(15 * 60 + 1))).toBe('expired');
  // A link to the document of an invoice is signed with the same secret.
  expect(exportLinks.verify(Buffer.alloc(secret.length), token, at(0))).toBe('altered');
});

test('a wrong parameter is refused by name', async () => {
  for (const [query, field, code] of [
    [`to=${TODAY}`, 'from', 'required'],
    [`from=${TODAY}`, 'to', 'required'],
    ['from=2026-02-30&to=2026-03-01', 'from', 'invalid_format'],
    ['from=2026-02-02&to=2026-02-01', 'to', 'out_of_range'],
    [`${DAYS}&format=edifact`, 'format', 'invalid_value'],
  ] as const) {
    const { status, body } = await service.call('GET', `/v1/invoices/export?${query}`);
    expect({ query, status, field: body.errors?.[0].field }).toEqual({ query, status: 400, field });
    if (code !== 'invalid_format') expect(body.errors[0].code).toBe(code);
  }
});

test('an environment has so many exports open as it may, and one that is left makes room', async () => {
  const { address } = await linkOf(`${DAYS}&format=ubl`);
  const token = new URL(address).searchParams.get('token')!;
  const open = async () => {
    const opened = await openExport(service.services, token);
    if (isRefusal(opened)) throw new Error(opened.detail);
    return opened.zip;
  };
  const first = await open();
  const second = await open();
  const third = await fetch(address);
  expect({ status: third.status, ...((await third.json()) as object) }).toMatchObject({
    status: 429,
    code: 'rate_limited',
  });
  // Whatever was being made for it is made first.
  first.destroy();
  const again = await vi.waitFor(open, { timeout: 30_000 });
  expect((await unzip(again)).entries).toHaveLength(2);
  expect((await unzip(second)).entries).toHaveLength(2);
});

/** The names in a ZIP file in their order, and the text of its last file. */
async function unzip(zip: NodeJS.ReadableStream): Promise<{ entries: string[]; text: string }> {
  const parts: Buffer[] = [];
  for await (const part of zip) parts.push(part as Buffer);
  const { fromBuffer } = await import('yauzl');
  return new Promise((resolve, reject) => {
    fromBuffer(Buffer.concat(parts), { lazyEntries: true }, (error, file) => {
      if (error !== null) return reject(error);
      const entries: string[] = [];
      let text = '';
      file.on('entry', (entry) => {
        entries.push(entry.fileName);
        file.openReadStream(entry, async (fault, stream) => {
          if (fault !== null) return reject(fault);
          text = '';
          for await (const part of stream) text += String(part);
          return file.readEntry();
        });
      });
      file.on('end', () => resolve({ entries, text }));
      return file.readEntry();
    });
  });
}
