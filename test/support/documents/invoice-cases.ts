import { percentOf } from '../../../src/ground/lib/money.ts';
import type { Branding, Logo } from '../../../src/subjects/documents/branding/branding.ts';
import type { InvoiceContent, PrintedLine } from '../../../src/subjects/documents/content.ts';
import { spanish } from '../../../src/subjects/documents/layout/wording.ts';
import { NO_EXTENSION_COLUMNS } from '../../../src/subjects/extensions/columns.ts';
import { sumOf } from '../../../src/subjects/extensions/disbursements.ts';
import {
  extendedAmount,
  extractTaxes,
  sealedTerms,
  soldTerms,
} from '../../../src/subjects/taxes/line-amount.ts';
import { invoiceContent, contentLine as line, vat } from './invoice-content.ts';
import { acceptedLogo } from './logos.ts';
import { spanishCases } from './spanish-cases.ts';

const goods = [
  'Servicio de mantenimiento mensual de la instalación',
  'Tornillo de acero inoxidable M8 × 40',
  'Mano de obra, oficial de primera',
  'Revisión anual de la caldera con cambio de filtros, limpieza del quemador y certificado de emisiones',
];

/** Ordinary lines, each another. */
export function manyLines(count: number): PrintedLine[] {
  return Array.from({ length: count }, (_, index) =>
    line(`${goods[index % goods.length]} ${index + 1}`, 1_234 + index * 937, {
      quantity: 1 + (index % 7),
      ...(index % 3 === 0 ? { sku: `SKU-${index}` } : {}),
    }),
  );
}

const free = (type: string, name: string) => [{ type, name, rate: 0 }];
const surcharged = (rate: number, surcharge: number) => [
  vat(rate),
  {
    type: 'es_recargo_equivalencia',
    name: `R.E. ${String(surcharge / 100).replace('.', ',')}%`,
    rate: surcharge,
  },
];
const { recipient } = invoiceContent();
const largest = 99_999_999_999;

function branding(
  language: Branding['language'],
  logo: Logo['type'] | null,
  accentColour: string | null,
): Branding {
  return { id: 1, language, accentColour, logo: logo === null ? null : acceptedLogo(logo) };
}

/** A page with every text of a language and the longest possible figures. */
function crowded(language: Branding['language']): InvoiceContent {
  return invoiceContent({
    branding: branding(language, null, null),
    number: 'R-2026-12345',
    kind: 'rectifying_substitution',
    operationOn: '2026-09-28',
    issuedOn: '2026-09-30',
    recipient: { ...recipient!, taxId: 'P1234567', taxIdType: 'residence_certificate', taxIdCountry: 'GB' },
    lines: [
      line('Central', largest, { quantity: 900, taxes: surcharged(2100, 520) }),
      line('Ladrillos', largest, { taxes: surcharged(1000, 140) }),
      line('Abono', -largest, { quantity: 100, sku: 'A-1', taxes: surcharged(400, 50) }),
      ...manyLines(24),
      line('Exportación', 1, { quantity: 1_000_000, taxes: free('export', 'Exportación') }),
    ],
    breakdown: [
      { type: 'vat', regimeKey: '07', legalMention: null },
      ...Object.entries(spanish.texts.law.mentions).map(([type, legalMention]) => ({
        type: type as InvoiceContent['breakdown'][number]['type'],
        regimeKey: '01',
        legalMention,
      })),
      { type: 'es_exempt', regimeKey: '01', legalMention: 'Exento según nuestra asesoría' },
    ],
    rectification: {
      references: [{ number: 'F-2026-1', issuedOn: '2026-05-02', operationOn: null }],
      reason: 'correction',
      base: largest * 100,
      tax: largest * 21,
      surcharge: largest * 5,
    },
    exchanged: [{ number: 'T-2026-1', issuedOn: '2026-06-01' }],
    notes: 'Vencimiento a 30 días.',
  });
}

const BY_TRANSFER = {
  ...{ due_date: '2026-07-31', withholding_rate: 1500 },
  payment: { means: 'transfer', iban: 'ES9121000418450200051332', reference: 'F-2026-1' },
} as const;
const REFERENCES = {
  references: {
    ...{ purchase_order: 'PO-2026-00918', buyer_reference: 'Obras' },
    ...{ contract: 'CT-77/2026', project: 'Reforma de la oficina' },
  },
  delivery: { from: '2026-06-01', to: '2026-06-30' },
} as const;

/** What an invoice requests beyond the fields that every one has, its withholding and disbursements reckoned. */
function withExtensions(
  extensions: Partial<InvoiceContent['extensions']>,
  given: Partial<InvoiceContent> = {},
): InvoiceContent {
  const content = invoiceContent(given);
  const { withholding_rate } = extensions;
  const withheld =
    withholding_rate == null
      ? {}
      : {
          withholding_base: content.subtotal,
          withholding_amount: percentOf(content.subtotal, withholding_rate),
        };
  const { disbursements } = extensions;
  const disbursed = disbursements == null ? {} : { disbursed_amount: sumOf(disbursements) };
  return { ...content, extensions: { ...NO_EXTENSION_COLUMNS, ...extensions, ...withheld, ...disbursed } };
}

/** A line at a gross price in cents, with 21 %. */
export function grossLine(description: string, quantityDecimal: string, price: number): PrintedLine {
  const sent = { quantityDecimal, unitAmount: price };
  const total = extendedAmount(sent);
  const { subtotal, taxes } = extractTaxes(total, [{ rate: 2_100 }]);
  const terms = soldTerms({ ...sealedTerms(sent, subtotal, true), subtotal });
  return { ...line(description, subtotal), ...terms, total, taxItems: [{ ...vat(2100), amount: taxes[0]! }] };
}

const BY_THE_HOUR: PrintedLine = {
  ...line('Asesoramiento fiscal', 9_000),
  ...{ quantityDecimal: '1.5', unitAmountDecimal: '6000', unit: 'HUR' },
};

/** What is withheld, how it was priced and is paid, and what the recipient calls it, in a company's own look. */
function payable(language: Branding['language']): InvoiceContent {
  const payment = { ...BY_TRANSFER.payment, terms: '2 % 10 d, 30 d neto' };
  return withExtensions(
    { ...BY_TRANSFER, ...REFERENCES, payment },
    {
      branding: branding(language, 'png', '#B4431F'),
      lines: [BY_THE_HOUR, grossLine('Zapatillas de correr', '2', 8_995)],
    },
  );
}

/** The invoices that a layout must stand, from the everyday one to the spiteful one. */
export const invoiceCases: Readonly<Record<string, InvoiceContent>> = {
  'one line': invoiceContent(),
  'ten lines': invoiceContent({
    lines: manyLines(10),
    operationOn: '2026-06-28',
    notes: 'Vencimiento a 30 días.',
  }),
  'five hundred lines': invoiceContent({ lines: manyLines(500) }),
  'a test': invoiceContent({ environment: 'test', lines: manyLines(30) }),
  'words without end': invoiceContent({
    number: `SERIE+MUY&LARGA/2026-${'X'.repeat(39)}`,
    lines: [
      line('W'.repeat(500), 5_000, { sku: 'S'.repeat(100) }),
      line('https://example.com/a/'.repeat(22), 1),
    ],
    recipient: {
      ...recipient!,
      companyName: 'X'.repeat(200),
      name: 'Y'.repeat(200),
      line1: 'Calle'.repeat(30),
    },
  }),
  'a discount': invoiceContent({
    lines: [line('Consultoría', 150_000, { quantity: 10 }), line('Descuento por volumen', -150_000)],
  }),
  'four rates': invoiceContent({
    lines: [2100, 1000, 400, 0].map((rate) => line(`Al ${rate / 100}`, 10_000, { taxes: [vat(rate)] })),
  }),
  'the equivalence surcharge': invoiceContent({
    lines: [
      line('Al 21', 123_456, { taxes: surcharged(2100, 520) }),
      line('Al 10', 50_000, { taxes: surcharged(1000, 140) }),
      line('Al 4', 20_000, { taxes: surcharged(400, 50) }),
    ],
  }),
  'an exempt operation': invoiceContent({
    lines: [line('Curso de formación reglada', 45_000, { taxes: free('es_exempt', 'Exento') })],
    breakdown: [
      { type: 'es_exempt', regimeKey: '01', legalMention: 'Operación exenta del IVA (art. 20 LIVA)' },
    ],
  }),
  'the reverse charge': invoiceContent({
    lines: [
      line('Ejecución de obra', 4_500_000, {
        taxes: free('es_inversion_sujeto_pasivo', 'Inversión del sujeto pasivo'),
      }),
    ],
    breakdown: [{ type: 'es_inversion_sujeto_pasivo', regimeKey: '01', legalMention: null }],
  }),
  'trade between member states': invoiceContent({
    lines: [
      line('Usługa doradcza – źdźbło, łąka', 100_000, {
        taxes: free('eu_b2b_services', 'Servicio intracomunitario'),
      }),
      line('Υπηρεσίες προς Θεσσαλονίκη', 250_000, { taxes: free('eu_b2b', 'Entrega intracomunitaria') }),
    ],
    recipient: {
      ...recipient!,
      companyName: 'Żółć i Gęśl Sp. z o.o. — Ωμέγα Α.Ε.',
      taxId: 'PL5261040828',
      taxIdType: 'eu_vat',
      taxIdCountry: 'PL',
      city: 'Łódź',
      country: 'PL',
    },
    breakdown: [
      { type: 'eu_b2b_services', regimeKey: '01', legalMention: 'No sujeta (art. 69 LIVA)' },
      { type: 'eu_b2b', regimeKey: '01', legalMention: 'Entrega intracomunitaria exenta (art. 25 LIVA)' },
    ],
  }),
  'a substitution': invoiceContent({
    number: 'R-2026-7',
    kind: 'rectifying_substitution',
    rectification: {
      references: [
        { number: 'F-2026-1', issuedOn: '2026-05-02', operationOn: null },
        { number: 'R-2026-3', issuedOn: '2026-05-20', operationOn: null },
      ],
      reason: 'correction',
      base: 8_000,
      tax: 1_680,
      surcharge: null,
    },
  }),
  'differences on a ticket': invoiceContent({
    number: 'R-2026-8',
    kind: 'rectifying_differences',
    type: 'simplified',
    recipient: null,
    lines: [line('Devolución de género', -2_000)],
    rectification: {
      references: [{ number: 'T-2026-19', issuedOn: '2026-05-02', operationOn: null }],
      reason: 'other',
      base: null,
      tax: null,
      surcharge: null,
    },
  }),
  'an exchange of a thousand tickets': invoiceContent({
    kind: 'exchange',
    exchanged: Array.from({ length: 1_000 }, (_, index) => ({
      number: `T-2026-${index + 1}`,
      issuedOn: '2026-06-01',
    })),
  }),
  'a ticket': invoiceContent({ type: 'simplified', number: 'T-2026-19', recipient: null }),
  'two thousand characters of notes': invoiceContent({
    lines: manyLines(11),
    notes: 'Condiciones generales de venta. '.repeat(70).slice(0, 2_000),
  }),
  'a thousand lines of notes': invoiceContent({ notes: 'a\n'.repeat(1_000) }),
  'the largest amounts': invoiceContent({
    lines: [
      line('Central', largest, { quantity: 900, taxes: surcharged(2100, 520) }),
      line('Abono', -largest, { quantity: 100, taxes: surcharged(2100, 520) }),
      line('Tuercas', 1, { quantity: 1_000_000, taxes: surcharged(2100, 520) }),
    ],
  }),
  'in English, with a drawn logo and a pale colour': invoiceContent({
    lines: manyLines(3),
    branding: branding('en', 'svg', '#FFC400'),
    notes: 'Payment within 30 days to ES91 2100 0418 4502 0005 1332.',
  }),
  'in Catalan, everything at once': crowded('ca'),
  'in Galician, everything at once': crowded('gl'),
  'in Basque, everything at once': crowded('eu'),
  'in English, everything at once': crowded('en'),
  'a payment in Catalan': payable('ca'),
  'a payment in Galician': payable('gl'),
  'a payment in Basque': payable('eu'),
  'a payment in English': payable('en'),
  'a photo as logo': invoiceContent({ lines: manyLines(40), branding: branding('es', 'jpeg', '#7A1E48') }),
  'a see-through logo': invoiceContent({ branding: branding('gl', 'png', null) }),
  'a voided invoice': invoiceContent({ lines: manyLines(24), voidedOn: '2026-07-03' }),
  'a voided test in Basque': invoiceContent({
    environment: 'test',
    voidedOn: '2026-07-03',
    branding: branding('eu', 'png', '#0A6847'),
  }),
  'a copy of an invoice of another system': invoiceContent({
    imported: true,
    qrUrl: null,
    recordXml: null,
    branding: branding('ca', null, null),
  }),
  'a payment by transfer': withExtensions(BY_TRANSFER, {
    lines: [BY_THE_HOUR, line('Desplazamiento', 4_550)],
  }),
  'a payment beside the totals': withExtensions(
    { ...BY_TRANSFER, ...REFERENCES },
    { lines: manyLines(4), notes: 'Gracias por su confianza.' },
  ),
  'terms of payment without end': withExtensions(
    {
      ...BY_TRANSFER,
      payment: { ...BY_TRANSFER.payment, reference: 'R'.repeat(140), terms: 'Plazo de pago. '.repeat(33) },
      references: { purchase_order: 'P'.repeat(100), contract: 'C'.repeat(100) },
    },
    { lines: manyLines(7) },
  ),
  disbursements: withExtensions(
    {
      ...BY_TRANSFER,
      disbursements: [
        { description: 'Aranceles del Registro Mercantil', amount: 13_250, reference: 'RM-2026/00918' },
        { description: 'Tasa de inscripción de marca', amount: 15_021 },
      ],
    },
    { lines: [BY_THE_HOUR, line('Constitución de sociedad', 45_000)], notes: 'Gracias por su confianza.' },
  ),
  'in another currency too': withExtensions(
    {
      ...{ due_date: '2026-07-31', withholding_rate: 1500 },
      display_currency: { code: 'usd', rate: '1.0837', source: 'Banco Central Europeo, 30/06/2026' },
    },
    { lines: manyLines(4) },
  ),
  'in dinars of Kuwait too, in Catalan': withExtensions(
    { display_currency: { code: 'kwd', rate: '0.3331' } },
    { branding: branding('ca', null, null), lines: [line('Central', largest, { quantity: 900 })] },
  ),
  'fifty disbursements in Basque': withExtensions(
    {
      payment: { means: 'transfer', iban: 'ES9121000418450200051332' },
      disbursements: Array.from({ length: 50 }, (_, index) => ({
        description: index === 7 ? 'Gestión '.repeat(30) : `Tasa judicial ${index + 1}`,
        amount: 1_000 + index * 37,
        ...(index % 4 === 0 ? { reference: `TJ-2026/${index + 1}` } : {}),
      })),
    },
    { branding: branding('eu', null, null), lines: manyLines(12) },
  ),
  'gross prices': withExtensions(
    { due_date: '2026-07-31', prices_include_tax: true, payment: { means: 'card' } },
    {
      lines: [
        grossLine('Zapatillas de correr', '2', 8_995),
        { ...grossLine('Tela de algodón', '2.345', 1_249), unit: 'MTR' },
        grossLine('Descuento de socio', '1', -500),
      ],
    },
  ),
  'a return with a withholding': withExtensions(BY_TRANSFER, {
    ...{ number: 'R-2026-9', kind: 'rectifying_differences' },
    lines: [line('Dos horas menos', -12_000)],
    rectification: {
      references: [{ number: 'F-2026-1', issuedOn: '2026-05-02', operationOn: null }],
      ...{ reason: 'correction', base: null, tax: null, surcharge: null },
    },
  }),
  'hostile texts': invoiceContent({
    number: 'F&1',
    issuer: { ...invoiceContent().issuer, legalName: 'Pérez & Hijos <SL>' },
    recipient: { ...recipient!, companyName: '<b>&amp;\u2066Evil\u2069 "Ltd" (1) \\ {x}', name: null },
    lines: [
      line('a\u202egnirts\u202c \u0000\u0007 😀👨‍👩‍👧 中文 עברית', 1_000),
      line(`Z${'\u0300\u0301\u0302'.repeat(60)}algo`, 1),
      line('\u200b\u200f', 3),
    ],
  }),
  ...spanishCases,
};
