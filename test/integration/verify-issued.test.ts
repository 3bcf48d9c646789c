import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { TAX_TYPES } from '../../src/subjects/taxes/types.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import {
  ANA,
  decideRecords,
  differences,
  operatorOf,
  substitution,
} from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

type Kind = 'test' | 'live';

async function issued(kind: Kind, body: object): Promise<{ id: string; number: string; type: string }> {
  const answer = await service.call('POST', '/v1/invoices', { key: service.company[kind].key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  if (kind === 'live') await decideRecords(service.db, answer.body.id, 'registered');
  return answer.body;
}

/** An invoice under each tax that this recipient may be charged; how many there were. */
async function issueOfEveryTax(kind: Kind): Promise<number> {
  let count = 0;
  for (const type of TAX_TYPES) {
    const rated = { vat: 4, igic: 7, ipsi: 4, eu_oss: 20, other: 5 }[type as string];
    const line_items = [aLine({ tax_items: [rated === undefined ? { type } : { type, rate: rated }] })];
    const body = aCompleteInvoice({ line_items });
    const answer = await service.call('POST', '/v1/invoices', { key: service.company[kind].key, body });
    if (answer.status !== 201) continue;
    count += 1;
    if (kind === 'live') await decideRecords(service.db, answer.body.id, 'registered');
  }
  return count;
}

/** Everything that leaves a record, once. */
async function issueOfEveryKind(kind: Kind): Promise<void> {
  const operator = await operatorOf(service);
  const done = async (act: Promise<{ errors?: unknown }>) => expect((await act).errors).toBeUndefined();
  const original = await issued(kind, aCompleteInvoice());
  await issued(kind, substitution(await issued(kind, differences(original, -500)), 7_000));
  const mixed = [
    aLine({ description: 'Línea <1> & "más"' }),
    aLine({ tax_items: [{ type: 'vat', rate: 10 }] }),
  ];
  await issued(kind, aCompleteInvoice({ line_items: mixed, notes: 'una nota' }));
  await issued(kind, aSimplifiedInvoice({ line_items: [aLine()], recargo_equivalencia: true }));
  const ticket = await issued(kind, aSimplifiedInvoice());
  await done(operator.exchangeInvoices({ ticketIds: [ticket.id], recipient: ANA }));
  const wrong = await issued(kind, aCompleteInvoice({ external_id: `${kind} wrong` }));
  await done(operator.voidInvoice(wrong.id));
  if (kind === 'test') return;
  const answer = await service.call('POST', '/v1/invoices', {
    ...{ key: service.company[kind].key, body: aCompleteInvoice() },
  });
  await decideRecords(service.db, answer.body.id, 'rejected');
  await done(
    operator.amendRecord({
      invoiceId: answer.body.id,
      reason: 'the name',
      recipient: { name: 'GARCIA PEREZ ANA' },
    }),
  );
}

test.each<Kind>(['test', 'live'])(
  'issued, corrected, exchanged, voided and amended invoices are sound: %s',
  async (kind) => {
    expect(await issueOfEveryTax(kind)).toBeGreaterThan(4);
    await issueOfEveryKind(kind);
    const { environmentId } = service.company[kind];
    const found = await verifyEnvironment(service.db.pool, environmentId);
    expect(found?.findings).toEqual([]);
    expect(found?.records).toBeGreaterThan(8);
  },
);
