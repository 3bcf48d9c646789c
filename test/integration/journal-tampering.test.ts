import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entriesJson } from '../../src/ground/journal/append.ts';
import { INSTALLATION } from '../../src/ground/journal/entry.ts';
import { madridDay, plusDays } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { holdEntry } from '../../src/subjects/chain/hold-entry.ts';
import { computeDayTotalsOf } from '../../src/subjects/invoices/compute-day-totals.ts';
import type { JournalFinding } from '../../src/subjects/journal/finding.ts';
import { verifyJournal } from '../../src/subjects/journal/verify.ts';
import { registrar, skipWait } from '../support/agency/registration.ts';
import { type SimulatedAgency, simulatedAgency } from '../support/agency/simulated.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { ANA, differences, operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { DERIVED, PUT_IN } from './derived-tampering.ts';

let service: TestService;
let agency: SimulatedAgency;
let environmentId: number;
/** Ids of an ordinary invoice, of one that is voided, and of one that is amended. */
let ids: { ordinary: string; voided: string; amended: string };

beforeAll(async () => {
  [service, agency] = await Promise.all([testService(), simulatedAgency()]);
  await agency.control({ mode: 'ok', wait_seconds: 0, enforce_wait: false });
  const { live } = service.company;
  environmentId = live.environmentId;
  const worker = registrar(service.db, agency.access);
  const register = async () => {
    await skipWait(service.db, live);
    await worker.submit(live);
  };
  const issue = async (body: object) => {
    const answer = await service.call('POST', '/v1/invoices', { key: live.key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const operator = await operatorOf(service);
  const lines = [aLine(), aLine({ description: 'Segunda línea', unit_amount: 500 })];
  const ordinary = await issue(aCompleteInvoice({ line_items: lines, notes: 'Una nota' }));
  const flagged = await issue(aCompleteInvoice({ line_items: [aLine({ description: 'SIMULATE-FLAG' })] }));
  const wrong = await issue(aCompleteInvoice());
  const ticket = await issue(aSimplifiedInvoice());
  await register();
  await issue(differences(ordinary, -100));
  const recipient = { name: 'GARCIA PEREZ ANA' };
  const acts = [
    await operator.voidInvoice(wrong.id),
    await operator.amendRecord({ invoiceId: flagged.id, reason: 'the name', recipient }),
    await operator.exchangeInvoices({ ticketIds: [ticket.id], recipient: ANA }),
  ];
  for (const { errors } of acts) expect(errors).toBeUndefined();
  await register();
  const pay = (amount: number) =>
    service.call('POST', `/v1/invoices/${ordinary.id}/payments`, {
      ...{ key: live.key, body: { amount, paid_on: madridDay(clock.now()), reference: 'R' } },
    });
  const [, second] = [await pay(100), await pay(200)];
  const removing = `/v1/invoices/${ordinary.id}/payments/${second.body.id}`;
  expect((await service.call('DELETE', removing, { key: live.key })).status).toBe(204);
  const path = `/v1/invoices/${ordinary.id}/recipient_statuses`;
  const status = { status: 'rejected', on: madridDay(clock.now()), status_reason: 'No.' };
  expect((await service.call('POST', path, { key: live.key, body: status })).status).toBe(201);
  const { pathname, search } = new URL(ordinary.pdf_url);
  expect((await fetch(`${service.url}${pathname}${search}`)).status).toBe(200);
  const opened = await service.call('POST', '/v1/number_series', {
    ...{ key: live.key, body: { prefix: 'gone', type: 'standard' } },
  });
  await service.call('DELETE', `/v1/number_series/${opened.body.id}`, { key: live.key });
  worker.close();
  // Today counts as over, so that there are sums of it.
  await computeDayTotalsOf(service.db, environmentId, { before: plusDays(madridDay(clock.now()), 1) });
  ids = { ordinary: ordinary.id, voided: wrong.id, amended: flagged.id };
});
afterAll(async () => {
  await Promise.all([service?.close(), agency?.stop()]);
});

/** What is found when somebody who owns the database has done this behind the triggers; nothing of it stays. */
async function foundAfter(statement: string, journal = environmentId): Promise<JournalFinding[]> {
  const client: pg.PoolClient = await service.owner.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    await client.query(statement);
    const findings: JournalFinding[] = [];
    await verifyJournal(client, journal, {
      ...{ batch: 5, progress: () => {}, isOver: () => false },
      add: (finding) => findings.push(finding),
    });
    return findings;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const ordinary = (change: string) => () => `update invoice set ${change} where id = '${ids.ordinary}'`;
const line = (change: string) => () =>
  `update invoice_line set ${change} where invoice_id = '${ids.ordinary}' and position = 1`;
const xml = (from: string, to: string) => () =>
  `update registration_record set xml = regexp_replace(xml, '${from}', '${to}') where invoice_id = '${ids.ordinary}'`;
const CONTENT = ['journal_content'];

/** What was done, and what must be found. */
const cases: [what: string, statement: () => string, found: string[]][] = [
  [
    'the amounts of a line',
    line('unit_amount = 400, quantity = 2, subtotal = 800, total = 800 + tax'),
    CONTENT,
  ],
  ['the day by which an invoice is to be paid', ordinary("due_date = '2027-01-01'"), CONTENT],
  [
    'a withholding that is put in',
    ordinary('withholding_rate = 1500, withholding_base = subtotal, withholding_amount = 1'),
    CONTENT,
  ],
  ['the operation that it corrects', ordinary("rectified_operation_on = '2024-01-01'"), CONTENT],
  ['the invoices that it corrects', ordinary('rectifies_id = id, rectifies_ids = array[id, id]'), CONTENT],
  ['the invoice that a line changes', line('rectifies_invoice_id = invoice_id'), CONTENT],
  ['the period that it reduces', ordinary('rectified_from = issued_on, rectified_to = issued_on'), CONTENT],
  ['a disbursement', ordinary(`disbursements = '[]', disbursed_amount = 1`), CONTENT],
  ['the rate of a currency', ordinary(`display_currency = '{}'`), CONTENT],
  ['the account that is to be paid to', ordinary(`payment = '{"means": "transfer", "iban": "x"}'`), CONTENT],
  ['the amount of a payment', () => 'update invoice_payment set amount = 101 where amount = 100', CONTENT],
  [
    'the day of a payment',
    () => 'update invoice_payment set paid_on = paid_on - 1 where amount = 100',
    CONTENT,
  ],
  ['a payment that is gone', () => 'delete from invoice_payment where amount = 100', ['journal_row_missing']],
  [
    'the removal of a payment that is taken back',
    () => 'delete from invoice_payment_removal',
    ['journal_row_missing'],
  ],
  [
    'a payment that nobody recorded',
    () =>
      `insert into invoice_payment select environment_id, 'pay_x', invoice_id, amount, paid_on, means, reference,
         recorded_by, recorded_at, account_payable, account_paid from invoice_payment where amount = 100`,
    ['journal_untold'],
  ],
  [
    'a payment that nobody removed',
    () =>
      `insert into invoice_payment_removal select environment_id, p.id, invoice_id, removed_by, removed_at, r.account_payable,
         r.account_paid from invoice_payment_removal r join invoice_payment p using (environment_id, invoice_id)
        where p.amount = 100`,
    ['journal_untold'],
  ],
  [
    'what a recipient has said',
    () =>
      "update journal_entry set content = replace(content, 'No.', 'Yes') where type = 'invoice.recipient_rejected'",
    CONTENT,
  ],
  [
    'that a recipient has said the opposite',
    () =>
      "update journal_entry set type = 'invoice.recipient_paid' where type = 'invoice.recipient_rejected'",
    ['journal_link'],
  ],
  ['the language of the document', ordinary("language = 'eu'"), CONTENT],
  ['the purchase order', ordinary(`"references" = '{"purchase_order": "x"}'`), CONTENT],
  ['the days of delivery', ordinary(`delivery = '{"from": "2026-01-01", "to": "2026-01-02"}'`), CONTENT],
  ['a quantity with decimals that is put in', line("quantity_decimal = '3'"), CONTENT],
  ['a price with its taxes that is put in', line('unit_amount_gross = 605'), CONTENT],
  ['the unit of a line', line("unit = 'HUR'"), CONTENT],
  ['prices that are said to be gross', ordinary('prices_include_tax = true'), CONTENT],
  ...PUT_IN.map((part): [string, () => string, string[]] => [`${part}, put in`, ordinary(part), CONTENT]),
  ['the description of a line', line("description = 'Otra cosa'"), CONTENT],
  [
    'a line that is deleted',
    () => `delete from invoice_line where invoice_id = '${ids.ordinary}' and position = 1`,
    CONTENT,
  ],
  [
    'a line that is added',
    () =>
      `insert into invoice_line select environment_id, invoice_id, 2, 'ili_x', description, sku, quantity, unit_amount,
         subtotal, tax, total from invoice_line where invoice_id = '${ids.ordinary}' and position = 1`,
    CONTENT,
  ],
  [
    'a tax item',
    () =>
      `update tax_item set rate_basis_points = 1000 where invoice_id = '${ids.ordinary}' and line_position = 0`,
    CONTENT,
  ],
  ['subtotal and tax, of the same total', ordinary('subtotal = subtotal + 1, tax = tax - 1'), CONTENT],
  ['the total', ordinary('total = total + 1, tax = tax + 1'), CONTENT],
  ['the recipient’s name', ordinary("recipient_name = 'Otra persona'"), CONTENT],
  ['the recipient’s tax id', ordinary("recipient_tax_id = '00000000T'"), CONTENT],
  ['the recipient’s address', ordinary("recipient_line1 = 'Otra calle'"), CONTENT],
  ['the notes', ordinary('notes = null'), CONTENT],
  ['the issuer', ordinary(`issuer = issuer || '{"legalName": "Otra SL"}'`), CONTENT],
  ['the day of issue', ordinary('issued_on = issued_on - 1'), CONTENT],
  ['the moment of issue', ordinary("issued_at = issued_at - interval '1 second'"), CONTENT],
  ['the breakdown', ordinary("breakdown = '[]'"), CONTENT],
  ['the recipient in the XML', xml('<sf:NombreRazon>García[^<]*', '<sf:NombreRazon>Otra'), CONTENT],
  ['the description in the XML', xml('(<sf:DescripcionOperacion>)[^<]*', '\\1Otra'), CONTENT],
  ['a rate in the XML', xml('(<sf:TipoImpositivo>)[^<]*', '\\110'), CONTENT],
  [
    'the moment of a record',
    () =>
      `update registration_record set generated_at = generated_at + interval '1 day' where invoice_id = '${ids.ordinary}'`,
    CONTENT,
  ],
  [
    'the state of a record',
    () =>
      `update record_state set status = 'rejected' where record_id in
         (select id from registration_record where invoice_id = '${ids.ordinary}')`,
    CONTENT,
  ],
  [
    'a settled record that waits again',
    () =>
      `update record_state set status = 'pending', settled_at = null where record_id in
         (select id from registration_record where invoice_id = '${ids.ordinary}')`,
    ['journal_row_missing'],
  ],
  [
    'the words of the agency',
    () => `update record_state set error_message = 'x' where status = 'registered_with_errors' and record_id in
             (select id from registration_record where invoice_id = '${ids.amended}' order by position limit 1)`,
    CONTENT,
  ],
  [
    'a receipt',
    () =>
      `update record_state set receipt = 'A-X' where record_id in
         (select id from registration_record where invoice_id = '${ids.ordinary}')`,
    CONTENT,
  ],
  [
    'a void that names a registration record',
    () =>
      `update invoice_void set record_id = (select id from registration_record where invoice_id = '${ids.voided}'
         and kind = 'registration') where invoice_id = '${ids.voided}'`,
    ['journal_content', 'journal_untold'],
  ],
  ['a void that is taken back', () => `delete from invoice_void where invoice_id = '${ids.voided}'`, CONTENT],
  [
    'a void that nobody made',
    () =>
      `insert into invoice_void select '${ids.ordinary}', environment_id, record_id, reason, voided_by, voided_at
         from invoice_void`,
    ['journal_content', 'journal_untold'],
  ],
  ['an amendment', () => `update invoice_amendment set recipient_name = 'Otra'`, CONTENT],
  ['an exchange', () => `delete from invoice_exchange`, CONTENT],
  [
    'a document that is replaced, with its checksum',
    () =>
      `update invoice_document set bytes = '\\x00', sha256 = sha256('\\x00') where invoice_id = '${ids.ordinary}'`,
    ['journal_content', 'journal_untold'],
  ],
  [
    'an invoice that is gone with all that hangs on it',
    () =>
      ['tax_item', 'invoice_line', 'registration_record', 'invoice_document']
        .map((table) => `delete from ${table} where invoice_id = '${ids.ordinary}'`)
        .concat(`delete from invoice where id = '${ids.ordinary}'`)
        .join('; '),
    ['journal_row_missing', 'journal_row_missing'],
  ],
  [
    'an invoice that nobody issued',
    () =>
      `insert into invoice select (json_populate_record(i, '{"id": "inv_x", "number": "F-2026-99", "series_number": 99}')).*
         from invoice i where id = '${ids.ordinary}'`,
    ['journal_untold'],
  ],
  [
    'the end cut off, with tail and counter, but not the journal’s',
    () => `
      delete from record_state where environment_id = ${environmentId} and position > 6;
      delete from registration_record where environment_id = ${environmentId} and position > 6;
      update chain set last_position = 6 where environment_id = ${environmentId};
      update series_counter set last_number = last_number - 1 where last_number > 1`,
    ['journal_row_missing'],
  ],
  [
    'the prefix of a series',
    () => `update number_series set prefix = 'Q' where environment_id = ${environmentId} and prefix = 'F'`,
    CONTENT,
  ],
  [
    'whether a series begins anew each year',
    () => `update number_series set yearly = not yearly where environment_id = ${environmentId}`,
    CONTENT,
  ],
  [
    'a series that is gone',
    () => `delete from series_default where environment_id = ${environmentId} and type = 'rectifying';
       delete from number_series where environment_id = ${environmentId} and type = 'rectifying'`,
    ['journal_row_missing'],
  ],
  [
    'a series that was deleted and is back',
    () =>
      `insert into number_series (id, environment_id, prefix, type, yearly, imported, created_at)
       select subject_id, environment_id, 'GONE', 'standard', true, false, now() from journal_entry
        where environment_id = ${environmentId} and type = 'number_series.deleted'`,
    ['journal_untold'],
  ],
  [
    'an entry that is rewritten',
    () => `update journal_entry set subject_id = 'inv_x' where position = 4`,
    ['journal_link'],
  ],
  [
    'an entry that is gone',
    () => `delete from journal_entry where position = 4`,
    ['journal_position', 'journal_link'],
  ],
  [
    'the last entry that is gone',
    () =>
      `delete from journal_entry e using journal_head h where e.environment_id = h.environment_id and e.position = h.position`,
    ['journal_head'],
  ],
  [
    'the whole journal that is gone with its head',
    () =>
      `delete from journal_entry where environment_id = ${environmentId};
       delete from journal_head where environment_id = ${environmentId}`,
    ['journal_head'],
  ],
  [
    'an environment that is given to another company',
    () => `update environment set company_id = 'co_x' where id = ${environmentId}`,
    ['journal_head'],
  ],
  ...DERIVED.map(
    ([what, statement, found]) => [what, () => statement(ids), found] as [string, () => string, string[]],
  ),
];

test('what was issued, corrected, registered and rendered is sound', async () => {
  expect(await foundAfter('select 1')).toEqual([]);
  expect(await foundAfter('select 1', INSTALLATION)).toEqual([]);
  const { rows } = await service.db.pool.query<{ type: string }>(
    'select distinct type from journal_entry where environment_id = $1',
    [environmentId],
  );
  expect(rows.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      ...['invoice.issued', 'invoice.registered', 'invoice.registered_with_errors', 'invoice.voided'],
      ...['invoice.amended', 'invoice.document_ready'],
    ]),
  );
});

test.each(cases)('%s is found', async (_what, statement, found) => {
  const findings = (await foundAfter(statement())).map(({ what }) => what);
  for (const what of found) expect(findings).toContain(what);
  expect(findings.length).toBeGreaterThan(0);
});

test('a hold that was lifted or made outside the service is found; one that begins, changes and ends is sound', async () => {
  const { chainId } = service.company.live;
  const { rows } = await service.db.pool.query('select installation_number from chain where id = $1', [
    chainId,
  ]);
  const eventsOfHold = (hold: 'restored' | 'forked' | null) => {
    const chain = { environmentId, chainId, installationNumber: rows[0].installation_number, hold };
    return `select append_journal('${entriesJson([holdEntry(chain, clock.now())])}')`;
  };
  const done = (hold: string | null) =>
    `update chain set hold = ${hold}, held_at = ${hold && 'now()'} where id = ${chainId}`;
  const found = async (...statements: string[]) =>
    (await foundAfter(statements.join('; '))).map(({ what }) => what);
  expect(await found(eventsOfHold('restored'), done("'restored'"))).toEqual([]);
  expect(await found(eventsOfHold('restored'), eventsOfHold('forked'), eventsOfHold(null))).toEqual([]);
  const closed = `update chain set closed_at = now() where id = ${chainId}`;
  expect(await found(eventsOfHold('forked'), done("'forked'"), closed, eventsOfHold(null))).toEqual([]);
  expect(await found(eventsOfHold('restored'), eventsOfHold('forked'), done(null))).toEqual([
    'journal_content',
  ]);
  expect(await found(done("'restored'"))).toEqual(['journal_untold']);
});

test.each([
  ['rewritten', `update audit_entry set reason = 'another' where action = 'void_invoice'`, 'journal_content'],
  ['deleted', `delete from audit_entry where action = 'void_invoice'`, 'journal_row_missing'],
  [
    'added',
    `insert into audit_entry select 'aud_x', environment_id, actor, action, subject, reason, details, at from audit_entry limit 1`,
    'journal_untold',
  ],
])('an audit entry that is %s is found', async (_what, statement, found) => {
  const findings = await foundAfter(statement, INSTALLATION);
  expect(findings.map(({ what }) => what)).toEqual([found]);
});
