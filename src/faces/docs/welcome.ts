import { html } from '../web/html.ts';
import { DOWNLOADS } from './downloads.ts';
import { document } from './layout.ts';

/** What the service is and where to go, for whoever opens its address. */

type Place = {
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly what: string;
};

const PLACES: readonly Place[] = [
  {
    name: 'docs',
    path: '/docs',
    title: 'Documentation',
    what: 'Guides from the first invoice to going live; every example is run by the tests of this version.',
  },
  {
    name: 'api',
    path: '/docs/api',
    title: 'API reference',
    what: 'Every operation of REST, with its fields, answers and codes.',
  },
  { name: 'openapi', path: '/v1/openapi.json', title: 'OpenAPI document', what: 'The same for programs.' },
  {
    name: 'graphql',
    path: '/graphql',
    title: 'GraphQL',
    what: 'The explorer; the schema is in the documentation.',
  },
  {
    name: 'downloads',
    path: `${DOWNLOADS}/`,
    title: 'Downloads',
    what: 'The client for JavaScript and TypeScript, to be installed from here.',
  },
  {
    name: 'console',
    path: '/console',
    title: 'Console',
    what: 'For merchants and operators: invoices, registration, settings. It takes a key.',
  },
  {
    name: 'portal',
    path: '/portal',
    title: 'Customer portal',
    what: 'For customers, by a link that they were given.',
  },
  { name: 'changelog', path: '/docs/changelog', title: 'Changelog', what: 'What is in this version.' },
  {
    name: 'health',
    path: '/healthz',
    title: 'Health',
    what: 'Whether the service is alive; /readyz says whether it can work.',
  },
];

/** For a program: where everything is. */
export function welcomeJson(baseUrl: string, version: string): string {
  const places = Object.fromEntries(PLACES.map(({ name, path }) => [name, `${baseUrl}${path}`]));
  return JSON.stringify({ service: 'lacre', version, ...places });
}

/** For a person; `root` is the prefix of the documentation's paths. */
export function welcomePage(root: string, version: string): string {
  const home = root.replace(/\/docs$/, '');
  const card = ({ path, title, what }: Place) =>
    html`<li class="card"><h2><a href="${home}${path}">${title}</a></h2><p>${what}</p></li>`;
  const body = html`<h1>Lacre</h1>
<p class="lead">Invoices under Spain’s VERI*FACTU regime, over REST and GraphQL: numbered without gaps, sealed into a chain of records, registered at the tax agency, delivered as PDF. This is version ${version}.</p>
<ul class="cards">${PLACES.map(card)}</ul>`;
  return document({ root, groups: [] }, { path: '/welcome', title: 'Lacre', body });
}
