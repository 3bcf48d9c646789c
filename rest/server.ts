import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { ownerOf as ownerOfCaller } from '../src/faces/graphql/charged-rows.ts';
import { type EventLoopScheduler, LARGE_BODY } from '../src/ground/lib/event-loop-scheduler.ts';
import { newId } from '../src/ground/lib/ids.ts';
import type { Services } from '../src/services.ts';
import type { Caller, Operator } from '../src/subjects/accounts/entry/caller.ts';
import { sendRefusal } from './answer.ts';
import { bodyBounds } from './body-bounds.ts';
import { addGraphQL } from './graphql.ts';
import { HttpError, logError, rawRefusal, refusalOfError, refuseExpectation } from './http-errors.ts';
import { type JsonBounds, jsonRefusal } from './json-body.ts';
import { knownOwner } from './known-owner.ts';
import { REQUEST_LIMITS } from './limits.ts';
import type { Variable } from './query.ts';
import { addRepresentations } from './representation.ts';
import { observeRequests } from './request-observer.ts';
import { addRoutes, type ProcessStatus, refuseRoute } from './router.ts';
import { securityHeaders } from './security-headers.ts';
import { Traffic, type TrafficBounds } from './traffic.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set before it closes: requests are still answered, but no more should be sent here. */
    draining: boolean;
  }
  interface FastifyRequest {
    /** The owner of the request's key; null without a valid key. */
    caller: Caller | Operator | null;
    /** The `Idempotency-Key` header, on routes that take one. */
    idempotencyKey: string | null;
    /** The query parameters as variables of the operation, on routes that declare theirs. */
    variables: Record<string, Variable>;
  }
}

const SANE_REQUEST_ID = /^[\w.-]{1,128}$/;

/** The caller's own id for its request, if it is valid. */
function requestIdOf({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : newId('req');
}

/** What is served in addition to REST and GraphQL, built by the caller. */
export type ServerParts = ProcessStatus & {
  /** Each registers the routes of its pages. */
  readonly pages: readonly ((server: FastifyInstance) => void)[];
};

/**
 * The HTTP server: REST under /v1, GraphQL, health, metrics and the given pages. Not yet listening. Its `close` completes
 * the requests in progress and refuses others with `service_unavailable`; `draining` announces it. `bounds` replace those
 * of the table of limits.
 */
export async function buildServer(
  services: Services,
  parts: ServerParts,
  bounds: Partial<TrafficBounds> = {},
): Promise<FastifyInstance> {
  const { config } = services;
  const server = createServer(config);
  server.decorate('draining', false);
  server.decorateRequest('caller', null);
  server.decorateRequest('idempotencyKey', null);
  server.decorateRequest('variables');
  beginAnswers(server, services);
  observeRequests(server, services.log);
  // Before hooks that count the bytes of answers.
  addRepresentations(server);
  const ownerOf = (request: FastifyRequest) => knownOwner(services, request);
  new Traffic(services, config.trustedProxies, ownerOf, bounds).watch(server);
  readBodies(server, services.eventLoop);
  answerFaults(server, services);
  addGraphQL(server, services);
  addRoutes(server, services, parts);
  for (const addPages of parts.pages) addPages(server);
  return server;
}

/** A server without routes: what Fastify and Node themselves bound, name and refuse. */
function createServer({ baseUrl, trustedProxies }: Services['config']): FastifyInstance {
  const server = Fastify({
    // Fastify's own request log has two lines per request, including the URL, and a logger for each.
    logger: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: REQUEST_LIMITS.body.value,
    requestTimeout: REQUEST_LIMITS.requestTime.value,
    // By default Node checks only every half minute whether the time is over.
    http: {
      headersTimeout: REQUEST_LIMITS.headTime.value,
      connectionsCheckingInterval: 5_000,
      // Node's own answer to a request without Host would lack the error body: `beginAnswers` checks instead.
      requireHostHeader: false,
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // An id in the path may have any length: it is simply not found; Node limits the length of the request line.
    routerOptions: { maxParamLength: REQUEST_LIMITS.head.value },
    genReqId: requestIdOf,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      sendRefusal(reply as never, refusalOfError(error), baseUrl);
    },
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.end(rawRefusal(baseUrl));
      else socket.destroy();
    },
  });
  // Node would answer by itself, and without a body.
  server.server.on('checkExpectation', (request, response) => {
    refuseExpectation(response, requestIdOf(request), baseUrl);
  });
  // Node would close the connection without an answer. Nobody else watches it from here on.
  server.server.on('connect', (request, socket) => {
    socket.on('error', () => {}).write(rawRefusal(baseUrl, 'There are no tunnels.', requestIdOf(request)));
    (socket as Socket).destroySoon();
  });
  return server;
}

/** Answered even if a newer version has migrated the database. */
const PROBES = new Set(['/healthz', '/readyz']);

/**
 * Every answer carries the security headers and the id of its request. Refused are requests without Host, and once the server closes, or a newer
 * version has migrated the database, all others.
 */
function beginAnswers(server: FastifyInstance, { db, streams }: Pick<Services, 'db' | 'streams'>): void {
  const headers = securityHeaders();
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
    // Streams would never end; their readers reconnect to another process.
    streams.end();
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    // Clients with persistent connections reconnect to another process for the next request.
    if (closing || server.draining) reply.header('connection', 'close');
    if (closing) return done(new HttpError('service_unavailable', 'The service is shutting down.'));
    if (db.lineage.newerMigration !== null && !PROBES.has(request.routeOptions.url ?? ''))
      return done(
        new HttpError('service_unavailable', 'A newer version has taken the place of this process.'),
      );
    // RFC 9112, 3.2: clients of HTTP/1.1 send exactly one Host.
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      return done(new HttpError('invalid_request', 'A request of HTTP/1.1 names its Host.'));
    done();
  });
}

const OTHER_CHARSET = /;\s*charset=(?!"?utf-8"?\s*(;|$))/i;

/** JSON in valid UTF-8 only: a replacement character would silently change what is invoiced. */
function readBodies(server: FastifyInstance, loop: EventLoopScheduler): void {
  server.removeAllContentTypeParsers();
  const parseAs = 'buffer' as const;
  server.addContentTypeParser('application/json', { parseAs }, (request, body, done) => {
    const bytes = body as Buffer;
    // Some clients declare JSON on every request, including those without a body; a route that needs one says so.
    if (bytes.length === 0) return done(null, undefined);
    if (OTHER_CHARSET.test(request.headers['content-type'] ?? ''))
      return done(new HttpError('unsupported_media_type', 'JSON is written in UTF-8.'));
    if (request.headers['content-encoding'] !== undefined)
      return done(new HttpError('unsupported_media_type', 'Bodies are not compressed.'));
    const read = () => {
      const value = parseBody(bytes, bodyBounds(request.method, request.routeOptions.url));
      return value instanceof HttpError ? done(value) : done(null, value);
    };
    if (bytes.length <= LARGE_BODY) return read();
    void loop.waitTurn(ownerOfCaller(request)).then(read);
  });
}

function parseBody(bytes: Buffer, bounds: JsonBounds): unknown {
  if (!isUtf8(bytes)) return new HttpError('invalid_request', 'The body is not valid UTF-8.');
  const fault = jsonRefusal(bytes, bounds);
  if (fault !== null) return new HttpError('invalid_request', fault.detail, fault.errors);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return new HttpError('invalid_request', 'The body is not valid JSON.');
  }
}

function answerFaults(server: FastifyInstance, services: Pick<Services, 'config' | 'db' | 'log'>): void {
  const { baseUrl } = services.config;
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const { bytes } = bodyBounds(request.method, request.routeOptions.url);
    const refusal = refusalOfError(error, bytes);
    logError(services, refusal, error, request);
    return sendRefusal(reply, refusal, baseUrl);
  });
  server.setNotFoundHandler((request, reply) => refuseRoute(request, reply, baseUrl));
}
