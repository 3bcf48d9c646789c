import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { contextFactory } from '../src/faces/graphql/context.ts';
import { parseRequest } from '../src/ground/errors/issues.ts';
import { isRefusal, Refusal } from '../src/ground/errors/refusal.ts';
import type { Services } from '../src/services.ts';
import { sendRefusal } from './answer.ts';
import { bodyBounds } from './body-bounds.ts';
import { CONTRACT } from './contract/all.ts';
import { urlOf } from './contract/operation.ts';
import { type Guard, readParameters } from './guards.ts';
import { healthHandlers } from './health.ts';
import { methodMeant, pathMeant } from './hints.ts';
import { routeOf } from './kernel/routes.ts';
import { type Exposition, metricsHandler } from './metrics.ts';
import { openApiHandler, postmanHandler } from './openapi-handlers.ts';
import { handlerServices } from './operation.ts';
import { QR_CHECK_PATH, qrCheckHandler } from './qr-check.ts';
import type { Method, Route } from './route.ts';

/** Information about the process, passed in. */
export type ProcessStatus = {
  /** Whether every migration of this version has been applied. */
  readonly isMigrated: () => Promise<boolean>;
  readonly exposition: Exposition;
};

/** Every endpoint: the operations, and what is none. */
function routes(services: Services, { isMigrated, exposition }: ProcessStatus): Route[] {
  const handling = handlerServices(services, contextFactory(services));
  const health = healthHandlers(services, isMigrated);
  return [
    ...CONTRACT.map((operation) => routeOf(operation, services, handling)),
    ['GET', '/v1/openapi.json', [], null, openApiHandler(services)],
    ['GET', '/docs/postman.json', [], null, postmanHandler(services)],
    ['GET', QR_CHECK_PATH, [], null, qrCheckHandler(services)],
    ['GET', '/healthz', [], null, health.alive],
    ['GET', '/readyz', [], null, health.ready],
    ...metricsRoute(services, exposition),
  ];
}

/** Only if it has no separate port. */
function metricsRoute({ config }: Pick<Services, 'config'>, exposition: Exposition): Route[] {
  return config.metricsPort === null ? [['GET', '/metrics', [], null, metricsHandler(exposition)]] : [];
}

/** Paths that are served, with their methods, for `method_not_allowed`. */
const served = new Map<string, string[]>([['/graphql', ['GET', 'HEAD', 'POST']]]);

export function addRoutes(server: FastifyInstance, services: Services, status: ProcessStatus): void {
  for (const [method, path, guards, parameters, handler] of routes(services, status)) {
    const methods = new Set([...(served.get(path) ?? []), method, ...(method === 'GET' ? ['HEAD'] : [])]);
    served.set(path, [...methods]);
    const bare = takesNoFields(method, path) ? [refuseFields(services)] : [];
    const reading =
      parameters === null ? {} : { preHandler: [readParameters(services, parameters), ...bare] };
    const onRequest = path.includes(':') ? [refuseMisread(services), ...guards] : [...guards];
    const { bytes: bodyLimit } = bodyBounds(method, path);
    server.route({ method, url: path, onRequest, bodyLimit, config: { parameters }, ...reading, handler });
  }
}

function refuseMisread({ config }: Pick<Services, 'config'>): Guard {
  return async (request, reply) =>
    isMisread(request.url) ? refuseRoute(request, reply, config.baseUrl) : undefined;
}

/** These requests take no fields: a body may be missing or empty, and one with fields is an error. */
const BARE = new Set(
  CONTRACT.filter(({ body }) => body === undefined).map((one) => `${one.method} ${urlOf(one)}`),
);

const takesNoFields = (method: Method, path: string): boolean =>
  method === 'POST' && BARE.has(`${method} ${path}`);

const noFields = z.strictObject({});

function refuseFields({ config }: Pick<Services, 'config'>): Guard {
  return async (request, reply) => {
    const body = parseRequest(noFields, request.body ?? {});
    return isRefusal(body) ? sendRefusal(reply, body, config.baseUrl, 'of REST') : undefined;
  };
}

/**
 * The methods for which a path is served, or null if it is not served. A path with a name of its own
 * (`/v1/invoices/validate`) does not match an id.
 */
export function allowedMethods(url: string): string[] | null {
  const path = url.split('?', 1)[0]!;
  const allowed = served.get(path);
  if (allowed !== undefined) return allowed;
  const steps = path.split('/');
  const matching = [...served].filter(([pattern]) => fits(pattern.split('/'), steps));
  return matching.length === 0 ? null : [...new Set(matching.flatMap(([, methods]) => methods))];
}

function fits(pattern: readonly string[], steps: readonly string[]): boolean {
  return (
    pattern.length === steps.length &&
    pattern.every((step, i) => (step.startsWith(':') ? steps[i] !== '' : step === steps[i]))
  );
}

/**
 * Values that the router matches as an id and that are none: an empty one (`//`, a trailing `/`), or a path with a name of
 * its own.
 */
const isMisread = (url: string): boolean => {
  const path = url.split('?', 1)[0]!;
  return path.endsWith('/') || path.includes('//') || served.has(path);
};

/** Refuses unknown routes, and known routes with other methods. */
export function refuseRoute(request: FastifyRequest, reply: FastifyReply, baseUrl: string): FastifyReply {
  const allowed = allowedMethods(request.url);
  if (allowed === null) {
    const detail = `No such route. ${pathMeant(request.url, allowedMethods)}`;
    return sendRefusal(reply, new Refusal('not_found', detail), baseUrl);
  }
  reply.header('allow', allowed.join(', '));
  return sendRefusal(
    reply,
    new Refusal(
      'method_not_allowed',
      `${request.method} is not allowed here. ${methodMeant(request.method, request.url, allowed)}`,
    ),
    baseUrl,
  );
}
