import { execute, type Lacre } from './lacre.ts';

const ISSUE = `mutation ($input: IssueInvoiceInput!, $key: String!) {
  issueInvoice(input: $input, idempotencyKey: $key) { id }
}`;

const customers = [
  ['García López Ana', '12345678Z', 'Gran Vía 1', '28013', 'Madrid'],
  ['Ruiz Soler Marta', '87654321X', 'Carrer de Mallorca 20', '08029', 'Barcelona'],
];
const goods: [description: string, unitAmount: number, rate: number][] = [
  ['Silla de oficina', 18_900, 21],
  ['Menú del día', 1_318, 10],
  ['Libro de cocina', 2_400, 4],
];

/** Enough to fill more than a page, of both types and several rates. */
export async function issueSamples(lacre: Lacre): Promise<void> {
  for (let sale = 0; sale < 24; sale += 1) {
    const [description, unitAmount, rate] = goods[sale % goods.length]!;
    const [name, taxId, line1, postalCode, city] = customers[Math.floor(sale / 4) % customers.length]!;
    const address = { line1, postalCode, city, country: 'ES' };
    const isComplete = sale % 4 === 3;
    const input = {
      type: isComplete ? 'complete' : 'simplified',
      ...(isComplete ? { recipient: { name, taxId, taxIdType: 'es_nif', address } } : {}),
      lineItems: [{ description, quantity: 1 + (sale % 3), unitAmount, taxItems: [{ type: 'vat', rate }] }],
    };
    await execute(lacre, ISSUE, { input, key: `sample-${sale}` });
  }
}
