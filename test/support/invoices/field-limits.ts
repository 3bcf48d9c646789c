import { aCompleteInvoice, aLine } from './invoices.ts';

/** Bodies of invoices at and beyond the limits of each field, for every entry point. */

export const line = (parts: object) => ({ line_items: [aLine(), aLine(parts as Record<string, unknown>)] });
const text = (length: number) => 'x'.repeat(length);
const { recipient: RECIPIENT } = aCompleteInvoice();
export const recipient = (parts: object) => ({ recipient: { ...RECIPIENT, ...parts } });
export const address = (parts: object) => recipient({ address: { ...RECIPIENT.address, ...parts } });

const IBAN = 'ES9121000418450200051332';
const IBAN_IN_GROUPS = 'es91 2100 0418 4502 0005 1332';
const transfer = (parts: object) => ({ payment: { means: 'transfer', ...parts } });

const decimals = (quantity_decimal: string, unit_amount_decimal: string) =>
  line({ quantity: undefined, unit_amount: undefined, quantity_decimal, unit_amount_decimal });
const disbursement = (parts: object = {}) => ({ description: 'x', amount: 1, ...parts });
const DECIMAL_QUANTITY = 'line_items[1].quantity_decimal';
const DECIMAL_PRICE = 'line_items[1].unit_amount_decimal';
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, '']));

/** The largest whole line that the agency's twelve digits of euros can tell, free of tax. */
const VAST = { quantity: 1_000, unit_amount: 99_999_979_999, tax_items: [{ type: 'es_exempt' }] };

/** A value too many or too few, too large or too small: the field and the reason, or null when it is just right. */
export const FIELD_LIMITS: readonly (readonly [
  what: string,
  parts: Record<string, unknown>,
  fault: string | null,
])[] = [
  ['no line', { line_items: [] }, 'line_items too_small'],
  ['500 lines', { line_items: Array(500).fill(aLine()) }, null],
  ['501 lines', { line_items: Array(501).fill(aLine()) }, 'line_items too_big'],
  ['an empty description', line({ description: '' }), 'line_items[1].description too_small'],
  ['a blank description', line({ description: ' \u00a0' }), 'line_items[1].description too_small'],
  ['a description of 1', line({ description: 'x' }), null],
  ['a description of 500', line({ description: text(500) }), null],
  ['a description of 501', line({ description: text(501) }), 'line_items[1].description too_big'],
  ['an empty sku', line({ sku: '' }), null],
  ['a blank sku', line({ sku: ' ' }), 'line_items[1].sku too_small'],
  ['a sku of 1', line({ sku: 'x' }), null],
  ['a sku of 100', line({ sku: text(100) }), null],
  ['a sku of 101', line({ sku: text(101) }), 'line_items[1].sku too_big'],
  ['a quantity of 0', line({ quantity: 0 }), 'line_items[1].quantity too_small'],
  ['a quantity of -1', line({ quantity: -1 }), 'line_items[1].quantity too_small'],
  ['a quantity of a million', line({ quantity: 1_000_000 }), null],
  ['a quantity above a million', line({ quantity: 1_000_001 }), 'line_items[1].quantity too_big'],
  ['a free line', line({ unit_amount: 0 }), null],
  ['the largest price', line({ unit_amount: 99_999_999_999 }), null],
  ['a larger price', line({ unit_amount: 100_000_000_000 }), 'line_items[1].unit_amount too_big'],
  ['the largest discount', line({ unit_amount: -99_999_999_999, quantity: 1 }), null],
  ['a larger discount', line({ unit_amount: -100_000_000_000 }), 'line_items[1].unit_amount too_small'],
  [
    'a line of thirteen digits of euros',
    line({ quantity: 1_000_000, unit_amount: 99_999_999_999 }),
    'line_items[1] too_big',
  ],
  [
    'a discount of as many',
    line({ quantity: 1_000_000, unit_amount: -99_999_999_999 }),
    'line_items[1] too_big',
  ],
  ['the largest line', line(VAST), null],
  ['two lines that are too large together', { line_items: [aLine(VAST), aLine(VAST)] }, 'line_items too_big'],
  [
    'a line that is too large with its tax',
    line({ ...VAST, tax_items: [{ type: 'vat', rate: 21 }] }),
    'line_items[1] too_big',
  ],
  ['a line without taxes', line({ tax_items: [] }), 'line_items[1].tax_items too_small'],
  [
    'eleven taxes',
    line({ tax_items: Array(11).fill({ type: 'vat', rate: 21 }) }),
    'line_items[1].tax_items too_big',
  ],
  ['an empty name', recipient({ name: '' }), 'recipient.name too_small'],
  ['a name of 2', recipient({ name: 'Xu' }), null],
  ['a name of 201', recipient({ name: text(201) }), 'recipient.name too_big'],
  ['an empty company name', recipient({ company_name: '' }), null],
  ['an empty email', recipient({ email: '' }), null],
  ['an empty line2', address({ line2: '' }), null],
  ['an empty payment reference', transfer({ reference: '' }), null],
  ['a company name of 100', recipient({ company_name: text(100) }), null],
  ['a company name of 201', recipient({ company_name: text(201) }), 'recipient.company_name too_big'],
  ['an empty tax id', recipient({ tax_id: '' }), 'recipient.tax_id too_small'],
  ['a tax id of 51', recipient({ tax_id: text(51) }), 'recipient.tax_id too_big'],
  [
    'a country of three letters',
    recipient({ tax_id_country: 'ESP' }),
    'recipient.tax_id_country invalid_format',
  ],
  ['a country of one letter', recipient({ tax_id_country: 'E' }), 'recipient.tax_id_country invalid_format'],
  ['a country in small letters', recipient({ tax_id_country: 'es' }), null],
  ['an email without @', recipient({ email: 'ana' }), 'recipient.email invalid_format'],
  ['an email of 254', recipient({ email: `${text(242)}@example.com` }), null],
  ['an email of 255', recipient({ email: `${text(243)}@example.com` }), 'recipient.email too_big'],
  ['an empty line1', address({ line1: '' }), 'recipient.address.line1 too_small'],
  ['a line1 of 200', address({ line1: text(200) }), null],
  ['a line1 of 201', address({ line1: text(201) }), 'recipient.address.line1 too_big'],
  ['a line2 of 200', address({ line2: text(200) }), null],
  ['a line2 of 201', address({ line2: text(201) }), 'recipient.address.line2 too_big'],
  ['a postal code of 20', address({ postal_code: text(20) }), null],
  ['a postal code of 21', address({ postal_code: text(21) }), 'recipient.address.postal_code too_big'],
  ['a city of 100', address({ city: text(100) }), null],
  ['a city of 101', address({ city: text(101) }), 'recipient.address.city too_big'],
  ['an address in Spain', address({ country: 'Spain' }), 'recipient.address.country invalid_format'],
  ['an empty external_id', { external_id: '' }, 'external_id too_small'],
  ['an external_id of 1', { external_id: 'x' }, null],
  ['an external_id of 255', { external_id: text(255) }, null],
  ['an external_id of 256', { external_id: text(256) }, 'external_id too_big'],
  ['a payment without means', { payment: {} }, 'payment.means required'],
  ['a payment by means alone', { payment: { means: 'cash' } }, null],
  ['an IBAN with blanks', { payment: { means: 'transfer', iban: IBAN_IN_GROUPS } }, null],
  ['an empty IBAN', transfer({ iban: '' }), 'payment.iban invalid_format'],
  [
    'an IBAN of wrong check digits',
    transfer({ iban: IBAN.replace('91', '92') }),
    'payment.iban invalid_format',
  ],
  ['an IBAN that is too short', transfer({ iban: IBAN.slice(0, -1) }), 'payment.iban invalid_format'],
  ['an IBAN of no country', transfer({ iban: `XX${IBAN.slice(2)}` }), 'payment.iban invalid_format'],
  ['an IBAN without end', transfer({ iban: IBAN + ' '.repeat(43) }), 'payment.iban too_big'],
  ['a payment reference of 140', transfer({ reference: text(140) }), null],
  ['a payment reference of 141', transfer({ reference: text(141) }), 'payment.reference too_big'],
  ['a payment reference of two lines, which becomes one', transfer({ reference: 'a\nb' }), null],
  ['payment terms of 500', transfer({ terms: text(500) }), null],
  ['payment terms of 501', transfer({ terms: text(501) }), 'payment.terms too_big'],
  [
    'payment terms that no font has',
    transfer({ terms: '\u{1d40a}' }),
    'payment.terms unprintable_characters',
  ],
  ['a language of ours', { language: 'eu' }, null],
  ['no references in references', { references: {} }, 'references too_small'],
  ['a purchase order of 100', { references: { purchase_order: text(100) } }, null],
  [
    'a purchase order of 101',
    { references: { purchase_order: text(101) } },
    'references.purchase_order too_big',
  ],
  ['an empty contract', { references: { contract: '' } }, 'references.contract too_small'],
  ['a delivery of a day', { delivery: { from: '2026-10-01', to: '2026-10-01' } }, null],
  [
    'a delivery that ends before it begins',
    { delivery: { from: '2026-10-02', to: '2026-10-01' } },
    'delivery.to too_small',
  ],
  ['a delivery without end', { delivery: { from: '2026-10-02' } }, 'delivery.to required'],
  [
    'a delivery until no day',
    { delivery: { from: '2026-02-01', to: '2026-02-29' } },
    'delivery.to invalid_format',
  ],
  ['empty notes', { notes: '' }, null],
  ['blank notes', { notes: ' \n' }, 'notes too_small'],
  ['notes of 1', { notes: 'x' }, null],
  ['notes of 2000', { notes: text(2_000) }, null],
  ['notes of 2001', { notes: text(2_001) }, 'notes too_big'],
  ['a due date', { due_date: '2027-01-31' }, null],
  ['a due date that is no day', { due_date: '2027-02-29' }, 'due_date invalid_format'],
  ['a due date before there is any', { due_date: '2024-12-31' }, 'due_date too_small'],
  ['the lowest withholding', { withholding: { rate: 0.4 } }, null],
  ['the highest withholding', { withholding: { rate: 50 } }, null],
  ['a withholding of nothing', { withholding: { rate: 0 } }, 'withholding.rate too_small'],
  ['a withholding above a half', { withholding: { rate: 50.01 } }, 'withholding.rate too_big'],
  ['a withholding of three decimals', { withholding: { rate: 7.125 } }, 'withholding.rate invalid_format'],
  ['fifty disbursements', { disbursements: Array(50).fill(disbursement()) }, null],
  ['a disbursement of 500 characters', { disbursements: [disbursement({ description: text(500) })] }, null],
  [
    'a disbursement of 501 characters',
    { disbursements: [disbursement({ description: text(501) })] },
    'disbursements[0].description too_big',
  ],
  [
    'a reference of 101 characters',
    { disbursements: [disbursement({ reference: text(101) })] },
    'disbursements[0].reference too_big',
  ],
  ['a currency of none', { display_currency: { code: 'usd', rate: '0' } }, 'display_currency.rate too_small'],
  ['the euro again', { display_currency: { code: 'EUR', rate: '1' } }, 'display_currency.code invalid_value'],
  ['no currency', { display_currency: { code: 'xyz', rate: '1' } }, 'display_currency.code invalid_value'],
  [
    'a rate of seven decimals',
    { display_currency: { code: 'usd', rate: '1.1234567' } },
    'display_currency.rate invalid_format',
  ],
  ['a currency', { display_currency: { code: 'usd', rate: '1.083700', source: text(200) } }, null],
  ['six decimals', decimals('0.000001', '100000000.000001'), null],
  ['seven decimals of a quantity', decimals('0.0000001', '1'), `${DECIMAL_QUANTITY} invalid_format`],
  ['seven decimals of a price', decimals('1', '0.0000001'), `${DECIMAL_PRICE} invalid_format`],
  ['a decimal quantity of nothing', decimals('0.000000', '1'), `${DECIMAL_QUANTITY} too_small`],
  ['a million and a millionth', decimals('1000000.000001', '1'), `${DECIMAL_QUANTITY} too_big`],
  ['the largest price with decimals', decimals('1', '99999999999'), null],
  ['a larger price with decimals', decimals('1', '99999999999.000001'), `${DECIMAL_PRICE} too_big`],
  ['a unit that is none', line({ unit: 'XBX' }), 'line_items[1].unit invalid_value'],
  ['a unit', line({ unit: 'HUR' }), null],
  ['metadata of 50 keys', { metadata: keys(50) }, null],
  ['metadata of 51 keys', { metadata: keys(51) }, 'metadata too_big'],
  ['metadata of 500 characters', { metadata: { k: text(500) } }, null],
  ['metadata of 501 characters', { metadata: { k: text(501) } }, 'metadata too_big'],
];
