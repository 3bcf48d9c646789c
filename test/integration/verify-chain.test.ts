import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import type { Finding } from '../../src/subjects/chain/verify-record.ts';
import { type IssuedRecord, issueRecords, ordinary } from '../support/agency/records.ts';
import { type Chain, newChain } from '../support/agency/registration.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { commandLine, SECRETS } from '../support/processes/command-line.ts';
import { runProgram } from '../support/processes/running-program.ts';

let database: TestDatabase;
let chain: Chain;
let issued: IssuedRecord[];
beforeAll(async () => {
  database = await testDatabase();
  chain = await newChain(database.db);
  issued = await issueRecords(database.db, chain, ordinary(5));
  const cancels = [issued[1]!.number];
  issued.push(...(await issueRecords(database.db, chain, { descriptions: [], cancels })));
});
afterAll(() => database.close());

const verify = async (options = {}) =>
  (await verifyEnvironment(database.db.pool, chain.environmentId, options))!;
/** What the chain shows by itself: the journal, which sees all of this too, and what is derived have tests of their own. */
const ofChain = ({ findings }: { findings: readonly Finding[] }) =>
  findings.filter(
    ({ what }) => !what.startsWith('journal_') && what !== 'listed_at' && what !== 'corrected_invoice',
  );
const shortened = (found: { findings: readonly Finding[] }) =>
  ofChain(found).map(({ what, position }) => (position === null ? what : `${what} ${position}`));

test('chains written by other software are valid', async () => {
  expect(await verify()).toMatchObject({ records: 6, findingCount: 0, findings: [], complete: true });
});

const TABLES = [
  'registration_record',
  'record_state',
  'invoice',
  'chain',
  'series_counter',
  'series_default',
];

/** What is found when the statement has been run behind the database's back; everything is as before afterwards. */
async function foundAfter(statement: string) {
  const client = await database.owner.connect();
  try {
    // Neither sealing nor keys hold here.
    await client.query('set session_replication_role = replica');
    for (const table of TABLES) await client.query(`create table kept_${table} as table ${table}`);
    await client.query(statement);
    return await verify();
  } finally {
    for (const table of TABLES) {
      await client.query(
        `delete from ${table}; insert into ${table} table kept_${table}; drop table kept_${table}`,
      );
    }
    await client.query('set session_replication_role = origin');
    client.release();
  }
}

const inXml = (position: number, from: string, to: string) =>
  `update registration_record set xml = replace(xml, '${from}', '${to}') where position = ${position}`;
const inRecord = (position: number, change: string) =>
  `update registration_record set ${change} where position = ${position}`;
const inState = (position: number, change: string) =>
  `update record_state set ${change} where position = ${position}`;
const inInvoice = (number: string, change: string) =>
  `update invoice set ${change} where number like 'F-%-${number}'`;

/** What is done to a chain of six records, the last of which cancels the second, and what must be found. */
const corruptions: [what: string, statement: string, findings: string[]][] = [
  ['a total in the XML', inXml(3, '121.00', '122.00'), ['fingerprint 3', 'fingerprint_in_xml 3', 'total 3']],
  [
    'a number in the XML',
    inXml(3, 'NumSerieFactura>F-', 'NumSerieFactura>G-'),
    ['fingerprint 3', 'fingerprint_in_xml 3', 'link_in_xml 3', 'invoice_number 3', 'link_in_xml 4'],
  ],
  [
    'a fingerprint in the XML',
    inRecord(
      3,
      "xml = regexp_replace(xml, '\\w{64}</sf:Huella></sf:RegistroAlta>', repeat('A', 64) || '</sf:Huella></sf:RegistroAlta>')",
    ),
    ['fingerprint_in_xml 3'],
  ],
  ['a reference in the XML', inXml(3, 'RefExterna>inv_', 'RefExterna>inw_'), ['invoice_reference 3']],
  [
    'an installation in the XML',
    inXml(3, '<sf:NumeroInstalacion>', '<sf:NumeroInstalacion>x'),
    ['installation_number 3'],
  ],
  [
    'an amount of the breakdown',
    inXml(3, 'CuotaRepercutida>21.00', 'CuotaRepercutida>20.00'),
    ['tax_total 3', 'breakdown_tax 3'],
  ],
  [
    'a base of the breakdown',
    inXml(3, 'OimporteNoSujeto>100.00', 'OimporteNoSujeto>101.00'),
    ['breakdown_base 3'],
  ],
  ['the recipient in the XML', inXml(3, 'A39200019', 'A39200027'), ['recipient_tax_id 3']],
  ['XML that is cut', inRecord(3, 'xml = left(xml, 300)'), ['record_unreadable 3']],
  ['the wrong kind', inRecord(3, "kind = 'cancellation'"), ['record_kind 3', 'invoice_without_record']],
  [
    'a fingerprint',
    inRecord(3, "fingerprint = repeat('A', 64)"),
    ['fingerprint 3', 'previous_fingerprint 4', 'link_in_xml 4'],
  ],
  ['a link to another record', inRecord(4, `previous_record_id = 'rec_x'`), ['previous_record 4']],
  [
    'a link to another fingerprint',
    inRecord(4, "previous_fingerprint = repeat('A', 64)"),
    ['previous_fingerprint 4'],
  ],
  [
    'a link in the XML',
    inXml(4, 'RegistroAnterior><sf:IDEmisorFactura>B', 'RegistroAnterior><sf:IDEmisorFactura>A'),
    ['link_in_xml 4'],
  ],
  [
    'a first record in the middle',
    `update registration_record set xml = regexp_replace(xml, '<sf:RegistroAnterior>.*</sf:RegistroAnterior>', '<sf:PrimerRegistro>S</sf:PrimerRegistro>') where position = 4`,
    ['fingerprint 4', 'fingerprint_in_xml 4', 'link_in_xml 4'],
  ],
  [
    'a record that is gone',
    'delete from registration_record where position = 3',
    [
      'position 4',
      'previous_record 4',
      'previous_fingerprint 4',
      'link_in_xml 4',
      'state_without_record 3',
      'invoice_without_record',
    ],
  ],
  ['a position that was left out', inRecord(6, 'position = 7'), ['position 7', 'state_place 7', 'tail 7']],
  [
    'a time that goes back',
    inRecord(4, "generated_at = generated_at - interval '1 hour'"),
    ['generated_at_goes_back 4', 'generated_at_in_xml 4'],
  ],
  [
    'an invoice that is gone',
    "delete from invoice where number like 'F-%-3'",
    ['invoice_missing 3', 'series_number_missing'],
  ],
  ['the number of an invoice', inInvoice('3', "number = 'F-1'"), ['invoice_number 3']],
  ['the day of an invoice', inInvoice('3', 'issued_on = issued_on - 1'), ['issue_day 3']],
  ['the total of an invoice', inInvoice('3', 'total = 12101, tax = 2101'), ['total 3']],
  [
    'the breakdown of an invoice',
    inInvoice('3', `breakdown = '[{"declaredBase": 9000, "declaredTax": 2100}]'`),
    ['breakdown_base 3'],
  ],
  ['the issuer of an invoice', inInvoice('3', `issuer = '{"nif": "B00000000"}'`), ['issuer_nif 3']],
  ['the recipient of an invoice', inInvoice('3', "recipient_tax_id = 'A39200027'"), ['recipient_tax_id 3']],
  ['the type of an invoice', inInvoice('3', "kind = 'exchange'"), ['invoice_type 3']],
  [
    'the number in the series',
    inInvoice('3', 'series_number = 30'),
    ['series_number_beyond_counter', 'series_number_missing'],
  ],
  ['a state that is gone', 'delete from record_state where position = 3', ['state_missing 3']],
  ['a state in another place', inState(3, 'position = 30'), ['state_place 3']],
  ['a state that is settled too early', inState(3, 'settled_at = now()'), ['state_settled 3']],
  ['a state without its moment', inState(3, "status = 'registered'"), ['state_settled 3']],
  ['the tail', "update chain set last_fingerprint = repeat('A', 64) where last_position > 0", ['tail 6']],
  [
    'a counter that went on',
    'update series_counter set last_number = last_number + 2',
    ['series_number_missing', 'series_number_missing'],
  ],
  ['a counter that went back', 'update series_counter set last_number = 3', ['series_number_beyond_counter']],
  ['a counter that is gone', 'delete from series_counter', ['series_without_counter']],
  [
    'a default that is gone',
    `delete from series_default where type = 'rectifying'`,
    ['default_series_missing'],
  ],
];

describe('any change behind the triggers is found, with its position', () => {
  test.each(corruptions)('%s', async (_what, statement, findings) => {
    const found = await foundAfter(statement);
    expect(shortened(found)).toEqual(findings);
  });

  test('and reported as text that an operator understands', async () => {
    const findings = ofChain(await foundAfter(inRecord(4, "previous_record_id = 'rec_x'")));
    const [, , third, fourth] = issued;
    expect(findings).toEqual([
      {
        ...{ chainId: chain.chainId, position: 4, recordId: fourth!.id, what: 'previous_record' },
        ...{ invoiceId: expect.stringMatching(/-4$/), expected: third!.id, found: 'rec_x' },
      },
    ]);
  });

  test('and nothing is left behind by all this', async () => {
    expect((await verify()).findings).toEqual([]);
  });
});

test('findings are counted to the last and kept up to a number', async () => {
  const statement = "update registration_record set fingerprint = repeat('A', 64)";
  const client = await database.owner.connect();
  await client.query('set session_replication_role = replica');
  await client.query('create table kept as select id, fingerprint from registration_record');
  await client.query(statement);
  const found = await verify({ keep: 3 });
  await client.query(
    'update registration_record set fingerprint = kept.fingerprint from kept where kept.id = registration_record.id',
  );
  await client.query('drop table kept');
  await client.query('set session_replication_role = origin');
  client.release();
  expect(found.findings).toHaveLength(3);
  // Six fingerprints, five links in rows and five in XML, the tail, and six entries of the journal.
  expect(found.findingCount).toBe(23);
});

test('small bites find the same as large ones', async () => {
  for (const batch of [1, 2, 5, 6, 7])
    expect(await verify({ batch })).toMatchObject({ records: 6, findingCount: 0 });
});

test('a verification that runs out of time reports that it is not complete', async () => {
  expect(await verify({ batch: 1, milliseconds: 0 })).toMatchObject({ records: 1, complete: false });
  expect(await verify({ signal: AbortSignal.abort() })).toMatchObject({ complete: false });
});

test('an unknown environment is not reported as sound', async () => {
  expect(await verifyEnvironment(database.db.pool, 99_999)).toBeNull();
});

test('what is issued meanwhile is not mistaken for a fault', async () => {
  const busy = await newChain(database.db);
  await issueRecords(database.db, busy, ordinary(50));
  const issuing = (async () => {
    for (let i = 0; i < 10; i++) await issueRecords(database.db, busy, ordinary(5));
  })();
  for (let i = 0; i < 5; i++) {
    const found = await verifyEnvironment(database.db.pool, busy.environmentId, { batch: 7 });
    expect(ofChain(found!)).toEqual([]);
  }
  await issuing;
});

test('a record that waits in a test environment is a fault', async () => {
  const testing = await newChain(database.db, 'test');
  await issueRecords(database.db, testing, ordinary(1));
  const found = await verifyEnvironment(database.db.pool, testing.environmentId);
  expect(shortened(found!)).toEqual(['state_pending_in_test 1']);
  await database.db.pool.query(
    "update record_state set status = 'skipped', settled_at = now() where environment_id = $1",
    [testing.environmentId],
  );
});

async function program(...args: string[]): Promise<{ status: number | null; output: string }> {
  const variables = { ...SECRETS, DATABASE_URL: database.url };
  const running = runProgram('src/faces/cli/main.ts', variables, ['verify', ...args]);
  await once(running.process, 'close');
  return { status: running.process.exitCode, output: running.output() };
}

test('npm run verify-chain distinguishes sound from unsound by its exit code', async () => {
  const sound = await program('--environment', String(chain.environmentId), '--json');
  expect(sound.status).toBe(0);
  const whole = { records: 6, findingCount: 0, complete: true };
  expect(JSON.parse(sound.output)).toMatchObject({ sound: true, environments: [whole] });
  const client = await database.owner.connect();
  await client.query('set session_replication_role = replica');
  await client.query(inRecord(4, "previous_record_id = 'rec_x'"));
  const unsound = await program();
  await client.query(inRecord(4, `previous_record_id = '${issued[2]!.id}'`));
  await client.query('set session_replication_role = origin');
  client.release();
  expect(unsound.status).toBe(6);
  expect(unsound.output).toMatch(
    /6 records, 8 entries, 2 FINDINGS.*\n +previous_record at chain \d+, position 4, rec_\w+, inv_\S+: expected rec_\w+, found rec_x/,
  );
  const exitOf = async (environment: string) =>
    (await commandLine(database.db)(['verify', '--environment', environment])).exit;
  expect([await exitOf('x'), await exitOf('9999')]).toEqual([3, 4]);
});
