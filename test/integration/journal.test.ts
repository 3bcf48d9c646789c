import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEALED } from '../../src/ground/db/roles/grants.ts';
import { append } from '../../src/ground/journal/append.ts';
import { entryHash, INSTALLATION } from '../../src/ground/journal/entry.ts';
import * as forms from '../../src/ground/journal/forms.ts';
import { INVOICE_BODY } from '../../src/subjects/extensions/columns.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { ANA, differences, operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

type Entry = {
  position: number;
  type: string;
  subject_id: string;
  record_id: string | null;
  created_at: Date;
  content_hash: Buffer;
  content: string | null;
  hash: Buffer;
  origin: string;
};

async function journalOf(environmentId: number): Promise<Entry[]> {
  const { rows } = await service.db.pool.query<Entry>(
    `select entry.*, origin from journal_entry entry join journal_head using (environment_id)
      where environment_id = $1 order by entry.position`,
    [environmentId],
  );
  return rows;
}

const typesSince = async (environmentId: number, position: number) =>
  (await journalOf(environmentId)).slice(position).map(({ type }) => type);

const issue = async (kind: 'test' | 'live', body: object) => {
  const answer = await service.call('POST', '/v1/invoices', { key: service.company[kind].key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};

describe('every change has one entry', () => {
  test('an environment is created with its series', async () => {
    const entries = await journalOf(service.company.live.environmentId);
    expect(entries.slice(0, 2).map(({ type }) => type)).toEqual([
      'number_series.created',
      'number_series.created',
    ]);
    expect(JSON.parse(entries[0]!.content!)).toMatchObject({ prefix: 'F', type: 'standard', yearly: true });
  });

  test('issuing, correcting, exchanging, voiding and amending, in the order in which they were done', async () => {
    const { environmentId } = service.company.test;
    const before = (await journalOf(environmentId)).length;
    const operator = await operatorOf(service);
    const original = await issue('test', aCompleteInvoice());
    await issue('test', differences(original, -500));
    const ticket = await issue('test', aSimplifiedInvoice());
    expect(
      (await operator.exchangeInvoices({ ticketIds: [ticket.id], recipient: ANA })).errors,
    ).toBeUndefined();
    const wrong = await issue('test', aCompleteInvoice());
    expect((await operator.voidInvoice(wrong.id)).errors).toBeUndefined();
    const born = ['invoice.issued', 'invoice.registered'];
    expect(await typesSince(environmentId, before)).toEqual([
      ...born,
      ...born,
      ...born,
      ...born,
      ...born,
      'invoice.voided',
      'invoice.registered',
    ]);
  });

  test('a live invoice that waits for the agency has not changed', async () => {
    const { environmentId } = service.company.live;
    const before = (await journalOf(environmentId)).length;
    const issued = await Promise.all(Array.from({ length: 7 }, () => issue('live', aCompleteInvoice())));
    const entries = (await journalOf(environmentId)).slice(before);
    expect(entries.map(({ type }) => type)).toEqual(issued.map(() => 'invoice.issued'));
    expect(new Set(entries.map((entry) => entry.subject_id))).toEqual(new Set(issued.map(({ id }) => id)));
  });

  test('a document, once, however often it is requested', async () => {
    const { environmentId } = service.company.test;
    const invoice = await issue('test', aCompleteInvoice());
    const before = (await journalOf(environmentId)).length;
    const { pathname, search } = new URL(invoice.pdf_url);
    for (let time = 0; time < 2; time += 1) {
      expect((await fetch(`${service.url}${pathname}${search}`)).status).toBe(200);
    }
    const [entry, ...others] = (await journalOf(environmentId)).slice(before);
    expect(others).toEqual([]);
    const { rows } = await service.db.pool.query(
      'select sha256 from invoice_document where invoice_id = $1',
      [invoice.id],
    );
    expect(entry).toMatchObject({ type: 'invoice.document_ready', subject_id: invoice.id });
    expect(JSON.parse(entry!.content!)).toEqual({
      edition: 'issued',
      sha256: rows[0].sha256.toString('hex'),
    });
  });

  test('a series that is created and deleted', async () => {
    const { environmentId, key } = service.company.test;
    const before = (await journalOf(environmentId)).length;
    const body = { prefix: 'GONE', type: 'standard' };
    const made = await service.call('POST', '/v1/number_series', { key, body });
    await service.call('DELETE', `/v1/number_series/${made.body.id}`, { key });
    const used = await service.call('POST', '/v1/number_series', { key, body: { ...body, prefix: 'USED' } });
    await issue('test', aSimplifiedInvoice({ number_series_id: used.body.id, line_items: [aLine()] }));
    expect((await service.call('DELETE', `/v1/number_series/${used.body.id}`, { key })).status).toBe(409);
    const entries = (await journalOf(environmentId)).slice(before);
    expect(entries.map(({ type }) => type)).toEqual([
      ...['number_series.created', 'number_series.deleted', 'number_series.created'],
      ...['invoice.issued', 'invoice.registered'],
    ]);
    expect(entries[1]?.content).toBe(entries[0]?.content);
  });

  test('an operator’s action is in the journal of the installation', async () => {
    const before = (await journalOf(INSTALLATION)).length;
    const operator = await operatorOf(service);
    const wrong = await issue('test', aCompleteInvoice());
    await operator.voidInvoice(wrong.id);
    const acts = (await journalOf(INSTALLATION))
      .slice(before)
      .filter(({ type }) => type === 'audit_entry.added');
    const { rows } = await service.db.pool.query<{ id: string }>(
      `select id from audit_entry where action = 'void_invoice' and subject = $1`,
      [wrong.id],
    );
    expect(acts.map((entry) => entry.subject_id)).toContain(rows[0]!.id);
  });
});

test('positions have no gap, times never go back, and each entry is linked to the one before by its hash', async () => {
  for (const environmentId of [
    INSTALLATION,
    service.company.test.environmentId,
    service.company.live.environmentId,
  ]) {
    const entries = await journalOf(environmentId);
    expect(entries.length).toBeGreaterThan(0);
    let previous: string | null = null;
    let last = new Date(0);
    for (const [index, entry] of entries.entries()) {
      expect(entry.position).toBe(index + 1);
      expect(entry.created_at.getTime()).toBeGreaterThanOrEqual(last.getTime());
      last = entry.created_at;
      // What the database computed is what anybody computes from the entry's text.
      const hash: string = entryHash({
        ...{ origin: entry.origin, position: entry.position, type: entry.type, subjectId: entry.subject_id },
        ...{ recordId: entry.record_id, createdAt: entry.created_at, previous },
        contentHash: entry.content_hash.toString('hex'),
      });
      expect(entry.hash.toString('hex')).toBe(hash);
      previous = hash;
    }
    const { rows } = await service.db.pool.query(
      'select position, hash from journal_head where environment_id = $1',
      [environmentId],
    );
    expect(rows[0]).toEqual({ position: entries.length, hash: entries.at(-1)!.hash });
  }
});

test('a transaction that fails leaves no entry and no gap', async () => {
  const { environmentId } = service.company.test;
  const before = (await journalOf(environmentId)).length;
  const client = await service.db.pool.connect();
  await client.query('begin');
  await append(client, [{ environmentId, type: 'ping', subjectId: 'x', at: new Date(), content: '{}' }]);
  await client.query('rollback');
  client.release();
  expect(await journalOf(environmentId)).toHaveLength(before);
});

test('entries of several journals are appended in one order, independent of the order in which they are given', async () => {
  const { test: one, live: other } = service.company;
  const given = (environmentId: number, at: Date) =>
    ({ environmentId, type: 'ping', subjectId: 'x', at, content: '{}' }) as const;
  const now = new Date();
  const early = new Date(0);
  await append(service.db.pool, [
    given(INSTALLATION, now),
    given(other.environmentId, now),
    given(one.environmentId, early),
    given(other.environmentId, early),
  ]);
  expect((await typesSince(other.environmentId, 0)).slice(-2)).toEqual(['ping', 'ping']);
  // An entry is never older than the one before it.
  expect((await journalOf(one.environmentId)).at(-1)!.created_at.getTime()).toBeGreaterThan(0);
});

describe('what hashes cover', () => {
  const covered = [...Object.values(forms), INVOICE_BODY].filter(
    (form): form is forms.Form => typeof form === 'object' && 'table' in form,
  );
  /** What stands in the entry itself, says where the row is, or moves. */
  const LEFT_OUT: Record<string, string[]> = {
    audit_entry: [],
    branding: ['environment_id'],
    environment_audit_entry: ['environment_id'],
    counter_jump: [],
    software_declaration: [],
    invoice: ['environment_id'],
    invoice_line: ['environment_id', 'invoice_id'],
    tax_item: ['environment_id', 'invoice_id'],
    // The XML is covered by its own hash.
    registration_record: ['environment_id', 'xml'],
    invoice_void: ['environment_id'],
    invoice_amendment: ['environment_id'],
    invoice_payment: ['environment_id'],
    invoice_payment_removal: ['environment_id'],
    invoice_email: ['environment_id'],
    number_series: ['environment_id'],
    record_state: [
      ...['environment_id', 'chain_id', 'position', 'attempts', 'late', 'parked_reason', 'trace_parent'],
      // The invoice's own instant of issue, once more: lists are read in its order.
      'listed_at',
    ],
  };

  test('every sealed table, and with each form all of its columns', () => {
    const tables = [...new Set(covered.map(({ table }) => table))];
    expect(tables.sort()).toEqual(Object.keys(LEFT_OUT).sort());
    // An exchange is a part of the invoice that was issued for it.
    const others = ['invoice_exchange', 'journal_entry'];
    expect(SEALED.filter((table) => !tables.includes(table))).toEqual(others);
  });

  test.each(Object.entries(LEFT_OUT))(
    'every column of %s, but for those that are named here',
    async (table, left) => {
      const { rows } = await service.db.pool.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
        [table],
      );
      const names = covered.filter((form) => form.table === table).flatMap(({ columns }) => columns);
      expect([...names.map(({ name }) => name), ...left].sort()).toEqual(rows.map(({ name }) => name).sort());
    },
  );
});
