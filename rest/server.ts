import { isUtf8 } from 'node:buffer';
import fastifyHelmet from '@fastify/helmet';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Caller, Operator } from '../src/accounts/authenticate.ts';
import { isDatabaseTrouble } from '../src/db/failures.ts';
import { Refusal } from '../src/errors/refusal.ts';
import { createGraphQLServer } from '../src/graphql/server.ts';
import { newId } from '../src/lib/ids.ts';
import type { Services } from '../src/services.ts';
import { sendRefusal } from './answer.ts';
import { observe } from './metrics.ts';
import { addRoutes, allowedMethods } from './router.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whoever the key of the request belongs to; null without a key in force. */
    caller: Caller | Operator | null;
  }
}

/** DECISIONS D1. 500 lines of the longest texts stay below it. */
const LARGEST_BODY = 1024 * 1024;
/** Longer than any work of ours; a client that sends its request more slowly is not one. */
const REQUEST_TIMEOUT_MS = 30_000;
const SANE_REQUEST_ID = /^[\w.-]{1,128}$/;

/**
 * The HTTP server: REST under /v1, GraphQL, documentation and health. Not yet listening. Its `close` answers the
 * requests under way and refuses others with `service_unavailable`.
 */
export async function buildServer(services: Services): Promise<FastifyInstance> {
  const { config } = services;
  const server = Fastify({
    // What there is to log, the error handler logs itself; a logger a request would cost more than it tells.
    logger: false,
    bodyLimit: LARGEST_BODY,
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    genReqId: (request) => {
      const sent = request.headers['x-request-id'];
      return typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : newId('req');
    },
    frameworkErrors: (error, _request, reply) => {
      sendRefusal(reply as never, refusalOfFault(error), config.baseUrl);
    },
    clientErrorHandler: (_error, socket) => {
      const refusal = new Refusal('invalid_request', 'The request is not HTTP.');
      if (socket.writable) socket.end(rawRefusal(refusal, config.baseUrl));
    },
  });
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
  });
  server.decorateRequest('caller', null);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (!closing) return;
    reply.header('connection', 'close');
    await sendRefusal(
      reply,
      new Refusal('service_unavailable', 'The service is shutting down.'),
      config.baseUrl,
    );
  });
  await server.register(fastifyHelmet, { contentSecurityPolicy: false, global: true });
  observe(server);
  readBodies(server);
  answerFaults(server, services);
  addGraphQL(server, services);
  addRoutes(server, services);
  return server;
}

/** JSON in valid UTF-8 only: a replacement character would silently change what a merchant invoices. */
function readBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const refusal = unreadable(request, body as Buffer);
    if (refusal !== null) return done(refusal);
    try {
      done(null, JSON.parse((body as Buffer).toString('utf8')));
    } catch {
      done(fault('invalid_request', 'The body is not valid JSON.'));
    }
  });
}

/** Why the bytes of a body are not looked into, or null. */
function unreadable(request: FastifyRequest, bytes: Buffer): Fault | null {
  if (request.headers['content-encoding'] !== undefined) {
    return fault('unsupported_media_type', 'Bodies are not compressed.');
  }
  return isUtf8(bytes) ? null : fault('invalid_request', 'The body is not valid UTF-8.');
}

/** A refusal on its way out of a place that can only throw. */
class Fault extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

function fault(code: 'invalid_request' | 'unsupported_media_type', detail: string): Fault {
  return new Fault(new Refusal(code, detail));
}

function answerFaults(server: FastifyInstance, services: Services): void {
  const { baseUrl } = services.config;
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalOfFault(error);
    if (refusal.status >= 500) {
      services.log.error(
        { err: error, requestId: request.id, route: request.routeOptions.url },
        'request failed',
      );
    }
    return sendRefusal(reply, refusal, baseUrl);
  });
  server.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(request.url);
    if (allowed === null) {
      return sendRefusal(reply, new Refusal('not_found', 'No such route.'), baseUrl);
    }
    const detail = `${request.method} is not allowed here.`;
    return sendRefusal(
      reply.header('allow', allowed.join(', ')),
      new Refusal('method_not_allowed', detail),
      baseUrl,
    );
  });
}

/** What a caller learns of an error that reached the HTTP layer. */
function refusalOfFault(error: Error & { code?: string; statusCode?: number }): Refusal {
  if (error instanceof Fault) return error.refusal;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Refusal('payload_too_large', 'The body is larger than 1 MiB.');
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Refusal('unsupported_media_type', 'Send application/json.');
  }
  if (isDatabaseTrouble(error)) {
    return new Refusal('service_unavailable', 'The service cannot reach its database.');
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Refusal('invalid_request', 'The request is malformed.');
  }
  return new Refusal('internal_error', 'Something failed unexpectedly. Nothing was persisted.');
}

function rawRefusal(refusal: Refusal, baseUrl: string): string {
  const body = JSON.stringify({
    code: refusal.code,
    detail: refusal.detail,
    errors: [],
    doc_url: `${baseUrl}/docs/errors#${refusal.code}`,
  });
  return (
    `HTTP/1.1 ${refusal.status} Bad Request\r\ncontent-type: application/json; charset=utf-8\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  );
}

/** The body is read here, within the limit; Yoga gets its text and answers what GraphQL over HTTP says. */
function addGraphQL(server: FastifyInstance, services: Services): void {
  const yoga = createGraphQLServer(services);
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      const refusal = unreadable(request, body as Buffer);
      if (refusal !== null) done(refusal);
      else done(null, (body as Buffer).toString('utf8'));
    });
    scope.route({
      url: '/graphql',
      method: ['GET', 'POST'],
      handler: async (request, reply) => {
        const caller = await callerOf(services, request);
        const url = new URL(request.url, services.config.baseUrl);
        const { accept = 'application/json' } = request.headers;
        const init = { method: request.method, headers: { accept, 'content-type': 'application/json' } };
        const text = request.method === 'POST' ? { body: (request.body as string | undefined) ?? '' } : {};
        const response = await yoga.fetch(url, { ...init, ...text }, { requestId: request.id, caller });
        for (const [name, value] of response.headers) reply.header(name, value);
        return reply.code(response.status).send(Buffer.from(await response.arrayBuffer()));
      },
    });
  });
}

/** Whose key the request carries. */
export async function callerOf(
  services: Services,
  request: FastifyRequest,
): Promise<Caller | Operator | null> {
  const { authorization } = request.headers;
  const merchant = await services.authenticator.merchant(authorization);
  return merchant ?? services.authenticator.operator(authorization);
}
