import type { Language } from '../../ground/lib/language.ts';
import { html } from '../web/html.ts';
import { DOWNLOADS } from './downloads.ts';
import { document } from './layout.ts';

/** What the service is and where to go, for whoever opens its address. */

type Place = Readonly<Record<Language, { readonly title: string; readonly what: string }>> & {
  readonly name: string;
  readonly path: string;
};

const LEAD: Readonly<Record<Language, (version: string) => string>> = {
  en: (version) =>
    `Invoices under Spain’s VERI*FACTU regime, over REST and GraphQL: numbered without gaps, sealed into a chain of records, registered at the tax agency, delivered as PDF. This is version ${version}.`,
  es: (version) =>
    `Facturas VERI*FACTU por REST y GraphQL: numeradas sin saltos, con registros de facturación encadenados y remitidos a la Agencia Tributaria, y entregadas en PDF. Esta es la versión ${version}.`,
};

const PLACES: readonly Place[] = [
  {
    name: 'docs',
    path: '/docs',
    en: {
      title: 'Documentation',
      what: 'Guides from the first invoice to going live; every example is run by the tests of this version.',
    },
    es: {
      title: 'Documentación',
      what: 'Guías desde la primera factura hasta la puesta en producción; las pruebas de esta versión ejecutan todos los ejemplos.',
    },
  },
  {
    name: 'api',
    path: '/docs/api',
    en: { title: 'API reference', what: 'Every operation of REST, with its fields, answers and codes.' },
    es: {
      title: 'Referencia de la API',
      what: 'Todas las operaciones de REST, con sus campos, respuestas y códigos.',
    },
  },
  {
    name: 'openapi',
    path: '/v1/openapi.json',
    en: { title: 'OpenAPI document', what: 'The same for programs.' },
    es: { title: 'Documento OpenAPI', what: 'Lo mismo, para programas.' },
  },
  {
    name: 'graphql',
    path: '/graphql',
    en: { title: 'GraphQL', what: 'The explorer; the schema is in the documentation.' },
    es: { title: 'GraphQL', what: 'El explorador; el esquema está en la documentación.' },
  },
  {
    name: 'downloads',
    path: `${DOWNLOADS}/`,
    en: {
      title: 'Downloads',
      what: 'Clients for JavaScript, TypeScript and Python, to be installed from here.',
    },
    es: {
      title: 'Descargas',
      what: 'Los clientes para JavaScript, TypeScript y Python, que se instalan desde aquí.',
    },
  },
  {
    name: 'console',
    path: '/console',
    en: {
      title: 'Console',
      what: 'For merchants and operators: invoices, registration, settings. It takes a key.',
    },
    es: {
      title: 'Consola',
      what: 'Para empresas y operadores: facturas, registro, configuración. Requiere una clave.',
    },
  },
  {
    name: 'portal',
    path: '/portal',
    en: { title: 'Customer portal', what: 'For customers, by a link that they were given.' },
    es: { title: 'Portal de clientes', what: 'Para clientes, con el enlace que hayan recibido.' },
  },
  {
    name: 'changelog',
    path: '/docs/changelog',
    en: { title: 'Changelog', what: 'What is in this version.' },
    es: { title: 'Novedades', what: 'Qué trae esta versión.' },
  },
  {
    name: 'health',
    path: '/healthz',
    en: { title: 'Health', what: 'Whether the service is alive; /readyz says whether it can work.' },
    es: { title: 'Estado', what: 'Si el servicio está activo; /readyz indica si puede trabajar.' },
  },
];

/** For a program: where everything is. */
export function welcomeJson(baseUrl: string, version: string): string {
  const places = Object.fromEntries(PLACES.map(({ name, path }) => [name, `${baseUrl}${path}`]));
  return JSON.stringify({ service: 'lacre', version, ...places });
}

/** For a person; `root` is the prefix of the documentation's paths. */
export function welcomePage(root: string, version: string, language: Language): string {
  const home = root.replace(/\/docs$/, '');
  const card = ({ path, [language]: { title, what } }: Place) =>
    html`<li class="card"><h2><a href="${home}${path}">${title}</a></h2><p>${what}</p></li>`;
  const body = html`<h1>Lacre</h1>
<p class="lead">${LEAD[language](version)}</p>
<ul class="cards">${PLACES.map(card)}</ul>`;
  const page = { path: '/welcome', title: 'Lacre', body, here: `${home}/` };
  return document({ root, groups: [], language }, page);
}
