import { NOT_SUPPORTED } from './not-supported.ts';

/**
 * What a newcomer meant by a field or a value that the API does not have: names of other APIs, and of the paper invoice. Tables and not a
 * search for the nearest name, because what is meant often has quite another one.
 */

/** What is said at an object that is not there; the same whether or not the other environment has it, of which nothing may be learnt. */
export const OTHER_ENVIRONMENT =
  'Test and live are apart: it may be in the other environment, which another key reads.';

const LINES = 'lines are `line_items`';
const PRICE = 'the price of one unit is `unit_amount`, in whole cents';
const TAXES = 'taxes are `tax_items` of each line, such as [{ "type": "vat", "rate": 21 }]';
const STAMPED =
  'the day of issue is stamped by the service; the day of the sale, if it is another one, is `operation_date`';
const NUMBERED = 'numbers are given by the series; your own reference is `external_id`';
const COMPUTED = 'totals are computed from the lines; `POST /v1/invoices/validate` shows them';
const DISCOUNT = 'a discount is a line with a negative `unit_amount`';
const CUSTOMER = 'who is invoiced is `recipient`; your own id of the customer is `external_customer_id`';
const TAX_ID = 'the tax id is `recipient.tax_id`';
const POSTAL_CODE = 'the postal code is `address.postal_code`';
const LINE_1 = 'the street is `address.line1`';
const ONE_RECIPIENT = `an invoice has one recipient: issue one for each of them, for their share (${NOT_SUPPORTED})`;
const HEADER = 'the key goes into the header `Idempotency-Key`';

/** By the last name of the path in snake_case. */
const MEANT: Readonly<Record<string, string>> = {
  ...{ items: LINES, lines: LINES, line_item: LINES, products: LINES, concepts: LINES },
  ...{ price: PRICE, unit_price: PRICE, amount: PRICE, net_price: PRICE, price_per_unit: PRICE },
  ...{ qty: 'how many is `quantity`', units: 'how many is `quantity`' },
  ...{
    vat: TAXES,
    iva: TAXES,
    tax: TAXES,
    taxes: TAXES,
    tax_rate: TAXES,
    vat_rate: TAXES,
    tax_percent: TAXES,
  },
  ...{ invoice_date: STAMPED, date: STAMPED, issue_date: STAMPED, issued_on: STAMPED, issued_at: STAMPED },
  ...{ number: NUMBERED, invoice_number: NUMBERED, reference_number: NUMBERED },
  ...{
    series: 'a series is named by `number_series_id`',
    series_id: 'a series is named by `number_series_id`',
  },
  ...{ total: COMPUTED, subtotal: COMPUTED, total_amount: COMPUTED, net: COMPUTED },
  ...{ discount: DISCOUNT, discounts: DISCOUNT, discount_percent: DISCOUNT, discount_amount: DISCOUNT },
  ...{ customer: CUSTOMER, client: CUSTOMER, buyer: CUSTOMER, customer_id: CUSTOMER, bill_to: CUSTOMER },
  recipients: ONE_RECIPIENT,
  ...{ nif: TAX_ID, cif: TAX_ID, vat_number: TAX_ID, tax_number: TAX_ID, vat_id: TAX_ID },
  ...{ zip: POSTAL_CODE, zip_code: POSTAL_CODE, postcode: POSTAL_CODE, zipcode: POSTAL_CODE },
  ...{ street: LINE_1, address1: LINE_1, address_line1: LINE_1, address_line_1: LINE_1, line_1: LINE_1 },
  ...{ town: 'the city is `address.city`', country_code: 'the country is `address.country`' },
  ...{
    idempotency_key: HEADER,
    expand: 'what is to be added is named by `expand[]`, as in ?expand[]=payments',
  },
  ...{
    note: 'the free text is `notes`',
    comments: 'the free text is `notes`',
    memo: 'the free text is `notes`',
  },
  ...{ tags: 'your own data is `metadata`', custom_fields: 'your own data is `metadata`' },
  currency: 'invoices are in euros',
  draft: 'drafts are kept by `POST /v1/invoice_drafts`',
  credit_note: 'an invoice is corrected by one with `rectifies`',
  invoice_id: 'the invoice to correct is `rectifies.invoice_id`',
  ...{
    page: 'pages are followed by `next_url`',
    per_page: 'the size of a page is `limit`',
    offset: 'pages are followed by `next_url`',
  },
  ...{
    from: 'a list is narrowed by `issued_from` and `issued_to`',
    to: 'a list is narrowed by `issued_from` and `issued_to`',
  },
};

/** What an unknown field or parameter was meant to be, as an addition to its message; empty if nobody knows. */
export function meantBy(path: string): string {
  const name = path.split('.').at(-1)!.replace(/\[.*$/s, '');
  if (name.length > 40) return '';
  const snake = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  if (snake === 'amount' && /tax_?items/i.test(path)) return ': the tax is computed from its `rate`';
  const meant = Object.hasOwn(MEANT, snake) ? MEANT[snake] : undefined;
  return meant === undefined ? '' : `: ${meant}`;
}

/** What is said of several recipients over GraphQL, whose own coercion refuses them. */
export function ofRecipients(name: string, code: string): string {
  const several =
    (name === 'recipients' && code === 'unrecognized_field') ||
    (name === 'recipient' && code === 'invalid_type');
  return several ? `: ${ONE_RECIPIENT}` : '';
}

const TAKEN_BACK =
  ': what is taken back is a rectificativa, which names the invoice in `rectifies`; a discount has a negative `unit_amount`';
const CENTS = ': amounts are whole cents, so 1050 is 10.50 EUR';

/** What else is said of a value at a field that has another type, or is out of bounds. */
export function hintAt(path: string, code: string, value: unknown): string {
  const name = path.split('.').at(-1)!;
  if (/^quantity(Decimal)?$/.test(name) && code === 'too_small' && Number(value) < 0) return TAKEN_BACK;
  if (code !== 'invalid_type') return '';
  if (name === 'recipient' && Array.isArray(value)) return `: ${ONE_RECIPIENT}`;
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return ', without quotes';
  const isFraction = typeof value === 'number' && !Number.isInteger(value);
  if (isFraction && /^(unitAmount|amount)$/.test(name)) return CENTS;
  if (isFraction && name === 'quantity') return ': a fraction is sent as `quantity_decimal`';
  return '';
}

/** The parameter that has a value which another one has not. */
export function parameterWith(name: string, value: string): string {
  const paid = ['paid', 'unpaid', 'overdue', 'partially_paid', 'credited'];
  const registered = ['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped'];
  if (name === 'status' && paid.includes(value)) return ': that is a `payment_status`';
  if (name === 'status' && registered.includes(value)) return ': that is a `verifactu_status`';
  return '';
}
