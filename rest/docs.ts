import type { FastifyReply, FastifyRequest } from 'fastify';
import { catalogue, codes } from '../src/errors/catalogue.ts';
import type { Services } from '../src/services.ts';

const STYLE = `
  :root { color-scheme: light dark; --ink: #1d1d1f; --soft: #6b6b70; --line: #d9d9de; --wax: #9c1c28; }
  @media (prefers-color-scheme: dark) { :root { --ink: #ececf0; --soft: #a0a0a8; --line: #3a3a40; --wax: #ff8a94; } }
  body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; }
  h1 { font-size: 1.9rem; margin: 0 0 .4rem } h2 { font-size: 1.05rem; margin: 2.2rem 0 .3rem; padding-top: 1.2rem; border-top: 1px solid var(--line) }
  a { color: var(--wax) } code { font: .92em ui-monospace, monospace } p { margin: .3rem 0 } .soft { color: var(--soft) }
  .status { float: right; color: var(--soft); font-weight: 400 } h2:target { background: color-mix(in srgb, var(--wax) 12%, transparent) }
  li { margin: .35rem 0 }`;

/** No page here runs a script or loads anything. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** A whole page; nothing in `body` is escaped any more. */
export function page(title: string, body: string, language: 'en' | 'es' = 'en'): string {
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Lacre</title>` +
    `<style>${STYLE}</style></head><body><main>${body}</main></body></html>`
  );
}

/** Text as HTML, between tags or in a quoted attribute. */
export const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
/** Text in which `words` between backticks are code. */
const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const KEY_OUTCOMES = {
  unused: 'An idempotency key stays unused.',
  stored: 'Stored under the idempotency key: a corrected request needs a fresh one.',
  released: 'The idempotency key is released: retry with the same one.',
};

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .send(html);
}

function handler(html: string) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendPage(reply, html);
}

/** /docs/errors: every code with its status, meaning and cure, each under its own anchor. */
export function errorsPage(_services: Services) {
  const entries = [...codes].sort().map((code) => {
    const { status, meaning, cure, key } = catalogue[code];
    return (
      `<h2 id="${code}"><code>${code}</code> <span class="status">${status}</span></h2>` +
      `<p>${prose(meaning)}</p><p>${prose(cure)}</p><p class="soft">${KEY_OUTCOMES[key]}</p>`
    );
  });
  const intro =
    '<h1>Errors</h1><p>Every answer that is not 2xx is one envelope: <code>code</code>, <code>detail</code>, ' +
    '<code>errors</code> and <code>doc_url</code>. Branch on <code>code</code>; fall back to the HTTP status for codes ' +
    'that you do not know. A 4xx must be fixed before it is sent again, a 5xx is safe to retry with backoff.</p>';
  return handler(page('Errors', intro + entries.join('')));
}

/** /docs: where everything is. */
export function docsPage({ config }: Services) {
  const body =
    '<h1>Lacre</h1><p>Invoices under Spain’s VERI*FACTU regime: issued, corrected and read over REST and GraphQL.</p><ul>' +
    '<li><a href="/v1/openapi.json">OpenAPI document</a> of the REST API under <code>/v1</code></li>' +
    '<li><a href="/graphql">GraphQL</a>, with GraphiQL in a browser</li>' +
    '<li><a href="/docs/errors">Errors</a>: every code, what it means and what to do</li>' +
    '<li><a href="/docs/declaracion-responsable" lang="es">Declaración responsable</a> of this version</li></ul>' +
    `<p class="soft">Requests carry <code>Authorization: Bearer &lt;key&gt;</code>. This service answers at <code>${escaped(config.baseUrl)}</code>.</p>`;
  return handler(page('Documentation', body));
}
