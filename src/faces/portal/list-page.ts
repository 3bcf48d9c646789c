import { day, money } from '../web/format.ts';
import { type Content, type Html, html } from '../web/html.ts';
import { type FilterErrors, type FilterQuery, filterParameters, STATES } from './filters.ts';
import { document, type VisitView } from './layout.ts';
import type { ListedInvoice } from './reading.ts';
import { badge, marks, typeName } from './states.ts';

type Listed = { readonly invoices: readonly ListedInvoice[]; readonly next: string | null };

/** The customer's invoices with the filter over them; `found` is null when the filter is faulty. */
export function listPage(
  view: VisitView,
  query: FilterQuery,
  { faults, found, isFirst }: { faults: FilterErrors | null; found: Listed | null; isFirst: boolean },
): string {
  const { texts, visitor } = view;
  const { list } = texts;
  const body = html`<h1>${list.title}</h1>
<p class="lead">${visitor.name !== null && html`<bdi class="customer">${visitor.name}</bdi> · `}${list.intro}</p>
${filterForm(view, query, faults)}
${found !== null && results(view, query, found, isFirst)}`;
  return document(view, {
    title: `${faults === null ? '' : `${texts.error}: `}${list.title}`,
    body,
    live: true,
  });
}

function filterForm({ texts, root }: VisitView, filterQuery: FilterQuery, faults: FilterErrors | null): Html {
  const { list } = texts;
  const isNarrowed = filterParameters(filterQuery).size > 0;
  const field = (
    name: keyof FilterQuery,
    label: string,
    control: (attributes: Content) => Html,
    hint?: string,
  ): Html => {
    const fault = faults?.[name];
    const described = fault === undefined ? hint && `${name}-hint` : `${name}-fault`;
    const attributes = html`id="${name}" name="${name}"${described && html` aria-describedby="${described}"`}${fault !== undefined && html` aria-invalid="true"`}`;
    return html`<div class="field ${name}"><label for="${name}">${label}</label>
${control(attributes)}
${fault === undefined ? hint && html`<p class="hint" id="${name}-hint">${hint}</p>` : html`<p class="fault" id="${name}-fault">${list.faults[fault]}</p>`}</div>`;
  };
  const dated = (value: string) => (attributes: Content) =>
    html`<input type="date" ${attributes} value="${value}">`;
  return html`<form class="card filters" method="get" action="${root}" role="search" aria-label="${list.filters}">
${field('text', list.text, (attributes) => html`<input type="search" ${attributes} value="${filterQuery.text}" maxlength="200" autocomplete="off">`, list.textHint)}
${field('from', list.from, dated(filterQuery.from))}
${field('to', list.to, dated(filterQuery.to))}
${field(
  'state',
  list.state,
  (attributes) =>
    html`<select ${attributes}><option value="">${list.anyState}</option>${STATES.map(
      (state) =>
        html`<option value="${state}"${state === filterQuery.state && html` selected`}>${texts.states[state].name}</option>`,
    )}</select>`,
)}
<div class="actions"><button class="primary">${list.search}</button>${isNarrowed && html` <a href="${root}">${list.clear}</a>`}</div>
</form>`;
}

function results(
  view: VisitView,
  filterQuery: FilterQuery,
  { invoices, next }: Listed,
  isFirst: boolean,
): Html {
  const { list } = view.texts;
  if (invoices.length === 0) {
    const isNarrowed = filterParameters(filterQuery).size > 0;
    return html`<p class="card empty" role="status">${isNarrowed ? list.noneFound : list.none}</p>`;
  }
  return html`<table class="card invoices" role="table">
<caption class="unseen">${list.title}</caption>
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">${list.number}</th><th role="columnheader" scope="col">${list.date}</th>
<th role="columnheader" scope="col">${list.state}</th><th role="columnheader" scope="col" class="amount">${list.total}</th>
<th role="columnheader" scope="col" class="amount">${list.document}</th></tr></thead>
<tbody role="rowgroup">${invoices.map((invoice) => row(view, invoice))}</tbody></table>
${pages(view, filterQuery, next, isFirst)}`;
}

function row({ texts, root, language }: VisitView, invoice: ListedInvoice): Html {
  const { list } = texts;
  const address = `${root}/invoices/${invoice.id}`;
  return html`<tr role="row">
<th role="rowheader" scope="row"><a class="number" href="${address}">${invoice.number}</a>
<span class="kind">${typeName(invoice, texts)}</span></th>
<td role="cell" class="date">${day(invoice.issuedOn, language)}</td>
<td role="cell" class="state">${badge(invoice, texts)}${marks(invoice, texts)}</td>
<td role="cell" class="amount total">${money(invoice.total, language)}</td>
<td role="cell" class="amount pdf"><a class="file" href="${address}/pdf" download>${list.pdf}<span class="unseen"> ${list.pdfOf(invoice.number)}</span></a></td>
</tr>
`;
}

function pages(
  { texts, root }: VisitView,
  query: FilterQuery,
  next: string | null,
  isFirst: boolean,
): Html | null {
  const { list } = texts;
  if (isFirst && next === null) return null;
  const address = (after: string | null): string => {
    const parameters = filterParameters(query);
    if (after !== null) parameters.set('after', after);
    return parameters.size === 0 ? root : `${root}?${parameters.toString()}`;
  };
  return html`<nav class="pages" aria-label="${list.pages}">
${!isFirst && html`<a class="button" href="${address(null)}"><span aria-hidden="true">«</span> ${list.first}</a>`}
${next !== null && html`<a class="button next" rel="next" href="${address(next)}">${list.next} <span aria-hidden="true">›</span></a>`}
</nav>`;
}
