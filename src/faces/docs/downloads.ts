import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Html, html } from '../web/html.ts';
import type { Navigation } from './layout.ts';
import { document } from './layout.ts';
import { code } from './markdown.ts';
import { texts } from './texts.ts';

/** What can be installed from a running service, so that its clients are of its version. */

export const DOWNLOADS = '/downloads';

const CLIENT = new URL('../../../packages/client/', import.meta.url);
/** Where the image has them, and a checkout keeps them. */
const FOLDER = new URL('../../../generated/downloads/', import.meta.url);
/** Writes the package, from what an image does not have. */
const PACK = new URL('pack.ts', CLIENT);
/** A few seconds on an idle machine. */
const LONGEST_MS = 120_000;

export const CLIENT_FILE = `lacre-client-${versionOfClient()}.tgz`;

function versionOfClient(): string {
  return (JSON.parse(readFileSync(new URL('package.json', CLIENT), 'utf8')) as { version: string }).version;
}

/** The package of the client; in a checkout made of its sources, unless it was. Null where it was not made and cannot be: compilers are missing. */
export async function clientPackage(): Promise<Buffer | null> {
  try {
    if (existsSync(PACK))
      await promisify(execFile)(process.execPath, [fileURLToPath(PACK)], { timeout: LONGEST_MS });
    return await readFile(new URL(CLIENT_FILE, FOLDER));
  } catch {
    return null;
  }
}

/** The list. */
export function downloadsPage(shelf: Navigation, baseUrl: string): string {
  const home = shelf.root.replace(/\/docs$/, '');
  const language = { texts: texts[shelf.language] };
  const install = code(`npm install ${baseUrl}${DOWNLOADS}/${CLIENT_FILE}`, 'bash', language);
  const use = code(
    `import { LacreClient } from '@lacre/client';

const lacre = new LacreClient({ baseUrl: '${baseUrl}', key: 'sk_test_…' });`,
    'javascript',
    language,
  );
  const file = html`<a href="${home}${DOWNLOADS}/${CLIENT_FILE}">${CLIENT_FILE}</a>`;
  const blocks = html`${install}${use}`;
  const [title, body] =
    shelf.language === 'es' ? spanish(shelf, { file, blocks }) : english(shelf, { file, blocks });
  return document(shelf, { path: DOWNLOADS, title, body, here: `${home}${DOWNLOADS}/` });
}

type Parts = { readonly file: Html; readonly blocks: Html };

function english({ root }: Navigation, { file, blocks }: Parts): readonly [title: string, body: Html] {
  const body = html`<article class="prose"><h1>Downloads</h1>
<p class="lead">What can be installed from this service. It fits this version, and nothing of it comes from elsewhere.</p>
<h2 id="client">Client for JavaScript and TypeScript</h2>
<p>${file}: types, retries that never issue twice, lists that page by themselves, verified webhooks. For Node from version 20 on, Deno, Bun and workers; to import or to require; it depends on nothing.</p>
${blocks}
<h2 id="others">Other languages</h2>
<p>A client for any other is made of the <a href="${root.replace(/\/docs$/, '')}/v1/openapi.json">OpenAPI document</a> (<a href="${root}/generating-a-client">how</a>); Postman takes the <a href="${root}/postman.json">collection</a>.</p>
<h2 id="command-line">Command line</h2>
<p>It is a part of the service: <code>npx lacre</code> in its repository, <code>node src/faces/cli/main.ts</code> in its image (<a href="${root}/command-line">guide</a>).</p>
</article>`;
  return ['Downloads', body];
}

function spanish({ root }: Navigation, { file, blocks }: Parts): readonly [title: string, body: Html] {
  const body = html`<article class="prose"><h1>Descargas</h1>
<p class="lead">Lo que se puede instalar desde este servicio. Corresponde a esta versión y no incluye nada de terceros.</p>
<h2 id="client">Cliente para JavaScript y TypeScript</h2>
<p>${file}: tipos, reintentos que nunca emiten dos veces, listas que se paginan solas y webhooks verificados. Para Node 20 o posterior, Deno, Bun y workers; admite <code>import</code> y <code>require</code>, y no depende de ningún otro paquete.</p>
${blocks}
<h2 id="others">Otros lenguajes</h2>
<p>El cliente de cualquier otro lenguaje se genera a partir del <a href="${root.replace(/\/docs$/, '')}/v1/openapi.json">documento OpenAPI</a> (<a href="${root}/generating-a-client">cómo se hace</a>); Postman importa la <a href="${root}/postman.json">colección</a>.</p>
<h2 id="command-line">Línea de órdenes</h2>
<p>Forma parte del servicio: <code>npx lacre</code> en su repositorio, <code>node src/faces/cli/main.ts</code> en su imagen (<a href="${root}/command-line">guía</a>).</p>
</article>`;
  return ['Descargas', body];
}
