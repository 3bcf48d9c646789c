import type { InvoiceContent, PrintedLine, PrintedTaxItem } from '../../../src/subjects/documents/content.ts';
import { spanish } from '../../../src/subjects/documents/layout/wording.ts';
import { NO_EXTENSION_COLUMNS } from '../../../src/subjects/extensions/columns.ts';
import { invoiceContent, contentLine as line, vat } from './invoice-content.ts';

/** The forms that Spanish law gives an invoice beside the plain one, as documents show them. */

type Extensions = InvoiceContent['extensions'];

const carrying = (extensions: Partial<Extensions>, given: Partial<InvoiceContent> = {}): InvoiceContent =>
  invoiceContent({ ...given, extensions: { ...NO_EXTENSION_COLUMNS, ...extensions } });

const { recipient } = invoiceContent();
const { mentions } = spanish.texts.law;

/** A tax without a rate, exempt by a provision. */
const untaxed = (
  description: string,
  amount: number,
  tax: Pick<PrintedTaxItem, 'type' | 'name' | 'provision'>,
): PrintedLine => ({
  ...line(description, amount),
  total: amount,
  taxItems: [{ ...tax, rate: 0, amount: 0 }],
});

const exempt = (description: string, amount: number, provision: string) =>
  untaxed(description, amount, { type: 'es_exempt', name: 'Exento', provision });

const foreign = (description: string, amount: number) =>
  line(description, amount, { taxes: [{ type: 'eu_oss', name: 'IVA OSS 20%', rate: 2000 }] });

const earlier = [vat(500), { type: 'es_recargo_equivalencia', name: 'R.E. 0,62%', rate: 62 }];

export const spanishCases: Readonly<Record<string, InvoiceContent>> = {
  'a ticket with its recipient': carrying({ qualified_simplified: true }, { number: 'T-2026-20' }),
  'issued by the recipient': carrying({ issued_by: 'recipient' }, { number: 'AUTO-2026-1' }),
  'issued by the recipient, in Basque': carrying(
    { issued_by: 'recipient' },
    { number: 'AUTO-2026-1', branding: { ...invoiceContent().branding, language: 'eu' } },
  ),
  'issued by a third party': carrying(
    {
      issued_by: 'third_party',
      third_party: {
        ...{ name: 'Gestoría Ruiz e Hijos SL', tax_id: 'B12345674' },
        ...{ tax_id_type: 'es_nif', tax_id_country: 'ES' },
      },
    },
    { number: 'GESTORIA-2026-1' },
  ),
  'to somebody without a tax id': carrying(
    { recipient_unidentified: true },
    {
      recipient: {
        ...recipient!,
        ...{ name: 'Marie Dubois', companyName: null, taxId: null, taxIdType: null, taxIdCountry: null },
        ...{ line1: '12 rue de la Paix', postalCode: '75002', city: 'Paris', country: 'FR' },
      },
      lines: [foreign('Auriculares inalámbricos', 8_900), foreign('Funda', 1_250)],
      breakdown: [{ type: 'eu_oss', regimeKey: '17', legalMention: mentions.eu_oss }],
    },
  ),
  'lines of several treatments': invoiceContent({
    lines: [
      line('Alquiler de un local', 120_000),
      exempt('Curso de formación reglada', 45_000, 'art. 20 LIVA'),
      exempt('Mercancía en depósito aduanero', 80_000, 'arts. 23 y 24 LIVA'),
      untaxed('Obra en Las Palmas de Gran Canaria', 230_000, {
        ...{ type: 'es_non_taxable_localization', name: 'No sujeto por reglas de localización' },
      }),
    ],
    breakdown: [
      { type: 'vat', regimeKey: '11', legalMention: null },
      { type: 'es_exempt', regimeKey: '01', legalMention: mentions.es_exempt },
      {
        ...{ type: 'es_exempt', regimeKey: '01' },
        legalMention: 'Operación exenta del IVA (arts. 23 y 24 LIVA)',
      },
      {
        ...{ type: 'es_non_taxable_localization', regimeKey: '08' },
        legalMention: mentions.es_non_taxable_localization,
      },
    ],
  }),
  'a correction of several invoices': invoiceContent({
    ...{ number: 'R-2026-15', kind: 'rectifying_differences' },
    lines: [
      { ...line('Rebaja acordada', -1_000), corrects: 'F-2026-17' },
      { ...line('Devolución de dos cajas', -4_500, { quantity: 2 }), corrects: 'F-2026-21' },
    ],
    rectification: {
      references: [
        { number: 'F-2026-17', issuedOn: '2026-05-12', operationOn: null },
        { number: 'F-2026-21', issuedOn: '2026-06-02', operationOn: null },
      ],
      ...{ reason: 'other', base: null, tax: null, surcharge: null },
    },
  }),
  'a volume discount': invoiceContent({
    ...{ number: 'R-2026-16', kind: 'rectifying_differences' },
    lines: [line('Rappel del primer semestre', -50_000)],
    rectification: {
      ...{ references: [], reason: 'volume_discount', base: null, tax: null, surcharge: null },
      period: { from: '2026-01-01', to: '2026-06-30' },
    },
  }),
  'from the Canary Islands': invoiceContent({
    issuer: {
      ...invoiceContent().issuer,
      ...{ line1: 'Calle de Triana 1', postalCode: '35002', city: 'Las Palmas de Gran Canaria' },
    },
    lines: [
      line('Zapatos', 8_000, { quantity: 3, taxes: [{ type: 'igic', name: 'IGIC 7%', rate: 700 }] }),
      line('Pan', 500, { taxes: [{ type: 'igic', name: 'IGIC 0%', rate: 0 }] }),
      exempt('Mercancía para bienes de inversión', 10_000, 'art. 25 Ley 19/1994'),
    ],
    breakdown: [
      { type: 'igic', regimeKey: '01', legalMention: null },
      {
        ...{ type: 'es_exempt', regimeKey: '19' },
        legalMention: 'Operación exenta del IGIC (art. 25 Ley 19/1994)',
      },
    ],
  }),
  'a return after an exchange': invoiceContent({
    ...{ number: 'F-2026-31', kind: 'exchange' },
    lines: [line('Zapatillas de correr', -7_434)],
    exchanged: [{ number: 'R-2026-12', issuedOn: '2026-07-01' }],
  }),
  'an exchange invoice taken back': invoiceContent({
    ...{ number: 'F-2026-32', kind: 'exchange', operationOn: '2026-06-28' },
    lines: [line('Zapatillas de correr', -7_434), line('Calcetines', -826, { quantity: 3 })],
    exchanged: [
      { number: 'T-2026-18', issuedOn: '2026-06-28' },
      { number: 'T-2026-19', issuedOn: '2026-06-28' },
    ],
  }),
  'at the rates of an earlier time': invoiceContent({
    ...{ number: 'R-2026-14', kind: 'rectifying_substitution', operationOn: '2023-05-31' },
    lines: [line('Aceite de oliva, 5 litros', 4_500, { quantity: 20, taxes: earlier })],
    rectification: {
      references: [{ number: 'A/2023/117', issuedOn: '2023-06-02', operationOn: '2023-05-31' }],
      ...{ reason: 'correction', base: 100_000, tax: 5_000, surcharge: 620 },
    },
  }),
  'a withholding of a part': carrying(
    { withholding_rate: 1500, withholding_base: 60_000, withholding_amount: 9_000 },
    { lines: [line('Proyecto de reforma', 60_000), line('Materiales', 35_000)] },
  ),
};
