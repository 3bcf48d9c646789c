import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { agencyDate, madridDay } from '../../src/ground/lib/calendar.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import {
  ANA,
  codeOf,
  decideRecords,
  differences,
  type Issued,
  issueWith,
  operatorOf,
  persistedCounts,
  substitution,
  xmlOf,
} from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';

let service: TestService;
let operator: Awaited<ReturnType<typeof operatorOf>>;
beforeAll(async () => {
  service = await testService();
  operator = await operatorOf(service);
});
afterAll(() => service.close());

const issued = (body: object, kind: 'test' | 'live' = 'test') => issueWith(service, body, kind);

async function refusedRectification(body: object, kind: 'test' | 'live' = 'test'): Promise<string> {
  const answer = await service.call('POST', '/v1/invoices', { body, key: service.company[kind].key });
  return answer.body.code;
}

describe('voiding in the test environment', () => {
  test('cancels at once: the invoice is voided, readable, and keeps its number and its external_id', async () => {
    const invoice = await issued(aCompleteInvoice({ external_id: 'order-1' }));
    const { data } = await operator.voidInvoice(invoice.id);
    expect(data.result).toMatchObject({ id: invoice.id, number: invoice.number, status: 'voided' });
    expect(data.result.records).toMatchObject([
      { kind: 'registration', status: 'registered' },
      { kind: 'cancellation', status: 'registered' },
    ]);
    const read = await service.call('GET', `/v1/invoices/${invoice.id}`);
    expect(read.body).toMatchObject({ status: 'voided', external_id: 'order-1' });
    expect(read.body.verifactu.hash).toBe(data.result.records[0].hash);
    expect(await refusedRectification(aCompleteInvoice({ external_id: 'order-1' }))).toBe(
      'external_id_already_used',
    );
    expect(await refusedRectification(differences(invoice, -1))).toBe('invoice_already_voided');
    expect(codeOf(await operator.voidInvoice(invoice.id))).toBe('invoice_already_voided');
  });

  test('the record names the invoice, hangs at the end of the chain, and carries no flag', async () => {
    const invoice = await issued(aCompleteInvoice());
    const after = await issued(aSimplifiedInvoice());
    await operator.voidInvoice(invoice.id);
    const [, xml] = await xmlOf(service.db, invoice.id);
    const date = agencyDate(madridDay(new Date(invoice.invoice_date)));
    expect(xml).toContain(
      `<sf:IDFactura><sf:IDEmisorFacturaAnulada>B72877814</sf:IDEmisorFacturaAnulada>` +
        `<sf:NumSerieFacturaAnulada>${invoice.number}</sf:NumSerieFacturaAnulada>` +
        `<sf:FechaExpedicionFacturaAnulada>${date}</sf:FechaExpedicionFacturaAnulada></sf:IDFactura>` +
        `<sf:RefExterna>${invoice.id}</sf:RefExterna><sf:Encadenamiento>`,
    );
    const [previous] = await xmlOf(service.db, after.id);
    const hash = />([0-9A-F]{64})<\/sf:Huella><\/sf:RegistroAlta>/.exec(previous!)![1];
    expect(xml).toContain(`<sf:NumSerieFactura>${after.number}</sf:NumSerieFactura>`);
    expect(xml).toContain(`<sf:Huella>${hash}</sf:Huella></sf:RegistroAnterior>`);
  });

  test('a rectificativa makes its target the head again, whichever its method', async () => {
    const original = await issued(aCompleteInvoice());
    const delta = await issued(differences(original, -1_000));
    const replacement = await issued(substitution(delta, 5_000));
    expect(codeOf(await operator.voidInvoice(original.id))).toBe('invoice_not_family_tip');
    expect(codeOf(await operator.voidInvoice(delta.id))).toBe('invoice_already_replaced');
    expect(codeOf(await operator.voidInvoice(replacement.id))).toBeNull();
    const read = await service.call('GET', `/v1/invoices/${delta.id}`);
    expect(read.body.rectified_by).toEqual([]);
    expect(await refusedRectification(differences(replacement, -1))).toBe('invoice_already_voided');
    expect(codeOf(await operator.voidInvoice(delta.id))).toBeNull();
    // All of it may be credited again: the voided links count for nothing.
    const credit = await issued(differences(original, -20_000));
    expect(credit).toMatchObject({ total: -24_200 });
  });
});

describe('voiding in the live environment', () => {
  test('waits for the registration, then sends the cancellation', async () => {
    const invoice = await issued(aCompleteInvoice(), 'live');
    const before = await persistedCounts(service.db);
    expect(codeOf(await operator.voidInvoice(invoice.id))).toBe('invoice_pending_at_aeat');
    expect(await persistedCounts(service.db)).toEqual(before);
    await decideRecords(service.db, invoice.id, 'registered');
    const { data } = await operator.voidInvoice(invoice.id);
    expect(data.result.records.at(-1)).toMatchObject({ kind: 'cancellation', status: 'pending' });
    // The registration is what `verifactu` tells of; the invoice is voided whatever becomes of the cancellation.
    expect(data.result).toMatchObject({ status: 'voided', verifactu: { status: 'registered' } });
    expect(codeOf(await operator.voidInvoice(invoice.id))).toBe('invoice_already_voided');
  });

  const flags = async (id: string) => {
    const xml = (await xmlOf(service.db, id)).at(-1)!;
    return /<\/sf:RefExterna>(.*?)<sf:Encadenamiento>/.exec(xml)![1];
  };
  const WITHOUT = '<sf:SinRegistroPrevio>S</sf:SinRegistroPrevio>';
  const REJECTED = '<sf:RechazoPrevio>S</sf:RechazoPrevio>';

  test('a rejected cancellation may be sent again, flagged as following a rejected one', async () => {
    const invoice = await issued(aCompleteInvoice(), 'live');
    await decideRecords(service.db, invoice.id, 'registered_with_errors');
    await operator.voidInvoice(invoice.id);
    expect(await flags(invoice.id)).toBe('');
    await decideRecords(service.db, invoice.id, 'rejected', '1100');
    const { data } = await operator.voidInvoice(invoice.id);
    expect(data.result.records).toHaveLength(3);
    expect(await flags(invoice.id)).toBe(REJECTED);
    await decideRecords(service.db, invoice.id, 'registered');
    expect(codeOf(await operator.voidInvoice(invoice.id))).toBe('invoice_already_voided');
    const { rows } = await service.db.pool.query('select record_id from invoice_void where invoice_id = $1', [
      invoice.id,
    ]);
    expect(rows).toEqual([{ record_id: data.result.records[1].id }]);
  });

  test('an invoice whose registration was rejected is cancelled without previous record', async () => {
    const invoice = await issued(aCompleteInvoice(), 'live');
    await decideRecords(service.db, invoice.id, 'rejected');
    await operator.voidInvoice(invoice.id);
    expect(await flags(invoice.id)).toBe(WITHOUT);
    await decideRecords(service.db, invoice.id, 'rejected', '1100');
    await operator.voidInvoice(invoice.id);
    expect(await flags(invoice.id)).toBe(WITHOUT + REJECTED);
  });

  test('the cancellation of a skipped registration is skipped too', async () => {
    const invoice = await issued(aCompleteInvoice(), 'live');
    const { data } = await operator.readInvoice(invoice.id);
    await operator.skipRecord(data.result.records[0].id);
    const jobs = await persistedCounts(service.db);
    const voided = await operator.voidInvoice(invoice.id);
    expect(voided.data.result.records.at(-1)).toMatchObject({ kind: 'cancellation', status: 'skipped' });
    expect(codeOf(await operator.voidInvoice(invoice.id))).toBe('invoice_already_voided');
    expect(await persistedCounts(service.db)).toMatchObject({ jobs: (jobs as { jobs: number }).jobs });
  });
});

describe('what is refused', () => {
  let invoice: Issued;
  beforeEach(async () => {
    invoice = await issued(aCompleteInvoice());
  });

  test.each(['inv_nothing', 'x', `inv_${'0'.repeat(32)}`])('an invoice that there is not: %s', async (id) => {
    expect(codeOf(await operator.voidInvoice(id))).toBe('invoice_not_found');
  });

  test('an imported invoice: nothing of it was declared here', async () => {
    const files = importFiles();
    const { environmentId } = service.company.test;
    const file = files.jsonLines([
      anOldInvoice('OLD-1'),
      anOldInvoice('OLD-2', { type: 'simplified', recipient: undefined }),
    ]);
    await importInvoices(service.db, { environmentId, file, report: undefined, actor: 'cli:test' });
    files.remove();
    const { rows } = await service.db.pool.query(
      'select id, type from invoice where imported order by number',
    );
    const before = await persistedCounts(service.db);
    for (const { id, type } of rows) {
      expect(codeOf(await operator.voidInvoice(id))).toBe('invoice_not_rectifiable_at_aeat');
      expect(codeOf(await operator.amendRecord({ invoiceId: id }))).toBe('invoice_not_rectifiable_at_aeat');
      expect(codeOf(await operator.exchangeInvoices({ ticketIds: [id], recipient: ANA }))).toBe(
        'invoice_not_rectifiable_at_aeat',
      );
      expect(await refusedRectification(differences({ id, type }, -1))).toBe(
        'invoice_not_rectifiable_at_aeat',
      );
      expect((await operator.readInvoice(id)).data.result).toMatchObject({ verifactu: null, records: [] });
    }
    expect(await persistedCounts(service.db)).toEqual(before);
  });

  test('everything, while the chain is held after a restore', async () => {
    const { environmentId } = service.company.test;
    const hold = (value: string) =>
      service.db.pool.query(`update chain set (hold, held_at) = (${value}) where environment_id = $1`, [
        environmentId,
      ]);
    await hold("'restored', now()");
    const before = await persistedCounts(service.db);
    expect(codeOf(await operator.voidInvoice(invoice.id))).toBe('service_unavailable');
    expect(await persistedCounts(service.db)).toEqual(before);
    await hold('null, null');
    expect(codeOf(await operator.voidInvoice(invoice.id))).toBeNull();
  });

  test('an empty reason', async () => {
    for (const reason of ['', ' ', 'a\u0000b', 'x'.repeat(501)]) {
      expect(codeOf(await operator.voidInvoice(invoice.id, reason))).toBe('invalid_request');
    }
  });

  test("a merchant's key for skipping, which is the operators'", async () => {
    const before = await persistedCounts(service.db);
    const skip = 'mutation ($id: ID!) { skipRecord(recordId: $id, reason: "x") { id } }';
    expect(codeOf((await service.graphql(skip, { id: invoice.id })).body)).toBe('forbidden');
    expect(await persistedCounts(service.db)).toEqual(before);
  });
});

describe('the log of operators', () => {
  test('shows who did what to what and why, newest first, page by page', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { id } = await issued(aSimplifiedInvoice());
      await operator.voidInvoice(id, `Motivo ${count}`);
      ids.push(id);
    }
    const page = (after: string | null) =>
      operator.execute(
        `query ($after: String) { auditLog(first: 2, after: $after) {
           edges { node { actor action subject reason data } } pageInfo { endCursor hasNextPage } } }`,
        { after },
      );
    const first = (await page(null)).data.auditLog;
    expect(first.edges.map(({ node }: { node: object }) => node)).toMatchObject([
      { actor: operator.id, action: 'void_invoice', subject: ids[2], reason: 'Motivo 2' },
      { actor: operator.id, action: 'void_invoice', subject: ids[1], reason: 'Motivo 1' },
    ]);
    expect(first.edges[0].node.data).toEqual({ recordId: expect.stringMatching(/^rec_/) });
    expect(first.pageInfo.hasNextPage).toBe(true);
    const second = (await page(first.pageInfo.endCursor)).data.auditLog;
    expect(second.edges[0].node).toMatchObject({ subject: ids[0] });
    expect(codeOf(await page('aud_unknown'))).toBe('invalid_request');
  });
});

describe('reading as an operator', () => {
  test('sees invoices of every environment, with the QR address of theirs; a merchant only its own', async () => {
    const query = 'query ($id: ID!) { invoice(id: $id) { id environment companyId verifactu { qrUrl } } }';
    for (const kind of ['test', 'live'] as const) {
      const { id } = await issued(aCompleteInvoice(), kind);
      const { data } = await operator.readInvoice(id);
      expect(data.result).toMatchObject({ id, environment: kind, companyId: service.company.companyId });
      const own = await service.graphql(query, { id }, { key: service.company[kind].key });
      expect(own.body.data.invoice).toMatchObject({
        environment: kind,
        companyId: service.company.companyId,
        verifactu: { qrUrl: data.result.verifactu.qrUrl },
      });
      const other = kind === 'test' ? 'live' : 'test';
      const foreign = await service.graphql(query, { id }, { key: service.company[other].key });
      expect(codeOf(foreign.body)).toBe('invoice_not_found');
    }
    expect(codeOf(await operator.readInvoice('inv_nothing'))).toBe('invoice_not_found');
  });
});
