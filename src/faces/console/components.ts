import { bdi, type Content, type Html, html } from '../web/html.ts';
import type { Remediation, Step } from './remediation.ts';

/** Pieces that pages are made of. */

export type Column<Row> = {
  readonly head: string;
  readonly cell: (row: Row) => Content;
  readonly kind?: 'amount' | 'acts';
};

/** A table whose rows become cards on a phone; the first column names the row. Nothing but a line when it is empty. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: string,
): Html {
  if (rows.length === 0) return html`<p class="card empty">${empty}</p>`;
  const row = (item: Row): Html => html`<tr role="row">${columns.map(({ head, cell, kind }, index) =>
    index === 0
      ? html`<th role="rowheader" scope="row" class="${kind}">${cell(item)}</th>`
      : html`<td role="cell" class="${kind}" data-label="${head}">${cell(item)}</td>`,
  )}</tr>
`;
  return html`<div class="card sheet"><table class="listed" role="table"><caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(
    ({ head, kind }) => html`<th role="columnheader" scope="col" class="${kind}">${head}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map(row)}</tbody></table></div>`;
}

/** Names and values; those without a value are left out. */
export function facts(entries: readonly (readonly [name: string, value: Content])[]): Html {
  return html`<dl class="facts">${entries.map(
    ([name, value]) =>
      value !== null &&
      value !== undefined &&
      value !== false &&
      html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

/** A section of a page with its heading. */
export function section(title: Content, content: Content, id: string): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;
}

const STATUS: Readonly<Record<string, string>> = {
  pending: 'Pending',
  registered: 'Registered',
  registered_with_errors: 'Registered with errors',
  rejected: 'Rejected',
  skipped: 'Skipped',
  voided: 'Voided',
  issued: 'Issued',
};

export function badge(kind: string, name = STATUS[kind] ?? kind): Html {
  return html`<span class="badge ${kind}">${name}</span>`;
}

/** A shortened id: its prefix and its end, which distinguish it. */
export function shortId(id: string): Html {
  const [prefix = '', rest = ''] = id.split('_', 2);
  return html`<code title="${id}">${rest.length > 8 ? `${prefix}_…${rest.slice(-8)}` : id}</code>`;
}

/** What the agency answered, verbatim. */
export function agencyMessage(code: string | null, message: string | null): Html {
  return html`<span class="agency">${code !== null && html`<strong>${code}</strong> `}${
    message === null ? html`<span class="soft">no message</span>` : html`<q lang="es">${bdi(message)}</q>`
  }</span>`;
}

type Envelope = {
  readonly outcome: string | null;
  readonly faultCode: string | null;
  readonly message: string | null;
};

/** Messages for outcomes without an answer of the agency. */
const OWN_OUTCOMES = ['not_sent', 'unknown', 'unreadable', 'incomplete'];

/** What came back of an envelope: the agency’s message, or ours when it sent none. */
export function envelopeMessage({ outcome, faultCode, message }: Envelope): Html {
  if (message === null || (faultCode === null && OWN_OUTCOMES.includes(outcome ?? ''))) {
    return html`<code>${message ?? 'no answer'}</code>`;
  }
  return agencyMessage(faultCode, message);
}

/** What to do about it, and the ways to it. `address` gives the way to a step, null when it does not apply here. */
export function remediationSteps({ text, steps }: Remediation, address: (step: Step) => string | null): Html {
  const ways = steps.flatMap((step) => {
    const way = address(step);
    return way === null ? [] : [html`<a class="button small" href="${way}">${STEPS[step]}</a> `];
  });
  return html`<p class="remediation">${text}</p>${ways.length > 0 && html`<p class="ways">${ways}</p>`}`;
}

const STEPS: Readonly<Record<Step, string>> = {
  amend: 'Amend…',
  void: 'Void…',
  retry: 'Retry…',
  unpark: 'Unpark…',
  skip: 'Skip…',
  resume: 'Resume…',
};

/** The ways to further pages of a list. */
export function pager(
  name: string,
  { first, next }: { readonly first: string | null; readonly next: string | null },
): Html | null {
  if (first === null && next === null) return null;
  return html`<nav class="pages" aria-label="${name}">${
    first !== null && html`<a class="button" href="${first}"><span aria-hidden="true">«</span> Beginning</a>`
  }${
    next !== null &&
    html`<a class="button next" rel="next" href="${next}">More <span aria-hidden="true">›</span></a>`
  }</nav>`;
}

export const kindNames: Readonly<Record<string, string>> = {
  registration: 'Registration',
  cancellation: 'Cancellation',
};
