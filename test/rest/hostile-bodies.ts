import fc from 'fast-check';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** A request of the fuzz run: where to, and its body as text. */
export type HostileRequest = { readonly path: string; readonly body: string };

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** JSON that JavaScript itself could not write: stands as a text in the value and bare in the body. */
const BARE = [
  '1e400',
  '-1e400',
  '-0',
  '1E2',
  '0.1e1',
  '123456789012345678901234567890',
  '1e-400',
  '9007199254740993',
];
const bare = (text: string): string => `\u0001${text}\u0001`;
export const written = (value: Json): string => JSON.stringify(value).replace(/"\\u0001(.*?)\\u0001"/g, '$1');

const NUMBERS = [
  0,
  -1,
  1,
  1.5,
  0.1,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e-9,
  99_999_999_999,
  -99_999_999_999,
  1_000_001,
];
export const TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u2028',
  'x'.repeat(501),
  '😀'.repeat(300),
  'e\u0301',
  '\u202eabc',
  '<a>&"\']]>',
  '2026-02-30',
  '9999-12-31',
  '2025-01-01',
  'null',
  '__proto__',
  'ES',
  'ZZ',
  'DE123456789',
  '12345678Z',
  '1.5',
  '-0.000001',
  '99999999999.999999',
  'HUR',
  'ns_0199999999997999a999999999999999',
  'inv_0199999999997999a999999999999999',
  "'; drop table invoice; --",
  '$(7*7){{7*7}}%s%n',
];
const NAMES = [
  'line_items',
  'lineItems',
  'type',
  'recipient',
  'rectifies',
  'tax_items',
  'rate',
  'quantity',
  'unit_amount',
  'address',
  'external',
  'method',
  'reason',
  'rectified_amounts',
  'tax_id',
  'tax_id_type',
  'operation_date',
  'due_date',
  'withholding',
  'disbursements',
  'display_currency',
  'payment',
  'means',
  'iban',
  'language',
  'references',
  'delivery',
  'prices_include_tax',
  'qualified_simplified',
  'recipient_unidentified',
  'issued_by',
  'third_party',
  'quantity_decimal',
  'unit_amount_decimal',
  'unit',
  'notes',
  'recargo_equivalencia',
  '__proto__',
  'constructor',
  'toString',
  '',
  '\u0000',
  'a.b[0]',
];

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(...NUMBERS),
  fc.constantFrom<Json>(...TEXTS),
  fc.constantFrom<Json>(...BARE.map(bare)),
  fc.constantFrom<Json>(null, true, false),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.integer(),
);
const anything: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;

/** What a mutation does to the value at a place. */
type Mutation = {
  readonly at: number;
  readonly how: 'replace' | 'remove' | 'add' | 'wrap' | 'repeat';
  readonly value: Json;
  readonly name: string;
};
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(10_000),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'repeat'),
  value: fc.oneof({ weight: 3, arbitrary: scalar }, { weight: 1, arbitrary: anything }),
  name: fc.constantFrom(...NAMES),
});

type Place = { readonly parent: Json[] | { [name: string]: Json }; readonly step: string | number };

function places(value: Json, found: Place[] = []): Place[] {
  if (value === null || typeof value !== 'object') return found;
  for (const step of Object.keys(value)) {
    found.push({ parent: value, step: Array.isArray(value) ? Number(step) : step });
    places((value as { [name: string]: Json })[step]!, found);
  }
  return found;
}

export function mutate(value: Json, { at, how, value: other, name }: Mutation): void {
  const all = places(value);
  const place = all[at % all.length];
  if (place === undefined) return;
  const parent = place.parent as { [name: string]: Json };
  const here = parent[place.step]!;
  if (how === 'replace') parent[place.step] = other;
  else if (how === 'wrap') parent[place.step] = [here];
  else if (how === 'repeat') parent[place.step] = [here, here, here];
  else if (how === 'add' && !Array.isArray(place.parent)) {
    // As JSON.parse would: an own property, whatever its name.
    Object.defineProperty(parent, name, {
      value: other,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else if (Array.isArray(place.parent)) place.parent.splice(Number(place.step), 1);
  else delete parent[place.step];
}

const rectifies = (parts: object) => ({ method: 'differences', reason: 'correction', ...parts });
const external = {
  ...{ number: 'A-1', issued_on: '2026-01-01', operation_date: '2025-12-31' },
  rectified_amounts: { base: 100, tax: 21 },
};

/** Valid requests, each of which a mutation makes into something else. */
const SEEDS: readonly HostileSeed[] = [
  {
    path: '/v1/invoices',
    weight: 30,
    body: aSimplifiedInvoice({ external_id: 'x', notes: 'x', operation_date: '2026-01-01' }),
  },
  {
    path: '/v1/invoices',
    weight: 15,
    body: aCompleteInvoice({ recargo_equivalencia: true, withholding: { rate: 15 } }),
  },
  {
    path: '/v1/invoices',
    weight: 5,
    body: aSimplifiedInvoice({ line_items: [aLine({ sku: 'a' }), aLine({ unit_amount: -1 })] }),
  },
  {
    path: '/v1/invoices',
    weight: 5,
    body: aSimplifiedInvoice({
      prices_include_tax: true,
      line_items: [
        {
          ...{ description: 'x', quantity_decimal: '1.5', unit_amount_decimal: '1000.2', unit: 'HUR' },
          tax_items: [{ type: 'vat', rate: 21 }],
        },
      ],
    }),
  },
  { path: '/v1/invoices', weight: 10, body: aSimplifiedInvoice({ rectifies: rectifies({ external }) }) },
  {
    path: '/v1/invoices',
    weight: 5,
    body: aSimplifiedInvoice({ rectifies: rectifies({ invoice_id: 'inv_1' }) }),
  },
  { path: '/v1/invoices/validate', weight: 10, body: aCompleteInvoice({ number_series_id: 'ns_1' }) },
  { path: '/v1/number_series', weight: 10, body: { prefix: 'F', type: 'standard', yearly: false } },
  {
    path: '/v1/tax_ids/validate',
    weight: 10,
    body: { tax_id: '12345678A', tax_id_type: 'es_nif', tax_id_country: 'ES', name: 'Ana' },
  },
];
type HostileSeed = { readonly path: string; readonly weight: number; readonly body: object };

const mutated = fc.oneof(
  ...SEEDS.map(({ path, weight, body }) => ({
    weight,
    arbitrary: fc.array(mutation, { minLength: 1, maxLength: 4 }).map((mutations): HostileRequest => {
      const value = structuredClone(body) as Json;
      for (const one of mutations) mutate(value, one);
      return { path, body: written(value) };
    }),
  })),
);
const path = fc.constantFrom(...SEEDS.map((seed) => seed.path));
const random = fc.record({ path, body: anything.map(written) });
/** Not even JSON, or cut off somewhere. */
const garbled = fc.record({
  path,
  body: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .tuple(fc.constantFrom(...SEEDS), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([seed, part]) =>
        JSON.stringify(seed.body).slice(0, Math.floor(JSON.stringify(seed.body).length * part)),
      ),
  ),
});

/** Requests that nobody should send. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: 7, arbitrary: mutated },
  { weight: 2, arbitrary: random },
  { weight: 1, arbitrary: garbled },
);
