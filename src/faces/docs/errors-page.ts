import { type Code, catalogue, codes, entryOf } from '../../ground/errors/catalogue.ts';
import { ERRORS_ES } from '../../ground/errors/catalogue-es.ts';
import type { Words } from '../../ground/errors/catalogue-es-refused.ts';
import { EXAMPLES } from '../../ground/errors/examples.ts';
import type { Language } from '../../ground/lib/language.ts';
import { type Html, html } from '../web/html.ts';
import { document, type Navigation } from './layout.ts';
import { code as block, prose } from './markdown.ts';
import { texts } from './texts.ts';

export const ERRORS = '/errors';

type Around = {
  readonly intro: (navigation: Navigation) => Html;
  readonly find: string;
  readonly outcomes: Readonly<Record<'unused' | 'stored' | 'released', string>>;
  readonly meaning: string;
  readonly remediation: string;
  readonly retry: string;
  readonly example: string;
  readonly of: string;
  readonly unless: string;
};

/** What stands around the codes. */
const AROUND: Readonly<Record<Language, Around>> = {
  en: {
    intro: ({
      root,
    }) => html`<p>Every answer that is not 2xx has the same body: <code>code</code>, <code>detail</code>, <code>errors</code> and <code>doc_url</code>, which leads to the code’s place on this page. Branch on <code>code</code>; fall back to the HTTP status for codes that you do not know. <code>detail</code> and the <code>message</code> of a field are for people, and their wording may change: English, or Spanish if the request’s <code>Accept-Language</code> prefers it. <code>errors</code> names the faulty fields and is empty otherwise. GraphQL carries the same in the <code>extensions</code> of an error.</p>
<p>A request refused with 4xx must be corrected before it is sent again. A 5xx may be retried with backoff; for 503 and 429, <code>Retry-After</code> states the number of seconds to wait. See <a href="${root}/idempotency">Idempotency</a> for avoiding duplicate invoices.</p>`,
    find: 'Find a code',
    outcomes: {
      unused: 'The idempotency key stays unused.',
      stored: 'The answer is stored under the idempotency key: send the corrected request under a fresh one.',
      released: 'The idempotency key is released: retry with the same one.',
    },
    meaning: 'Meaning',
    remediation: 'What to do',
    retry: 'Retry',
    example: 'Example',
    of: 'of',
    unless: 's unless the answer states otherwise',
  },
  es: {
    intro: ({
      root,
    }) => html`<p>Toda respuesta que no sea 2xx tiene la misma forma: <code>code</code>, <code>detail</code>, <code>errors</code> y <code>doc_url</code>, que lleva al lugar del código en esta página. Decida según <code>code</code>; si no conoce un código, según el estado HTTP. <code>detail</code> y el <code>message</code> de un campo son para las personas y su redacción puede cambiar: están en inglés, o en español si lo prefiere el <code>Accept-Language</code> de la petición. <code>errors</code> indica los campos erróneos y, si no los hay, está vacío. GraphQL da lo mismo en las <code>extensions</code> de un error.</p>
<p>Una petición rechazada con 4xx hay que corregirla antes de enviarla de nuevo. Un 5xx se puede repetir con esperas crecientes; en los 503 y 429, <code>Retry-After</code> indica cuántos segundos hay que esperar. Cómo evitar facturas duplicadas se explica en <a href="${root}/idempotency">Idempotencia</a>.</p>`,
    find: 'Buscar un código',
    outcomes: {
      unused: 'La clave de idempotencia queda sin usar.',
      stored:
        'La respuesta se guarda con la clave de idempotencia: envíe la petición corregida con una nueva.',
      released: 'La clave de idempotencia queda libre: repita con la misma.',
    },
    meaning: 'Significado',
    remediation: 'Qué hacer',
    retry: 'Reintento',
    example: 'Ejemplo',
    of: 'de',
    unless: 's, salvo que la respuesta diga otra cosa',
  },
};

/** A code's meaning and remediation in a language. */
export function wordsOf(code: Code, language: Language): Words {
  const { meaning, remediation } = catalogue[code];
  return language === 'es' ? ERRORS_ES[code] : [meaning, remediation];
}

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
  const { language } = navigation;
  const { title, summary } = texts[language].pages.errors;
  const { intro, find } = AROUND[language];
  const body = html`<article class="prose"><h1>${title}</h1>
<p class="lead">${summary}</p>
${intro(navigation)}
${filterForm(find)}
${statuses.map((status) => html`<section data-group><h2 id="status-${status}">${status} ${STATUS_NAMES[status]}</h2>${ofStatus(status).map((code) => entry(code, baseUrl, language))}</section>`)}</article>`;
  const headings = statuses.map((status) => {
    return { level: 2, id: `status-${status}`, text: `${status} ${STATUS_NAMES[status]}` };
  });
  return document(navigation, { path: ERRORS, title, body, headings });
}

/** Shown by the script that implements it. */
export function filterForm(label: string): Html {
  return html`<form class="filter" role="search" hidden><label for="filter">${label}</label><input id="filter" type="search" autocomplete="off" spellcheck="false"><output for="filter"></output></form>`;
}

function entry(code: Code, baseUrl: string, language: Language): Html {
  const { status, key, retryAfter } = entryOf(code);
  const [meaning, remediation] = wordsOf(code, language);
  const words = AROUND[language];
  const { detail, errors } = EXAMPLES[code];
  const body = { code, detail, errors, doc_url: `${baseUrl}/docs/errors#${code}` };
  const waits = retryAfter !== undefined && html`<dt>Retry-After</dt><dd>${retryAfter} ${words.unless}</dd>`;
  return html`<section class="error" data-entry id="${code}"><h3><code>${code}</code> <a class="anchor" href="#${code}" aria-label="${texts[language].linkTo(code)}">#</a></h3>
<dl><dt>HTTP</dt><dd>${status}</dd>${waits}<dt>${words.meaning}</dt><dd>${prose(meaning)}</dd><dt>${words.remediation}</dt><dd>${prose(remediation)}</dd><dt>${words.retry}</dt><dd>${words.outcomes[key]}</dd></dl>
<details><summary>${words.example}<span class="unseen"> ${words.of} ${code}</span></summary>${block(`${JSON.stringify(body, null, 2)}\n`, 'json', { texts: texts[language] })}</details></section>`;
}
