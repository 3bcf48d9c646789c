import { readFileSync } from 'node:fs';
import type { ReadAdjustment, ReadInvoice, ReadLine, ReadParty, ReadTax } from '@lacre/reader/invoice';
import { bdi, type Content, type Html, html } from '../../web/html.ts';
import type { ShownDocument, ShownFile } from './shown.ts';
import { SYNTAX_NAMES, signatureText } from './text.ts';

const STYLE = readFileSync(new URL('./page.css', import.meta.url), 'utf8');

/** A file as a page that stands alone: without scripts, and with nothing in it that is fetched. */
export function page(file: ShownFile): string {
  const { documents, unread } = file;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${file.file}</title>
${style()}
</head>
<body>
${documents.map(documentPart)}
${unread.map(({ name, fault }) => html`<article><h1>${bdi(name)}</h1><p class="bad result">Not read: it ${fault}.</p></article>`)}
</body>
</html>
`.markup;
}

/** Ours, so it may stand as it is: it holds none of the signs that are escaped. */
function style(): Html {
  return html`<style>${STYLE}</style>`;
}

function documentPart(document: ShownDocument): Html {
  const { name, syntax, container, invoices, signature, findings, checkedBy, sha256 } = document;
  const fatal = findings.filter(({ isFatal }) => isFatal).length;
  return html`<article>
<p class="file">${bdi(name)} · ${SYNTAX_NAMES[syntax]}${container === null ? '' : ' in a PDF'}</p>
${invoices.map(invoicePart)}
<section>
<h2>Rules</h2>
${
  fatal === 0
    ? html`<p class="good result">No rule is violated.</p>`
    : html`<p class="bad result">${fatal} ${fatal === 1 ? 'rule is' : 'rules are'} broken.</p>`
}
${
  findings.length > 0 &&
  html`<table class="findings"><tbody>${findings.map(
    ({ rule, isFatal, text }) =>
      html`<tr><th scope="row"${isFatal ? html` class="fatal"` : ''}>${rule}</th><td>${bdi(text)}</td></tr>`,
  )}</tbody></table>`
}
<p class="small">Checked against: ${checkedBy.join(', ')}.</p>
</section>
${
  signature !== null &&
  html`<section><h2>Signature</h2><p class="${signature.isIntact ? 'good' : 'bad'} result">${signatureText(signature)}.</p>
${facts([
  ['Issuer of the certificate', signature.signer?.issuer ?? null],
  ['In force', period(signature.validFrom, signature.validTo)],
])}</section>`
}
<p class="small">SHA-256 of the XML: ${sha256}</p>
</article>`;
}

type Fact = readonly [name: string, value: string | null];

function facts(rows: readonly Fact[]): Html | null {
  const known = rows.filter(([, value]) => value !== null);
  if (known.length === 0) return null;
  return html`<dl>${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${bdi(value!)}</dd></div>`)}</dl>`;
}

function period(from: string | null, to: string | null): string | null {
  return from === null && to === null ? null : `${from?.slice(0, 10) ?? '…'} to ${to?.slice(0, 10) ?? '…'}`;
}

function invoicePart(invoice: ReadInvoice): Html {
  const { number, issuedOn, typeCode, dueOn, specification, references, preceding, delivery } = invoice;
  return html`<header><h1>${invoice.isCreditNote ? 'Credit note' : 'Invoice'} ${bdi(number ?? '(no number)')}</h1>
${facts([
  ['Issued', issuedOn],
  ['Due', dueOn],
  ['Delivered', delivery.on],
  ['Period', period(invoice.period?.from ?? null, invoice.period?.to ?? null)],
  ['Type', typeCode],
  ['Specification', specification],
  ['Purchase order', references.purchaseOrder],
  ['Buyer’s reference', references.buyerReference],
  ['Contract', references.contract],
  ['Project', references.project],
  ['Corrects', preceding.map((one) => `${one.number ?? '?'} (${one.issuedOn ?? '?'})`).join(', ') || null],
])}</header>
<div class="parties">${partyPart('Seller', invoice.seller)}${partyPart('Buyer', invoice.buyer)}</div>
${linesPart(invoice)}
<div class="sums">${taxesPart(invoice)}${totalsPart(invoice)}</div>
${paymentPart(invoice)}
${invoice.notes.length > 0 && html`<section><h2>Notes</h2>${invoice.notes.map((note) => html`<p class="note">${bdi(note)}</p>`)}</section>`}
${attachmentsPart(invoice)}`;
}

function partyPart(heading: string, party: ReadParty): Html {
  const { address } = party;
  const town = [address?.postalCode, address?.city, address?.region].filter((part) => part).join(' ');
  return html`<section><h2>${heading}</h2><p class="name">${bdi(party.name ?? '(no name)')}</p>
<p>${[...(address?.lines ?? []), town, address?.country ?? ''].filter((line) => line !== '').map((line) => html`${bdi(line)}<br>`)}</p>
${facts([
  ['Tax number', party.vatId ?? party.taxRegistration],
  ['Register', party.legalId?.id ?? null],
  [
    'Offices',
    party.identifiers.map(({ id, scheme }) => (scheme === null ? id : `${id} (${scheme})`)).join(', ') ||
      null,
  ],
  ['Electronic address', party.electronicAddress?.id ?? null],
])}</section>`;
}

/** The meaning of Facturae's tax codes; those of EN 16931 are shown as they are. */
const TAXES: ReadonlyMap<string, string> = new Map([
  ['01', 'IVA'],
  ['02', 'IPSI'],
  ['03', 'IGIC'],
  ['04', 'IRPF'],
  ['05', 'other'],
]);

function rate(category: string | null, percent: string | null): string {
  const tax = category === null ? null : (TAXES.get(category) ?? category);
  return [tax, percent === null ? null : `${percent} %`].filter((part) => part !== null).join(' ');
}

function linesPart({ lines }: ReadInvoice): Html {
  return html`<table class="lines"><thead><tr><th>#</th><th>Item</th><th class="number">Quantity</th><th class="number">Price</th><th>Tax</th><th class="number">Amount</th></tr></thead>
<tbody>${lines.map(linePart)}</tbody></table>`;
}

function linePart(line: ReadLine): Html {
  const details: Content[] = [line.sku, line.description].flatMap((text) =>
    text === null ? [] : [html`<small>${bdi(text)}</small>`],
  );
  const per = line.priceQuantity === null || line.priceQuantity === '1' ? '' : ` / ${line.priceQuantity}`;
  return html`<tr><td>${line.id}</td><td>${bdi(line.name ?? '')}${details}${line.adjustments.map(adjustmentPart)}</td>
<td class="number">${line.quantity} ${line.unit}</td><td class="number">${line.price}${per}</td><td>${rate(line.category, line.rate)}</td><td class="number">${line.amount}</td></tr>`;
}

function adjustmentPart({ isCharge, amount, reason }: ReadAdjustment): Html {
  return html`<small>${isCharge ? 'plus' : 'less'} ${amount}${reason === null ? '' : html`, ${bdi(reason)}`}</small>`;
}

function taxesPart({ taxes, withheld }: ReadInvoice): Html {
  const row = (tax: ReadTax, sign: string) =>
    html`<tr><td>${rate(tax.category, tax.rate)}${
      (tax.reason ?? tax.reasonCode) !== null &&
      html`<small>${bdi(tax.reason ?? tax.reasonCode ?? '')}</small>`
    }</td><td class="number">${tax.base}</td><td class="number">${sign}${tax.tax}${
      tax.surcharge !== null && html`<small>surcharge ${tax.surcharge.rate} %: ${tax.surcharge.tax}</small>`
    }</td></tr>`;
  return html`<table><thead><tr><th>Tax</th><th class="number">Base</th><th class="number">Amount</th></tr></thead>
<tbody>${taxes.map((tax) => row(tax, ''))}${withheld.map((tax) => row(tax, '− '))}</tbody></table>`;
}

function totalsPart({ totals, adjustments, currency }: ReadInvoice): Html {
  const rows: readonly Fact[] = [
    ['Lines', totals.lines],
    ['Allowances', totals.allowances],
    ['Charges', totals.charges],
    ['Without tax', totals.withoutVat],
    ['Tax', totals.vat],
    ['Withheld', totals.withheld],
    ['Total', totals.withVat],
    ['Paid', totals.paid],
    ['Rounding', totals.rounding],
    [`To pay, ${currency ?? ''}`, totals.due],
  ];
  return html`<table class="totals"><tbody>${rows
    .filter(([, amount]) => amount !== null)
    .map(
      ([name, amount]) => html`<tr><th scope="row">${name}</th><td class="number">${amount}</td></tr>`,
    )}</tbody>${
    adjustments.length > 0 &&
    html`<tfoot><tr><td colspan="2">${adjustments.map(adjustmentPart)}</td></tr></tfoot>`
  }</table>`;
}

function paymentPart({ payment, paymentTerms }: ReadInvoice): Html | false {
  if (payment.length === 0 && paymentTerms === null) return false;
  return html`<section><h2>Payment</h2>${payment.map((one) =>
    facts([
      ['Means', [one.text, one.code].filter((part) => part !== null).join(', code ') || null],
      ['Account', one.account],
      ['Remittance', one.remittance],
      ['Due', one.dueOn],
      ['Amount', one.amount],
    ]),
  )}${paymentTerms !== null && html`<p class="note">${bdi(paymentTerms)}</p>`}</section>`;
}

/** Listed but not opened: their content is unknown. */
function attachmentsPart({ attachments }: ReadInvoice): Html | false {
  if (attachments.length === 0) return false;
  return html`<section><h2>Attached</h2><ul>${attachments.map(
    ({ reference, description, url, filename, mediaType }) => {
      const parts = [reference, description, filename, mediaType, url].filter((part) => part !== null);
      return html`<li>${bdi(parts.join(' · '))}</li>`;
    },
  )}</ul></section>`;
}
