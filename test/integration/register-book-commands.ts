import fc from 'fast-check';
import { aLine } from '../support/invoices/invoices.ts';

const TAXES = [
  [{ type: 'vat', rate: 21 }],
  [{ type: 'vat', rate: 10 }],
  [{ type: 'vat', rate: 0 }],
  [{ type: 'es_exempt' }],
  [{ type: 'es_non_taxable' }],
  [{ type: 'igic', rate: 7 }],
  [{ type: 'ipsi', rate: 4 }],
  [{ type: 'other', rate: 3 }],
  [{ type: 'eu_oss', rate: 20 }],
];
const lines = fc.array(
  fc
    .record({ quantity: fc.integer({ min: 1, max: 9 }), unit_amount: fc.integer({ min: 1, max: 6_000 }) })
    .chain((line) => fc.constantFrom(...TAXES).map((tax_items) => aLine({ ...line, tax_items }))),
  { minLength: 1, maxLength: 4 },
);
/** A command on the invoices so far, on one of them where it needs one. */
export const command = fc.record({
  what: fc.constantFrom('complete', 'simplified', 'differences', 'substitution', 'void', 'exchange'),
  of: fc.nat(),
  lines,
});
