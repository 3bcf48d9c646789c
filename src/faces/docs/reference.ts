import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify from 'fastify';
import { share } from '../../ground/lib/shared-answer.ts';
import { singleFlight } from '../../ground/lib/single-flight.ts';
import { html } from '../web/html.ts';
import type { Navigation } from './layout.ts';
import { script } from './script.ts';

export const REFERENCE = {
  path: '/api',
  title: 'API reference',
  summary: 'Every endpoint of REST with its fields, answers and codes; requests can be tried in the page.',
};

export const start = script('reference.js', new URL('./scripts/reference.js', import.meta.url));

/** The viewer writes styles and small inline images into the page; it loads everything from this server. */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** /docs/api: the page in which the viewer shows /v1/openapi.json. Only this page loads its large script. */
export function referencePage({ root }: Navigation): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${REFERENCE.title} · Lacre</title>
<link rel="icon" type="image/svg+xml" href="${root}/icon.svg">
</head>
<body>
<noscript><p>The viewer is a script. The document that it shows is <a href="${root.replace(/\/docs$/, '')}/v1/openapi.json">/v1/openapi.json</a>.</p></noscript>
<div id="reference" data-document="${root.replace(/\/docs$/, '')}/v1/openapi.json" data-docs="${root}"></div>
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
