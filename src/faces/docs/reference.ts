import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify from 'fastify';
import type { Language } from '../../ground/lib/language.ts';
import { share } from '../../ground/lib/shared-answer.ts';
import { singleFlight } from '../../ground/lib/single-flight.ts';
import { type Html, html } from '../web/html.ts';
import { type Navigation, style } from './layout.ts';
import { INTRODUCTION_ES, OPERATIONS_ES, TAGS_ES } from './operations-es.ts';
import { script } from './script.ts';
import { texts } from './texts.ts';

export const REFERENCE = '/api';

export const start = script('reference.js', new URL('./scripts/reference.js', import.meta.url));

/** The viewer writes styles and small inline images into the page; it loads everything from this server. */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type Listed = {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name?: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly schema: Schema } } };
};
type Schema = {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
};
type Printed = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Listed>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** An operation as the page lists it and as it is searched for. */
type ListedOperation = {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Its place in the viewer, and in the list that stands there before. */
  readonly anchor: string;
  /** What is said of it and of what it takes. */
  readonly text: string;
};

const DOCUMENT = new URL('../../../docs/openapi.json', import.meta.url);

/** Every operation of the printed document, in its order, with its name in a language. */
export function operationsOfRest(language: Language): readonly ListedOperation[] {
  const { paths, components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Printed;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([name, { operationId, tags: [tag = 'Others'] = [], ...rest }]) => {
      if (rest.summary === undefined || operationId === undefined) return [];
      const summary = language === 'es' ? (OPERATIONS_ES[operationId] ?? rest.summary) : rest.summary;
      const method = name.toUpperCase();
      const anchor = `tag/${tag.toLowerCase().replaceAll(' ', '-')}/${method}${path}`;
      return [{ method, path, tag, summary, anchor, text: textOf(rest, components.schemas) }];
    }),
  );
}

function textOf(
  { description = '', parameters = [], requestBody }: Listed,
  schemas: Printed['components']['schemas'],
): string {
  const schema = requestBody?.content['application/json']?.schema;
  const body = schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!];
  const taken = [
    ...parameters.map((one) => [one.name, one.description]),
    ...Object.entries(body?.properties ?? {}).map(([name, one]) => [name, one.description]),
  ];
  return [description, ...taken.flat()].filter(Boolean).join(' ');
}

/** What the viewer will show, in short: for as long as its script takes to arrive, and for readers without scripts. */
function operationList(home: string, { root, language }: Navigation): Html {
  const { pages, reference } = texts[language];
  const byTag = new Map<string, Html[]>();
  for (const { method, path, tag, summary, anchor } of operationsOfRest(language)) {
    const item = html`<tr id="${anchor}"><td><code>${method}</code></td><td><code>${path}</code></td><td>${summary}</td></tr>`;
    byTag.set(tag, [...(byTag.get(tag) ?? []), item]);
  }
  const groups = [...byTag].map(
    ([tag, rows]) =>
      html`<h2>${language === 'es' ? TAGS_ES[tag]?.[0] : tag}</h2><div class="scroll"><table>${rows}</table></div>`,
  );
  const printed = html`<a href="${home}/v1/openapi.json">/v1/openapi.json</a>`;
  const first = html`<a href="${root}/first-invoice">${reference.first}</a>`;
  return html`<main class="wide prose"><h1>${pages.api.title}</h1>
<p>${pages.api.summary} ${reference.about(printed, first)}</p>
${groups}</main>`;
}

/** What the viewer shows in another language than the document’s, as its script reads it. */
function viewersWords({ root, language }: Navigation): string | null {
  if (language === 'en') return null;
  return JSON.stringify({ introduction: INTRODUCTION_ES(root), tags: TAGS_ES, operations: OPERATIONS_ES });
}

/** /docs/api: the page in which the viewer shows /v1/openapi.json. Only this page loads its large script. */
export function referencePage(navigation: Navigation): string {
  const { root, language } = navigation;
  const home = root.replace(/\/docs$/, '');
  const words = viewersWords(navigation);
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${texts[language].pages.api.title} · Lacre</title>
<link rel="icon" type="image/svg+xml" href="${root}/icon.svg">
<link rel="stylesheet" id="plain" href="${root}/${style.address}">
</head>
<body class="docs">
<div id="reference" data-document="${home}/v1/openapi.json" data-docs="${root}"${words !== null && html` data-words="${words}"`}>${operationList(home, navigation)}</div>
<script src="${root}/viewer.js"></script>
<script src="${root}/${start.address}"></script>
</body>
</html>
`.markup;
}

/**
 * The viewer's script, compressed: all browsers accept gzip, and uncompressed it is four times as large. Prepared
 * on first request, because its package is large, and offers the script only through a plugin.
 */
export const viewerScript: () => Promise<Buffer> = singleFlight(async () => {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const host = Fastify();
  await host.register(plugin, { routePrefix: '/viewer', configuration: { url: '/' } });
  const { rawPayload } = await host.inject('/viewer/js/scalar.js');
  await host.close();
  return share(await promisify(gzip)(rawPayload));
});
