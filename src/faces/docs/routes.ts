import { createReadStream } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { share } from '../../ground/lib/shared-answer.ts';
import { singleFlight } from '../../ground/lib/single-flight.ts';
import type { Services } from '../../services.ts';
import { allDeclarations, currentDeclaration } from '../../subjects/declaration/keep.ts';
import { html } from '../web/html.ts';
import { rootOf } from '../web/request.ts';
import { type PageFailure, sendPage, servePages } from '../web/serve.ts';
import { DECLARATION } from './declaration-page.ts';
import { GUIDES } from './guides.ts';
import { document, ICON, pageScript, style } from './layout.ts';
import { REFERENCE, REFERENCE_POLICY, start, viewerScript } from './reference.ts';
import { SEARCH } from './search.ts';
import type { Site } from './site.ts';

const PREFIX = '/docs';

/** Pages run one script of ours, show pictures of ours and have one form, which searches them. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The documentation: guides, references, errors and the producer's declaration. No key is needed. */
export function addDocs(server: FastifyInstance, services: Services): void {
  const site = siteOnce(services);
  // Where language models look for it.
  server.get('/llms.txt', async (_request, reply) =>
    reply.type('text/markdown; charset=utf-8').send((await site()).llms),
  );
  servePages(server, services, {
    prefix: PREFIX,
    // Of the site nothing is used: the page must be there when the site is not.
    say: (_request, reply, status, why) => sendPage(reply, status, notice(services, TOLD[why])),
    routes(scope) {
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
      });
      for (const [url, handler] of routes(services, site)) scope.get(url, handler);
    },
  });
}

const TOLD: Readonly<Record<PageFailure, string>> = {
  missing: 'There is no such page.',
  method: 'Pages are only read.',
  malformed: 'The address is malformed.',
  failed: 'The page cannot be shown now. Try again in a moment.',
};

function notice(services: Services, text: string): string {
  const root = rootOf(services, PREFIX);
  const body = html`<h1>${text}</h1><p><a href="${root}">To the documentation’s first page</a></p>`;
  return document({ root, groups: [] }, { path: '/notice', title: text, body });
}

/** The site with the bytes that all its readers share. */
type ServedSite = Omit<Site, 'pages' | 'schema'> & {
  readonly pages: ReadonlyMap<string, Buffer>;
  readonly schema: Buffer;
};

/** All pages are made when the first is asked for, and kept: they are the same until the next version runs. */
function siteOnce(services: Services): () => Promise<ServedSite> {
  return singleFlight(async () => {
    const { makeSite } = await import('./site.ts');
    const { pages, schema, ...others } = await makeSite(rootOf(services, PREFIX), services.config.baseUrl);
    const served = [...pages].map(([path, text]) => [path, share(text)] as const);
    return { ...others, pages: new Map(served), schema: share(schema) };
  });
}

function routes(
  services: Services,
  site: () => Promise<ServedSite>,
): (readonly [url: string, handler: Handler])[] {
  return [
    ['/', page(site, '')],
    [SEARCH.path, search(site)],
    ['/:page.md', plain(site)],
    ['/:page', async (request, reply) => page(site, `/${parameter(request, 'page')}`)(request, reply)],
    ['/style.css', style.send],
    ['/page.js', pageScript.send],
    ['/icon.svg', icon],
    ['/pictures/*', picture(site)],
    ['/schema.graphql', schema(site)],
    [REFERENCE.path, reference(site)],
    ['/reference.js', start.send],
    ['/viewer.js', viewer],
    [DECLARATION.path, declaration(services, site)],
    [`${DECLARATION.path}/:sha256`, declarationText(services)],
  ];
}

function parameter(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? '';
}

function page(site: () => Promise<ServedSite>, path: string): Handler {
  return async (_request, reply) => {
    const found = (await site()).pages.get(path);
    return found === undefined ? missing(reply) : sendPage(reply, 200, found);
  };
}

function plain(site: () => Promise<ServedSite>): Handler {
  return async (request, reply) => {
    const found = (await site()).plain.get(`${parameter(request, 'page')}.md`);
    return found === undefined ? missing(reply) : reply.type('text/markdown; charset=utf-8').send(found);
  };
}

function search(site: () => Promise<ServedSite>): Handler {
  return async (request, reply) => {
    const { q } = request.query as Record<string, unknown>;
    return sendPage(reply, 200, (await site()).search(typeof q === 'string' ? q : ''));
  };
}

function missing(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}

async function icon(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply.header('cache-control', 'public, max-age=3600').type('image/svg+xml').send(ICON);
}

function schema(site: () => Promise<ServedSite>): Handler {
  return async (_request, reply) => reply.type('text/plain; charset=utf-8').send((await site()).schema);
}

function picture(site: () => Promise<ServedSite>): Handler {
  return async (request, reply) => {
    const name = parameter(request, '*');
    if (!(await site()).pictures.has(name)) return missing(reply);
    const file = createReadStream(new URL(`../${name}`, GUIDES));
    return reply.header('cache-control', 'public, max-age=3600').type('image/png').send(file);
  };
}

function reference(site: () => Promise<ServedSite>): Handler {
  return async (request, reply) => {
    reply.header('content-security-policy', REFERENCE_POLICY);
    return page(site, REFERENCE.path)(request, reply);
  };
}

/** Every browser that shows pages takes gzip; the script is four times as large without. */
async function viewer(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply
    .header('cache-control', 'public, max-age=3600')
    .header('content-encoding', 'gzip')
    .type('text/javascript; charset=utf-8')
    .send(await viewerScript());
}

function declaration({ db, config }: Services, site: () => Promise<ServedSite>): Handler {
  return async (_request, reply) => {
    const current = await currentDeclaration(db, config);
    const older = (await allDeclarations(db)).filter(({ sha256 }) => sha256 !== current.sha256);
    return sendPage(reply, 200, (await site()).declaration(current, older));
  };
}

function declarationText({ db, config }: Services): Handler {
  return async (request, reply) => {
    await currentDeclaration(db, config);
    const wanted = parameter(request, 'sha256');
    const found = (await allDeclarations(db)).find(({ sha256 }) => sha256 === wanted);
    if (found === undefined) return missing(reply);
    const name = `declaracion-responsable-${found.version.replace(/[^\w.-]/g, '_')}.txt`;
    return reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(found.text);
  };
}
