import { type Code, catalogue, codes, entryOf } from '../../ground/errors/catalogue.ts';
import { EXAMPLES } from '../../ground/errors/examples.ts';
import { type Html, html } from '../web/html.ts';
import { document, type Navigation } from './layout.ts';
import { code as block, prose } from './markdown.ts';
import { texts } from './texts.ts';

export const ERRORS = '/errors';

const KEY_OUTCOMES = {
  unused: 'The idempotency key stays unused.',
  stored: 'The answer is stored under the idempotency key: send the corrected request under a fresh one.',
  released: 'The idempotency key is released: retry with the same one.',
};

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** /docs/errors: every code with its status, meaning and remediation, under an anchor that is the code itself. */
export function errorsPage(navigation: Navigation, baseUrl: string): string {
  const statuses = [...new Set(codes.map((code) => catalogue[code].status as number))].sort((a, b) => a - b);
  const ofStatus = (status: number) => codes.filter((code) => catalogue[code].status === status).sort();
  const { title, summary } = texts.en.pages.errors;
  const body = html`<article class="prose"><h1>${title}</h1>
<p class="lead">${summary}</p>
<p>Every answer that is not 2xx has the same body: <code>code</code>, <code>detail</code>, <code>errors</code> and <code>doc_url</code>, which leads to the code’s place on this page. Branch on <code>code</code>; fall back to the HTTP status for codes that you do not know. <code>detail</code> is for people, and its wording may change. <code>errors</code> names the faulty fields and is empty otherwise. GraphQL carries the same in the <code>extensions</code> of an error.</p>
<p>A request refused with 4xx must be corrected before it is sent again. A 5xx may be retried with backoff; for 503 and 429, <code>Retry-After</code> states the number of seconds to wait. See <a href="${navigation.root}/idempotency">Idempotency</a> for avoiding duplicate invoices.</p>
${filterForm('Find a code')}
${statuses.map((status) => html`<section data-group><h2 id="status-${status}">${status} ${STATUS_NAMES[status]}</h2>${ofStatus(status).map((code) => entry(code, baseUrl))}</section>`)}</article>`;
  const headings = statuses.map((status) => {
    return { level: 2, id: `status-${status}`, text: `${status} ${STATUS_NAMES[status]}` };
  });
  return document(navigation, { path: ERRORS, title, body, headings, language: 'en' });
}

/** Shown by the script that implements it. */
export function filterForm(label: string): Html {
  return html`<form class="filter" role="search" hidden><label for="filter">${label}</label><input id="filter" type="search" autocomplete="off" spellcheck="false"><output for="filter"></output></form>`;
}

function entry(code: Code, baseUrl: string): Html {
  const { status, meaning, remediation, key, retryAfter } = entryOf(code);
  const { detail, errors } = EXAMPLES[code];
  const body = { code, detail, errors, doc_url: `${baseUrl}/docs/errors#${code}` };
  const waits =
    retryAfter !== undefined &&
    html`<dt>Retry-After</dt><dd>${retryAfter} s unless the answer states otherwise</dd>`;
  return html`<section class="error" data-entry id="${code}"><h3><code>${code}</code> <a class="anchor" href="#${code}" aria-label="Link to ${code}">#</a></h3>
<dl><dt>HTTP</dt><dd>${status}</dd>${waits}<dt>Meaning</dt><dd>${prose(meaning)}</dd><dt>What to do</dt><dd>${prose(remediation)}</dd><dt>Retry</dt><dd>${KEY_OUTCOMES[key]}</dd></dl>
<details><summary>Example<span class="unseen"> of ${code}</span></summary>${block(`${JSON.stringify(body, null, 2)}\n`, 'json', { texts: texts.en })}</details></section>`;
}
