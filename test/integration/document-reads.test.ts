import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal, type Outcome, Refusal } from '../../src/ground/errors/refusal.ts';
import { SHARED_LIMITS } from '../../src/ground/lib/limits.ts';
import { documentFor, type InvoiceFile } from '../../src/subjects/documents/document.ts';
import { DOCUMENT_LIMITS } from '../../src/subjects/documents/limits.ts';
import { statementsOf } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let ids: string[];
beforeAll(async () => {
  service = await testService();
  ids = [];
  for (let issued = 0; issued < 4; issued += 1) {
    const { body } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    ids.push(body.id);
    await documentFor(service.services, service.company.test.environmentId, body.id);
  }
});
afterAll(() => service.close());

const read = (id: string, beforeReading = (): Refusal | null => null): Promise<Outcome<InvoiceFile>> =>
  documentFor(service.services, service.company.test.environmentId, id, { beforeReading });
const readings = async (work: () => Promise<unknown>): Promise<number> =>
  (await statementsOf(work)).filter((text) => text.includes('d.object_key')).length;

describe('stored documents', () => {
  test('a hundred simultaneous requests for one share two reads, and a later request reads it again', async () => {
    const files: Outcome<InvoiceFile>[] = [];
    const together = () =>
      Promise.all(Array.from({ length: 100 }, async () => files.push(await read(ids[0]!))));
    expect(await readings(together)).toBe(2);
    expect(new Set(files.map((file) => (isRefusal(file) ? file : file.bytes))).size).toBe(2);
    expect(await readings(() => read(ids[0]!))).toBe(1);
  });

  test('are read a few at once, of one environment fewer', async () => {
    let inside = 0;
    let most = 0;
    const { db } = service.services;
    const slow = {
      ...service.services,
      db: {
        ...db,
        pool: {
          query: async (statement: never) => {
            inside += 1;
            most = Math.max(most, inside);
            const found = await db.pool.query(statement);
            inside -= 1;
            return found;
          },
        },
      } as never,
    };
    await Promise.all(ids.map((id) => documentFor(slow, service.company.test.environmentId, id)));
    expect(most).toBe(DOCUMENT_LIMITS.documentsReadOfEnvironment.value);
  });

  test('are not read when there is no room for what would be sent', async () => {
    const full = new Refusal('service_unavailable', 'Full.');
    expect(await readings(async () => expect(await read(ids[1]!, () => full)).toBe(full))).toBe(0);
    const { unread } = service.services;
    const { body } = await service.call('GET', `/v1/invoices/${ids[1]}`);
    const link = body.pdf_url.replace('http://lacre.test', '');
    unread.bytes += SHARED_LIMITS.waitingBytes.value - 1024;
    try {
      const download = async () => {
        const { status, headers } = await service.call('GET', link, { key: null });
        expect(status).toBe(503);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      };
      expect(await readings(download)).toBe(0);
    } finally {
      unread.bytes -= SHARED_LIMITS.waitingBytes.value - 1024;
    }
    expect((await service.call('GET', link, { key: null })).status).toBe(200);
  });

  test('requests beyond the queue’s bound are refused at once', async () => {
    const unknown = Array.from(
      { length: DOCUMENT_LIMITS.documentsWaiting.value + 10 },
      (_, index) => `inv_${index}`,
    );
    const outcomes = await Promise.all(unknown.map((id) => read(id)));
    const codes = outcomes.map((outcome) => (isRefusal(outcome) ? outcome.code : 'read'));
    const atOnce = DOCUMENT_LIMITS.documentsReadOfEnvironment.value;
    expect(codes.filter((code) => code === 'service_unavailable')).toHaveLength(10 - atOnce);
    expect(codes.filter((code) => code === 'invoice_not_found')).toHaveLength(
      DOCUMENT_LIMITS.documentsWaiting.value + atOnce,
    );
  });
});
