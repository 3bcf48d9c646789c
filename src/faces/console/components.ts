import { bdi, type Content, type Html, html } from '../web/html.ts';
import { number } from './format.ts';
import type { Remediation, Step } from './remediation.ts';
import { given, type Label, say, type Text, worded } from './words.ts';

/** Pieces that pages are made of. */

export type Column<Row> = {
  readonly head: Label;
  readonly cell: (row: Row) => Content;
  readonly kind?: 'amount' | 'acts';
};

/** A table whose rows become cards on a phone; the first column names the row. Nothing but a line when it is empty. */
export function table<Row>(
  caption: Label,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: Label,
): Html {
  if (rows.length === 0) return html`<p class="card empty">${worded(empty)}</p>`;
  const row = (item: Row): Html => html`<tr role="row">${columns.map(({ head, cell, kind }, index) =>
    index === 0
      ? html`<th role="rowheader" scope="row" class="${kind}">${cell(item)}</th>`
      : html`<td role="cell" class="${kind}" data-label="${worded(head)}">${cell(item)}</td>`,
  )}</tr>
`;
  return html`<div class="card sheet"><table class="listed" role="table"><caption class="unseen">${worded(caption)}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(
    ({ head, kind }) => html`<th role="columnheader" scope="col" class="${kind}">${worded(head)}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map(row)}</tbody></table></div>`;
}

/** Names and values; those without a value are left out. */
export function facts(entries: readonly (readonly [name: Label, value: Content])[]): Html {
  return html`<dl class="facts">${entries.map(
    ([name, value]) =>
      value !== null &&
      value !== undefined &&
      value !== false &&
      html`<div><dt>${worded(name)}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

/** A section of a page with its heading. */
export function section(title: Label, content: Content, id: string): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${worded(title)}</h2>${content}</section>`;
}

const STATUS: Readonly<Record<string, Text>> = {
  pending: 'Pending',
  registered: 'Registered',
  registered_with_errors: 'Registered with errors',
  rejected: 'Rejected',
  skipped: 'Skipped',
  voided: 'Voided',
  issued: 'Issued',
};

export function badge(kind: string, name: Label = STATUS[kind] ?? given(kind)): Html {
  return html`<span class="badge ${kind}">${worded(name)}</span>`;
}

/** A shortened id: its prefix and its end, which distinguish it. */
export function shortId(id: string): Html {
  const [prefix = '', rest = ''] = id.split('_', 2);
  return html`<code title="${id}">${rest.length > 8 ? `${prefix}_…${rest.slice(-8)}` : id}</code>`;
}

/** What the agency answered, verbatim. */
export function agencyMessage(code: string | null, message: string | null): Html {
  return html`<span class="agency">${code !== null && html`<strong>${code}</strong> `}${
    message === null
      ? html`<span class="soft">${say('no message')}</span>`
      : html`<q lang="es">${bdi(message)}</q>`
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
    return html`<code>${message ?? say('no answer')}</code>`;
  }
  return agencyMessage(faultCode, message);
}

/** What to do about it, and the ways to it. `address` gives the way to a step, null when it does not apply here. */
export function remediationSteps({ text, steps }: Remediation, address: (step: Step) => string | null): Html {
  const ways = steps.flatMap((step) => {
    const way = address(step);
    return way === null ? [] : [html`<a class="button small" href="${way}">${worded(STEPS[step])}</a> `];
  });
  return html`<p class="remediation">${worded(text)}</p>${ways.length > 0 && html`<p class="ways">${ways}</p>`}`;
}

const STEPS: Readonly<Record<Step, Text>> = {
  amend: 'Amend…',
  void: 'Void…',
  retry: 'Retry…',
  unpark: 'Unpark…',
  skip: 'Skip…',
  resume: 'Resume…',
};

/** The ways to further pages of a list. */
export function pager(
  name: Label,
  { first, next }: { readonly first: string | null; readonly next: string | null },
): Html | null {
  if (first === null && next === null) return null;
  return html`<nav class="pages" aria-label="${worded(name)}">${
    first !== null &&
    html`<a class="button" href="${first}"><span aria-hidden="true">«</span> ${say('Beginning')}</a>`
  }${
    next !== null &&
    html`<a class="button next" rel="next" href="${next}">${say('More')} <span aria-hidden="true">›</span></a>`
  }</nav>`;
}

/** What kinds of records are called. */
export const kindNames = { registration: 'Registration', cancellation: 'Cancellation' } as const;

/** A record by its place, as links to it say. */
export function recordPlace({
  kind,
  position,
  chainId,
}: {
  readonly kind: keyof typeof kindNames;
  readonly position: number;
  readonly chainId: number;
}): string {
  return say('{kind}, position {position} of chain {chain}', {
    ...{ kind: say(kindNames[kind]), position: number(position), chain: chainId },
  });
}

/** How often something was sent, in words. */
export function timesSent(attempts: number): string {
  if (attempts === 0) return say('never');
  return attempts === 1 ? say('once') : say('{count} times', { count: number(attempts) });
}
