import { type Html, html } from '../web/html.ts';
import { CLIENT, COMMAND_LINE, DOWNLOADS, type Package, PHP, WHEEL } from './downloads.ts';
import { document, type Navigation } from './layout.ts';
import { code } from './markdown.ts';
import { texts } from './texts.ts';

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
  const composer = code(
    `mkdir -p packages
curl -sSf ${baseUrl}${DOWNLOADS}/${PHP.file} -o packages/${PHP.file}
composer config repositories.lacre artifact packages
composer require "lacre/client:*@rc" guzzlehttp/guzzle`,
    'bash',
    language,
  );
  const php = code(`$lacre = new Lacre\\Lacre('${baseUrl}', 'sk_test_…');`, 'php', language);
  const cli = code(
    `npm install -g ${baseUrl}${DOWNLOADS}/${COMMAND_LINE.file}\nlacre login --url ${baseUrl}`,
    'bash',
    language,
  );
  const parts = {
    ...{ client: link(CLIENT), clientCode: html`${install}${use}` },
    ...{ commandLine: link(COMMAND_LINE), commandLineCode: cli },
    ...{ php: link(PHP), phpCode: html`${composer}${php}` },
    ...{ wheel: link(WHEEL), wheelCode: html`${pip}${python}` },
  };
  const [title, body] = shelf.language === 'es' ? spanish(shelf, parts) : english(shelf, parts);
  return document(shelf, { path: DOWNLOADS, title, body, here: `${home}${DOWNLOADS}/` });
}

type Name = 'client' | 'commandLine' | 'php' | 'wheel';
type Parts = Readonly<Record<Name | `${Name}Code`, Html>>;

function english({ root }: Navigation, parts: Parts): readonly [title: string, body: Html] {
  const body = html`<article class="prose"><h1>Downloads</h1>
<p class="lead">What can be installed from this service. It fits this version, and nothing of it comes from elsewhere.</p>
<h2 id="client">Client for JavaScript and TypeScript</h2>
<p>${parts.client}: types, retries that never issue twice, lists that page by themselves, verified webhooks. For Node from version 20 on, Deno, Bun and workers; to import or to require; it depends on nothing.</p>
${parts.clientCode}
<h2 id="python">Client for Python</h2>
<p>${parts.wheel}: the same for Python from version 3.11 on, with a method for each operation; it needs httpx.</p>
${parts.wheelCode}
<h2 id="php">Client for PHP</h2>
<p>${parts.php}: the same for PHP from version 8.1 on, over the PSR-18 client that is installed.</p>
${parts.phpCode}
<h2 id="command-line">Command line</h2>
<p>${parts.commandLine}: the command <code>lacre</code> for a merchant’s key. It issues and follows invoices, forwards webhooks to your machine, and serves agents. For Node from version 20 on; it depends on nothing. What works on the database is a part of the service itself (<a href="${root}/command-line">guide</a>).</p>
${parts.commandLineCode}
<h2 id="others">Other languages</h2>
<p>A client for any other is made of the <a href="${root.replace(/\/docs$/, '')}/v1/openapi.json">OpenAPI document</a> (<a href="${root}/generating-a-client">how</a>); Postman takes the <a href="${root}/postman.json">collection</a>.</p>
</article>`;
  return ['Downloads', body];
}

function spanish({ root }: Navigation, parts: Parts): readonly [title: string, body: Html] {
  const body = html`<article class="prose"><h1>Descargas</h1>
<p class="lead">Lo que se puede instalar desde este servicio. Corresponde a esta versión y no incluye nada de terceros.</p>
<h2 id="client">Cliente para JavaScript y TypeScript</h2>
<p>${parts.client}: tipos, reintentos que nunca expiden dos veces, listas que se paginan solas y webhooks verificados. Para Node 20 o posterior, Deno, Bun y workers; admite <code>import</code> y <code>require</code>, y no depende de ningún otro paquete.</p>
${parts.clientCode}
<h2 id="python">Cliente para Python</h2>
<p>${parts.wheel}: lo mismo para Python 3.11 o posterior, con un método por operación; requiere httpx.</p>
${parts.wheelCode}
<h2 id="php">Cliente para PHP</h2>
<p>${parts.php}: lo mismo para PHP 8.1 o posterior, sobre el cliente PSR-18 que esté instalado.</p>
${parts.phpCode}
<h2 id="command-line">Línea de órdenes</h2>
<p>${parts.commandLine}: la orden <code>lacre</code> para usarla con la clave de una empresa. Expide y consulta facturas, reenvía webhooks a su equipo y sirve a agentes de IA. Para Node 20 o posterior; no depende de ningún otro paquete. Lo que trabaja sobre la base de datos forma parte del propio servicio (<a href="${root}/command-line">guía</a>).</p>
${parts.commandLineCode}
<h2 id="others">Otros lenguajes</h2>
<p>El cliente de cualquier otro lenguaje se genera a partir del <a href="${root.replace(/\/docs$/, '')}/v1/openapi.json">documento OpenAPI</a> (<a href="${root}/generating-a-client">cómo se hace</a>); Postman importa la <a href="${root}/postman.json">colección</a>.</p>
</article>`;
  return ['Descargas', body];
}
