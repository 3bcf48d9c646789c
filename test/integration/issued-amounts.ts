import { parse } from 'csv-parse/sync';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import type { Services } from '../../src/services.ts';
import { readRecord } from '../../src/subjects/chain/read-record.ts';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { ciiOf } from '../../src/subjects/formats/en16931/cii.ts';
import { semanticInvoice } from '../../src/subjects/formats/en16931/invoice.ts';
import { ublOf } from '../../src/subjects/formats/en16931/ubl.ts';
import { facturaeOf, textOf } from '../../src/subjects/formats/facturae/facturae.ts';
import { facturaeSource } from '../../src/subjects/formats/facturae/sealed.ts';
import { type FormatSource, loadFormatSource } from '../../src/subjects/formats/source.ts';
import { registerBook } from '../../src/subjects/register-books/book.ts';
import { COLUMN_NAMES } from '../../src/subjects/register-books/layout.ts';
import * as tools from '../support/documents/pdf-tools.ts';

/** The amounts of an invoice wherever they can be read, in cents, as somebody who knows nothing of the code reads them. */

/** An invoice as its row has it. */
export type Row = {
  readonly id: string;
  readonly number: string;
  readonly subtotal: number;
  readonly tax: number;
  readonly total: number;
  /** The tax of other member states, which is part of what is not subject here. */
  readonly foreign: number;
  readonly withheld: number | null;
  readonly disbursed: number | null;
};

type Amounts = { readonly total?: number | undefined; readonly payable?: number | undefined };

/** The words before a figure, by the language of the document. */
const PRINTED = {
  es: { net: 'Importe sin impuestos', total: 'Total factura', payable: 'Total a pagar' },
  en: { net: 'Total before tax', total: 'Invoice total', payable: 'Amount payable' },
  ca: { net: 'Import sense impostos', total: 'Total factura', payable: 'Total a pagar' },
  gl: { net: 'Importe sen impostos', total: 'Total factura', payable: 'Total a pagar' },
  eu: { net: 'Zenbatekoa zergarik gabe', total: 'Faktura guztira', payable: 'Ordaindu beharrekoa' },
} as const;

const canRead = tools.haveTools('pdftotext');

/** Where amounts of the invoice were read (on paper if `isPrinted`), and those that are not its own. */
export async function disagreements(
  { db, qrBases }: Pick<Services, 'db' | 'qrBases'>,
  environmentId: number,
  row: Row,
  isPrinted: boolean,
): Promise<{ readonly read: readonly string[]; readonly found: readonly string[] }> {
  const source = (await loadFormatSource(db, qrBases, environmentId, row.id))!;
  const payable = row.total - (row.withheld ?? 0) + (row.disbursed ?? 0);
  const read: string[] = [];
  const found: string[] = [];
  const compare = (where: string, amounts: Amounts & { readonly net?: number | undefined }) => {
    read.push(where);
    const expected = { net: row.subtotal, total: row.total, payable };
    for (const [name, amount] of Object.entries(amounts)) {
      if (amount === expected[name as keyof typeof expected]) continue;
      found.push(`${row.number}: ${name} of ${where} is ${amount}, not ${JSON.stringify(expected)}`);
    }
  };
  compare('record', { total: readTotal(source) });
  if (canRead && isPrinted) compare('pdf', await printed(source, payable !== row.total));
  for (const [format, amounts] of formatted(source)) compare(format, amounts);
  return { read, found };
}

function readTotal({ content }: FormatSource): number | undefined {
  const record = readRecord(content.recordXml!);
  return typeof record === 'string' ? undefined : (record.total ?? undefined);
}

async function printed({ content }: FormatSource, isPayable: boolean) {
  const text = tools.textOf(await renderInvoicePdf(content)).replace(/[ \u00a0]+/g, ' ');
  const words = PRINTED[content.branding.language];
  const figure = (label: string) => centsOf(new RegExp(`${label} (-?€?[\\d.,]+)`).exec(text)?.[1]);
  const amounts = { net: figure(words.net), total: figure(words.total) };
  return isPayable ? { ...amounts, payable: figure(words.payable) } : amounts;
}

/** A figure with two decimals, however it is grouped. */
function centsOf(figure: string | undefined): number | undefined {
  if (figure === undefined) return undefined;
  const cents = Number(figure.replace(/\D/g, ''));
  return figure.startsWith('-') ? 0 - cents : cents;
}

function* formatted(source: FormatSource): Generator<[format: string, amounts: Amounts]> {
  const invoice = semanticInvoice(source);
  if (!isRefusal(invoice)) {
    // A credit note has the amounts of what it takes back without their sign.
    const sign = invoice.isCreditNote ? -1 : 1;
    const amountsOf = (document: Buffer, total: string, payable: string): Amounts => ({
      total: signed(sign, elementOf(document, total)),
      payable: signed(sign, elementOf(document, payable)),
    });
    yield ['ubl', amountsOf(ublOf(invoice), 'cbc:TaxInclusiveAmount', 'cbc:PayableAmount')];
    const cii = ciiOf(invoice);
    if (!isRefusal(cii)) yield ['cii', amountsOf(cii, 'ram:GrandTotalAmount', 'ram:DuePayableAmount')];
  }
  const facturae = facturaeOf(facturaeSource(source));
  if (isRefusal(facturae)) return;
  const document = Buffer.from(textOf(facturae));
  // The total of this format is what is left of the invoice's after the withholding.
  const [left, withheld] = [elementOf(document, 'InvoiceTotal'), elementOf(document, 'TotalTaxesWithheld')];
  const total = left === undefined ? undefined : left + (withheld ?? 0);
  yield ['facturae', { total, payable: elementOf(document, 'TotalExecutableAmount') }];
}

/** Never -0. */
const signed = (sign: number, cents: number | undefined) =>
  cents === undefined ? undefined : 0 + sign * cents;

/** The first element of the name that stands once in a document. */
function elementOf(document: Buffer, name: string): number | undefined {
  const text = new RegExp(`<${name}(?: [^>]*)?>(-?\\d+\\.\\d{2})\\d*</${name}>`).exec(String(document))?.[1];
  return centsOf(text);
}

/** A period of days. */
export type Period = { readonly from: string; readonly to: string; readonly today: string };

/** What the register book says of each invoice by number, before what takes it out again, and of all that counts. */
export async function bookOf(
  services: Pick<Services, 'db'>,
  environmentId: number,
  { from, to, today }: Period,
): Promise<{ readonly totals: ReadonlyMap<string, number>; readonly counted: number }> {
  const request = { from, to, today, format: 'csv', activity: null, timeZone: 'Europe/Madrid' } as const;
  const book = await registerBook({ ...services, standby: null }, environmentId, request);
  if (isRefusal(book)) throw new Error(book.detail);
  const text = (await book.bytes.toArray()).map(String).join('');
  const rows = (parse(text, { bom: true, delimiter: ';' }) as string[][]).slice(2);
  const at = (row: readonly string[], name: (typeof COLUMN_NAMES)[number]) =>
    row[COLUMN_NAMES.indexOf(name)]!.replace(/^'/, '');
  const totalOf = (row: readonly string[]) => centsOf(at(row, 'total'))!;
  const isOpposite = (one: readonly string[], other: readonly string[]) =>
    totalOf(one) === 0 - totalOf(other) &&
    (['rate', 'regimeKey', 'operationClass', 'exemption'] as const).every(
      (name) => at(one, name) === at(other, name),
    );
  const sum = (some: readonly string[][]) => some.reduce((all, row) => all + totalOf(row), 0);
  const byNumber = Map.groupBy(rows, (row) => at(row, 'series') + at(row, 'number'));
  const totals = new Map<string, number>();
  for (const [number, own] of byNumber) {
    const half = own.slice(0, own.length / 2);
    const isTakenOut =
      own.length % 2 === 0 && half.every((row, index) => isOpposite(row, own[half.length + index]!));
    totals.set(number, sum(isTakenOut ? half : own));
  }
  return { totals, counted: sum(rows.filter((row) => at(row, 'invoiceType') !== 'F3')) };
}
