import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal, type Refusal } from '../../ground/errors/refusal.ts';
import { type TimeZone, withDaysOf } from '../../ground/lib/calendar.ts';
import { snakePath } from '../../ground/lib/case.ts';
import { newId } from '../../ground/lib/ids.ts';
import { extensionsAsColumns } from '../extensions/request.ts';
import { isBlank } from '../issuing/check-invoice.ts';
import { lineRows, recipientColumns } from '../issuing/prepare-invoice.ts';
import { type Recipient, resolveRecipient } from '../recipients/recipient.ts';
import { resolveThirdParty } from '../recipients/third-party.ts';
import { needsCountry, readTaxId } from '../tax-ids/tax-id.ts';
import type { TaxCatalog } from '../taxes/catalog.ts';
import { priceHistory } from '../taxes/price-history.ts';
import type { Pricing } from '../taxes/pricing.ts';
import { withheldBaseRefusal } from '../taxes/withholding.ts';
import { extensionsOfImported, type OldInvoice, oldInvoice } from './old-invoice.ts';
import type { RefusedRow, SourceRow } from './source-row.ts';

/**
 * An imported invoice ready to be stored: its rows as JSON, without the values that are the same for all rows of an
 * import.
 */
export type PreparedRow = {
  readonly line: number;
  readonly id: string;
  readonly number: string;
  readonly externalId: string | null;
  readonly invoice: string;
  /** JSON objects joined by commas. */
  readonly lines: string;
  readonly taxItems: string;
  readonly lineCount: number;
};

/** The environment into which is imported, and the issuer's NIF. */
type ImportingCompany = {
  readonly environmentId: number;
  readonly timeZone: TimeZone;
  readonly nif: string;
};

/** Parses, prices and prepares a row, or returns why it cannot be imported; does not query the database. */
export function prepareRow(
  row: SourceRow,
  { environmentId, timeZone, nif }: ImportingCompany,
  catalog: TaxCatalog,
): PreparedRow | RefusedRow {
  const { value } = row;
  const invoice = isRefusal(value) ? value : withDaysOf(timeZone, () => parseRequest(oldInvoice, value));
  if (isRefusal(invoice)) return refusedRow(row.line, invoice);
  const pricing = priceHistory(invoice.lineItems, catalog, invoice.pricesIncludeTax);
  if (isRefusal(pricing)) return refusedRow(row.line, pricing);
  const withheld = withheldBaseRefusal(invoice.withholding, pricing.subtotal);
  if (withheld !== null) return refusedRow(row.line, withheld);
  const difference = totalsDifference(invoice, pricing);
  if (difference !== null) return { line: row.line, code: 'totals_differ', reason: difference };
  const thirdParty = invoice.thirdParty && resolveThirdParty(invoice.thirdParty, nif);
  if (isRefusal(thirdParty)) return refusedRow(row.line, thirdParty);
  return rowsOf(row.line, environmentId, { ...invoice, thirdParty }, pricing);
}

/** More errors of one row would only hide the first. */
const MAX_ERRORS = 5;

/** A refusal as the report shows it: each error with its field, in the file's spelling. */
function refusedRow(line: number, { code, detail, errors }: Refusal): RefusedRow {
  const messages = errors.slice(0, MAX_ERRORS).map(({ field, message }) => `${snakePath(field)} ${message}`);
  return {
    line,
    code,
    reason: code !== 'invalid_request' || messages.length === 0 ? detail : messages.join('; '),
  };
}

/** Whether the totals in the row differ from those of its lines. */
function totalsDifference(stated: OldInvoice, computed: Pricing): string | null {
  const names = ['subtotal', 'tax', 'total'] as const;
  const different = names.filter((name) => stated[name] !== undefined && stated[name] !== computed[name]);
  if (different.length === 0) return null;
  return different
    .map((name) => `${name} is ${stated[name]} and the lines come to ${computed[name]}`)
    .join('; ');
}

function rowsOf(line: number, environmentId: number, invoice: OldInvoice, pricing: Pricing): PreparedRow {
  const id = newId('inv');
  const { number, issuedAt, operationDate } = invoice;
  const recipient = recordedRecipient(invoice.recipient ?? {});
  const { lines, taxItems } = lineRows({ environment_id: environmentId, id }, pricing);
  const { subtotal, tax, total, breakdown } = pricing;
  return {
    line,
    id,
    number,
    externalId: invoice.externalId ?? null,
    invoice: JSON.stringify({
      id,
      number,
      type: invoice.type,
      subtotal,
      tax,
      total,
      issued_at: issuedAt.at,
      issued_on: issuedAt.day,
      operation_on: operationDate,
      external_id: invoice.externalId,
      external_customer_id: invoice.externalCustomerId,
      notes: invoice.notes,
      ...recipientColumns(isBlank(recipient) ? null : recipient),
      breakdown,
      ...extensionsAsColumns(extensionsOfImported(invoice), pricing),
    }),
    lines: joined(lines),
    taxItems: joined(taxItems),
    lineCount: lines.length,
  };
}

function joined(rows: readonly object[]): string {
  return rows.map((row) => JSON.stringify(row)).join(',');
}

/** The recipient as stated in the imported invoice; its tax id normalized if it is valid, else unchanged. */
function recordedRecipient(input: Partial<NonNullable<OldInvoice['recipient']>>): Recipient {
  const contact = resolveRecipient(input, { complete: false });
  if (isRefusal(contact)) throw new Error('a recipient without tax id is never refused');
  const { taxId, taxIdType = null, taxIdCountry = null } = input;
  if (taxId === undefined) return contact;
  const asWritten = { taxId: taxId.trim(), taxIdType, taxIdCountry };
  if (taxIdType !== null && needsCountry(taxIdType) && taxIdCountry === null)
    return { ...contact, ...asWritten };
  const reading = readTaxId({ taxId, taxIdType, taxIdCountry, addressCountry: contact.country });
  return { ...contact, ...(reading.kind === 'identity' ? reading.identity : asWritten) };
}
