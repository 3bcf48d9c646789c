import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  XmlBufferInputProvider,
  XmlDocument,
  XsdValidator,
  xmlCleanupInputProvider,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { madridDay, startOfMadridDay } from '../../src/ground/lib/calendar.ts';
import { EXPORT_NAMESPACE, exportRecords } from '../../src/subjects/chain/export-records.ts';
import { issueRecords, ordinary } from '../support/agency/records.ts';
import { newChain } from '../support/agency/registration.ts';
import { SCHEMAS } from '../support/agency/simulator.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { decideRecords, differences } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type CommandLine, commandLine, SECRETS } from '../support/processes/command-line.ts';

let service: TestService;
let lacre: CommandLine;
const folder = mkdtempSync(join(tmpdir(), 'lacre-export-'));
const TODAY = madridDay(new Date());
const PERIOD = ['--from', TODAY, '--to', TODAY];

beforeAll(async () => {
  service = await testService();
  lacre = commandLine(service.db);
  const issue = async (body: object) => {
    const answer = await service.call('POST', '/v1/invoices', { key: service.company.live.key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const ticket = await issue(aSimplifiedInvoice());
  const rejected = await issue(
    aCompleteInvoice({ line_items: [aLine({ description: 'Obra <menor> & "urgente"' })] }),
  );
  await decideRecords(service.db, ticket.id, 'registered');
  await service.db.pool.query(`update record_state set receipt = 'A-CSV & "Q"' where status = 'registered'`);
  await decideRecords(service.db, rejected.id, 'rejected');
  await issue(differences(ticket, -5_000));
  const other = await issue(aSimplifiedInvoice());
  await decideRecords(service.db, other.id, 'registered');
  const voided = await lacre(['invoices', 'void', other.id, '--reason', 'x', '--live']);
  expect(voided.exit, voided.stderr).toBe(0);
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const company = () => ['--company', service.company.companyId];
const exported = (...words: string[]) => lacre(['records', 'export', ...company(), ...words]);

async function sealed(): Promise<{ id: string; xml: string }[]> {
  const { rows } = await service.db.pool.query(
    'select id, xml from registration_record where environment_id = $1 order by chain_id, position',
    [service.company.live.environmentId],
  );
  return rows;
}

/** Each record's id and what stands in it beside its state, as bytes. */
function recordsIn(xml: string): { id: string; xml: string }[] {
  return [...xml.matchAll(/<Record id="(\w+)"[^>]*><State[^>]*>[^<]*<\/State>(.*?)<\/Record>\n/gs)].map(
    ([, id, inner]) => ({ id: id!, xml: inner! }),
  );
}

test('each sealed record is in it byte by byte, in the order of the chain, with where it stands', async () => {
  const { exit, stdout, stderr } = await exported(...PERIOD);
  expect([exit, stderr]).toEqual([0, '']);
  const stored = await sealed();
  expect(stored).toHaveLength(5);
  expect(recordsIn(stdout)).toEqual(stored);
  for (const { xml } of stored) expect(Buffer.from(stdout).includes(Buffer.from(xml))).toBe(true);
  const document = XmlDocument.fromString(stdout);
  try {
    const names = { x: EXPORT_NAMESPACE };
    const text = (path: string) => document.get(path, names)?.content;
    expect(text('/x:RecordExport/x:Issuer/x:TaxId')).toBe('B72877814');
    expect(text('/x:RecordExport/x:Environment')).toBe('live');
    expect(text('/x:RecordExport/x:Count')).toBe('5');
    expect(text('//x:Record[1]/x:State/@receipt')).toBe('A-CSV & "Q"');
    expect(text('//x:Record[2]/x:State')).toBe('Mensaje 1110');
    expect(text('//x:Record[5]/@kind')).toBe('cancellation');
  } finally {
    document.dispose();
  }
});

const withSchemas = SCHEMAS !== undefined && existsSync(SCHEMAS);
if (!withSchemas)
  console.warn('AEAT_SCHEMAS is not set: exports are NOT validated against the agency’s schemas');
describe.runIf(withSchemas)('the schema', () => {
  let validator: XsdValidator;
  beforeAll(async () => {
    const agency = (name: string) => readFileSync(join(SCHEMAS!, name));
    xmlCleanupInputProvider();
    xmlRegisterInputProvider(
      new XmlBufferInputProvider({
        'SuministroInformacion.xsd': agency('SuministroInformacion.xsd'),
        'http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd': agency('xmldsig-core-schema.xsd'),
      }),
    );
    const { stdout } = await lacre(['records', 'schema']);
    const schema = XmlDocument.fromString(stdout, { url: 'record-export.xsd' });
    validator = XsdValidator.fromDoc(schema);
    schema.dispose();
  });
  afterAll(() => validator.dispose());

  const faults = (xml: string): string | null => {
    const document = XmlDocument.fromString(xml);
    try {
      validator.validate(document);
      return null;
    } catch (error) {
      return (error as Error).message;
    } finally {
      document.dispose();
    }
  };

  test('holds for what is exported, records and container', async () => {
    expect(faults((await exported(...PERIOD)).stdout)).toBeNull();
  });

  test('holds for a period in which nothing was issued', async () => {
    const { stdout } = await exported('--from', '2020-01-01', '--to', '2020-12-31');
    expect(faults(stdout)).toBeNull();
    expect(stdout).toContain('<Count>0</Count>');
  });

  test.each([
    ['a record whose content was changed', '<sf:TipoHuella>01<', '<sf:TipoHuella>02<'],
    ['a state that there is not', 'status="registered"', 'status="lost"'],
    ['a file that broke off', /<Count>.*<\/Count>/, ''],
  ])('is broken by %s', async (_, from, to) => {
    const { stdout } = await exported(...PERIOD);
    const broken = stdout.replace(from, to);
    expect(broken).not.toBe(stdout);
    expect(faults(broken)).not.toBeNull();
  });
});

test('is written to a file completely or not at all', async () => {
  const out = join(folder, 'records.xml');
  const { exit, json } = await exported(...PERIOD, '--out', out, '--json');
  expect(exit).toBe(0);
  expect(json()).toMatchObject({ records: 5, file: out, environment: 'live' });
  expect(recordsIn(readFileSync(out, 'utf8'))).toEqual(await sealed());
  expect(readdirSync(folder)).toEqual(['records.xml']);
  const nowhere = await exported(...PERIOD, '--out', join(folder, 'none', 'x.xml'), '--json');
  expect([nowhere.exit, JSON.parse(nowhere.stderr).errors]).toEqual([
    3,
    [expect.objectContaining({ field: 'out' })],
  ]);
});

test('takes the days of Madrid, both included', async () => {
  const chain = await newChain(service.db);
  const midnight = startOfMadridDay('2026-07-02').getTime();
  for (const shift of [-1_000, 0, 86_399_000, 86_400_000]) {
    await issueRecords(service.db, chain, { ...ordinary(1), generatedAt: new Date(midnight + shift) });
  }
  const { environmentId } = chain;
  const pieces: string[] = [];
  const period = { environmentId, from: '2026-07-02', to: '2026-07-02' };
  for await (const piece of exportRecords(service.db.pool, period)) pieces.push(piece);
  expect([...pieces.join('').matchAll(/position="(\d+)"/g)].map(([, position]) => position)).toEqual([
    '2',
    '3',
  ]);
});

test('reads some hundreds of records at a time, and only when they are wanted', async () => {
  const chain = await newChain(service.db);
  await issueRecords(service.db, chain, ordinary(1_200));
  const seen: number[] = [];
  const period = { environmentId: chain.environmentId, from: TODAY, to: TODAY };
  const sizes: number[] = [];
  const options = { onProgress: (done: number) => seen.push(done) };
  for await (const piece of exportRecords(service.db.pool, period, options)) {
    sizes.push(piece.split('<Record ').length - 1);
    // Progress is told after a piece was taken: what was not requested was not read.
    expect(seen).toHaveLength(
      Math.max(0, sizes.filter((size) => size > 0).length - (sizes.at(-1)! > 0 ? 1 : 0)),
    );
  }
  expect(sizes.filter((size) => size > 0)).toEqual([500, 500, 200]);
  expect(seen).toEqual([500, 1_000, 1_200]);
});

test('a reader that stops early is no failure', async () => {
  const env = { DATABASE_URL: service.databaseUrl, ...SECRETS };
  const words = [...company(), '--environment', 'live', ...PERIOD].join(' ');
  const line = `set -o pipefail; ${process.execPath} src/faces/cli/main.ts records export ${words} | true`;
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', line], { env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test('ambiguous input is distinguished', async () => {
  expect((await exported(...PERIOD, '--json')).exit).toBe(2);
  expect((await exported('--from', TODAY)).exit).toBe(2);
  expect((await exported('--from', '2026-12-31', '--to', '2026-01-01')).exit).toBe(3);
  expect((await lacre(['records', 'export', '--company', 'co_1', ...PERIOD])).exit).toBe(4);
});
