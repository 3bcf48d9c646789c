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

const PACKAGES = new URL('../../../packages/', import.meta.url);
/** Where the image has them, and a checkout keeps them. */
const FOLDER = new URL('../../../generated/downloads/', import.meta.url);
/** A few seconds on an idle machine. */
const LONGEST_MS = 120_000;

const { version } = JSON.parse(readFileSync(new URL('client/package.json', PACKAGES), 'utf8')) as {
  version: string;
};

type Package = {
  readonly file: string;
  readonly type: string;
  /** Writes it, from what an image does not have. */
  readonly pack: URL;
};

export const CLIENT: Package = {
  file: `lacre-client-${version}.tgz`,
  type: 'application/gzip',
  pack: new URL('client/pack.ts', PACKAGES),
};
/** Python spells a version before the release in its own way (PEP 440). */
export const WHEEL: Package = {
  file: `lacre-${version.replace(/-rc$/, 'rc0')}-py3-none-any.whl`,
  type: 'application/zip',
  pack: new URL('python/pack.ts', PACKAGES),
};

/** The bytes of a package; in a checkout made of its sources. Null where it was not made and cannot be: what makes it is missing. */
export async function packageBytes({ file, pack }: Package): Promise<Buffer | null> {
  try {
    if (existsSync(pack))
      await promisify(execFile)(process.execPath, [fileURLToPath(pack)], { timeout: LONGEST_MS });
    return await readFile(new URL(file, FOLDER));
  } catch {
    return null;
  }
}

/** The list. */
export function downloadsPage(shelf: Navigation, baseUrl: string): string {
  const home = shelf.root.replace(/\/docs$/, '');
  const language = { texts: texts[shelf.language] };
  const install = code(`npm install ${baseUrl}${DOWNLOADS}/${CLIENT.file}`, 'bash', language);
  const use = code(
    `import { LacreClient } from '@lacre/client';

const lacre = new LacreClient({ baseUrl: '${baseUrl}', key: 'sk_test_…' });`,
    'javascript',
    language,
  );
  const link = ({ file }: Package) => html`<a href="${home}${DOWNLOADS}/${file}">${file}</a>`;
  const pip = code(`pip install ${baseUrl}${DOWNLOADS}/${WHEEL.file}`, 'bash', language);
  const python = code(
    `from lacre import Lacre\n\nlacre = Lacre("${baseUrl}", "sk_test_…")`,
    'python',
    language,
  );
  const parts = {
    ...{ client: link(CLIENT), clientCode: html`${install}${use}` },
    ...{ wheel: link(WHEEL), wheelCode: html`${pip}${python}` },
  };
  const [title, body] = shelf.language === 'es' ? spanish(shelf, parts) : english(shelf, parts);
  return document(shelf, { path: DOWNLOADS, title, body, here: `${home}${DOWNLOADS}/` });
}

type Parts = Readonly<Record<'client' | 'clientCode' | 'wheel' | 'wheelCode', Html>>;

function english({ root }: Navigation, parts: Parts): readonly [title: string, body: Html] {
  const body = html`<article class="prose"><h1>Downloads</h1>
<p class="lead">What can be installed from this service. It fits this version, and nothing of it comes from elsewhere.</p>
<h2 id="client">Client for JavaScript and TypeScript</h2>
<p>${parts.client}: types, retries that never issue twice, lists that page by themselves, verified webhooks. For Node from version 20 on, Deno, Bun and workers; to import or to require; it depends on nothing.</p>
${parts.clientCode}
<h2 id="python">Client for Python</h2>
<p>${parts.wheel}: the same for Python from version 3.11 on, with a method for each operation; it needs httpx.</p>
${parts.wheelCode}
<h2 id="others">Other languages</h2>
<p>A client for any other is made of the <a href="${root.replace(/\/docs$/, '')}/v1/openapi.json">OpenAPI document</a> (<a href="${root}/generating-a-client">how</a>); Postman takes the <a href="${root}/postman.json">collection</a>.</p>
<h2 id="command-line">Command line</h2>
<p>It is a part of the service: <code>npx lacre</code> in its repository, <code>node src/faces/cli/main.ts</code> in its image (<a href="${root}/command-line">guide</a>).</p>
</article>`;
  return ['Downloads', body];
}

function spanish({ root }: Navigation, parts: Parts): readonly [title: string, body: Html] {
  const body = html`<article class="prose"><h1>Descargas</h1>
<p class="lead">Lo que se puede instalar desde este servicio. Corresponde a esta versión y no incluye nada de terceros.</p>
<h2 id="client">Cliente para JavaScript y TypeScript</h2>
<p>${parts.client}: tipos, reintentos que nunca emiten dos veces, listas que se paginan solas y webhooks verificados. Para Node 20 o posterior, Deno, Bun y workers; admite <code>import</code> y <code>require</code>, y no depende de ningún otro paquete.</p>
${parts.clientCode}
<h2 id="python">Cliente para Python</h2>
<p>${parts.wheel}: lo mismo para Python 3.11 o posterior, con un método por operación; requiere httpx.</p>
${parts.wheelCode}
<h2 id="others">Otros lenguajes</h2>
<p>El cliente de cualquier otro lenguaje se genera a partir del <a href="${root.replace(/\/docs$/, '')}/v1/openapi.json">documento OpenAPI</a> (<a href="${root}/generating-a-client">cómo se hace</a>); Postman importa la <a href="${root}/postman.json">colección</a>.</p>
<h2 id="command-line">Línea de órdenes</h2>
<p>Forma parte del servicio: <code>npx lacre</code> en su repositorio, <code>node src/faces/cli/main.ts</code> en su imagen (<a href="${root}/command-line">guía</a>).</p>
</article>`;
  return ['Descargas', body];
}
