import { madridDay } from '../../ground/lib/calendar.ts';
import { type FormatName, formatKind } from '../../subjects/formats/types.ts';
import { countryName, day, money } from '../web/format.ts';
import { bdi, type Content, type Html, html } from '../web/html.ts';
import { extensionFacts, sumsBelow } from '../web/invoice-extensions.ts';
import { priceOf, quantityOf } from '../web/line-terms.ts';
import { document, type VisitView } from './layout.ts';
import type { PortalInvoice, Reference } from './reading.ts';
import { badge, exchangeability, marks, stateOf, typeName } from './states.ts';

/** The other invoices that one has to do with, as far as they are the customer's own. */
export type Related = {
  readonly corrects: readonly Reference[];
  readonly correctedBy: readonly Reference[];
  readonly replaces: readonly Reference[];
  readonly replacedBy: readonly Reference[];
};

/** One invoice. `formats`: the structured ones that it has; `justIssued`: it is the answer to having requested it. */
export function invoicePage(
  view: VisitView,
  invoice: PortalInvoice,
  related: Related,
  { formats, justIssued }: { formats: readonly FormatName[]; justIssued: boolean },
): string {
  const { texts, root } = view;
  const labels = texts.invoice;
  const address = `${root}/invoices/${invoice.id}`;
  const title = labels.title(invoice.number);
  const canExchange = exchangeability(invoice);
  const body = html`<p class="trail"><a href="${root}"><span aria-hidden="true">‹</span> ${labels.all}</a></p>
${justIssued && html`<p class="card done" role="status">${labels.issued(invoice.number)}</p>`}
<header class="heading"><div><h1>${title}</h1>
<p class="states">${badge(invoice, texts)}${marks(invoice, texts)}</p></div>
<p class="grand">${money(invoice.total, view.language)}</p></header>
<p class="lead">${texts.states[stateOf(invoice)].means}</p>
<p class="actions"><a class="button primary" href="${address}/pdf" download>${labels.pdf}</a>
${invoice.type === 'simplified' && html` <a class="button" href="${address}/ticket" download>${labels.ticket}</a>`}
${canExchange === 'now' && html` <a class="button" href="${address}/exchange">${labels.exchange}</a>`}
${invoice.verifactu && html` <a class="plain" href="${invoice.verifactu.qrUrl}" rel="noreferrer">${labels.check}</a>`}</p>
${formats.length > 0 && html`<p class="formats">${labels.formats} ${formats.map((name, index) => html`${index > 0 && ' · '}<a href="${address}/formats/${name}" download>${formatKind(name).label}</a>`)}</p>`}
${canExchange === 'later' && html`<p class="lead">${labels.exchangeLater}</p>`}
${facts(view, invoice, related)}
${lines(view, invoice)}
${invoice.notes !== null && html`<section class="card"><h2>${labels.notes}</h2><p class="notes">${bdi(invoice.notes)}</p></section>`}`;
  return document(view, { title, body, live: true });
}

function facts(view: VisitView, invoice: PortalInvoice, related: Related): Html {
  const { texts, language, scope } = view;
  const labels = texts.invoice;
  const isSameDay = invoice.operationDate === invoice.invoiceDate;
  const period = invoice.rectifiedPeriod;
  const external = invoice.rectifies.flatMap((reference) => reference.external?.number ?? []);
  const fact = (name: string, content: Content): Html | null =>
    content === null || content === false ? null : html`<div><dt>${name}</dt><dd>${content}</dd></div>`;
  return html`<section class="card" aria-labelledby="facts"><h2 id="facts">${labels.data}</h2><dl class="facts">
${fact(labels.type, typeName(invoice, texts))}
${fact(labels.date, day(invoice.issuedOn, language))}
${fact(labels.operation, !isSameDay && day(madridDay(new Date(invoice.operationDate)), language))}
${extensionFacts(invoice, language).map(([name, content]) => fact(name, content))}
${fact(labels.order, invoice.orderId !== null && bdi(invoice.orderId))}
${fact(labels.issuer, html`${bdi(scope.issuer.legalName)}<br>NIF ${scope.issuer.nif}`)}
${fact(labels.recipient, recipient(view, invoice))}
${fact(labels.corrects, links(view, related.corrects) ?? (external.length > 0 && external.map(bdi)))}
${fact(labels.period, period !== null && html`${day(period.from, language)} – ${day(period.to, language)}`)}
${fact(labels.correctedBy, links(view, related.correctedBy))}
${fact(labels.replaces, links(view, related.replaces))}
${fact(labels.replacedBy, links(view, related.replacedBy))}
</dl></section>`;
}

function links({ root }: VisitView, references: readonly Reference[]): Html | null {
  if (references.length === 0) return null;
  return html`${references.map(({ id, number }, index) => html`${index > 0 && ', '}<a href="${root}/invoices/${id}">${number}</a>`)}`;
}

function recipient({ language }: VisitView, { recipient: party }: PortalInvoice): Html | null {
  if (party === null) return null;
  const { name, companyName, taxId, address } = party;
  const town = [address?.postalCode, address?.city].filter((part) => part != null).join(' ');
  const rows = [
    companyName ?? name,
    taxId,
    address?.line1,
    address?.line2,
    town === '' ? null : town,
    address?.country == null ? null : countryName(address.country, language),
  ].filter((part) => part != null);
  return rows.length === 0
    ? null
    : html`${rows.map((part, index) => html`${index > 0 && html`<br>`}${bdi(part)}`)}`;
}

function lines({ texts, language }: VisitView, invoice: PortalInvoice): Html {
  const labels = texts.invoice;
  const heads = [labels.quantity, labels.unitAmount, labels.tax, labels.amount];
  const row = (item: PortalInvoice['lineItems'][number]): Html => html`<tr role="row">
<th role="rowheader" scope="row">${bdi(item.description)}${item.sku !== null && html` <span class="sku">${bdi(item.sku)}</span>`}</th>
<td role="cell" class="amount" data-label="${labels.quantity}">${quantityOf(item, language)}</td>
<td role="cell" class="amount" data-label="${labels.unitAmount}">${priceOf(item, language)}</td>
<td role="cell" class="amount" data-label="${labels.tax}">${item.taxItems.map(({ name }) => name).join(' + ')}</td>
<td role="cell" class="amount" data-label="${labels.amount}">${money(item.subtotal, language)}</td></tr>
`;
  const below = sumsBelow(invoice, language);
  const sum = (name: Content, cents: number, kind = ''): Html =>
    html`<div class="${kind}"><dt>${name}</dt><dd>${money(cents, language)}</dd></div>`;
  return html`<section class="card" aria-labelledby="lines"><h2 id="lines">${labels.lines}</h2>
<table class="lines" role="table" aria-labelledby="lines"><thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">${labels.description}</th>
${heads.map((head) => html`<th role="columnheader" scope="col" class="amount">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${invoice.lineItems.map(row)}</tbody></table>
<dl class="sums">${sum(labels.subtotal, invoice.subtotal)}${sum(labels.taxes, invoice.tax)}${sum(labels.total, invoice.total, 'all')}${below.map(({ label, cents, isSum }) => sum(label, cents, isSum ? 'all' : ''))}</dl></section>`;
}
