import { type Cents, percentOf } from '../../../src/ground/lib/money.ts';
import { qrUrl } from '../../../src/subjects/chain/qr-url.ts';
import { DEFAULT_BRANDING } from '../../../src/subjects/documents/branding/branding.ts';
import type { InvoiceContent, PrintedLine, PrintedTaxItem } from '../../../src/subjects/documents/content.ts';
import { NO_EXTENSION_COLUMNS } from '../../../src/subjects/extensions/columns.ts';
import { ORDINARY_TERMS } from '../../../src/subjects/taxes/line-amount.ts';

const QR_BASE = 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR';

export const vat = (rate: number): { type: string; name: string; rate: number } => ({
  type: 'vat',
  name: `IVA ${rate / 100}%`,
  rate,
});

/** A line as pricing would make it. */
export function contentLine(
  description: string,
  unitAmount: Cents,
  more: {
    quantity?: number;
    sku?: string;
    taxes?: readonly { type: string; name: string; rate: number }[];
  } = {},
): PrintedLine {
  const quantity = more.quantity ?? 1;
  const subtotal = quantity * unitAmount;
  const taxItems = (more.taxes ?? [vat(2100)]).map(
    (tax): PrintedTaxItem => ({ ...tax, amount: percentOf(subtotal, tax.rate) }),
  );
  const total = taxItems.reduce((sum, { amount }) => sum + amount, subtotal);
  const terms = { ...ORDINARY_TERMS, unit: null, quantity, unitAmount };
  return { description, sku: more.sku ?? null, ...terms, subtotal, total, taxItems };
}

/** The content of an ordinary invoice; totals and QR code follow from what is given. */
export function invoiceContent(given: Partial<InvoiceContent> = {}): InvoiceContent {
  const lines = given.lines ?? [contentLine('Servicio de mantenimiento', 10_000)];
  const subtotal = lines.reduce((sum, line) => sum + line.subtotal, 0);
  const tax = lines.flatMap((line) => line.taxItems).reduce((sum, item) => sum + item.amount, 0);
  const content = {
    environment: 'live',
    type: 'complete',
    kind: 'original',
    number: 'F-2026-1',
    currency: 'eur',
    issuedAt: '2026-07-01T08:00:00.000Z',
    issuedOn: '2026-07-01',
    operationOn: null,
    issuer: {
      nif: 'B72877814',
      legalName: 'Talleres Ñandú SL',
      line1: 'Calle Mayor 1',
      line2: null,
      postalCode: '28001',
      city: 'Madrid',
      country: 'ES',
    },
    recipient: {
      name: 'Ana Müller García',
      companyName: 'Construcciones del Norte SA',
      taxId: 'A58818501',
      taxIdType: 'es_nif',
      taxIdCountry: 'ES',
      line1: 'Avenida de la Constitución 25, 3.º B',
      line2: null,
      postalCode: '33201',
      city: 'Gijón',
      country: 'ES',
    },
    breakdown: [{ type: 'vat', regimeKey: '01', legalMention: null }],
    notes: null,
    extensions: NO_EXTENSION_COLUMNS,
    rectification: null,
    exchanged: [],
    imported: false,
    voidedOn: null,
    branding: DEFAULT_BRANDING,
    recordXml: '<sf:RegistroAlta xmlns:sf="urn:test"><sf:IDVersion>1.0</sf:IDVersion></sf:RegistroAlta>',
    ...given,
    lines,
    subtotal,
    tax,
    total: subtotal + tax,
  } satisfies Omit<InvoiceContent, 'qrUrl'>;
  const { number, issuedOn, issuer, total } = content;
  const url = () => qrUrl({ base: QR_BASE, nif: issuer.nif, number, issuedOn, total });
  return { ...content, qrUrl: given.qrUrl === undefined ? url() : given.qrUrl };
}
