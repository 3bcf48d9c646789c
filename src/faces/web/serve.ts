import { isUtf8 } from 'node:buffer';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseFailure, isLoggedAsOutage } from '../../ground/db/condition/failures.ts';
import { isRefusedWrite } from '../../ground/db/condition/write-state.ts';
import { networkOf } from '../../ground/lib/network.ts';
import type { Services } from '../../services.ts';
import { readForm, readMultipart } from './request.ts';

/** The longest form has ten fields of at most 254 characters, each up to twelve bytes when encoded. */
const LARGEST_FORM = 32 * 1024;

/**
 * A page runs nothing, is framed by nobody, sends its forms to where it came from, and takes from there alone the one
 * thing it loads.
 */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Why a request is not answered as it was meant. */
export type PageFailure = 'missing' | 'method' | 'malformed' | 'failed';

type Pages = {
  readonly prefix: string;
  /** Writes the page for it. It must be there when nothing else is, so it looks nothing up. */
  sendFailure(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    failure: PageFailure,
  ): FastifyReply;
  readonly routes: (scope: FastifyInstance) => void;
  /** How long a form with a file may be; left out, files are not taken. */
  readonly largestFile?: number;
};

/**
 * Serves pages under a prefix. Everything there answers as a page, also what is not found or fails; bodies are forms in
 * UTF-8, `null` when they are none; nothing is kept in caches unless a handler states otherwise.
 */
export function servePages(
  server: FastifyInstance,
  services: Pick<Services, 'db' | 'log'>,
  pages: Pages,
): void {
  server.register(
    async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'buffer', bodyLimit: LARGEST_FORM },
        (_request, body, done) => done(null, isUtf8(body as Buffer) ? readForm(String(body)) : null),
      );
      if (pages.largestFile !== undefined) {
        scope.addContentTypeParser(
          'multipart/form-data',
          { parseAs: 'buffer', bodyLimit: pages.largestFile },
          (request: FastifyRequest, body: Buffer) =>
            readMultipart(body, request.headers['content-type'] ?? ''),
        );
      }
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('content-security-policy', CONTENT_SECURITY_POLICY).header('cache-control', 'no-store');
      });
      scope.setErrorHandler((error: FastifyError, request, reply) => {
        const { statusCode = 500 } = error;
        if (statusCode >= 400 && statusCode < 500)
          return pages.sendFailure(request, reply, statusCode, 'malformed');
        // On purpose, because the service is stopping.
        if (statusCode === 503)
          return pages.sendFailure(request, reply.header('retry-after', '5'), 503, 'failed');
        const fields = { err: error, requestId: request.id, route: request.routeOptions.url };
        if (!isRefusedWrite(error) && !isLoggedAsOutage(error, services.db.lineage))
          services.log.error(fields, 'a page failed');
        if (!isDatabaseFailure(error)) return pages.sendFailure(request, reply, 500, 'failed');
        return pages.sendFailure(request, reply.header('retry-after', '5'), 503, 'failed');
      });
      scope.setNotFoundHandler((request, reply) =>
        request.method === 'GET' || request.method === 'HEAD'
          ? pages.sendFailure(request, reply, 404, 'missing')
          : pages.sendFailure(request, reply.header('allow', 'GET'), 405, 'method'),
      );
      pages.routes(scope);
    },
    { prefix: pages.prefix },
  );
}

/** Charges the viewer's share; false when it is used up, with `retry-after` set for the page that reports it. */
export function chargeForPage(
  { shares }: Pick<Services, 'shares'>,
  owner: string,
  reply: FastifyReply,
): boolean {
  const refusal = shares.take(owner, 'pages');
  if (refusal !== null) reply.header('retry-after', String(refusal.retryAfter));
  return refusal === null;
}

/** The same for an unknown caller, by network. */
export function chargeByNetwork(
  services: Pick<Services, 'shares'>,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  return chargeForPage(services, `network ${networkOf(request.ip)}`, reply);
}

/** Sends a whole page. */
export function sendPage(reply: FastifyReply, status: number, page: string | Buffer): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}
