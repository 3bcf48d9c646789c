import { createRequire } from 'node:module';
import { Document, Font, Page, Path, renderToBuffer, StyleSheet, Svg, Text, View } from '@react-pdf/renderer';
import QRCode from 'qrcode';
import { createElement, type ReactElement } from 'react';
import type { InvoiceContent, PrintedLine } from '../../src/subjects/documents/content.ts';

/**
 * The same invoice as one would write it with react-pdf: our fonts, parties and QR code on top, the table with its head on
 * every page, breakdown, totals, notes, and a foot with page numbers. It lacks what we add: tags, PDF/A, the record as
 * an attachment, and sums that are carried over pages.
 */
const require = createRequire(import.meta.url);
const font = (name: string) => require.resolve(`@expo-google-fonts/noto-sans/${name}.ttf`);
Font.register({
  family: 'Noto Sans',
  fonts: [
    { src: font('400Regular/NotoSans_400Regular'), fontWeight: 400 },
    { src: font('600SemiBold/NotoSans_600SemiBold'), fontWeight: 600 },
  ],
});
// We part no words either.
Font.registerHyphenationCallback((word) => [word]);

const ACCENT = '#17365C';
const s = StyleSheet.create({
  page: { paddingHorizontal: 48, paddingTop: 48, paddingBottom: 64, fontFamily: 'Noto Sans', fontSize: 9 },
  row: { flexDirection: 'row' },
  party: { width: 170 },
  label: { fontSize: 7, color: '#555555' },
  strong: { fontWeight: 600 },
  middle: { flexGrow: 1, alignItems: 'center' },
  title: { fontSize: 18, fontWeight: 600, color: ACCENT, marginTop: 16 },
  facts: { flexDirection: 'row', justifyContent: 'space-between', marginTop: 3, marginBottom: 10 },
  head: { flexDirection: 'row', borderBottomWidth: 0.9, borderBottomColor: ACCENT, paddingVertical: 4.5 },
  headCell: { fontWeight: 600, fontSize: 8, color: ACCENT },
  line: { flexDirection: 'row', borderBottomWidth: 0.5, borderBottomColor: '#CCCCCC', paddingVertical: 4.5 },
  sku: { fontSize: 7, color: '#555555' },
  wide: { flexGrow: 1, flexBasis: 0, paddingRight: 12 },
  figure: { width: 64, textAlign: 'right', paddingLeft: 12 },
  tax: { width: 60, paddingLeft: 12 },
  breakdown: { marginTop: 16, marginBottom: 10 },
  totals: { marginLeft: 'auto', width: 236 },
  total: { flexDirection: 'row', justifyContent: 'space-between', padding: 3.5 },
  wash: { backgroundColor: '#EEF2F8', fontSize: 11, fontWeight: 600, color: ACCENT },
  notes: { marginTop: 14 },
  foot: {
    ...{ position: 'absolute', left: 48, right: 48, bottom: 32, flexDirection: 'row' },
    ...{ justifyContent: 'space-between', borderTopWidth: 0.5, borderTopColor: '#CCCCCC', paddingTop: 5 },
    ...{ fontSize: 7, color: '#555555' },
  },
});

/** The invoice as a PDF. */
export function renderWithReactPdf(content: InvoiceContent): Promise<Buffer> {
  return renderToBuffer(invoice(content));
}

type Style = (typeof s)[keyof typeof s];
const text = (style: Style | null, ...children: string[]) =>
  createElement(Text, style === null ? {} : { style }, ...children);

function invoice(content: InvoiceContent) {
  const { issuer, recipient, number, lines, notes } = content;
  const who = `${issuer.legalName} · NIF ${issuer.nif}`;
  const facts = { title: `Factura ${number}`, author: issuer.legalName, language: 'es-ES' };
  const creationDate = new Date(content.issuedAt);
  return createElement(
    Document,
    { ...facts, creationDate, modificationDate: creationDate },
    createElement(
      Page,
      { size: 'A4', style: s.page },
      createElement(
        View,
        { style: s.row },
        party('Emisor', [issuer.legalName, `NIF ${issuer.nif}`, ...addressOf(issuer)]),
        qrCode(content.qrUrl),
        recipient === null
          ? null
          : party('Cliente', [
              recipient.companyName ?? '',
              recipient.name ?? '',
              `NIF ${recipient.taxId}`,
              ...addressOf(recipient),
            ]),
      ),
      text(s.title, 'Factura'),
      createElement(
        View,
        { style: s.facts },
        createElement(View, {}, text(s.label, 'Número'), text(s.strong, number)),
        createElement(View, {}, text(s.label, 'Fecha de expedición'), text(s.strong, content.issuedOn)),
      ),
      tableHead(),
      ...lines.map(tableLine),
      breakdown(lines),
      totals(content),
      notes === null
        ? null
        : createElement(View, { style: s.notes }, text(s.headCell, 'Observaciones'), text(null, notes)),
      createElement(
        View,
        { style: s.foot, fixed: true },
        text(null, who),
        createElement(Text, {
          render: ({ pageNumber, totalPages }) => `Página ${pageNumber} de ${totalPages}`,
        }),
      ),
    ),
  );
}

function party(label: string, [name = '', ...others]: string[]): ReactElement {
  return createElement(
    View,
    { style: s.party },
    text(s.label, label),
    text(s.strong, name),
    ...others.map((line) => text(null, line)),
  );
}

type Address = { line1: string | null; postalCode: string | null; city: string | null };

function addressOf({ line1, postalCode, city }: Address): string[] {
  return [line1 ?? '', `${postalCode} ${city}`];
}

function qrCode(url: string | null): ReactElement | null {
  if (url === null) return null;
  const { data, size } = QRCode.create(url, { errorCorrectionLevel: 'M' }).modules;
  let d = '';
  data.forEach((dark, index) => {
    if (dark === 1) d += `M${index % size} ${Math.floor(index / size)}h1v1h-1z`;
  });
  const path = createElement(Path, { d, fill: '#000000' });
  return createElement(
    View,
    { style: s.middle },
    text(s.strong, 'QR tributario:'),
    createElement(Svg, { viewBox: `0 0 ${size} ${size}`, width: 100, height: 100 }, path),
    text(s.strong, 'Factura verificable en la sede'),
    text(s.strong, 'electrónica de la AEAT'),
    text(s.strong, 'VERI*FACTU'),
  );
}

function cells(style: Style, cell: Style | null, texts: readonly (string | ReactElement)[]): ReactElement {
  const [description, quantity, price, tax, amount] = texts;
  const figure = (value: string | ReactElement | undefined) =>
    createElement(Text, { style: cell === null ? s.figure : [s.figure, cell] }, value);
  return createElement(
    View,
    { style, wrap: false, ...(cell === null ? {} : { fixed: true }) },
    createElement(View, { style: s.wide }, description),
    figure(quantity),
    figure(price),
    createElement(Text, { style: cell === null ? s.tax : [s.tax, cell] }, tax),
    figure(amount),
  );
}

function tableHead(): ReactElement {
  const description = text(s.headCell, 'Descripción');
  return cells(s.head, s.headCell, [description, 'Cantidad', 'Precio unitario', 'Impuesto', 'Importe']);
}

function tableLine({ description, sku, quantity, unitAmount, taxItems, subtotal }: PrintedLine) {
  const what = createElement(
    View,
    {},
    text(null, description),
    sku === null ? null : text(s.sku, `Ref. ${sku}`),
  );
  const tax = taxItems.map(({ name }) => name).join(' + ');
  return cells(s.line, null, [what, String(quantity), amount(unitAmount), tax, amount(subtotal)]);
}

function breakdown(lines: readonly PrintedLine[]): ReactElement {
  const byTax = new Map<string, { base: number; tax: number }>();
  for (const { subtotal, taxItems } of lines) {
    for (const { name, amount: tax } of taxItems) {
      const sum = byTax.get(name) ?? { base: 0, tax: 0 };
      byTax.set(name, { base: sum.base + subtotal, tax: sum.tax + tax });
    }
  }
  const row = (style: Style, cell: Style | null, [name = '', base = '', tax = '']: string[]) =>
    createElement(
      View,
      { style },
      createElement(View, { style: s.wide }, text(cell, name)),
      createElement(Text, { style: cell === null ? s.figure : [s.figure, cell] }, base),
      createElement(Text, { style: cell === null ? s.figure : [s.figure, cell] }, tax),
    );
  return createElement(
    View,
    { style: s.breakdown, wrap: false },
    row(s.head, s.headCell, ['Impuesto', 'Base imponible', 'Cuota']),
    ...[...byTax].map(([name, { base, tax }]) => row(s.line, null, [name, amount(base), amount(tax)])),
  );
}

function totals({ subtotal, tax, total }: InvoiceContent): ReactElement {
  const row = (label: string, value: number, wash: boolean) =>
    createElement(
      View,
      { style: wash ? [s.total, s.wash] : s.total },
      text(null, label),
      text(null, `${amount(value)} €`),
    );
  return createElement(
    View,
    { style: s.totals, wrap: false },
    row('Importe sin impuestos', subtotal, false),
    row('Cuota de impuestos', tax, false),
    row('Total factura', total, true),
  );
}

const grouping = new Intl.NumberFormat('es-ES', {
  ...{ minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: 'always' },
});

function amount(cents: number): string {
  return grouping.format(cents / 100);
}
