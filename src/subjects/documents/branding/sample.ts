import { madridDay } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { percentOf } from '../../../ground/lib/money.ts';
import { NO_EXTENSION_COLUMNS } from '../../extensions/columns.ts';
import type { IssuerSnapshot } from '../../invoices/rows.ts';
import { ORDINARY_TERMS } from '../../taxes/line-amount.ts';
import type { InvoiceContent, PrintedLine } from '../content.ts';
import type { Branding } from './branding.ts';

const RATE = 2100;

const lines: readonly PrintedLine[] = [
  ['Primer concepto', 2, 12_000],
  ['Segundo concepto, con una descripción que no cabe en una sola línea y muestra cómo continúa', 1, 45_050],
  ['Descuento', 1, -5_000],
].map(([description, quantity, unitAmount]) =>
  lineOf(String(description), Number(quantity), Number(unitAmount)),
);

function lineOf(description: string, quantity: number, unitAmount: number): PrintedLine {
  const subtotal = quantity * unitAmount;
  const tax = { type: 'vat', name: 'IVA 21%', rate: RATE, amount: percentOf(subtotal, RATE) };
  const total = subtotal + tax.amount;
  return {
    description,
    sku: null,
    quantity,
    unitAmount,
    ...ORDINARY_TERMS,
    unit: null,
    subtotal,
    total,
    taxItems: [tax],
  };
}

/**
 * A sample document without an invoice, to check a branding before customers see it: marked as a test, and without
 * QR code and record.
 */
export function sampleContent(issuer: IssuerSnapshot, branding: Branding): InvoiceContent {
  const now = clock.now();
  const subtotal = lines.reduce((sum, line) => sum + line.subtotal, 0);
  const tax = lines.reduce((sum, { taxItems }) => sum + (taxItems[0]?.amount ?? 0), 0);
  return {
    environment: 'test',
    type: 'complete',
    kind: 'original',
    number: 'ABC-1',
    currency: 'eur',
    issuedAt: now.toISOString(),
    issuedOn: madridDay(now),
    operationOn: null,
    issuer,
    // Addressed to the company itself: the one party that certainly exists.
    recipient: {
      ...issuer,
      name: issuer.legalName,
      companyName: null,
      taxId: issuer.nif,
      taxIdType: 'es_nif',
      taxIdCountry: 'ES',
    },
    lines,
    breakdown: [{ type: 'vat', regimeKey: '01', legalMention: null }],
    subtotal,
    tax,
    total: subtotal + tax,
    notes: null,
    extensions: NO_EXTENSION_COLUMNS,
    rectification: null,
    exchanged: [],
    imported: false,
    qrUrl: null,
    recordXml: null,
    voidedOn: null,
    branding,
  };
}
