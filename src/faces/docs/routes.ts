import { createReadStream } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../../ground/lib/language.ts';
import { SharedAnswer } from '../../ground/lib/shared-answer.ts';
import { singleFlight } from '../../ground/lib/single-flight.ts';
import type { Services } from '../../services.ts';
import { allDeclarations, currentDeclaration } from '../../subjects/declaration/current-declaration.ts';
import { html } from '../web/html.ts';
import { isSecure, languageOf, rootOf } from '../web/request.ts';
import { chargeByNetwork, type PageFailure, sendPage, servePages } from '../web/serve.ts';
import { DECLARATION, declarationPage } from './declaration-page.ts';
import { DOWNLOADABLE, DOWNLOADS, packageBytes } from './downloads.ts';
import { GUIDES } from './guides.ts';
import { document, ICON, pageScript, style } from './layout.ts';
import { REFERENCE, REFERENCE_POLICY, start, viewerScript } from './reference.ts';
import { SEARCH, type Section, searchPage } from './search.ts';
import type { Site } from './site.ts';
import { texts } from './texts.ts';
import { welcomeJson, welcomePage } from './welcome.ts';

const PREFIX = '/docs';

/** Pages run one script of ours, show pictures of ours and have one form, which searches them. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Assets of pages, which browsers cache. */
const KEPT_BY_BROWSERS = new Set(
  ['style.css', 'page.js', 'icon.svg', 'pictures/*', 'reference.js', 'viewer.js'].map(
    (name) => `${PREFIX}/${name}`,
  ),
);

/** What is small and does not change: neither asks the database anything. */
function welcome(services: Pick<Services, 'config' | 'shares'>): Handler {
  const { baseUrl, software } = services.config;
  return async (request, reply) => {
    reply.header('vary', 'accept, accept-language, cookie').header('cache-control', 'no-cache');
    if (!(request.headers.accept ?? '').includes('text/html'))
      return reply.type('application/json; charset=utf-8').send(welcomeJson(baseUrl, software.version));
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    if (!chargeByNetwork(services, request, reply))
      return sendPage(reply, 429, notice(services, request, reply, 'tooMany'));
    const language = readersLanguage(services, request, reply);
    return sendPage(reply, 200, welcomePage(rootOf(services, PREFIX), software.version, language));
  };
}

function addDownloads(
  scope: FastifyInstance,
  services: Pick<Services, 'config' | 'shares'>,
  site: SiteFor,
): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('vary', 'accept-language, cookie');
  });
  scope.addHook('preHandler', async (request, reply) =>
    chargeByNetwork(services, request, reply)
      ? undefined
      : sendPage(reply, 429, notice(services, request, reply, 'tooMany')),
  );
  scope.get('/', page(site, DOWNLOADS));
  for (const each of DOWNLOADABLE) {
    const read = singleFlight(() => packageBytes(each));
    scope.get(`/${each.file}`, async (_request, reply) => {
      const bytes = await read();
      if (bytes === null) return missing(reply);
      return reply
        .header('cache-control', 'no-cache')
        .header('content-disposition', `attachment; filename="${each.file}"`)
        .type(each.type)
        .send(bytes);
    });
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The documentation: guides, references, errors and the producer's declaration. No key is needed. */
export function addDocs(
  server: FastifyInstance,
  services: Pick<Services, 'config' | 'db' | 'log' | 'shares'>,
): void {
  const sites = { en: siteOnce(services, 'en'), es: siteOnce(services, 'es') };
  const site: SiteFor = (request, reply) => sites[readersLanguage(services, request, reply)]();
  // Where language models look for it.
  server.get('/llms.txt', async (request, reply) => (await (await sites.en()).llms()).send(request, reply));
  server.get('/', welcome(services));
  servePages(server, services, {
    prefix: DOWNLOADS,
    sendFailure: (request, reply, status, failure) =>
      sendPage(reply, status, notice(services, request, reply, failure)),
    routes: (scope) => addDownloads(scope, services, site),
  });
  servePages(server, services, {
    prefix: PREFIX,
    // The site's own layout is not used: the error page must work when the site cannot be built.
    sendFailure: (request, reply, status, failure) =>
      sendPage(reply, status, notice(services, request, reply, failure)),
    routes(scope) {
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
        if (!KEPT_BY_BROWSERS.has(request.routeOptions.url ?? ''))
          reply.header('vary', 'accept-language, cookie');
      });
      scope.addHook('preHandler', async (request, reply) => {
        if (KEPT_BY_BROWSERS.has(request.routeOptions.url ?? '') || chargeByNetwork(services, request, reply))
          return undefined;
        return sendPage(reply, 429, notice(services, request, reply, 'tooMany'));
      });
      for (const [url, handler] of routes(services, site)) scope.get(url, handler);
    },
  });
}

/** English is what programs get, and readers who want neither. */
function readersLanguage(
  services: Pick<Services, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Language {
  return languageOf(request, reply, { secure: isSecure(services), otherwise: 'en' });
}

function notice(
  services: Pick<Services, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: PageFailure | 'tooMany',
): string {
  const root = rootOf(services, PREFIX);
  const language = readersLanguage(services, request, reply);
  const { home, [failure]: text } = texts[language].notices;
  const body = html`<h1>${text}</h1><p><a href="${root}">${home}</a></p>`;
  return document({ root, groups: [], language }, { path: '/notice', title: text, body, here: null });
}

/** The site as served: its texts as answers shared by all readers, each prepared on first request. */
type ServedSite = Pick<Site, 'shelf' | 'pictures'> & {
  readonly sections: () => Promise<readonly Section[]>;
  readonly page: (path: string) => Promise<SharedAnswer | null>;
  readonly plain: (name: string) => Promise<SharedAnswer | null>;
  readonly llms: () => Promise<SharedAnswer>;
  readonly schema: () => Promise<SharedAnswer>;
};

/** The site in the language of who asks. */
type SiteFor = (request: FastifyRequest, reply: FastifyReply) => Promise<ServedSite>;

/** Each page is built on its first request and cached: they only change with the version. */
function siteOnce(services: Pick<Services, 'config'>, language: Language): () => Promise<ServedSite> {
  return singleFlight(async () => {
    // Loading what colours the examples takes a tenth of a second of the start otherwise.
    const { siteAt } = await import('./site.ts');
    const { shelf, pictures, pages, plain, llms, schema, sections } = siteAt({
      root: rootOf(services, PREFIX),
      baseUrl: services.config.baseUrl,
      language,
    });
    return {
      shelf,
      pictures,
      sections: singleFlight(async () => sections()),
      page: answers(pages, 'text/html'),
      plain: answers(new Map([...plain].map(([name, text]) => [name, () => text])), 'text/markdown'),
      llms: answer(() => llms, 'text/markdown'),
      schema: answer(() => schema, 'text/plain'),
    };
  });
}

function answer(build: () => string, type: string): () => Promise<SharedAnswer> {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' };
  return singleFlight(() => SharedAnswer.of(build(), headers));
}

function answers(
  texts: ReadonlyMap<string, () => string>,
  type: string,
): (name: string) => Promise<SharedAnswer | null> {
  const byName = new Map([...texts].map(([name, build]) => [name, answer(build, type)]));
  return async (name) => (await byName.get(name)?.()) ?? null;
}

function routes(
  services: Pick<Services, 'config' | 'db'>,
  site: SiteFor,
): (readonly [url: string, handler: Handler])[] {
  return [
    ['/', page(site, '')],
    [SEARCH, search(site)],
    ['/:page.md', plain(site)],
    ['/:page', async (request, reply) => page(site, `/${parameter(request, 'page')}`)(request, reply)],
    ['/style.css', style.send],
    ['/page.js', pageScript.send],
    ['/icon.svg', icon],
    ['/pictures/*', picture(site)],
    ['/schema.graphql', schema(site)],
    [REFERENCE, reference(site)],
    ['/reference.js', start.send],
    ['/viewer.js', viewer],
    [DECLARATION, declaration(services, site)],
    [`${DECLARATION}/:sha256`, declarationText(services)],
  ];
}

function parameter(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? '';
}

function page(site: SiteFor, path: string): Handler {
  return async (request, reply) => {
    const found = await (await site(request, reply)).page(path);
    return found === null ? missing(reply) : found.send(request, reply);
  };
}

function plain(site: SiteFor): Handler {
  return async (request, reply) => {
    const found = await (await site(request, reply)).plain(`${parameter(request, 'page')}.md`);
    return found === null ? missing(reply) : found.send(request, reply);
  };
}

function search(site: SiteFor): Handler {
  return async (request, reply) => {
    const { q } = request.query as Record<string, unknown>;
    const { shelf, sections } = await site(request, reply);
    return sendPage(reply, 200, searchPage(shelf, await sections(), typeof q === 'string' ? q : ''));
  };
}

function missing(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}

async function icon(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply.header('cache-control', 'public, max-age=3600').type('image/svg+xml').send(ICON);
}

function schema(site: SiteFor): Handler {
  return async (request, reply) => (await (await site(request, reply)).schema()).send(request, reply);
}

function picture(site: SiteFor): Handler {
  return async (request, reply) => {
    const name = parameter(request, '*');
    if (!(await site(request, reply)).pictures.has(name)) return missing(reply);
    const file = createReadStream(new URL(`../${name}`, GUIDES));
    return reply.header('cache-control', 'public, max-age=3600').type('image/png').send(file);
  };
}

function reference(site: SiteFor): Handler {
  return async (request, reply) => {
    reply.header('content-security-policy', REFERENCE_POLICY);
    return page(site, REFERENCE)(request, reply);
  };
}

/** All browsers accept gzip; uncompressed the script is four times as large. */
async function viewer(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply
    .header('cache-control', 'public, max-age=3600')
    .header('content-encoding', 'gzip')
    .type('text/javascript; charset=utf-8')
    .send(await viewerScript());
}

function declaration({ db, config }: Pick<Services, 'config' | 'db'>, site: SiteFor): Handler {
  return async (request, reply) => {
    const current = await currentDeclaration(db, config);
    const older = (await allDeclarations(db)).filter(({ sha256 }) => sha256 !== current.sha256);
    return sendPage(reply, 200, declarationPage((await site(request, reply)).shelf, current, older));
  };
}

function declarationText({ db, config }: Pick<Services, 'config' | 'db'>): Handler {
  return async (request, reply) => {
    await currentDeclaration(db, config);
    const expected = parameter(request, 'sha256');
    const found = (await allDeclarations(db)).find(({ sha256 }) => sha256 === expected);
    if (found === undefined) return missing(reply);
    const name = `declaracion-responsable-${found.version.replace(/[^\w.-]/g, '_')}.txt`;
    return reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(found.text);
  };
}
