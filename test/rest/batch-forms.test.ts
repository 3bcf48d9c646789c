import { afterAll, beforeAll, expect, test } from 'vitest';
import { workBatches } from '../../src/subjects/batches/work-batches.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

/** Sends a batch and works on it. */
async function done(invoices: readonly object[]) {
  const { key, environmentId } = service.company.test;
  const { body } = await service.call('POST', '/v1/invoice_batches', { key, body: { invoices } });
  while ((await workBatches(service.services, environmentId, undefined)) !== null);
  const { body: batch } = await service.call('GET', `/v1/invoice_batches/${body.id}`, { key });
  const { body: page } = await service.call('GET', `/v1/invoice_batches/${body.id}/results?limit=100`, {
    key,
  });
  const results: { error: unknown; invoice_id: string }[] = page.data;
  return { batch, results };
}

test('issues invoices of every form, one beside the other', async () => {
  const { key } = service.company.test;
  const makeSeries = async (prefix: string) =>
    (await service.call('POST', '/v1/number_series', { key, body: { prefix, type: 'standard' } })).body.id;
  const [own, others] = [await makeSeries('SELF'), await makeSeries('THIRD')];
  const third_party = {
    name: 'Gestoría Ruiz SL',
    tax_id: 'B12345674',
    tax_id_type: 'es_nif',
    tax_id_country: 'ES',
  };
  const unnamed = {
    ...aCompleteInvoice().recipient,
    tax_id: undefined,
    given_name: 'Ana',
    surnames: 'García',
  };
  const localized = aLine({ tax_items: [{ type: 'es_non_taxable_localization', regime_key: '08' }] });
  const forms: Record<string, unknown>[] = [
    { qualified_simplified: true },
    { recipient_unidentified: true, recipient: unnamed, line_items: [localized] },
    { issued_by: 'recipient', number_series_id: own },
    { issued_by: 'third_party', third_party, number_series_id: others },
    { line_items: [aLine({ tax_items: [{ type: 'vat', rate: 21, regime_key: '11' }] })] },
    { line_items: [aLine({ tax_items: [{ type: 'es_exempt', exemption: 'E6' }] })] },
    { line_items: [aLine({ tax_items: [{ type: 'es_inversion_sujeto_pasivo', operation_class: 'S2' }] })] },
    { disbursements: [{ description: 'Tasa', amount: 2_000 }] },
    { withholding: { rate: 15, base: 1_000 } },
    { display_currency: { code: 'usd', rate: '1.0837' } },
    { external_customer_id: 'c-1' },
  ];
  const { batch: after, results: found } = await done(
    forms.map((parts, index) => aCompleteInvoice({ external_id: `form-${index}`, ...parts })),
  );
  expect(found.map(({ error }) => error)).toEqual(forms.map(() => null));
  expect(after).toMatchObject({ status: 'completed', issued: forms.length, failed: 0 });
  for (const [index, { line_items, recipient, ...parts }] of forms.entries()) {
    const { body } = await service.call('GET', `/v1/invoices/${found[index]!.invoice_id}`, { key });
    expect(body).toMatchObject(parts);
    if (line_items === undefined) continue;
    const [said] = (line_items as { tax_items: object[] }[]).map(({ tax_items }) => tax_items);
    expect(body.line_items[0].tax_items).toMatchObject(said!);
    if (recipient !== undefined)
      expect(body.recipient).toMatchObject({ given_name: 'Ana', surnames: 'García' });
  }
});
