import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { englishOf, spanishOf } from '../support/guides/translated.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

/** What a merchant sells, each as the guides show it: issued at the first attempt, by nothing that they do not name. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const ANA = {
  ...{ name: 'García López Ana', tax_id: '12345678Z' },
  address: { line1: 'Gran Vía 1', postal_code: '28013', city: 'Madrid', country: 'ES' },
};
const BERLIN = {
  ...{ name: 'Beispiel GmbH', tax_id: 'DE136695976' },
  address: { line1: 'Hauptstraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
};
const BOSTON = {
  ...{ name: 'Example Inc.', tax_id: '12-3456789', tax_id_type: 'other', tax_id_country: 'US' },
  address: { line1: '1 Main St', postal_code: '02108', city: 'Boston', country: 'US' },
};
const ERIKA = {
  ...{ name: 'Erika Mustermann', tax_id: 'C01X00T47', tax_id_type: 'passport', tax_id_country: 'DE' },
  address: { line1: 'Hauptstraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
};

const line = (description: string, quantity: number, unit_amount: number, type: string, rate?: number) => ({
  ...{ description, quantity, unit_amount },
  tax_items: [rate === undefined ? { type } : { type, rate }],
});
const ticket = (...line_items: object[]) => ({ type: 'simplified', line_items });
const sale = (recipient: object, ...line_items: object[]) => ({ type: 'complete', recipient, line_items });

/** The kind of sale, the guide that shows it, what is sent, and subtotal, tax and total in cents. */
const KINDS: readonly [
  kind: string,
  guide: string,
  request: object,
  amounts: readonly [number, number, number],
][] = [
  ['a ticket at the counter', 'first-invoice', ticket(line('Taxi', 1, 1500, 'vat', 10)), [1500, 150, 1650]],
  [
    'several rates on one invoice',
    'taxes',
    sale(ANA, line('Consulting', 3, 6000, 'vat', 21), line('Handbook', 1, 2885, 'vat', 4)),
    [20885, 3895, 24780],
  ],
  [
    'an order with prices that include the tax, and shipping',
    'web-shop',
    {
      ...ticket(line('👕 Camisa de lino', 2, 2995, 'vat', 21), line('Gastos de envío', 1, 495, 'vat', 21)),
      prices_include_tax: true,
    },
    [5359, 1126, 6485],
  ],
  [
    'goods for a retailer under the equivalence surcharge',
    'taxes',
    { ...sale(ANA, line('Shirts', 10, 1200, 'vat', 21)), recargo_equivalencia: true },
    [12000, 3144, 15144],
  ],
  [
    'a sale in the Canary Islands',
    'taxes',
    sale(ANA, line('Hotel room', 2, 9500, 'igic', 7)),
    [19000, 1330, 20330],
  ],
  [
    'a sale in Ceuta or Melilla',
    'taxes',
    sale(ANA, line('Repair', 1, 15000, 'ipsi', 0.5)),
    [15000, 75, 15075],
  ],
  [
    'a parcel for a consumer in another member state',
    'taxes',
    sale(ERIKA, line('Backpack', 1, 8000, 'eu_oss', 19)),
    [8000, 1520, 9520],
  ],
  [
    'goods for a business in another member state',
    'taxes',
    sale(BERLIN, line('Machine parts', 4, 25000, 'eu_b2b')),
    [100000, 0, 100000],
  ],
  [
    'a service for a business in another member state',
    'taxes',
    sale(BERLIN, line('Software support', 1, 45000, 'eu_b2b_services')),
    [45000, 0, 45000],
  ],
  [
    'goods that leave the Union',
    'taxes',
    sale(BOSTON, line('Guitar', 1, 120000, 'export')),
    [120000, 0, 120000],
  ],
  [
    'a service for a customer outside the Union',
    'taxes',
    sale(BOSTON, line('Design of a website', 1, 90000, 'es_non_taxable_localization')),
    [90000, 0, 90000],
  ],
  [
    'building work whose tax the customer owes',
    'taxes',
    sale(ANA, line('Brickwork', 1, 350000, 'es_inversion_sujeto_pasivo')),
    [350000, 0, 350000],
  ],
  [
    'an exempt course beside goods that are taxed',
    'taxes',
    sale(ANA, line('Spanish course', 1, 30000, 'es_exempt'), line('Notebook', 1, 500, 'vat', 21)),
    [30500, 105, 30605],
  ],
  [
    'a professional’s fee, of which income tax is withheld',
    'withholding',
    { ...sale(ANA, line('Consulting', 1, 100000, 'vat', 21)), withholding: { rate: 15 } },
    [100000, 21000, 121000],
  ],
  [
    'a fee with what was paid in the customer’s name',
    'disbursements',
    {
      ...sale(ANA, line('Incorporation of a company', 1, 50000, 'vat', 21)),
      disbursements: [
        { description: 'Fee of the Registro Mercantil', amount: 13250, reference: 'RM-2026/918' },
      ],
    },
    [50000, 10500, 60500],
  ],
];

/** Every name of a field in it. */
function fieldsOf(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  const inner = Object.values(value).flatMap(fieldsOf);
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}

/** What stands for `type` in it. */
function typesOf(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  const own = 'type' in value ? [String(value.type)] : [];
  return [...own, ...Object.values(value).flatMap(typesOf)];
}

test('there are fifteen', () => {
  expect(new Set(KINDS.map(([kind]) => kind)).size).toBe(15);
});

describe.each(KINDS)('%s', (_kind, guide, request, [subtotal, tax, total]) => {
  test('is issued and registered at the first attempt', async () => {
    const { status, body } = await service.call('POST', '/v1/invoices', { body: request });
    expect({ http: status, ...body }).toMatchObject({
      http: 201,
      ...{ status: 'issued', subtotal, tax, total },
      verifactu: { status: 'registered' },
    });
  });

  // The first invoice is what everybody reads first.
  test.each([
    ['English', englishOf],
    ['Spanish', spanishOf],
  ])('needs nothing that its guide does not name in %s', (_language, textOf) => {
    const text = `${textOf('first-invoice')}\n${textOf(guide)}`;
    for (const name of [...fieldsOf(request), ...typesOf(request)])
      expect(text).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
