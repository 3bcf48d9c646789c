import { invalidField, type Refusal } from '../../ground/errors/refusal.ts';
import { MAX_LINES } from '../issuing/request.ts';
import { readRecords } from './csv-records.ts';
import { NOT_UTF8, type SourceRow, UnreadableFile } from './source-row.ts';

/** Columns about the whole invoice. On its further lines they are repeated or empty. */
const INVOICE_COLUMNS = {
  number: ['number'],
  issued_at: ['issuedAt'],
  type: ['type'],
  currency: ['currency'],
  operation_date: ['operationDate'],
  due_date: ['dueDate'],
  external_id: ['externalId'],
  external_customer_id: ['externalCustomerId'],
  notes: ['notes'],
  subtotal: ['subtotal'],
  tax: ['tax'],
  total: ['total'],
  withholding_rate: ['withholding', 'rate'],
  withholding_base: ['withholding', 'base'],
  prices_include_tax: ['pricesIncludeTax'],
  qualified_simplified: ['qualifiedSimplified'],
  recipient_unidentified: ['recipientUnidentified'],
  issued_by: ['issuedBy'],
  third_party_name: ['thirdParty', 'name'],
  third_party_tax_id: ['thirdParty', 'taxId'],
  third_party_tax_id_type: ['thirdParty', 'taxIdType'],
  third_party_tax_id_country: ['thirdParty', 'taxIdCountry'],
  display_currency_code: ['displayCurrency', 'code'],
  display_currency_rate: ['displayCurrency', 'rate'],
  display_currency_source: ['displayCurrency', 'source'],
  recipient_name: ['recipient', 'name'],
  recipient_company_name: ['recipient', 'companyName'],
  recipient_given_name: ['recipient', 'givenName'],
  recipient_surnames: ['recipient', 'surnames'],
  recipient_tax_id: ['recipient', 'taxId'],
  recipient_tax_id_type: ['recipient', 'taxIdType'],
  recipient_tax_id_country: ['recipient', 'taxIdCountry'],
  recipient_email: ['recipient', 'email'],
  recipient_line1: ['recipient', 'address', 'line1'],
  recipient_line2: ['recipient', 'address', 'line2'],
  recipient_postal_code: ['recipient', 'address', 'postalCode'],
  recipient_city: ['recipient', 'address', 'city'],
  recipient_country: ['recipient', 'address', 'country'],
} as const satisfies Record<string, readonly string[]>;

/** Columns about the line item of a row. */
const LINE_COLUMNS = [
  'description',
  'sku',
  'quantity',
  'quantity_decimal',
  'unit',
  'unit_amount',
  'unit_amount_decimal',
  'tax_type',
  'tax_rate',
  'regime_key',
  'operation_class',
  'exemption',
  'surcharge_rate',
] as const;

/** Columns about what was paid in the customer's name: each row may have one besides its line item. */
const DISBURSEMENT_COLUMNS = [
  'disbursement_description',
  'disbursement_amount',
  'disbursement_reference',
] as const;

const REQUIRED = ['number', 'issued_at', 'type', 'description', 'tax_type'];

type InvoiceColumn = keyof typeof INVOICE_COLUMNS;
type LineColumn = (typeof LINE_COLUMNS)[number];
type Column = InvoiceColumn | LineColumn | (typeof DISBURSEMENT_COLUMNS)[number];
/** The cells of a line that are not empty. */
type Cells = Partial<Record<Column, string>>;

/** Which column stands where. */
type Header = readonly Column[];

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);
const FLAGS: ReadonlySet<string> = new Set([
  'prices_include_tax',
  'qualified_simplified',
  'recipient_unidentified',
]);
const AMOUNTS: ReadonlySet<string> = new Set(['subtotal', 'tax', 'total', 'withholding_base']);

/**
 * The rows of a CSV file with a header, in constant memory, from the first line after `after`. Separated by commas,
 * or by semicolons if the header is. Throws `UnreadableFile` for a header with unknown, missing or repeated columns
 * and for quotes that do not match: what follows could be anything.
 */
export async function* readCsv(path: string, after: number): AsyncGenerator<SourceRow> {
  let header: Header | null = null;
  let open: Group | null = null;
  for await (const { cells, line, lastLine } of readRecords(path)) {
    if (header === null) {
      header = readHeader(cells, line);
      continue;
    }
    if (lastLine <= after || (cells.length === 1 && cells[0] === '')) continue;
    const record = namedCells(cells, header);
    const number = record.number ?? '';
    if (open !== null && number !== '' && open.number === number) {
      open.add(record, cells, header, lastLine);
      continue;
    }
    if (open !== null) yield open.row();
    open = new Group(number, line);
    open.add(record, cells, header, lastLine);
  }
  if (open !== null) yield open.row();
}

function readHeader(cells: readonly string[], line: number): Header {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const known = new Set<string>([...Object.keys(INVOICE_COLUMNS), ...LINE_COLUMNS, ...DISBURSEMENT_COLUMNS]);
  const fail = (problem: string, columns: string[]) => {
    if (columns.length === 0) return;
    const shown = columns.slice(0, 10).map((column) => JSON.stringify(column.slice(0, 40)));
    throw new UnreadableFile(line, `${problem}: ${shown.join(', ')}`);
  };
  fail(
    'there are no such columns',
    names.filter((name) => !known.has(name)),
  );
  fail(
    'columns are missing',
    REQUIRED.filter((name) => !names.includes(name)),
  );
  fail(
    'columns stand there twice',
    names.filter((name, index) => names.indexOf(name) !== index),
  );
  return names as Column[];
}

function namedCells(cells: readonly string[], header: Header): Cells {
  const named: Cells = {};
  for (const [index, column] of header.entries()) {
    const cell = cells[index];
    if (cell !== undefined && cell !== '') named[column] = cell;
  }
  return named;
}

/** The lines of one invoice as they are read. */
class Group {
  readonly number: string;
  readonly #line: number;
  #lastLine: number;
  #fault: Refusal | null = null;
  readonly #invoice: Cells = {};
  #lineItems: object[] = [];
  readonly #disbursements: object[] = [];

  constructor(number: string, line: number) {
    this.number = number;
    this.#line = line;
    this.#lastLine = line;
  }

  add(record: Cells, cells: readonly string[], header: Header, lastLine: number): void {
    this.#lastLine = lastLine;
    this.#fault ??= recordRefusal(cells, header) ?? this.#merge(record);
    // Rows that are refused anyway are not collected: a million lines with one number are not an invoice.
    if (this.#fault === null && this.#lineItems.length >= MAX_LINES) {
      this.#fault = invalidField('line_items', 'too_big', `must have at most ${MAX_LINES} elements`);
    }
    if (this.#fault !== null) {
      this.#lineItems = [];
      return;
    }
    this.#lineItems.push(lineItem(record));
    const paid = disbursement(record);
    if (paid !== null) this.#disbursements.push(paid);
  }

  row(): SourceRow {
    const paid = this.#disbursements.length === 0 ? {} : { disbursements: this.#disbursements };
    const value = this.#fault ?? { ...nested(this.#invoice), lineItems: this.#lineItems, ...paid };
    return { line: this.#line, lastLine: this.#lastLine, value };
  }

  #merge(record: Cells): Refusal | null {
    for (const name in record) {
      if (!(name in INVOICE_COLUMNS)) continue;
      const column = name as InvoiceColumn;
      const before = this.#invoice[column];
      if (before === undefined && this.#lineItems.length === 0) this.#invoice[column] = record[column]!;
      else if (before !== record[column]) {
        return invalidField(column, 'invalid_value', 'differs from that on the first line of the invoice');
      }
    }
    return null;
  }
}

function recordRefusal(cells: readonly string[], header: Header): Refusal | null {
  if (cells.length !== header.length) {
    const problem = `has ${cells.length} cells and the header ${header.length}`;
    return invalidField('line', 'invalid_format', problem);
  }
  const isBroken = cells.some((cell) => cell.includes(NOT_UTF8));
  return isBroken ? invalidField('line', 'invalid_format', 'is not UTF-8') : null;
}

/** The fields of the invoice from its cells. */
function nested(invoice: Cells): object {
  const fields: Record<string, unknown> = {};
  for (const [column, text] of Object.entries(invoice) as [InvoiceColumn, string][]) {
    const path = INVOICE_COLUMNS[column];
    let place = fields;
    for (const step of path.slice(0, -1)) {
      place[step] ??= {};
      place = place[step] as Record<string, unknown>;
    }
    place[path.at(-1)!] = fieldOf(column, text);
  }
  return fields;
}

function fieldOf(column: InvoiceColumn, text: string): unknown {
  if (column === 'withholding_rate') return percentage(text);
  if (column === 'display_currency_rate') return decimal(text);
  if (FLAGS.has(column)) return BOOLEANS.get(text.trim().toLowerCase()) ?? text;
  return AMOUNTS.has(column) ? wholeNumber(text) : text;
}

function lineItem(record: Cells): object {
  const { description, sku, quantity, unit, unit_amount, tax_type, tax_rate, surcharge_rate } = record;
  const { regime_key: regimeKey, operation_class: operationClass, exemption } = record;
  const said = { regimeKey, operationClass, exemption };
  const taxItems: object[] = [{ type: tax_type, rate: percentage(tax_rate), ...said }];
  if (surcharge_rate !== undefined) {
    taxItems.push({ type: 'es_recargo_equivalencia', rate: percentage(surcharge_rate) });
  }
  return {
    description,
    sku,
    quantity: wholeNumber(quantity),
    quantityDecimal: decimal(record.quantity_decimal),
    unit,
    unitAmount: wholeNumber(unit_amount),
    unitAmountDecimal: decimal(record.unit_amount_decimal),
    taxItems,
  };
}

/** What the row says was paid in the customer's name; null if it says nothing. */
function disbursement(record: Cells): object | null {
  if (DISBURSEMENT_COLUMNS.every((column) => record[column] === undefined)) return null;
  return {
    description: record.disbursement_description,
    amount: wholeNumber(record.disbursement_amount),
    reference: record.disbursement_reference,
  };
}

/** The number in a cell; another text is returned unchanged, to be refused by validation. */
function wholeNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text;
}

/** A decimal as in requests, from one written with a decimal comma as in Spanish spreadsheets. */
function decimal(text: string | undefined): string | undefined {
  return text?.trim().replace(/^(-?\d+),(\d+)$/, '$1.$2');
}

/** The same for a rate. */
function percentage(text: string | undefined): number | string | undefined {
  const [, whole, decimals = ''] = /^\s*(\d{1,3})(?:[.,](\d{1,4}))?\s*$/.exec(text ?? '') ?? [];
  return whole === undefined ? text : Number(`${whole}.${decimals}0`);
}
